#include "talus/detection/cells_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace talus {

namespace {

std::string arrow_list(const std::vector<int>& chain)
{
    std::string text;
    for (const int particle : chain) text += fmt::format("{} -> ", particle);
    return text + "end";
}

std::string array_line(const std::string& name, std::span<const int> values)
{
    std::string index = fmt::format("{:<8}", ""), line = fmt::format("{:<8}", name);
    for (std::size_t k = 0; k < values.size(); ++k) {
        index += fmt::format("{:>4}", k);
        line += values[k] < 0 ? fmt::format("{:>4}", "-") : fmt::format("{:>4}", values[k]);
    }
    return fmt::format("{}\n{}\n", index, line);
}

} // namespace

std::vector<int> FiledCells::chain(int of_cell) const
{
    std::vector<int> particles;
    for (int particle = head[std::size_t(of_cell)]; particle >= 0; particle = next[std::size_t(particle)]) {
        particles.push_back(particle);
    }
    return particles;
}

FiledCells file_in_cells(std::span<const Vec<2>> particles, const Square& square, int per_side)
{
    FiledCells cells{per_side, std::vector<int>(std::size_t(per_side * per_side), -1),
                     std::vector<int>(particles.size(), -1), std::vector<int>(particles.size(), -1)};
    for (std::size_t particle = 0; particle < particles.size(); ++particle) {
        const double i = std::floor((particles[particle][0] - square.corner[0]) / square.edge * per_side);
        const double j = std::floor((particles[particle][1] - square.corner[1]) / square.edge * per_side);
        if (!(i >= 0 && i < per_side && j >= 0 && j < per_side)) continue;
        const int cell = int(j) * per_side + int(i);
        cells.cell[particle] = cell;
        cells.next[particle] = cells.head[std::size_t(cell)];
        cells.head[std::size_t(cell)] = int(particle);
    }
    return cells;
}

std::string cells_picture(const FiledCells& cells)
{
    const int count = cells.per_side * cells.per_side;
    std::vector<std::string> content;
    std::size_t width = 9;
    for (int cell = 0; cell < count; ++cell) {
        std::vector<int> particles = cells.chain(cell);
        std::reverse(particles.begin(), particles.end()); // as they were filed
        content.push_back(fmt::format("{}", fmt::join(particles, " ")));
        width = std::max(width, content.back().size() + 2);
    }
    std::string rule = "+";
    for (int i = 0; i < cells.per_side; ++i) rule += std::string(width, '-') + "+";
    std::string picture = rule + "\n";
    for (int j = cells.per_side - 1; j >= 0; --j) { // cell 0 is at the bottom left
        std::string labels = "|", particles = "|";
        for (int i = 0; i < cells.per_side; ++i) {
            const int cell = j * cells.per_side + i;
            labels += fmt::format("{:<{}}|", fmt::format("cell {}", cell), width);
            particles += fmt::format("{:^{}}|", content[std::size_t(cell)], width);
        }
        picture += fmt::format("{}\n{}\n{}\n", labels, particles, rule);
    }
    picture += fmt::format("\n{}\n{}\n", array_line("head[]", cells.head), array_line("next[]", cells.next));
    for (int cell = 0; cell < count; ++cell)
        picture += fmt::format("cell {}: {}\n", cell, arrow_list(cells.chain(cell)));
    for (std::size_t particle = 0; particle < cells.cell.size(); ++particle) {
        if (cells.cell[particle] < 0) picture += fmt::format("particle {} is outside of the square\n", particle);
    }
    return picture;
}

std::string cells_picture(std::span<const Vec<2>> particles, int per_side)
{
    Square square{Vec<2>::Zero(), 1};
    if (!particles.empty()) {
        Vec<2> low = particles[0], high = low;
        for (const Vec<2>& particle : particles) {
            low = low.cwiseMin(particle);
            high = high.cwiseMax(particle);
        }
        square.corner = low;
        const double extent = (high - low).maxCoeff();
        if (extent > 0) square.edge = extent * (1 + 1e-9); // those on the upper edges are inside
    }
    return cells_picture(file_in_cells(particles, square, per_side));
}

} // namespace talus
