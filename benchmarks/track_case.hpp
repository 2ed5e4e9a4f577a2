// A scene of the library that has a track, with its sample, which is made where it is missing (out/samples).
#pragma once

#include "benchmarks/bench.hpp"
#include "talus/simulation/run.hpp"

#include <map>

namespace talus::bench {

// RunError where the sample did not come to rest.
RunSetup<3> track_case(const std::string& library_name, const std::vector<std::string>& sets);

// What Talus takes where nothing is said, instead of the document's solver.
// `residual`: what every solve is asked for.
std::vector<std::string> own_solver(double residual = 1e-2);

// A gauge over time, one value per measurement and column.
class Watch {
  public:
    Watch(const Simulation<3>& simulation, std::string gauge);
    void look(const Simulation<3>& simulation);

    const std::string& gauge() const { return name_; }
    bool has(const std::string& column) const { return columns_.contains(column); }
    const std::vector<double>& times() const { return times_; }
    const std::vector<double>& column(const std::string& name) const { return columns_.at(name); }
    double mean(const std::string& name, double from, double until) const;
    double at(const std::string& name, double time) const; // nearest measurement
    double largest(const std::string& name) const;

  private:
    std::string name_;
    std::size_t gauge_;
    std::vector<double> times_;
    std::map<std::string, std::vector<double>> columns_;
};

} // namespace talus::bench
