#include "sampling/grain_source.hpp"

#include "sampling/vectors.hpp"

namespace talus {

template <int D>
RadiusDistribution<D>::RadiusDistribution(const scene::Value& generator)
    : by_volume_(generator.at("distribution").text() == "volume")
{
    const scene::Value& radius = generator.at("radius");
    smallest_ = radius.is_list() ? radius.list()[0].number() : radius.number();
    largest_ = radius.is_list() ? radius.list()[1].number() : radius.number();
}

template <int D>
double RadiusDistribution<D>::draw(Random& random) const
{
    if (smallest_ == largest_) return smallest_;
    const double u = random.uniform();
    if (!by_volume_) return smallest_ + u * (largest_ - smallest_);
    // inverse of the distribution function of r^−D
    const double a = std::pow(smallest_, 1 - D), b = std::pow(largest_, 1 - D);
    return std::pow(a + u * (b - a), 1.0 / (1 - D));
}

template <int D>
double RadiusDistribution<D>::mean_volume() const
{
    if (smallest_ == largest_) return ball_volume<D>(smallest_);
    double total = 0; // midpoint rule over the distribution: an estimate is all that is asked for
    constexpr int parts = 64;
    for (int k = 0; k < parts; ++k) {
        const double u = (k + 0.5) / parts;
        const double a = std::pow(smallest_, 1 - D), b = std::pow(largest_, 1 - D);
        const double radius =
            by_volume_ ? std::pow(a + u * (b - a), 1.0 / (1 - D)) : smallest_ + u * (largest_ - smallest_);
        total += ball_volume<D>(radius) / parts;
    }
    return total;
}

template <int D>
GrainSource<D>::GrainSource(const scene::Value& generator, std::int32_t material, double density)
    : radii_(generator), material_(material), density_(density), velocity_(vector_of<D>(generator.at("velocity"))),
      spin_(angular_of<D>(generator.at("spin")))
{
}

template <int D>
void GrainSource<D>::add(BodyTable<D>& bodies, ShapeTable<D>& shapes, const Vec<D>& position, double radius) const
{
    Body<D> body;
    body.position = position;
    body.velocity = velocity_;
    body.spin = spin_;
    body.shape = shapes.add_ball(radius);
    body.material = material_;
    body.mass = density_ * ball_volume<D>(radius);
    body.inertia.setConstant(ball_inertia<D>(body.mass, radius));
    bodies.add(body);
}

template class RadiusDistribution<2>;
template class RadiusDistribution<3>;
template class GrainSource<2>;
template class GrainSource<3>;

} // namespace talus
