#include "talus/report/crowd/crowd_packet.hpp"

#include "talus/io/files/json_writer.hpp"
#include "talus/report/pages/page_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace talus::report {

namespace {

std::string json_point(const Vec<2>& point)
{
    return fmt::format("[{},{}]", json_number(point[0], 9), json_number(point[1], 9));
}

// A map in 255 shades from 0 to its largest value; 0 where there is none.
std::vector<std::uint8_t> shaded(const std::vector<double>& values, double most)
{
    std::vector<std::uint8_t> shades;
    for (const double value : values) {
        const double part = std::clamp(value / most, 0.0, 1.0);
        shades.push_back(std::isfinite(value) ? std::uint8_t(1 + std::lround(254 * part)) : 0);
    }
    return shades;
}

double largest_in(const std::vector<double>& values)
{
    double most = 0;
    for (const double value : values) most = std::isfinite(value) ? std::max(most, value) : most;
    return most > 0 ? most : 1;
}

// Ways end to end, in steps of 16 bits.
template <int D>
class Ways {
  public:
    explicit Ways(const CrowdHistory<D>& history) : lower_(history.lower()), size_(history.upper() - history.lower()) {}

    void add(const typename CrowdHistory<D>::Track& track)
    {
        first_.push_back(std::int32_t(track.first));
        for (const auto& place : track.places) {
            for (int k = 0; k < 2; ++k) {
                const double part = size_[k] > 0 ? (double(place[std::size_t(k)]) - lower_[k]) / size_[k] : 0;
                places_.push_back(std::uint16_t(std::lround(65535 * std::clamp(part, 0.0, 1.0))));
            }
        }
        start_.push_back(std::uint32_t(places_.size() / 2));
    }
    void write(Packet& packet) const
    {
        const bool is_empty = !size_.allFinite();
        packet.fact("lower", json_point(is_empty ? Vec<2>(Vec<2>::Zero()) : lower_));
        packet.fact("upper", json_point(is_empty ? Vec<2>(Vec<2>::Zero()) : Vec<2>(lower_ + size_)));
        packet.array("way_first", first_);
        packet.array("way_start", start_);
        packet.array("way_place", places_, 2);
    }

  private:
    Vec<2> lower_, size_; // [m]
    std::vector<std::int32_t> first_;
    std::vector<std::uint32_t> start_{0};
    std::vector<std::uint16_t> places_;
};

} // namespace

std::string crowd_json(const CrowdScene& scene)
{
    std::string exits;
    for (const ExitMark& exit : scene.exits) {
        exits +=
            fmt::format(R"({}{{"name":{},"from":{},"to":{},"opens":{},"closes":{}}})", exits.empty() ? "" : ",",
                        io::json_quoted(exit.name), json_point(exit.from), json_point(exit.to),
                        json_number(exit.opens, 9), std::isfinite(exit.closes) ? json_number(exit.closes, 9) : "null");
    }
    return fmt::format(R"({{"exits":[{}]}})", exits);
}

void add_crowd(Packet& packet, const CrowdLook& look, const ShownBodies& shown)
{
    std::vector<std::int16_t> heading;
    std::vector<Half> density;
    for (std::size_t k = 0; k < shown.count(look.heading.size()); ++k) {
        const Vec<2>& ahead = look.heading[shown.body(k)];
        heading.push_back(std::int16_t(std::lround(32767 / std::numbers::pi * std::atan2(ahead[1], ahead[0]))));
        density.push_back(to_half(look.density[shown.body(k)]));
    }
    packet.array("heading", heading);
    packet.array("density", density);
    packet.fact("inside", std::to_string(look.inside));
    packet.fact("left", std::to_string(look.left));
    const MapGrid& grid = look.maps.grid;
    const double most_density = largest_in(look.maps.density), most_speed = largest_in(look.maps.speed);
    packet.fact("map", fmt::format(R"({{"lower":{},"cell":{},"nx":{},"ny":{},"density":{},"speed":{}}})",
                                   json_point(grid.lower), json_number(grid.cell, 9), grid.nx, grid.ny,
                                   json_number(most_density, 6), json_number(most_speed, 6)));
    packet.array("map_density", shaded(look.maps.density, most_density));
    packet.array("map_speed", shaded(look.maps.speed, most_speed));
}

template <int D>
std::string crowd_packet(const CrowdHistory<D>& history, const std::vector<std::int32_t>& numbers,
                         const ShownBodies& shown)
{
    using Track = typename CrowdHistory<D>::Track;
    static const Track nobody;
    Ways<D> ways(history);
    std::vector<std::int16_t> exit;
    std::vector<float> came, last;
    for (std::size_t k = 0; k < shown.count(numbers.size()); ++k) {
        const auto number = std::size_t(numbers[shown.body(k)]);
        const Track& track = number < history.tracks().size() ? history.tracks()[number] : nobody;
        exit.push_back(std::int16_t(track.exit));
        came.push_back(float(track.came));
        last.push_back(float(track.last));
        ways.add(track);
    }
    Packet packet;
    packet.fact("frames", std::to_string(history.frames()));
    packet.fact("bodies", std::to_string(exit.size()));
    packet.array("exit", exit);
    packet.array("came", came);
    packet.array("last", last);
    packet.array("moment", std::vector<float>(history.moments().begin(), history.moments().end()));
    ways.write(packet);
    return packet.bytes();
}

template std::string crowd_packet(const CrowdHistory<2>&, const std::vector<std::int32_t>&, const ShownBodies&);
template std::string crowd_packet(const CrowdHistory<3>&, const std::vector<std::int32_t>&, const ShownBodies&);

} // namespace talus::report
