#include "talus/solvers/newton/newton_factor.hpp"

#include <Eigen/OrderingMethods>

#include <algorithm>

namespace talus {

namespace {

// Columns join a front while at most this share of it, or so many blocks, are zeros that are worked on for nothing.
constexpr double idle_share = 0.1;
constexpr double idle_blocks = 16;

using Graph = Eigen::SparseMatrix<double>;

Graph symmetric_graph(const BlockPattern& pattern)
{
    const int n = int(pattern.size());
    std::vector<Eigen::Triplet<double>> edges;
    edges.reserve(2 * pattern.column.size());
    for (int a = 0; a < n; ++a) {
        for (std::size_t j = pattern.begin[a]; j < pattern.begin[a + 1]; ++j) {
            edges.emplace_back(a, pattern.column[j], 1.0);
            edges.emplace_back(pattern.column[j], a, 1.0);
        }
    }
    Graph graph(n, n);
    graph.setFromTriplets(edges.begin(), edges.end());
    return graph;
}

// Eigen shares large products out among threads, and the sums then depend on how many there are.
struct OneThread {
    OneThread() { Eigen::setNbThreads(1); }
    ~OneThread() { Eigen::setNbThreads(0); } // the default again
};

} // namespace

template <int D>
struct BlockFactor<D>::Columns {
    std::vector<std::vector<std::int32_t>> rows; // below the diagonal, increasing
    std::vector<std::int32_t> parent;            // the first of them, −1: none
    std::vector<std::vector<std::int32_t>> children;

