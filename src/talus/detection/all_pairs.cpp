#include "talus/detection/all_pairs.hpp"

#include "talus/detection/bounding_balls.hpp"
#include "talus/exec/parallel.hpp"

namespace talus {

template <int D>
void AllPairs<D>::find(const BallsAndWalls<D>& seen, std::vector<Pair>& pairs)
{
    const std::size_t bodies = seen.centre.size();
    auto& found = sorter_.clear((bodies + parallel_chunk - 1) / parallel_chunk + 1);
    parallel_chunks(bodies, [&](std::size_t begin, std::size_t end) {
        auto& buffer = found[begin / parallel_chunk];
        for (std::size_t i = begin; i < end; ++i) {
            if (!is_ball(seen, i)) continue;
            for (std::size_t j = i + 1; j < bodies; ++j) {
                if (!balls_within<D>(seen.centre[i], seen.radius[i], seen.centre[j], seen.radius[j], seen.reach)) {
                    continue;
                }
                if (!is_ball(seen, j) || (is_passive(seen, i) && is_passive(seen, j))) continue;
                buffer.push_back({std::int32_t(i), std::int32_t(j)});
            }
        }
    });
    test_every_wall(seen, found.back());
    sorter_.sort(bodies, rows_);
    list_pairs(rows_, pairs);
}

template <int D>
void test_every_wall(const BallsAndWalls<D>& seen, std::vector<Pair>& found)
{
    const std::size_t bodies = seen.centre.size();
    std::vector<std::vector<Pair>> parts((bodies + parallel_chunk - 1) / parallel_chunk);
    if (seen.walls.empty()) return;
    parallel_for(bodies, [&](std::size_t body) {
        if (!is_ball(seen, body)) return;
        for (const WallBound<D>& wall : seen.walls) {
            if (!touches_wall(seen, wall, std::int32_t(body))) continue;
            parts[body / parallel_chunk].push_back(ordered(wall.body, std::int32_t(body)));
        }
    });
    for (const auto& part : parts) found.insert(found.end(), part.begin(), part.end());
}

template class AllPairs<2>;
template class AllPairs<3>;
template void test_every_wall<2>(const BallsAndWalls<2>&, std::vector<Pair>&);
template void test_every_wall<3>(const BallsAndWalls<3>&, std::vector<Pair>&);

} // namespace talus
