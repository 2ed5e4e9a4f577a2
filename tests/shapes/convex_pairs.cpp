#include "shapes/convex_pairs.hpp"

#include "talus/math/random_rotation.hpp"
#include "talus/shapes/separation.hpp"

#include <algorithm>
#include <array>

namespace talus {

const char* name_of(Nearness nearness)
{
    constexpr std::array names = {"apart", "touching", "deep"};
    return names[int(nearness)];
}

const char* name_of(Arrangement arrangement)
{
    constexpr std::array names = {"random", "face on face", "edge on edge", "far away", "stacked boxes", "identical"};
    return names[int(arrangement)];
}

std::string test_name_of(Arrangement arrangement)
{
    std::string name = name_of(arrangement);
    std::replace(name.begin(), name.end(), ' ', '_');
    return name;
}

template <int D>
LoneConvex<D> lone(const ConvexModel<D>& model, const Vec<D>& centre, const Rotation<D>& orientation, double rounding)
{
    return {model, centre - orientation * model.centre, orientation, rounding};
}

template <int D>
Vec<D> random_direction(Random& random)
{
    for (;;) {
        Vec<D> v;
        for (int k = 0; k < D; ++k) v[k] = random.uniform(-1, 1);
        if (v.norm() > 0.1 && v.norm() < 1) return v.normalized();
    }
}

template <int D>
Polytope<D> hull_of(const std::vector<Vec<D>>& points)
{
    return convex_hull<D>(std::span<const Vec<D>>(points));
}

namespace {

int draw(Random& random, int count) { return int(random.uniform() * count); }

// all points are vertices
template <int D>
Polytope<D> stretched_shell(Random& random, int vertices, double radius)
{
    Vec<D> stretch;
    for (int k = 0; k < D; ++k) stretch[k] = radius * random.uniform(0.4, 1);
    std::vector<Vec<D>> points;
    while (int(points.size()) < vertices) points.push_back(random_direction<D>(random).cwiseProduct(stretch));
    return hull_of<D>(points);
}

// many parallel faces and edges: points of a coarse grid
template <int D>
Polytope<D> coarse_solid(Random& random, double radius)
{
    for (;;) {
        std::vector<Vec<D>> points;
        for (int k = 0; k < 40; ++k) {
            Vec<D> p;
            for (int axis = 0; axis < D; ++axis) p[axis] = 0.25 * radius * (draw(random, 7) - 3);
            points.push_back(p);
        }
        const Polytope<D> solid = hull_of<D>(points);
        if (D == 2 || (solid.vertices.size() >= 8 && solid.vertices.size() <= 40)) return solid;
    }
}

Polytope<3> prism(int sides, double radius, double height)
{
    std::vector<Vec<3>> points;
    for (int k = 0; k < sides; ++k) {
        const double angle = 2 * M_PI * k / sides;
        for (const double z : {-height, height})
            points.emplace_back(radius * std::cos(angle), radius * std::sin(angle), z);
    }
    return hull_of<3>(points);
}

Rotation<2> rotation_between(const Vec<2>& from, const Vec<2>& to)
{
    return Rotation<2>(std::atan2(from[0] * to[1] - from[1] * to[0], from.dot(to)));
}
Rotation<3> rotation_between(const Vec<3>& from, const Vec<3>& to)
{
    const Vec<3> normal = from.cross(to);
    const double angle = std::atan2(normal.norm(), from.dot(to));
    const Vec<3> axis = normal.norm() > 1e-12 ? normal.normalized() : from.unitOrthogonal();
    return Rotation<3>::from_vector(angle * axis);
}

template <int D>
Rotation<D> tilted(const Rotation<D>& rotation, double angle, Random& random)
{
    if constexpr (D == 2) return rotation.turned(Ang<2>(angle));
    if constexpr (D == 3) return rotation.turned(angle * random_direction<3>(random));
}

double small_angle(Random& random)
{
    constexpr std::array angles = {1e-3, 1e-6, 1e-9, 1e-12, 0.0};
    return angles[draw(random, int(angles.size()))];
}

template <int D>
Vec<D> normal_at(const ConvexModel<D>& model, int f)
{
    Vec<D> n;
    for (int axis = 0; axis < D; ++axis) n[axis] = model.normal[axis * padded(model.faces) + f];
    return n;
}

template <int D>
Vec<D> middle_of_face(const ConvexModel<D>& model, int f)
{
    Vec<D> middle = Vec<D>::Zero();
    for (const auto v : model.corners(f)) middle += model.vertex_at(v) / double(model.corners(f).size());
    return middle;
}

} // namespace

template <int D>
ConvexPairs<D>::ConvexPairs()
{
    Random random(D);
    for (int k = 0; k < 120; ++k) {
        const int vertices = D == 2 ? 3 + k % 10 : 8 + k % 33;
        solids_.push_back(model_of(stretched_shell<D>(random, vertices, random.uniform(0.3, 1))));
        small_.push_back(model_of(stretched_shell<D>(random, vertices, 0.01)));
    }
    for (int k = 0; k < 20; ++k) solids_.push_back(model_of(coarse_solid<D>(random, random.uniform(0.3, 1))));
    if constexpr (D == 3) {
        for (int sides = 4; sides < 20; ++sides) solids_.push_back(model_of(prism(sides, 0.5, random.uniform(0.1, 1))));
    }
    for (int k = 0; k < 20; ++k) {
        Vec<D> lengths;
        for (int axis = 0; axis < D; ++axis) lengths[axis] = 0.25 * (1 + draw(random, 6));
        boxes_.push_back(model_of(box<D>(lengths)));
    }
    solids_.insert(solids_.end(), boxes_.begin(), boxes_.end());
}

template <int D>
typename ConvexPairs<D>::Placement ConvexPairs<D>::face_on_face(const ConvexModel<D>& a, const ConvexModel<D>& b,
                                                                Random& random) const
{
    const int f = draw(random, a.faces), g = draw(random, b.faces);
    const Rotation<D> turn_a = random_rotation<D>(random), any = random_rotation<D>(random);
    const Vec<D> normal = turn_a * normal_at(a, f);
    const Rotation<D> opposite = rotation_between(any * normal_at(b, g), Vec<D>(-normal)) * any;
    const Rotation<D> turn_b = tilted<D>(opposite, small_angle(random), random);
    Vec<D> along = random_direction<D>(random) * random.uniform(0, 0.5 * std::min(a.outer, b.outer));
    along -= normal.dot(along) * normal;
    const Vec<D> offset = turn_a * middle_of_face(a, f) - turn_b * middle_of_face(b, g) + along;
    return {&a, &b, turn_a, turn_b, offset + 0.1 * (a.outer + b.outer) * normal};
}

// Two edges along each other, outside to outside, up to a small turn and a small shift.
template <>
ConvexPairs<2>::Placement ConvexPairs<2>::edge_on_edge(const ConvexModel<2>& a, const ConvexModel<2>& b,
                                                       Random& random) const
{
    return face_on_face(a, b, random);
}
template <>
ConvexPairs<3>::Placement ConvexPairs<3>::edge_on_edge(const ConvexModel<3>& a, const ConvexModel<3>& b,
                                                       Random& random) const
{
    const ConvexEdge& e = a.edges[draw(random, int(a.edges.size()))];
    const ConvexEdge& f = b.edges[draw(random, int(b.edges.size()))];
    const Rotation<3> turn_a = random_rotation<3>(random);
    const auto frame = [](const ConvexModel<3>& model, const ConvexEdge& edge, double outward) {
        Mat<3> m;
        m.col(0) = (model.vertex_at(edge.to) - model.vertex_at(edge.from)).normalized();
        m.col(1) = outward * (normal_at(model, edge.left) + normal_at(model, edge.right)).normalized();
        m.col(2) = m.col(0).cross(m.col(1));
        return m;
    };
    const Mat<3> along_a = turn_a.matrix() * frame(a, e, 1), along_b = frame(b, f, -1);
    const Rotation<3> parallel(Eigen::Quaterniond(Eigen::Matrix3d(along_a * along_b.transpose())).normalized());
    const Vec<3> outward = along_a.col(1);
    const double angle = small_angle(random);
    const Rotation<3> turn_b =
        draw(random, 2) == 0 ? parallel.turned(angle * outward) : tilted<3>(parallel, angle, random);
    constexpr std::array shifts = {0.0, 1e-12, 1e-9, 1e-6, 1e-2};
    const double across = shifts[draw(random, int(shifts.size()))] * random.uniform(-1, 1);
    const Vec<3> shift = along_a.col(0) * random.uniform(-0.3, 0.3) * a.outer + along_a.col(2) * across;
    const Vec<3> offset = turn_a * Vec<3>(0.5 * (a.vertex_at(e.from) + a.vertex_at(e.to))) -
                          turn_b * Vec<3>(0.5 * (b.vertex_at(f.from) + b.vertex_at(f.to)));
    return {&a, &b, turn_a, turn_b, offset + shift + 0.1 * (a.outer + b.outer) * outward};
}

template <int D>
typename ConvexPairs<D>::Placement ConvexPairs<D>::arrange(Arrangement arrangement, Random& random) const
{
    const auto& pool = arrangement == Arrangement::far       ? small_
                       : arrangement == Arrangement::stacked ? boxes_
                                                             : solids_;
    const ConvexModel<D>& a = pool[draw(random, int(pool.size()))];
    const ConvexModel<D>& b = arrangement == Arrangement::identical ? a : pool[draw(random, int(pool.size()))];
    if (arrangement == Arrangement::faces) return face_on_face(a, b, random);
    if (arrangement == Arrangement::edges) return edge_on_edge(a, b, random);
    if (arrangement == Arrangement::stacked) {
        Vec<D> offset;
        for (int axis = 0; axis < D; ++axis) {
            offset[axis] = 0.125 * (draw(random, 5) - 2);
            const double reach = a.vertex_at(0).cwiseAbs()[axis] + b.vertex_at(0).cwiseAbs()[axis];
            if (axis == D - 1) offset[axis] = 1.125 * reach;
        }
        const Rotation<D> turn = draw(random, 2) == 0 ? Rotation<D>() : random_rotation<D>(random);
        return {&a, &b, turn, turn, turn * offset};
    }
    const Rotation<D> turn = random_rotation<D>(random);
    const bool same_turn = arrangement == Arrangement::identical && draw(random, 2) == 0;
    return {&a, &b, turn, same_turn ? turn : random_rotation<D>(random),
            random_direction<D>(random) * 1.01 * (a.outer + b.outer)};
}

template <int D>
ConvexPair<D> ConvexPairs<D>::pair(std::uint64_t number, Arrangement arrangement) const
{
    Random random(number * all_arrangements.size() + std::uint64_t(arrangement));
    const Nearness nearness = Nearness(number % 3);
    const Placement placed = arrange(arrangement, random);
    const double size = std::min(placed.a->outer, placed.b->outer);
    const LoneConvex<D> a = lone(*placed.a, Vec<D>(Vec<D>::Zero()), placed.turn_a);
    const LoneConvex<D> b = lone(*placed.b, placed.offset, placed.turn_b);

    double gap = 0; // exactly touching
    if (nearness == Nearness::apart) {
        gap = size * (draw(random, 2) == 0 ? random.uniform(0, 0.05) : std::pow(10, random.uniform(-9, -1.3)));
    }
    if (nearness == Nearness::touching && draw(random, 2) == 0) gap = size * random.uniform(-1e-6, 1e-6);
    // slid along the shortest way between them
    Separation<D> now;
    separate<D>(a.view(), b.view(), 1e3, {}, now);
    Vec<D> offset = placed.offset - (now.distance - gap) * now.direction;
    if (nearness == Nearness::deep) offset *= draw(random, 8) == 0 ? 0.0 : random.uniform();
    if (nearness == Nearness::deep && arrangement == Arrangement::identical) offset.setZero();

    Vec<D> origin = Vec<D>::Zero();
    if (arrangement == Arrangement::far) origin = 1e4 * random_direction<D>(random);
    return {lone(*placed.a, origin, placed.turn_a),
            lone(*placed.b, Vec<D>(origin + offset), placed.turn_b),
            nearness,
            arrangement,
            size,
            placed.turn_b};
}

template <int D>
LoneConvex<D> ConvexPair<D>::nudged_b(const Vec<D>& move, const Ang<D>& turn) const
{
    return lone(*b.view().model, Vec<D>(b.view().centre + move), turn_b.turned(turn));
}

template <int D>
RoundPairs<D>::RoundPairs()
{
    Random random(10 + D);
    for (int k = 0; k < 40; ++k) {
        solids_.push_back(
            model_of(stretched_shell<D>(random, D == 2 ? 3 + k % 10 : 8 + k % 33, random.uniform(0.3, 1))));
        thin_.push_back(model_of_point<D>());
        thin_.push_back(model_of_segment<D>(random.uniform(0.1, 1) * random_direction<D>(random)));
        if constexpr (D == 3) {
            thin_.push_back(model_of_triangle(random_direction<3>(random), random_direction<3>(random),
                                              random_direction<3>(random)));
        }
    }
    if constexpr (D == 2) solids_.insert(solids_.end(), thin_.begin(), thin_.end());
}

template <int D>
ConvexPair<D> RoundPairs<D>::pair(std::uint64_t number) const
{
    Random random(number);
    const ConvexModel<D>&solid = solids_[draw(random, int(solids_.size()))],
          &thin = thin_[draw(random, int(thin_.size()))];
    // a point has a rounding always, a triangle never, a rod mostly
    const auto rounding = [&](const ConvexModel<D>& model) {
        const bool sharp = !model.thin || (model.vertices > 1 && draw(random, 4) == 0) || model.vertices == 3;
        return sharp ? 0.0 : random.uniform(0.02, 0.3);
    };
    const double of_solid = rounding(solid), of_thin = rounding(thin);
    const Rotation<D> turn = random_rotation<D>(random), turn_b = random_rotation<D>(random);
    const Vec<D> offset =
        random_direction<D>(random) * random.uniform(0, 1.1) * (solid.outer + of_solid + thin.outer + of_thin);
    const LoneConvex<D> a = lone(solid, Vec<D>(Vec<D>::Zero()), turn, of_solid);
    const LoneConvex<D> b = lone(thin, offset, turn_b, of_thin);
    return {a, b, Nearness::deep, Arrangement::random, std::min(a.view().reach(), b.view().reach()), turn_b};
}

#define TALUS_INSTANTIATE(D)                                                                                           \
    template LoneConvex<D> lone(const ConvexModel<D>&, const Vec<D>&, const Rotation<D>&, double);                     \
    template Vec<D> random_direction<D>(Random&);                                                                      \
    template Polytope<D> hull_of<D>(const std::vector<Vec<D>>&);                                                       \
    template struct ConvexPair<D>;                                                                                     \
    template class ConvexPairs<D>;                                                                                     \
    template class RoundPairs<D>;
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

} // namespace talus
