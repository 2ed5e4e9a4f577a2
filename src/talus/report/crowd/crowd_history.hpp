// The ways of all persons of a run, from its frames: where they went, when and by which exit they left, which way they
// face. Frames are read once, in order; what a growing run adds is read at the next refresh(). Where there are too many
// places, every second moment is forgotten.
#pragma once

#include "talus/io/runs/frames.hpp"
#include "talus/report/crowd/crowd_scene.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace talus::report {

// A person who is somewhere at a moment: a disk that can move.
template <int D>
bool is_person(const io::Frame<D>& frame, std::size_t body)
{
    return !frame.bodies.is_passive(body) && frame.shapes[frame.bodies.shape[body]].kind == ShapeKind::ball;
}

template <int D>
class CrowdHistory {
  public:
    CrowdHistory(std::filesystem::path folder, CrowdScene scene) : folder_(std::move(folder)), scene_(std::move(scene))
    {
    }

    struct Track {
        std::int64_t first = -1;                  // moment of the first place
        std::vector<std::array<float, 2>> places; // [m] one for each moment, one after the other
        double came = 0, last = 0;                // [s] of the first and the last frame they are in
        Vec<2> last_place = Vec<2>::Zero(), last_velocity = Vec<2>::Zero();
        std::int32_t exit = -1; // by which they left; −1: they are still there, or nobody knows
        bool has_left = false;

        bool is_person() const { return first >= 0; }
    };

    // Reads frames from the one after the last known. `constants` as io::read_constants() gives them. A damaged frame
    // is passed over.
    void refresh(const io::Frame<D>& constants, std::int64_t frames);
    std::int64_t frames() const { return next_; } // known so far

    const std::filesystem::path& folder() const { return folder_; }
    const CrowdScene& scene() const { return scene_; }
    const std::vector<double>& moments() const { return moments_; } // [s] of the places of tracks
    const std::vector<Track>& tracks() const { return tracks_; }    // by the number of the body
    // Unit vectors, one for each body of a frame, whose numbers are given: the direction of walking; of a person who
    // stands in a queue, the way they will go, else the way they came, else towards an exit.
    std::vector<Vec<2>> headings(const io::Frame<D>& frame, const std::vector<std::int32_t>& numbers) const;
    std::size_t left_before(double time) const; // persons who were there and are not any more
    // [m] The box of all places where somebody has been; empty before the first.
    const Vec<2>& lower() const { return lower_; }
    const Vec<2>& upper() const { return upper_; }

  private:
    void add(const io::Frame<D>& frame, const io::Frame<D>& constants);
    void thin();
    Vec<2> heading_of_standing(std::int32_t number, const Vec<2>& place, double time) const;

    std::filesystem::path folder_;
    CrowdScene scene_;
    std::vector<double> moments_;
    std::vector<Track> tracks_;
    std::vector<std::int32_t> present_; // numbers of the persons of the last frame
    std::int64_t next_ = 0;             // frame
    std::int64_t stride_ = 1;           // frames from moment to moment
    std::size_t places_ = 0;            // in all tracks
    Vec<2> lower_ = Vec<2>::Constant(std::numeric_limits<double>::infinity()), upper_ = -lower_; // [m]
};

} // namespace talus::report
