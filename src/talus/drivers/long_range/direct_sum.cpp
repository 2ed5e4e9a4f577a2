// The sum of all pairs: N² of them, the reference.
#include "talus/drivers/long_range/pull_kernels.hpp"
#include "talus/drivers/long_range/summation.hpp"
#include "talus/exec/parallel.hpp"

namespace talus {

namespace {

constexpr std::size_t bodies_per_chunk = 32;

template <int D>
class DirectSum final : public Summation<D> {
  public:
    void sum(const Sources<D>& sources, double softening, Felt<D>& felt) override
    {
        felt.resize(sources.size());
        points_.clear();
        for (std::size_t k = 0; k < sources.size(); ++k) {
            points_.add(point_at<D>(sources.place[k], sources.strength[k]));
        }
        points_.pad();
        parallel_chunks(
            sources.size(),
            [&](std::size_t begin, std::size_t end) {
                std::array<Pull<D>, bodies_per_chunk> found;
                feel(points_, none_, softening * softening,
                     Asking<D>{&sources.place[begin], end - begin, begin, found.data()});
                for (std::size_t k = begin; k < end; ++k) {
                    felt.pull[k] = found[k - begin].pull;
                    felt.potential[k] = found[k - begin].potential;
                }
            },
            bodies_per_chunk);
    }

  private:
    PointList<D> points_;
    GroupList<D> none_;
};

} // namespace

template <int D>
std::unique_ptr<Summation<D>> direct_sum()
{
    return std::make_unique<DirectSum<D>>();
}

template std::unique_ptr<Summation<2>> direct_sum();
template std::unique_ptr<Summation<3>> direct_sum();

} // namespace talus
