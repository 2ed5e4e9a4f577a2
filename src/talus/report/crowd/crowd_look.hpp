// What a picture of a crowd shows beside its bodies: which way people face, how dense it is around them, by which exit
// they leave, the ways they have gone, a map of the ground.
#pragma once

#include "talus/report/crowd/crowd_history.hpp"
#include "talus/report/crowd/crowd_map.hpp"

#include <memory>
#include <optional>

namespace talus::report {

struct Trail {
    std::vector<Vec<2>> places; // [m]
    std::int32_t exit;          // −1: of somebody who stays
};

// Of one frame.
struct CrowdLook {
    // one for each body
    std::vector<Vec<2>> heading;    // unit
    std::vector<double> density;    // [1/m²]; 0 of what is no person
    std::vector<std::int32_t> exit; // by which they leave in the run; −1: they stay
    std::size_t inside = 0, left = 0;
    std::vector<ExitMark> exits;
    CrowdMaps maps;
    std::vector<Trail> trails; // empty where they are not asked for
};

// As io::read_frame() gives it.
template <int D>
std::vector<std::int32_t> numbers_in(const io::Frame<D>& frame)
{
    std::vector<std::int32_t> numbers;
    for (std::size_t i = 0; i < frame.bodies.size(); ++i) numbers.push_back(std::int32_t(frame.bodies.id(i)));
    return numbers;
}

// A frame whose bodies have these numbers; `gone` flags those that are not there, where there are such.
template <int D>
CrowdLook look_at(const CrowdHistory<D>& history, const io::Frame<D>& frame, const std::vector<std::int32_t>& numbers,
                  MapGrain grain, const std::vector<std::uint8_t>& gone = {});

// The ways that people have gone until a frame, those who have left too.
template <int D>
std::vector<Trail> trails_until(const CrowdHistory<D>& history, const io::Frame<D>& frame);

// Looks at the frames of a finished run, as io::read_frame() gives them.
template <int D>
class CrowdLooks {
  public:
    // None where it is no run of a crowd.
    static std::shared_ptr<const CrowdLooks> open(const std::filesystem::path& run_folder);
    std::shared_ptr<const CrowdLook> look(const io::Frame<D>& frame, bool with_trails) const;
    std::int64_t frames() const { return history_.frames(); }

  private:
    explicit CrowdLooks(CrowdHistory<D> history) : history_(std::move(history)) {}
    CrowdHistory<D> history_;
};

} // namespace talus::report
