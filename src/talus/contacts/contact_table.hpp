// The contacts of a step: where, along which normal, how far apart, and the impulse that passes through.
// The normal points from the antagonist to the candidate; impulses act on the candidate.
#pragma once

#include "talus/bodies/body_table.hpp"
#include "talus/contacts/near_pairs.hpp"
#include "talus/laws/contact_law.hpp"
#include "talus/shapes/collide.hpp"

#include <algorithm>
#include <span>

namespace talus {

// Sorted by the two bodies (lower index first) and the feature: the identity that carries history from step to step.
template <int D>
struct ContactColumns {
    std::vector<std::int32_t> candidate, antagonist;
    std::vector<std::uint64_t> feature;  // what touches (collide.hpp); 0 where there is only one choice
    std::vector<std::uint8_t> points;    // in the same manifold: 1 simple, 2 double, 3 or more triple
    std::vector<Vec<D>> point;           // [m] one common point for the levers of both bodies
    std::vector<Vec<D>> normal;          // unit
    std::vector<double> gap;             // [m] < 0 overlaps
    std::vector<Vec<D>> impulse;         // [N s] in the world, over the last step
    std::vector<Ang<D>> rolling_impulse; // [N m s] empty without rolling friction
    // of smooth contacts, on the candidate; empty elsewhere
    std::vector<Vec<D>> slip;                     // [m] elongation of the tangential spring
    std::vector<Ang<D>> roll;                     // [rad] of the rolling spring
    std::vector<double> slip_energy, roll_energy; // [J] that they hold

    std::size_t size() const { return gap.size(); }

    static constexpr auto columns()
    {
        using C = ContactColumns;
        return std::make_tuple(Column<C, std::int32_t>{"candidate", "", Role::result, &C::candidate},
                               Column<C, std::int32_t>{"antagonist", "", Role::result, &C::antagonist},
                               Column<C, std::uint64_t>{"feature", "", Role::result, &C::feature},
                               Column<C, std::uint8_t>{"points", "", Role::result, &C::points},
                               Column<C, Vec<D>>{"point", "m", Role::result, &C::point},
                               Column<C, Vec<D>>{"normal", "", Role::result, &C::normal},
                               Column<C, double>{"gap", "m", Role::result, &C::gap},
                               Column<C, Vec<D>>{"impulse", "N s", Role::history, &C::impulse},
                               Column<C, Ang<D>>{"rolling_impulse", "N m s", Role::history, &C::rolling_impulse, true},
                               Column<C, Vec<D>>{"slip", "m", Role::history, &C::slip, true},
                               Column<C, Ang<D>>{"roll", "rad", Role::history, &C::roll, true},
                               Column<C, double>{"slip_energy", "J", Role::history, &C::slip_energy, true},
                               Column<C, double>{"roll_energy", "J", Role::history, &C::roll_energy, true});
    }
};

template <int D>
class ContactTable : public ContactColumns<D> {
  public:
    using Columns = ContactColumns<D>;
    using Columns::antagonist, Columns::candidate, Columns::feature, Columns::gap, Columns::impulse, Columns::normal,
        Columns::point, Columns::points, Columns::size;

    int most_points = talus::most_points; // of a manifold of faces; 3 as in BALLAST

    // Contacts with gap ≤ alert at the present configuration; those of the last call are kept for inherit(). Where
    // bodies have a reach [m], two of them are looked at up to the sum of theirs, alert being the most.
    void detect(const BodyTable<D>& bodies, const ShapeTable<D>& shapes, Detector<D>& detector, double alert,
                std::span<const double> reach = {});
    // The history of contacts that persist: their impulses are the start of the next solution.
    void inherit();
    // None instead.
    void forget();
    // Contacts that an engine found itself, sorted.
    void take(Columns contacts);
    // Bodies have left: place[i] is where body i is now, or −1. Contacts of the others keep their history.
    void follow(std::span<const std::int32_t> place);

    // What the last detect() looked at: pairs whose bounding balls are close, of which some touch.
    std::size_t candidate_pairs() const { return pairs_.size(); }

  private:
    struct Identity {
        std::int32_t low, high; // the two bodies
        std::uint64_t feature;
        friend auto operator<=>(const Identity&, const Identity&) = default;
    };
    Identity identity(std::size_t k) const
    {
        return {std::min(candidate[k], antagonist[k]), std::max(candidate[k], antagonist[k]), feature[k]};
    }
    class Recall;
    struct Near { // a pair that the exact stage must look at
        std::size_t pair;
        std::int32_t candidate, antagonist;
        PairMemory<D> memory;
    };
    struct Chunk { // what one thread finds
        std::vector<Near> near;
        std::vector<ContactPoint<D>> points;
        std::vector<std::pair<std::int32_t, std::int32_t>> bodies; // candidate and antagonist of each
    };
    void remember();
    void find_heirs();
    void collide(std::size_t begin, std::size_t end, const BodyTable<D>& bodies, ExactStage<D> stage,
                 std::span<const double> reach, Chunk& chunk);
    void gather();
    void resize(std::size_t count);
    std::size_t last_row_of(std::size_t row) const;

    std::vector<Pair> pairs_;
    std::vector<Vec<D>> witness_; // per pair: a direction that parted it, or 0; none at all where all bodies are balls
    NearPairs<D> near_;
    std::vector<Chunk> chunks_; // scratch, kept to reuse its memory
    ConvexBodies<D> convex_;
    double match_distance_ = 0; // [m] points of a pair this close are one and the same, whatever their features
    // the last step's, moved here by detect()
    Columns old_;
    std::vector<Pair> old_pairs_;
    std::vector<Vec<D>> old_witness_;
    std::vector<Identity> old_identity_;
    std::vector<std::int32_t> heir_of_; // of each contact: its row in old_, or −1
};

} // namespace talus
