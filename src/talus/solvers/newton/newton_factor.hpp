// LU of a sparse matrix of D×D blocks, multifrontal (Duff and Reid, ACM TOMS 9, 1983): contacts in an order of little
// fill (approximate minimum degree), those with the same neighbours eliminated together in one dense front. Pivots are
// sought inside a front only: enough for matrices near a positive definite one.
#pragma once

#include "talus/math/space.hpp"

#include <Eigen/LU>

#include <cstdint>
#include <vector>

namespace talus {

// Block rows of a square matrix: row a holds the columns column[begin[a]] … column[begin[a+1] − 1].
struct BlockPattern {
    std::vector<std::size_t> begin;
    std::vector<std::int32_t> column;

    std::size_t size() const { return begin.empty() ? 0 : begin.size() - 1; }
};

template <int D>
class BlockFactor {
  public:
    void analyse(const BlockPattern& pattern);
    double operations() const; // floating-point, of one factorisation
    double operations_of_solve() const;
    void factorise(const std::vector<Mat<D>>& block); // in the order of the pattern
    void solve(std::vector<Vec<D>>& x) const;         // b in, the solution out; not finite where the matrix is singular

  private:
    // Pivots are blocks [first, last) of the new order; `rows` are the later ones that they couple with.
    struct Front {
        std::int32_t first = 0, last = 0;
        std::vector<std::int32_t> rows, children;
        std::vector<std::size_t> entries; // of the pattern, that are assembled here
        double zeros = 0;                 // blocks that joining columns with other neighbours has added
        Eigen::PartialPivLU<Eigen::MatrixXd> pivots;
        Eigen::MatrixXd below, right; // A_rp and A_pp⁻¹ A_pr
    };
    struct Columns; // structure of the factor, column by column
    void order(const BlockPattern& pattern, Columns& columns);
    void join_columns(const Columns& columns);
    Eigen::MatrixXd front_matrix(const Front& front, const std::vector<Mat<D>>& block,
                                 std::vector<Eigen::MatrixXd>& updates);

    std::vector<std::int32_t> row_of_, place_; // old index by new, new by old
    std::vector<std::int32_t> entry_row_, entry_column_;
    std::vector<Front> fronts_;
    std::vector<std::int32_t> local_; // place in the front that is being assembled
};

} // namespace talus
