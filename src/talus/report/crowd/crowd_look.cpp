#include "talus/report/crowd/crowd_look.hpp"

#include "talus/crowd/voronoi.hpp"

#include <algorithm>

namespace talus::report {

namespace {

constexpr double least_area = 1e-3; // [m²] of somebody whose centre lies on a wall

// Density around each person, and the maps.
void measure(CrowdLook& look, const io::Frame<2>& frame, const std::vector<std::uint8_t>& gone, const MapGrid& grid)
{
    BodyTable<2> here; // without those who are gone
    std::vector<std::size_t> body;
    for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
        if ((!gone.empty() && gone[i]) || !frame.bodies.position[i].allFinite()) continue;
        Body<2> one;
        one.position = frame.bodies.position[i];
        one.orientation = frame.bodies.orientation[i];
        one.imposed = frame.bodies.imposed[i];
        one.shape = frame.bodies.shape[i];
        here.add(one);
        body.push_back(i);
    }
    CellOptions options;
    options.with_outlines = true;
    const std::vector<PersonCell> cells = person_cells(here, frame.shapes, options);
    std::vector<MappedPerson> persons;
    for (const PersonCell& cell : cells) {
        const std::size_t i = body[std::size_t(cell.body)];
        look.density[i] = 1 / std::max(cell.area, least_area);
        persons.push_back({cell.outline, look.density[i], frame.bodies.velocity[i].norm()});
    }
    look.maps = crowd_maps(grid, persons);
}
// Crowds are flat.
void measure(CrowdLook&, const io::Frame<3>&, const std::vector<std::uint8_t>&, const MapGrid&) {}

} // namespace

template <int D>
CrowdLook look_at(const CrowdHistory<D>& history, const io::Frame<D>& frame, const std::vector<std::int32_t>& numbers,
                  MapGrain grain, const std::vector<std::uint8_t>& gone)
{
    const BodyTable<D>& bodies = frame.bodies;
    CrowdLook look;
    look.exits = history.scene().exits;
    look.heading = history.headings(frame, numbers);
    look.density.assign(bodies.size(), 0);
    look.exit.assign(bodies.size(), -1);
    look.left = history.left_before(frame.clock.time());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (!is_person(frame, i) || (!gone.empty() && gone[i])) continue;
        ++look.inside;
        const auto number = std::size_t(numbers[i]);
        if (number < history.tracks().size()) look.exit[i] = history.tracks()[number].exit;
    }
    measure(look, frame, gone, map_grid(history.lower(), history.upper(), grain));
    return look;
}

template <int D>
std::vector<Trail> trails_until(const CrowdHistory<D>& history, const io::Frame<D>& frame)
{
    const double time = frame.clock.time();
    const auto until =
        std::int64_t(std::ranges::upper_bound(history.moments(), time + 1e-9) - history.moments().begin());
    std::vector<Trail> trails;
    std::size_t next = 0; // body of the frame: both ascend by number
    for (std::size_t number = 0; number < history.tracks().size(); ++number) {
        const auto& track = history.tracks()[number];
        while (next < frame.bodies.size() && std::size_t(frame.bodies.id(next)) < number) ++next;
        const bool is_here = next < frame.bodies.size() && std::size_t(frame.bodies.id(next)) == number;
        if (!track.is_person() || track.came > time + 1e-9) continue;
        Trail trail{{}, track.exit};
        const std::int64_t count = std::clamp<std::int64_t>(until - track.first, 0, std::int64_t(track.places.size()));
        for (std::size_t k = 0; k < std::size_t(count); ++k) {
            trail.places.emplace_back(double(track.places[k][0]), double(track.places[k][1]));
        }
        trail.places.push_back(is_here ? Vec<2>(frame.bodies.position[next].template head<2>()) : track.last_place);
        trails.push_back(std::move(trail));
    }
    return trails;
}

template <int D>
std::shared_ptr<const CrowdLooks<D>> CrowdLooks<D>::open(const std::filesystem::path& run_folder)
{
    const auto scene = crowd_scene(run_folder);
    if (!scene) return nullptr;
    CrowdHistory<D> history(run_folder, *scene);
    std::int64_t frames = 0;
    for (const io::FrameBlock& block : io::list_blocks(run_folder)) {
        frames = block.first + std::int64_t(io::read_times(block, io::SealCheck::length).time.size());
    }
    history.refresh(io::read_constants<D>(run_folder), frames);
    return std::shared_ptr<const CrowdLooks>(new CrowdLooks(std::move(history)));
}

template <int D>
std::shared_ptr<const CrowdLook> CrowdLooks<D>::look(const io::Frame<D>& frame, bool with_trails) const
{
    auto look = std::make_shared<CrowdLook>(look_at(history_, frame, numbers_in(frame), MapGrain::fine));
    if (with_trails) look->trails = trails_until(history_, frame);
    return look;
}

#define TALUS_INSTANTIATE(D)                                                                                           \
    template CrowdLook look_at(const CrowdHistory<D>&, const io::Frame<D>&, const std::vector<std::int32_t>&,          \
                               MapGrain, const std::vector<std::uint8_t>&);                                            \
    template std::vector<Trail> trails_until(const CrowdHistory<D>&, const io::Frame<D>&);                             \
    template class CrowdLooks<D>;
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

} // namespace talus::report
