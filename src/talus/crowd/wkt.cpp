#include "talus/crowd/wkt.hpp"

#include "talus/crowd/rings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace talus {

namespace {

constexpr int deepest_collection = 32; // collections in collections

// Where the text cannot be read on.
struct Unreadable {
    Mistake mistake;
};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f'; }

class WktReader {
  public:
    WktReader(std::string_view text, const std::string& file) : text_(text), here_{file, 1, 1} {}

    WktGeometry read()
    {
        try {
            skip_space();
            if (at_end())
                fail("", "is empty: POLYGON, LINESTRING, their MULTI forms or GEOMETRYCOLLECTION are expected");
            while (!at_end()) {
                read_geometry(0);
                while (!at_end() && (next() == ';' || next() == ',')) step(); // one after another, however separated
                skip_space();
            }
        } catch (const Unreadable& stop) {
            mistakes_.push_back(stop.mistake);
        }
        if (!mistakes_.empty()) throw InputError(mistakes_);
        return std::move(geometry_);
    }

  private:
    bool at_end() const { return place_ == text_.size(); }
    char next() const { return at_end() ? '\0' : text_[place_]; }
    void step() { advance(1); }
    void skip_space()
    {
        for (; !at_end() && is_space(text_[place_]); ++place_) {
            here_.column = text_[place_] == '\n' ? 1 : here_.column + 1;
            here_.line += text_[place_] == '\n';
        }
    }
    void advance(std::size_t characters) // none of them a space
    {
        place_ += characters;
        here_.column += int(characters);
        skip_space();
    }

    [[noreturn]] void fail(std::string value, std::string message) const
    {
        throw Unreadable{{here_, key_, std::move(value), std::move(message)}};
    }
    void report(const Location& where, const std::string& key, std::string message)
    {
        mistakes_.push_back({where, key, "", std::move(message)});
    }

    std::string_view peek_word() const
    {
        std::size_t end = place_;
        while (end < text_.size() && is_letter(text_[end])) ++end;
        return text_.substr(place_, end - place_);
    }
    std::string read_word()
    {
        std::string word(peek_word());
        advance(word.size());
        std::ranges::transform(word, word.begin(),
                               [](char c) { return c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c; });
        return word;
    }
    std::string shown_next() const
    {
        return at_end() ? "the end of the text" : fmt::format("'{}'", text_.substr(place_, 12));
    }
    void expect(char c)
    {
        if (next() != c) fail("", fmt::format("'{}' expected before {}", c, shown_next()));
        step();
    }

    // true where there is nothing in it; the opening parenthesis is read where there is
    bool is_empty(const Location& where, const std::string& name)
    {
        if (!is_letter(next())) return expect('('), false;
        const Location at = here_;
        const std::string word = read_word();
        if (word == "EMPTY") {
            report(where, key_, name + " EMPTY: there is nothing to walk around");
            return true;
        }
        if (word == "Z" || word == "M" || word == "ZM") {
            throw Unreadable{{at, key_, word, "the ground is flat: give x and y only"}};
        }
        throw Unreadable{{at, key_, word, "'(' or EMPTY expected after " + name}};
    }

    // ITEM, ITEM, ...) after the opening parenthesis
    template <class ReadItem>
    void read_list(ReadItem&& read_item)
    {
        read_item();
        while (next() == ',') {
            step();
            read_item();
        }
        expect(')');
    }

    void read_geometry(int depth)
    {
        key_ = "";
        const Location where = here_;
        const std::string name = read_word();
        if (name == "LINESTRING") {
            key_ = next_line_key();
            if (!is_empty(where, name)) read_line(where);
        } else if (name == "POLYGON") {
            key_ = next_polygon_key();
            if (!is_empty(where, name)) read_polygon(where);
        } else if (name == "MULTILINESTRING") {
            if (!is_empty(where, name)) read_list([&] { inside_parentheses(&WktReader::read_line); });
        } else if (name == "MULTIPOLYGON") {
            if (!is_empty(where, name)) read_list([&] { inside_parentheses(&WktReader::read_polygon); });
        } else if (name == "GEOMETRYCOLLECTION") {
            if (depth == deepest_collection) fail(name, fmt::format("more than {} collections in one another", depth));
            if (!is_empty(where, name)) read_list([&] { read_geometry(depth + 1); });
        } else if (name == "POINT" || name == "MULTIPOINT") {
            report(where, name, "a point is no obstacle: give a POLYGON or a LINESTRING");
            skip_parentheses();
        } else {
            throw Unreadable{{where, "", name.empty() ? shown_next() : name,
                              "LINESTRING, POLYGON, MULTILINESTRING, MULTIPOLYGON or GEOMETRYCOLLECTION expected"}};
        }
    }

    void inside_parentheses(void (WktReader::*read_item)(const Location&))
    {
        key_ = read_item == &WktReader::read_line ? next_line_key() : next_polygon_key();
        const Location where = here_;
        expect('(');
        (this->*read_item)(where);
    }

    void skip_parentheses()
    {
        if (is_letter(next())) read_word(); // EMPTY, Z
        int depth = 0;
        while (!at_end() && (depth > 0 || next() == '(')) {
            depth += next() == '(' ? 1 : next() == ')' ? -1 : 0;
            step();
        }
    }

    std::string next_line_key() const { return fmt::format("line[{}]", line_count_); }
    std::string next_polygon_key() const { return fmt::format("polygon[{}]", polygon_count_); }

