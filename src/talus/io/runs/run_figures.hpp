// What a run came to, as names and numbers: energies, contacts and indicators at its end, and what it cost. Runs of one
// scene by several methods are compared by these.
#pragma once

#include "talus/simulation/run.hpp"

#include <optional>
#include <string>
#include <vector>

namespace talus::io {

struct Figure {
    std::string group; // "run", "energy", "contacts", "cost", or "gauge NAME"
    std::string name;  // with its unit, as in series.csv
    std::optional<double> value;
};

struct RunFigures {
    RunEnd end; // without an outcome: the run has not ended
    std::vector<Figure> figures;
};

// Fills them in when its run ends.
template <int D>
class FigureKeeper final : public Observer<D> {
  public:
    explicit FigureKeeper(RunFigures& figures) : figures_(figures) {}
    void on_step(const Run<D>& run, const StepReport& report) override;
    void on_end(const Run<D>& run, const RunEnd& end) override;

  private:
    void add(std::string group, std::string name, std::optional<double> value);
    void add_energies(const Simulation<D>& simulation);
    void add_contacts(const Run<D>& run);
    void add_cost(const Run<D>& run);

    RunFigures& figures_;
    double deepest_ = 0; // [m] overlap, of all steps
};

} // namespace talus::io
