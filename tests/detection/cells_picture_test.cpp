// CELLS' exercise: heads and links of a few particles in nine cells.
#include "talus/detection/cells_picture.hpp"

#include <gtest/gtest.h>

namespace talus {
namespace {

FiledCells exercise()
{
    const std::vector<Vec<2>> particles = {{0.35, 0.40}, {1.62, 0.55}, {0.70, 0.75}, {2.45, 1.30}, {1.20, 1.75},
                                           {2.70, 1.72}, {0.45, 2.60}, {2.30, 2.35}, {2.20, 1.03}};
    return file_in_cells(particles, {Vec<2>::Zero(), 3}, 3);
}

TEST(CellsPicture, NewestParticleIsHeadAndRemembersTheOneBefore)
{
    const FiledCells cells = exercise();
    EXPECT_EQ(cells.head, (std::vector<int>{2, 1, -1, -1, 4, 8, 6, -1, 7}));
    EXPECT_EQ(cells.next, (std::vector<int>{-1, -1, 0, -1, -1, 3, -1, -1, 5}));
    EXPECT_EQ(cells.chain(5), (std::vector<int>{8, 5, 3}));
    EXPECT_EQ(cells.chain(2), (std::vector<int>{}));
}

TEST(CellsPicture, ShowsGridArraysAndChains)
{
    const std::string picture = cells_picture(exercise());
    EXPECT_EQ(picture, R"(+---------+---------+---------+
|cell 6   |cell 7   |cell 8   |
|    6    |         |    7    |
+---------+---------+---------+
|cell 3   |cell 4   |cell 5   |
|         |    4    |  3 5 8  |
+---------+---------+---------+
|cell 0   |cell 1   |cell 2   |
|   0 2   |    1    |         |
+---------+---------+---------+

           0   1   2   3   4   5   6   7   8
head[]     2   1   -   -   4   8   6   -   7

           0   1   2   3   4   5   6   7   8
next[]     -   -   0   -   -   3   -   -   5

cell 0: 2 -> 0 -> end
cell 1: 1 -> end
cell 2: end
cell 3: end
cell 4: 4 -> end
cell 5: 8 -> 5 -> 3 -> end
cell 6: 6 -> end
cell 7: end
cell 8: 7 -> end
)");
}

TEST(CellsPicture, EveryParticleIsInExactlyOneChain)
{
    const FiledCells cells = exercise();
    std::vector<int> met(cells.cell.size(), 0);
    for (int cell = 0; cell < 9; ++cell) {
        for (const int particle : cells.chain(cell)) {
            ++met[std::size_t(particle)];
            EXPECT_EQ(cells.cell[std::size_t(particle)], cell);
        }
    }
    EXPECT_EQ(met, std::vector<int>(met.size(), 1));
}

TEST(CellsPicture, NamesParticlesOutsideOfTheSquare)
{
    const std::vector<Vec<2>> particles = {{0.5, 0.5}, {3.5, 0.5}, {std::nan(""), 0}};
    const FiledCells cells = file_in_cells(particles, {Vec<2>::Zero(), 3}, 3);
    EXPECT_EQ(cells.cell, (std::vector<int>{0, -1, -1}));
    EXPECT_NE(cells_picture(cells).find("particle 1 is outside of the square"), std::string::npos);
}

TEST(CellsPicture, SquareAroundAllParticlesLeavesNoneOutside)
{
    const std::vector<Vec<2>> particles = {{-1, 5}, {2, 5.5}, {0.5, 8}};
    const std::string picture = cells_picture(particles);
    EXPECT_EQ(picture.find("outside"), std::string::npos);
    EXPECT_NE(picture.find("cell 2: 1 -> end"), std::string::npos);
    EXPECT_NE(picture.find("cell 7: 2 -> end"), std::string::npos);
}

} // namespace
} // namespace talus
