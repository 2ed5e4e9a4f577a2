// A driver that is added as docs/how-to-add.md says.
#include "scenes_in_tests.hpp"
#include "talus/drivers/driver_kind.hpp"
#include "talus/drivers/drivers.hpp"
#include "talus/exec/parallel.hpp"
#include "talus/sampling/vectors.hpp"

using namespace talus;

namespace {

template <int D>
class Wind final : public Driver<D> {
  public:
    explicit Wind(const scene::Value& driver) : force_(vector_of<D>(driver.at("force"))) {}
    void apply(BodyTable<D>& bodies, ShapeTable<D>&, const Clock&) override
    {
        parallel_for(bodies.size(), [&](std::size_t i) { bodies.force[i] += force_; });
    }

  private:
    Vec<D> force_; // [N] on every body
};

DriverKind wind_driver()
{
    return driver_kind<Wind>("wind", "a force on every body",
                             {scene::vector("force", "of the wind").in("N").required()});
}

template <int D>
void expect_it_blows(DriverMaker<D> make)
{
    scene::Value entry = scene::Value::table();
    std::vector<double> force(D, 0.0);
    force[0] = 2.5;
    entry.set("force", scene::Value::numbers(force));
    const std::unique_ptr<Driver<D>> driver = make(entry, {});
    BodyTable<D> bodies;
    ShapeTable<D> shapes;
    for (int k = 0; k < 3; ++k) bodies.add({});
    driver->apply(bodies, shapes, {});
    for (const Vec<D>& f : bodies.force) EXPECT_EQ(f, Vec<D>(2.5 * Vec<D>::Unit(0)));
}

TEST(DriverKind, OfOneFileIsMadeInBothDimensions)
{
    const DriverKind wind = wind_driver();
    EXPECT_EQ(wind.name, "wind");
    ASSERT_EQ(wind.keys.size(), 1u);
    expect_it_blows<2>(wind.make_2d);
    expect_it_blows<3>(wind.make_3d);
}

// what the registry names is what a scene may name
TEST(DriverKind, NamesAreThoseOfTheSchema)
{
    std::string names;
    for (const DriverKind& kind : driver_kinds()) names += kind.name + " ";
    EXPECT_EQ(names, "gravity force velocity vibration drag ");
    const std::string refused =
        refusal<2>("[scene]\ndimension = 2\ndt = 1e-3\nduration = 1\n[[drivers]]\ntype = \"wind\"\n");
    for (const DriverKind& kind : driver_kinds()) EXPECT_NE(refused.find(kind.name), std::string::npos) << refused;
}

} // namespace
