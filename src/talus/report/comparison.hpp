// One scene by several methods: what each came to, side by side, and how it differs from the first that ran.
#pragma once

#include "talus/io/runs/run_figures.hpp"

#include <optional>
#include <string>
#include <vector>

namespace talus::report {

struct ComparedRun {
    std::string method;
    std::string refusal; // why the method does not apply; empty: it ran
    io::RunFigures result;

    bool has_run() const { return refusal.empty(); }
};

struct Difference {
    std::optional<double> absolute, relative; // relative to the size of the reference; none where that is 0
};

struct ComparedFigure {
    std::string group, name;
    std::vector<std::optional<double>> values; // one per method
    std::vector<Difference> differences;       // likewise; nothing for the reference and for who has not run
};

struct Comparison {
    std::string scene; // its file
    std::vector<ComparedRun> runs;

    std::optional<std::size_t> reference() const; // the first method that ran
    std::vector<ComparedFigure> figures() const;  // in the order of the runs, each once; cost ends with the ratio
};

// For a terminal; for programs, numbers alone; for programs, with outcomes and reasons.
std::string to_text(const Comparison& comparison);
std::string to_csv(const Comparison& comparison);
std::string to_json(const Comparison& comparison);

} // namespace talus::report
