// Forces of all pairs that are not two movable balls: walls, rods, polygons, polyhedra, clusters, meshes. The exact
// stage gives their contact points, and each point has its own spring and its own history; or solids with flat faces
// push by their common volume.
#pragma once

#include "talus/contacts/contact_table.hpp"
#include "talus/laws/smooth/smooth_laws.hpp"
#include "talus/smooth/packed_bodies.hpp"
#include "talus/smooth/smooth_row.hpp"

#include <array>

namespace talus {

template <int D>
class ShapePairs {
  public:
    int most_points = talus::most_points;
    bool by_volume = false; // polytopes, clusters and half-spaces push by their common volume, not point by point

    // Pairs of bodies to look at, sorted; the histories of those that stay are kept.
    void set_pairs(const std::vector<Pair>& pairs, const BodyTable<D>& bodies, const ShapeTable<D>& shapes,
                   const PackedBodies<D>& pack, double mean_radius);
    bool empty() const { return pairs_.empty(); }
    // Histories of contacts that a table holds, by pair and feature.
    void take_history(const ContactTable<D>& contacts, const PackedBodies<D>& pack);

    // Contact points and their forces where bodies are now, `time` after the step began.
    ContactEnergy find_forces(const PackedBodies<D>& pack, const BodyTable<D>& bodies, const ShapeTable<D>& shapes,
                              const SmoothLaws& laws, double time, bool keeps_history);
    // Adds them to the bodies in [begin, end) of the pack.
    void add_forces(PackedBodies<D>& pack, std::size_t begin, std::size_t end) const;
    void append_rows(std::vector<SmoothRow>& rows) const;

  private:
    static constexpr std::size_t chunk = 64; // pairs
    struct Contact : SmoothRow {
        void inherit(const Contact& old)
        {
            slip = old.slip;
            roll = old.roll;
            slip_energy = old.slip_energy;
            roll_energy = old.roll_energy;
        }
        std::uint32_t pair;
        std::array<Vec<3>, 2> lever;   // [m] of candidate and antagonist
        double inverse_mass;           // [1/kg] effective, along the normal at this point
        double overlap;                // [m] that gives the push
        double gradient = 1;           // of the overlap's potential coordinate V/A along the normal; 1 for a point
        Vec<3> twist = Vec<3>::Zero(); // [m] moment of the push about the point, over the push
    };
    struct Listed {
        std::int32_t candidate, antagonist; // bodies
        std::int32_t shaped[2];             // where they are among those that are no balls
        Vec<D> witness;                     // a direction that parts them, or 0
        std::uint32_t first = 0, count = 0; // its contacts in the list of its chunk, when last kept
    };
    struct Chunk {
        std::array<std::vector<Contact>, 2> contacts;
        int kept = 0, latest = 0;         // which of the two has the history; which was found last
        std::vector<std::uint32_t> first; // of each pair among the latest, and the end
        ContactEnergy energy;
        double freed = 0; // [J] that the springs of contacts held which are not among the latest
        const std::vector<Contact>& old() const { return contacts[kept]; }
        const std::vector<Contact>& now() const { return contacts[latest]; }
    };
    void place_shapes(const PackedBodies<D>& pack, const BodyTable<D>& bodies);
    void find_points(std::size_t number, const PackedBodies<D>& pack, const BodyTable<D>& bodies, ExactStage<D> stage);
    void add_contact(std::uint32_t number, const ContactPoint<D>& point, const PackedBodies<D>& pack,
                     const ExactStage<D>& stage, const BodyTable<D>& bodies, std::vector<Contact>& contacts) const;
    void add_volumes(std::uint32_t number, const typename ExactStage<D>::Body& candidate,
                     const typename ExactStage<D>::Body& antagonist, const PackedBodies<D>& pack,
                     const ExactStage<D>& stage, const BodyTable<D>& bodies, std::vector<Contact>& contacts);
    void recall(const Listed& pair, const Chunk& chunk, std::size_t first_new, std::vector<Contact>& contacts) const;
    void find_chunk_forces(Chunk& chunk, const PackedBodies<D>& pack, const SmoothLaws& laws, double time);
    void link_bodies(const PackedBodies<D>& pack);

    std::vector<Listed> pairs_;
    std::vector<Chunk> chunks_;
    std::vector<double> reference_area_; // [m²] of each polytope, for its common volume
    double match_distance_ = 0;          // [m] a point this close to an old one of its pair is the same
    // bodies that are no balls
    std::vector<std::int32_t> shaped_, shape_; // body, its shape
    std::vector<Vec<D>> position_;
    std::vector<Rotation<D>> orientation_;
    std::vector<AngMat<D>> inverse_inertia_; // in the world
    ConvexBodies<D> convex_;
    // pairs of each place in the pack, with bit 0: it is the antagonist
    std::vector<std::uint32_t> pairs_begin_, pairs_of_;
};

} // namespace talus
