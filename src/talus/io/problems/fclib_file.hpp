// FCLIB's HDF5 layout of local problems (Acary, Brémond, Koziara, Pérignon: FCLIB, INRIA RT-444): W in a sparse scalar
// form, q and μ; components of a contact in the order normal, tangential(s).
#pragma once

#include "talus/io/problems/problem_file.hpp"

namespace talus::io {

class ForeignHdf5;

bool holds_fclib(const ForeignHdf5& file);
RecordedProblem read_fclib(const ForeignHdf5& file);

} // namespace talus::io
