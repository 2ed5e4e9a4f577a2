// Pairs of balls that overlap along one axis, within reach; walls are tested against every ball.
#include "registries/added.hpp"
#include "talus/detection/all_pairs.hpp"
#include "talus/detection/bounding_balls.hpp"

namespace talus {

namespace {

template <int D>
class Strips final : public Detector<D> {
  public:
    explicit Strips(const DetectorOptions& options)
        : axis_(options.given.is_null() ? 0 : int(options.given.at("axis").integer()))
    {
    }
    void find(const BallsAndWalls<D>& seen, std::vector<Pair>& pairs) override
    {
        pairs.clear();
        for (std::int32_t i = 0; i < std::int32_t(seen.centre.size()); ++i) {
            for (std::int32_t j = 0; j < i; ++j) {
                if (are_near(seen, std::size_t(i), std::size_t(j))) pairs.push_back({j, i});
            }
        }
        test_every_wall(seen, pairs);
        std::ranges::sort(pairs);
    }
    std::string remark() const override { return "strips across axis " + std::to_string(axis_); }

  private:
    bool are_near(const BallsAndWalls<D>& seen, std::size_t i, std::size_t j) const
    {
        if (!is_ball(seen, i) || !is_ball(seen, j) || (is_passive(seen, i) && is_passive(seen, j))) return false;
        return std::abs(seen.centre[i][axis_] - seen.centre[j][axis_]) <= seen.radius[i] + seen.radius[j] + seen.reach;
    }
    int axis_;
};

} // namespace

DetectorKind strips_detector()
{
    return detector_kind<Strips>(
        "strips", "balls that overlap along one axis",
        {scene::integer("axis", "of the strips").at_least(0).at_most(1).otherwise(scene::Value(0))});
}

} // namespace talus