    double read_number()
    {
        const std::size_t start = place_ + (next() == '+');
        double number = 0;
        const auto [end, error] = std::from_chars(text_.data() + start, text_.data() + text_.size(), number);
        if (error == std::errc::invalid_argument) fail("", "a number expected before " + shown_next());
        const std::size_t length = std::size_t(end - text_.data()) - place_;
        const std::string_view written = text_.substr(place_, length);
        // smaller than the smallest double is 0, as far as people walk
        const bool is_tiny = error == std::errc::result_out_of_range && is_below_one(written);
        if (is_tiny) number = 0;
        if (!is_tiny && (error != std::errc() || !std::isfinite(number))) {
            mistakes_.push_back({here_, key_, std::string(written.substr(0, 24)), "must be a finite number"});
            is_good_ = false;
        }
        advance(length);
        return number;
    }
    static bool is_below_one(std::string_view written)
    {
        const std::size_t exponent = written.find_first_of("eE");
        if (exponent != std::string_view::npos) return written.substr(exponent + 1).starts_with('-');
        return written.find('.') < 3; // 0.000...
    }

    // x y, x y, ...)
    std::vector<Vec<2>> read_points()
    {
        std::vector<Vec<2>> points;
        read_list([&] {
            const double x = read_number(), y = read_number();
            if (next() != ',' && next() != ')') {
                fail("", fmt::format("',' or ')' expected after x and y, before {}: the ground is flat", shown_next()));
            }
            points.emplace_back(x, y);
        });
        return points;
    }

    void read_line(const Location& where)
    {
        is_good_ = true;
        WktLine line{read_points(), where};
        ++line_count_;
        line.points.erase(std::unique(line.points.begin(), line.points.end()), line.points.end());
        if (!is_good_) return;
        if (line.points.size() < 2) return report(where, key_, "a line needs two different points");
        geometry_.lines.push_back(std::move(line));
    }

    void read_polygon(const Location& where)
    {
        const std::string key = key_;
        WktPolygon polygon{{}, where};
        bool is_good = true;
        std::size_t ring = 0;
        read_list([&] {
            key_ = fmt::format("{}.ring[{}]", key, ring++);
            const Location place = here_;
            expect('(');
            is_good_ = true;
            polygon.rings.push_back({read_points(), place});
            is_good &= is_good_ && close_ring(polygon.rings.back());
        });
        ++polygon_count_;
        if (!is_good) return;
        std::vector<Mistake> wrong = mistakes_of_rings(polygon, key);
        mistakes_.insert(mistakes_.end(), wrong.begin(), wrong.end());
        if (!wrong.empty()) return;
        for (std::size_t r = 0; r < polygon.rings.size(); ++r) {
            std::vector<Vec<2>>& corners = polygon.rings[r].corners;
            if ((signed_area(corners) > 0) != (r == 0)) std::ranges::reverse(corners);
        }
        geometry_.polygons.push_back(std::move(polygon));
    }

    // From the points of the text to corners, each once.
    bool close_ring(WktRing& ring)
    {
        std::vector<Vec<2>>& corners = ring.corners;
        if (corners.size() > 1 && corners.front() != corners.back()) {
            report(ring.where, key_,
                   fmt::format(
                       "the ring is open: it begins at ({:g}, {:g}) and ends at ({:g}, {:g}), where the first point "
                       "must be repeated",
                       corners.front().x(), corners.front().y(), corners.back().x(), corners.back().y()));
            return false;
        }
        corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
        if (corners.size() > 1) corners.pop_back();
        if (corners.size() >= 3) return true;
        report(ring.where, key_, fmt::format("a ring needs three corners at least, this one has {}", corners.size()));
        return false;
    }

    std::string_view text_;
    std::size_t place_ = 0;
    Location here_;
    std::string key_;
    std::size_t line_count_ = 0, polygon_count_ = 0; // with those that are wrong
    bool is_good_ = true;                            // all numbers of the present list are finite
    WktGeometry geometry_;
    std::vector<Mistake> mistakes_;
};

} // namespace

WktGeometry read_wkt(std::string_view text, const std::string& file) { return WktReader(text, file).read(); }

std::vector<std::array<Vec<2>, 2>> walls_of(const WktGeometry& geometry)
{
    std::vector<std::array<Vec<2>, 2>> walls;
    for (const WktLine& line : geometry.lines) {
        for (std::size_t k = 1; k < line.points.size(); ++k) walls.push_back({line.points[k - 1], line.points[k]});
    }
    for (const WktPolygon& polygon : geometry.polygons) {
        for (const WktRing& ring : polygon.rings) {
            const std::size_t count = ring.corners.size();
            for (std::size_t k = 0; k < count; ++k) walls.push_back({ring.corners[k], ring.corners[(k + 1) % count]});
        }
    }
    return walls;
}

WktPolygon read_walkable_area(std::string_view text, const std::string& file)
{
    WktGeometry geometry = read_wkt(text, file);
    if (geometry.polygons.size() == 1 && geometry.lines.empty()) return std::move(geometry.polygons[0]);
    throw InputError(
        {{{file, 1, 1},
          "walkable_area",
          "",
          fmt::format("must be one POLYGON, with the obstacles as its holes; the text has {} polygons and {} "
                      "lines",
                      geometry.polygons.size(), geometry.lines.size())}});
}

} // namespace talus
