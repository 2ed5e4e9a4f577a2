// How fast people dare to walk: nobody wants to go faster than the free way ahead over the time gap T,
//   v = min(v₀, s/T)
// (the collision-free speed model: Tordeux, Chraibi and Seyfried, Traffic and Granular Flow '15 (2016) 225), with s how
// far one can go straight before touching somebody. Where those ahead slow them down people step aside: of directions
// α up to 60° from their way they take that of the largest v(α) cosⁿ α (a choice by sight, as Moussaïd, Helbing and
// Theraulaz, PNAS 108 (2011) 6884, have it; n = 10 is ours: people seldom leave their way as long as it leads on).
#pragma once

#include "talus/crowd/ways.hpp"
#include "talus/detection/detector.hpp"

namespace talus {

// Where somebody would go if they were alone.
struct Aim {
    Vec<2> way;                 // unit vector
    double speed;               // [m/s]
    const Ways* ways = nullptr; // people give way to those who are nearer to their exit; null: to all who are ahead
    std::size_t exit = 0;
};

class Headway {
  public:
    explicit Headway(double time_gap) : time_gap_(time_gap) {}
    double time_gap() const { return time_gap_; } // [s]

    // Who is near whom.
    void see(const BodyTable<2>& bodies, const ShapeTable<2>& shapes, std::span<const Pair> pairs);
    // The wanted velocity of body i [m/s].
    Vec<2> wanted(const BodyTable<2>& bodies, std::size_t i, const Aim& aim) const;

  private:
    double free_way(const BodyTable<2>& bodies, std::size_t i, const Aim& aim, const Vec<2>& direction,
                    double limit) const;
    std::span<const std::int32_t> near(std::size_t i) const
    {
        return std::span(near_).subspan(std::size_t(first_[i]), std::size_t(first_[i + 1] - first_[i]));
    }

    double time_gap_;
    std::vector<std::int32_t> first_, near_; // of each body the others that it sees
    std::vector<double> radius_;             // [m]
};

} // namespace talus
