// Pairs of convex solids for the tests of the exact stage: random ones and the awkward ones, apart, touching and deep.
// The same number gives the same pair.
#pragma once

#include "talus/base/random.hpp"
#include "talus/shapes/convex.hpp"

#include <array>
#include <string>

namespace talus {

enum class Nearness { apart, touching, deep };
enum class Arrangement { random, faces, edges, far, stacked, identical };
inline constexpr std::array all_arrangements = {Arrangement::random, Arrangement::faces,   Arrangement::edges,
                                                Arrangement::far,    Arrangement::stacked, Arrangement::identical};
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr int pairs_per_arrangement = 600; // a sanitizer looks at the code, not at the numbers
#else
inline constexpr int pairs_per_arrangement = 17000; // more than 10⁵ in all
#endif

const char* name_of(Nearness nearness);
const char* name_of(Arrangement arrangement);
std::string test_name_of(Arrangement arrangement); // without spaces

template <int D>
struct ConvexPair {
    LoneConvex<D> a, b;
    Nearness nearness;
    Arrangement arrangement;
    double size; // [m] of the smaller: the radius of a ball around it
    Rotation<D> turn_b;

    // b, moved and turned a little
    LoneConvex<D> nudged_b(const Vec<D>& move, const Ang<D>& turn) const;
};

// The set with its own centre, not the origin of its model, at `centre`.
template <int D>
LoneConvex<D> lone(const ConvexModel<D>& model, const Vec<D>& centre, const Rotation<D>& orientation,
                   double rounding = 0);

template <int D>
Vec<D> random_direction(Random& random);

template <int D>
Polytope<D> hull_of(const std::vector<Vec<D>>& points);

template <int D>
class ConvexPairs {
  public:
    ConvexPairs();
    ConvexPair<D> pair(std::uint64_t number, Arrangement arrangement) const;

  private:
    struct Placement {
        const ConvexModel<D>*a, *b;
        Rotation<D> turn_a, turn_b;
        Vec<D> offset; // of the centres, where the sets are apart
    };
    Placement arrange(Arrangement arrangement, Random& random) const;
    Placement face_on_face(const ConvexModel<D>& a, const ConvexModel<D>& b, Random& random) const;
    Placement edge_on_edge(const ConvexModel<D>& a, const ConvexModel<D>& b, Random& random) const;

    std::vector<ConvexModel<D>> solids_, boxes_, small_;
};

// A polytope and a set with a rounding or without an inside: a disk, a ball, a rod, in space a triangle; in the plane
// also two of these. From well overlapping to a little apart.
template <int D>
class RoundPairs {
  public:
    RoundPairs();
    ConvexPair<D> pair(std::uint64_t number) const;

  private:
    std::vector<ConvexModel<D>> solids_, thin_;
};

} // namespace talus
