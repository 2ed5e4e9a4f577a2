#include "detection/linked_cells.hpp"

#include "detection/bounding_balls.hpp"
#include "exec/parallel.hpp"

namespace talus {

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
void collect_wall_pairs(const CellFile<D>& cells, const Crowd<D>& crowd, double moved, std::vector<Pair>& found)
{
    std::vector<std::int32_t> near;
    for (const WallBound<D>& wall : crowd.walls) {
        near.clear();
        cells.collect_near_wall(wall, crowd.reach + moved, near);
        for (const std::int32_t body : near) {
            if (is_ball(crowd, body) && touches_wall(crowd, wall, body)) found.push_back(ordered(wall.body, body));
        }
    }
}

template <int D>
void LinkedCells<D>::find(const Crowd<D>& crowd, std::vector<Pair>& pairs)
{
    cells_.file(crowd, crowd.reach);
    auto& found = collect_ball_pairs(cells_, sorter_, 1);
    collect_wall_pairs(cells_, crowd, 0, found.back());
    sorter_.sort(crowd.centre.size(), rows_);
    list_pairs(rows_, pairs);
}

template class LinkedCells<2>;
template class LinkedCells<3>;
template std::vector<std::vector<Pair>>& collect_ball_pairs<2>(const CellFile<2>&, PairSorter&, std::size_t);
template std::vector<std::vector<Pair>>& collect_ball_pairs<3>(const CellFile<3>&, PairSorter&, std::size_t);
template void collect_wall_pairs<2>(const CellFile<2>&, const Crowd<2>&, double, std::vector<Pair>&);
template void collect_wall_pairs<3>(const CellFile<3>&, const Crowd<3>&, double, std::vector<Pair>&);

} // namespace talus
