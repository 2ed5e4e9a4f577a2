#include "talus/detection/linked_cells.hpp"

#include "talus/detection/bounding_balls.hpp"
#include "talus/exec/parallel.hpp"

namespace talus {

namespace {

constexpr std::size_t walls_per_chunk = 4; // each looks at many cells

} // namespace

template <int D>
std::vector<std::vector<Pair>>& collect_ball_pairs(const CellFile<D>& cells, PairSorter& sorter,
                                                   std::size_t more_buffers)
{
    auto& found = sorter.clear((cells.grains() + parallel_chunk - 1) / parallel_chunk + more_buffers);
    parallel_chunks(cells.grains(), [&](std::size_t begin, std::size_t end) {
        cells.collect_pairs(begin, end, found[begin / parallel_chunk]);
    });
    return found;
}

template <int D>
void collect_wall_pairs(const CellFile<D>& cells, const BallsAndWalls<D>& seen, double moved, std::vector<Pair>& found)
{
    std::vector<std::vector<Pair>> touching((seen.walls.size() + walls_per_chunk - 1) / walls_per_chunk);
    parallel_chunks(
        seen.walls.size(),
        [&](std::size_t begin, std::size_t end) {
            std::vector<std::int32_t> near;
            for (const WallBound<D>& wall : seen.walls.subspan(begin, end - begin)) {
                near.clear();
                cells.collect_near_wall(wall, seen.reach + moved, near);
                for (const std::int32_t body : near) {
                    if (is_ball(seen, body) && touches_wall(seen, wall, body))
                        touching[begin / walls_per_chunk].push_back(ordered(wall.body, body));
                }
            }
        },
        walls_per_chunk);
    for (const auto& chunk : touching) found.insert(found.end(), chunk.begin(), chunk.end());
}

template <int D>
void LinkedCells<D>::find(const BallsAndWalls<D>& seen, std::vector<Pair>& pairs)
{
    cells_.file(seen, seen.reach);
    auto& found = collect_ball_pairs(cells_, sorter_, 1);
    collect_wall_pairs(cells_, seen, 0, found.back());
    sorter_.sort(seen.centre.size(), rows_);
    list_pairs(rows_, pairs);
}

template class LinkedCells<2>;
template class LinkedCells<3>;
template std::vector<std::vector<Pair>>& collect_ball_pairs<2>(const CellFile<2>&, PairSorter&, std::size_t);
template std::vector<std::vector<Pair>>& collect_ball_pairs<3>(const CellFile<3>&, PairSorter&, std::size_t);
template void collect_wall_pairs<2>(const CellFile<2>&, const BallsAndWalls<2>&, double, std::vector<Pair>&);
template void collect_wall_pairs<3>(const CellFile<3>&, const BallsAndWalls<3>&, double, std::vector<Pair>&);

} // namespace talus
