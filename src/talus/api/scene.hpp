// A scene written in C++: the same tables as in a scene file, as structs. It becomes the same tree, which the same
// schema checks and completes, so that both give the same run.
//     talus::Scene<2> scene{.name = "two disks", .dt = 1e-3, .duration = 1};
//     const auto glass = scene.materials.add({.name = "glass", .preset = "glass"});
//     scene.drivers.push_back(talus::driver::Gravity{});
//     talus::Run<2> run(scene);
#pragma once

#include "talus/api/scene_parts.hpp"
#include "talus/simulation/run.hpp"

#include <filesystem>

namespace talus {

class Materials {
  public:
    // The name, by which bodies, generators and laws refer to it.
    std::string add(section::Material material);
    const std::vector<section::Material>& entries() const { return entries_; }

  private:
    std::vector<section::Material> entries_;
};

// The law of all contacts, and those of pairs of materials that differ from it.
class Contacts {
  public:
    struct Pair {
        std::string first, second;
        section::Law law;
    };
    section::Law law;
    section::Law& between(const std::string& first, const std::string& second); // until the next call
    const std::vector<Pair>& pairs() const { return pairs_; }

  private:
    std::vector<Pair> pairs_;
};

template <int D>
struct Scene {
    Given<std::string> name{};
    Given<std::string> method{};
    Given<double> dt{}, duration{}; // [s]
    Given<std::string> until{};     // "time" or "rest"
    Given<std::int64_t> seed{};
    Materials materials{};
    Contacts contact{};
    std::vector<SceneBody> bodies{};
    std::vector<generator::Any> generators{};
    std::vector<driver::Any> drivers{};
    std::vector<gauge::Any> gauges{};
    Given<section::Start> start{};
    section::Rest rest{};
    section::Solver solver{};
    section::Dem dem{};
    section::Event event{};
    section::Crowd crowd{};
    std::vector<section::Exit> exits{};
    std::vector<section::Line> lines{};
    std::vector<section::Door> doors{};
    std::vector<section::Walkers> walkers{};
    section::Partition partition{};
    section::Quality quality{};
    section::Detection detection{};
    section::Output output{};

    // As a file that says the same is read; sections that have no struct yet (track, operations) can be added to it.
    scene::Value tree() const;
    // What Run<D> run(scene) takes. InputError with every problem of the scene.
    operator RunSetup<D>() const;
};

// From a tree, however it was made, and from a scene file with overrides such as "contact.friction=0.3". InputError
// with every problem.
template <int D>
RunSetup<D> set_up(scene::Value tree);
template <int D>
RunSetup<D> from_file(const std::filesystem::path& file, const std::vector<std::string>& sets = {});

} // namespace talus
