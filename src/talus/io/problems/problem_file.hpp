// Recorded contact problems (docs/problems.md), in two layouts: FCLIB's, by the Delassus matrix, which other programs
// read and write; and our own, matrix-free, which holds a step's problem as the solver received it, bit for bit.
#pragma once

#include "talus/solvers/assembled/assembled_problem.hpp"

#include <filesystem>
#include <variant>

namespace talus::io {

using RecordedProblem = std::variant<AssembledProblem<2>, AssembledProblem<3>, ContactProblem<2>, ContactProblem<3>>;

// Recognises the layout. A file that is not a problem, or not a sound one, is an InputError that names file, dataset,
// value and what is allowed.
RecordedProblem read_problem(const std::filesystem::path& file);
// Who owned which body when it was recorded in our layout; one part where the file does not say.
Partition read_partition(const std::filesystem::path& file);

// our own layout
template <int D>
void write_problem(const std::filesystem::path& file, const ContactProblem<D>& problem,
                   const Partition& partition = {});

// what the impulses of a problem in FCLIB's layout are: where to start, or the answer
enum class Impulses { guess, solution };
template <int D>
void write_fclib(const std::filesystem::path& file, const AssembledProblem<D>& problem,
                 Impulses impulses = Impulses::guess);

} // namespace talus::io