    explicit Columns(std::size_t n) : rows(n), parent(n, -1), children(n) {}
    void set_parent(std::int32_t k)
    {
        if (rows[k].empty()) return;
        parent[k] = rows[k].front();
        children[parent[k]].push_back(k);
    }
    // children before parents, and subtrees together
    std::vector<std::int32_t> postorder() const
    {
        std::vector<std::int32_t> order, stack;
        for (std::int32_t k = std::int32_t(rows.size()) - 1; k >= 0; --k) {
            if (parent[k] < 0) stack.push_back(k);
        }
        while (!stack.empty()) { // parents first, then all reversed
            const std::int32_t k = stack.back();
            stack.pop_back();
            order.push_back(k);
            stack.insert(stack.end(), children[k].begin(), children[k].end());
        }
        std::reverse(order.begin(), order.end());
        return order;
    }
};

// Minimum degree, the structure of each column by that of its children, and the columns renumbered so that subtrees
// are contiguous.
template <int D>
void BlockFactor<D>::order(const BlockPattern& pattern, Columns& columns)
{
    const std::int32_t n = std::int32_t(pattern.size());
    Graph graph = symmetric_graph(pattern);
    Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation;
    Eigen::AMDOrdering<int>()(graph, permutation);
    const std::vector<std::int32_t> old(permutation.indices().data(), permutation.indices().data() + n);
    std::vector<std::int32_t> rank(n), mark(n, -1);
    for (std::int32_t k = 0; k < n; ++k) rank[old[k]] = k;
    Columns structure(n);
    for (std::int32_t k = 0; k < n; ++k) {
        std::vector<std::int32_t>& rows = structure.rows[k];
        const auto add = [&](std::int32_t row) {
            if (row <= k || mark[row] == k) return;
            mark[row] = k;
            rows.push_back(row);
        };
        for (Graph::InnerIterator it(graph, old[k]); it; ++it) add(rank[it.row()]);
        for (const std::int32_t child : structure.children[k]) {
            for (const std::int32_t row : structure.rows[child]) add(row);
        }
        std::sort(rows.begin(), rows.end());
        structure.set_parent(k);
    }
    const std::vector<std::int32_t> post = structure.postorder();
    std::vector<std::int32_t> renumbered(n);
    for (std::int32_t k = 0; k < n; ++k) renumbered[post[k]] = k;
    row_of_.resize(n);
    place_.resize(n);
    for (std::int32_t k = 0; k < n; ++k) {
        row_of_[k] = old[post[k]];
        place_[row_of_[k]] = k;
        columns.rows[k] = std::move(structure.rows[post[k]]);
        for (std::int32_t& row : columns.rows[k]) row = renumbered[row];
        std::sort(columns.rows[k].begin(), columns.rows[k].end());
        columns.set_parent(k);
    }
}

template <int D>
void BlockFactor<D>::join_columns(const Columns& columns)
{
    const std::int32_t n = std::int32_t(columns.rows.size());
    std::vector<std::int32_t> front_of(n);
    fronts_.clear();
    for (std::int32_t k = 0; k < n; ++k) {
        const std::size_t rows = columns.rows[k].size();
        double zeros = 0;
        bool joins = k > 0 && columns.parent[k - 1] == k;
        if (joins) {
            const Front& front = fronts_.back();
            const double width = front.last - front.first;
            zeros = front.zeros + width * double(rows + 1 - columns.rows[k - 1].size());
            joins = zeros <= std::max(idle_blocks, idle_share * (width + 1) * (width + 1 + double(rows)));
        }
        if (!joins) {
            fronts_.emplace_back();
            fronts_.back().first = k;
            zeros = 0;
        }
        Front& front = fronts_.back();
        front.last = k + 1;
        front.rows = columns.rows[k];
        front.zeros = zeros;
        front_of[k] = std::int32_t(fronts_.size()) - 1;
    }
    for (std::size_t f = 0; f < fronts_.size(); ++f) {
        if (!fronts_[f].rows.empty()) fronts_[front_of[fronts_[f].rows[0]]].children.push_back(std::int32_t(f));
    }
    for (std::size_t e = 0; e < entry_row_.size(); ++e) {
        fronts_[front_of[std::min(entry_row_[e], entry_column_[e])]].entries.push_back(e);
    }
}

template <int D>
void BlockFactor<D>::analyse(const BlockPattern& pattern)
{
    Columns columns(pattern.size());
    order(pattern, columns);
    entry_row_.resize(pattern.column.size());
    entry_column_.resize(pattern.column.size());
    for (std::size_t a = 0; a < pattern.size(); ++a) {
        for (std::size_t j = pattern.begin[a]; j < pattern.begin[a + 1]; ++j) {
            entry_row_[j] = place_[a];
            entry_column_[j] = place_[pattern.column[j]];
        }
    }
    join_columns(columns);
    local_.assign(pattern.size(), -1);
}

template <int D>
double BlockFactor<D>::operations() const
{
    double sum = 0;
    for (const Front& front : fronts_) {
        const double pivots = D * double(front.last - front.first), rest = D * double(front.rows.size());
        sum += 2 * pivots * (pivots * pivots / 3 + pivots * rest + rest * rest);
    }
    return sum;
}

template <int D>
double BlockFactor<D>::operations_of_solve() const
{
    double sum = 0;
    for (const Front& front : fronts_) {
        const double pivots = D * double(front.last - front.first), rest = D * double(front.rows.size());
        sum += 2 * pivots * (pivots + 2 * rest);
    }
    return sum;
}

// The front's entries of the matrix and what its children leave of theirs.
template <int D>
Eigen::MatrixXd BlockFactor<D>::front_matrix(const Front& front, const std::vector<Mat<D>>& block,
                                             std::vector<Eigen::MatrixXd>& updates)
{
    std::int32_t size = 0;
    for (std::int32_t k = front.first; k < front.last; ++k) local_[k] = size++;
    for (const std::int32_t row : front.rows) local_[row] = size++;
    Eigen::MatrixXd a = Eigen::MatrixXd::Zero(size * D, size * D);
    for (const std::size_t e : front.entries) {
        a.block<D, D>(local_[entry_row_[e]] * D, local_[entry_column_[e]] * D) += block[e];
    }
    for (const std::int32_t child : front.children) {
        const std::vector<std::int32_t>& rows = fronts_[child].rows;
        for (std::size_t c = 0; c < rows.size(); ++c) {
            for (std::size_t r = 0; r < rows.size(); ++r) {
                a.block<D, D>(local_[rows[r]] * D, local_[rows[c]] * D) +=
                    updates[child].block<D, D>(std::ptrdiff_t(r) * D, std::ptrdiff_t(c) * D);
            }
        }
        updates[child].resize(0, 0);
    }
    return a;
}

template <int D>
void BlockFactor<D>::factorise(const std::vector<Mat<D>>& block)
{
    const OneThread one_thread;
    std::vector<Eigen::MatrixXd> updates(fronts_.size());
    for (std::size_t f = 0; f < fronts_.size(); ++f) {
        Front& front = fronts_[f];
        const Eigen::MatrixXd a = front_matrix(front, block, updates);
        const Eigen::Index pivots = Eigen::Index(front.last - front.first) * D, rest = a.rows() - pivots;
        front.pivots.compute(a.topLeftCorner(pivots, pivots));
        if (rest == 0) continue; // a root: Eigen would take the address of columns that are not there
        front.right = front.pivots.solve(a.topRightCorner(pivots, rest));
        front.below = a.bottomLeftCorner(rest, pivots);
        updates[f] = a.bottomRightCorner(rest, rest);
        updates[f].noalias() -= front.below * front.right;
    }
}

template <int D>
void BlockFactor<D>::solve(std::vector<Vec<D>>& x) const
{
    const OneThread one_thread;
    Eigen::VectorXd y(Eigen::Index(x.size()) * D);
    for (std::size_t k = 0; k < x.size(); ++k) y.segment<D>(Eigen::Index(k) * D) = x[row_of_[k]];
    const auto own = [&](const Front& front) { return y.segment(front.first * D, (front.last - front.first) * D); };
    for (const Front& front : fronts_) {
        own(front) = front.pivots.solve(own(front)).eval();
        if (front.rows.empty()) continue;
        const Eigen::VectorXd taken = front.below * own(front);
        for (std::size_t r = 0; r < front.rows.size(); ++r) {
            y.segment<D>(front.rows[r] * D) -= taken.segment<D>(Eigen::Index(r) * D);
        }
    }
    for (auto front = fronts_.rbegin(); front != fronts_.rend(); ++front) {
        if (front->rows.empty()) continue;
        Eigen::VectorXd later(Eigen::Index(front->rows.size()) * D);
        for (std::size_t r = 0; r < front->rows.size(); ++r) {
            later.segment<D>(Eigen::Index(r) * D) = y.segment<D>(front->rows[r] * D);
        }
        own(*front) -= front->right * later;
    }
    for (std::size_t k = 0; k < x.size(); ++k) x[row_of_[k]] = y.segment<D>(Eigen::Index(k) * D);
}

template class BlockFactor<2>;
template class BlockFactor<3>;

} // namespace talus
