#include "talus/drivers/sight.hpp"

#include <algorithm>

namespace talus {

template <int D>
void Sight<D>::show(std::span<const std::unique_ptr<Driver<D>>> drivers, const BodyTable<D>& bodies,
                    const ShapeTable<D>& shapes)
{
    double farthest = 0;
    for (const auto& driver : drivers) farthest = std::max(farthest, driver->sight());
    if (farthest == 0) return;
    if (!detector_) detector_ = make_detector<D>("auto");
    convex_.place(shapes, bodies.shape, bodies.position, bodies.orientation);
    near_.find(bodies, shapes, convex_, *detector_, farthest, pairs_);
    for (const auto& driver : drivers) {
        if (driver->sight() > 0) driver->see(bodies, shapes, pairs_);
    }
}

template class Sight<2>;
template class Sight<3>;

} // namespace talus
