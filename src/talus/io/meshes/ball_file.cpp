#include "talus/io/meshes/ball_file.hpp"

#include "talus/io/meshes/mesh_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <zlib.h>

namespace talus::io {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t largest_ball_file = std::size_t(4) << 30; // [B] unpacked: some fifty million balls

// zlib hands out plain files as they are.
std::string text_of(const fs::path& file)
{
    std::error_code error;
    if (!fs::exists(file, error)) refuse(file, "no such file");
    if (!fs::is_regular_file(file, error)) refuse(file, "is no file");
    const std::unique_ptr<gzFile_s, int (*)(gzFile)> in(gzopen(file.c_str(), "rb"), gzclose);
    if (!in) refuse(file, "cannot be read");
    const bool is_packed = file.extension() == ".gz";
    if (is_packed && gzdirect(in.get())) refuse(file, "is not compressed, which .gz says it is");
    if (!is_packed && !gzdirect(in.get())) refuse(file, "is compressed: the name of such a file ends with .gz");
    std::string text;
    std::string piece(1 << 20, '\0');
    while (true) {
        const int read = gzread(in.get(), piece.data(), unsigned(piece.size()));
        int trouble = Z_OK;
        const char* const words = gzerror(in.get(), &trouble);
        if (read < 0 || trouble == Z_BUF_ERROR) refuse(file, fmt::format("cannot be read: {}", words));
        if (read == 0) return text;
        text.append(piece, 0, std::size_t(read));
        if (text.size() > largest_ball_file) refuse(file, "has more than 4 GiB of text");
    }
}

bool is_header(const std::vector<std::string_view>& words)
{
    double number;
    return std::ranges::none_of(words, [&](std::string_view word) { return read_number(word, number); });
}

// "" where the words are a ball, or what is wrong
std::string read_ball(const std::vector<std::string_view>& words, int dimension, ListedBall& ball)
{
    if (words.size() != std::size_t(dimension) + 1) {
        return fmt::format("has {} words; expected is {}, in metres", words.size(),
                           dimension == 2 ? "radius x y" : "radius x y z");
    }
    ball.position.setZero();
    for (int k = 0; k <= dimension; ++k) {
        double& number = k == 0 ? ball.radius : ball.position[k - 1];
        if (!read_number(words[std::size_t(k)], number) || !std::isfinite(number)) {
            return fmt::format("\"{}\" is no finite number; expected is {}, in metres",
                               words[std::size_t(k)].substr(0, 40), dimension == 2 ? "radius x y" : "radius x y z");
        }
    }
    return ball.radius > 0 ? "" : fmt::format("radius = {}: must be > 0", ball.radius);
}

} // namespace

std::vector<ListedBall> read_balls(const fs::path& file, int dimension)
{
    std::vector<ListedBall> balls;
    MeshMistakes mistakes(file.string());
    bool is_first = true;
    visit_lines(text_of(file), [&](int line, const std::vector<std::string_view>& words) {
        if (words[0].starts_with('#')) return;
        if (std::exchange(is_first, false) && is_header(words)) return;
        ListedBall ball;
        const std::string wrong = read_ball(words, dimension, ball);
        if (!wrong.empty()) return mistakes.add(line, wrong);
        balls.push_back(ball);
    });
    mistakes.throw_if_any();
    if (balls.empty()) refuse(file, "has no balls");
    return balls;
}

} // namespace talus::io
