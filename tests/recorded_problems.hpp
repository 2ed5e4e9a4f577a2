// The recorded problems that come with the tests (tests/data/fclib).
#pragma once

#include <string>
#include <vector>

namespace talus {

inline std::string recorded_problem(const std::string& name)
{
    return std::string(TALUS_SCENES) + "/../tests/data/fclib/" + name + ".local.hdf5";
}

inline const std::vector<std::string> recorded_names = {"Rover1039", "OneObject-i1028-138", "Box_Stacks-i0122-82-5",
                                                        "FrictionContactProblem00031", "GFC3D_OneContact"};

} // namespace talus
