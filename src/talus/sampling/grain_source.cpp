#include "talus/sampling/grain_source.hpp"

#include "talus/math/random_rotation.hpp"
#include "talus/sampling/grain_shapes.hpp"
#include "talus/sampling/vectors.hpp"

namespace talus {

namespace {

// Independent normal components of standard deviation 1 (Box and Muller).
template <int D>
Vec<D> normal_vector(Random& random)
{
    Vec<D> vector;
    for (double& component : vector) {
        const double size = std::sqrt(-2 * std::log(1 - random.uniform()));
        component = size * std::cos(2 * M_PI * random.uniform());
    }
    return vector;
}

} // namespace

template <int D>
GrainSource<D>::GrainSource(const scene::Value& generator, std::int32_t material, double density)
    : radii_(sizes_of<D>(generator)), largest_(radii_->largest()), material_(material), density_(density),
      velocity_(vector_of<D>(generator.at("velocity"))),
      velocity_deviation_(generator.at("velocity_deviation").number()), spin_(angular_of<D>(generator.at("spin")))
{
}

template <int D>
GrainSource<D>::GrainSource(const scene::Value& generator, std::int32_t material, double density,
                            const std::vector<Polytope<D>>& polytopes, ShapeTable<D>& shapes)
    : in_order_(!generator.find("library")), first_shape_(std::int32_t(shapes.size())), material_(material),
      density_(density), velocity_(vector_of<D>(generator.at("velocity"))),
      velocity_deviation_(generator.at("velocity_deviation").number()), spin_(angular_of<D>(generator.at("spin")))
{
    for (const Polytope<D>& polytope : polytopes) {
        const std::int32_t shape = shapes.add_polytope(polytope);
        solids_.push_back({bounding_radius(shapes, shape), mass_properties(shapes, shape)});
        largest_ = std::max(largest_, solids_.back().radius);
    }
}

template <int D>
Grain GrainSource<D>::draw(std::int64_t number, Random& random) const
{
    if (radii_) return {radii_->draw(random)};
    const std::size_t count = solids_.size();
    const bool is_first = in_order_ && number < std::int64_t(count);
    const std::size_t shape = is_first ? std::size_t(number) : std::size_t(random.uniform() * double(count));
    return {solids_[shape].radius, std::int32_t(shape)};
}

template <int D>
void GrainSource<D>::add(BodyTable<D>& bodies, ShapeTable<D>& shapes, const Vec<D>& position, const Grain& grain,
                         Random& random) const
{
    Body<D> body;
    body.position = position;
    body.velocity = velocity_;
    if (velocity_deviation_ > 0) body.velocity += velocity_deviation_ * normal_vector<D>(random);
    body.spin = spin_;
    body.material = material_;
    if (radii_) {
        body.shape = shapes.add_ball(grain.radius);
        body.mass = density_ * ball_volume<D>(grain.radius);
        body.inertia.setConstant(ball_inertia<D>(body.mass, grain.radius));
    } else {
        const MassProperties<D>& properties = solids_[grain.shape].properties;
        body.shape = first_shape_ + grain.shape;
        body.orientation = random_rotation<D>(random);
        body.mass = density_ * properties.volume;
        body.inertia = density_ * properties.inertia;
    }
    bodies.add(body);
}

template class GrainSource<2>;
template class GrainSource<3>;

} // namespace talus
