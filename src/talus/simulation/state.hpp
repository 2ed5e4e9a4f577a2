// The world at a moment: what a frame shows, a checkpoint holds and an engine advances.
#pragma once

#include "talus/contacts/contact_table.hpp"
#include "talus/drivers/driver.hpp"

#include <string>
#include <vector>

namespace talus {

// Bodies that the scene calls by one name: a single body or all that a generator made. By their numbers, so that it
// means the same bodies when others leave.
struct BodyGroup {
    std::string name;
    std::int32_t first, count;
    bool has(BodyId id) const { return std::int32_t(id) >= first && std::int32_t(id) < first + count; }
};

struct Departure {
    BodyId body;
    double time; // [s] when the step began before which it left
};

template <int D>
struct State {
    BodyTable<D> bodies;
    ShapeTable<D> shapes;
    ContactTable<D> contacts;
    std::vector<BodyGroup> groups;
    std::vector<Departure> left;
    Clock clock;
};

// A state with the names of its materials, in the order of bodies.material: as it lies in a frame, and what another run
// may begin from.
template <int D>
struct NamedState : State<D> {
    std::vector<std::string> materials;
};

// Bodies whose flag is 0 leave: the others keep their numbers and the history of their contacts. Returns where each
// body is now, −1 for those that left.
template <int D>
std::vector<std::int32_t> remove_others(State<D>& state, const std::vector<std::uint8_t>& kept);

// A new beginning: bodies are numbered by their places again, groups follow, nobody has left.
template <int D>
void renumber(State<D>& state);

// Takes bodies away for a new beginning, those whose flag is 0: groups shrink, contacts are forgotten.
template <int D>
void keep_bodies(State<D>& state, const std::vector<std::uint8_t>& kept);

// Of what the next step starts from: the state of the bodies and the history of the contacts. Equal for any number of
// threads.
template <int D>
std::uint64_t state_hash(const State<D>& state);

} // namespace talus
