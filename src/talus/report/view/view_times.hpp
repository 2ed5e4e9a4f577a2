// When the frames of a run were taken and how large they are. Blocks that were looked at once are not opened again, so
// that a run can be asked often while it goes on.
#pragma once

#include "talus/io/runs/frames.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <vector>

namespace talus::report {

class FrameIndex {
  public:
    explicit FrameIndex(std::filesystem::path folder) : folder_(std::move(folder)) {}

    void refresh();

    // One entry per frame, from 0 on. Frames of a block that cannot be read are counted by the names of the blocks
    // around it, with times in between and no bodies.
    std::vector<double> time;                   // [s]
    std::vector<std::int64_t> bodies, contacts; // number of
    std::size_t size() const { return time.size(); }

    // The block that holds a frame, as it was found: changes when the block is written again.
    struct Block {
        std::int64_t first = -1;
        std::filesystem::file_time_type written{};
        bool operator==(const Block&) const = default;
    };
    Block block_of(std::int64_t frame) const;

  private:
    struct Known {
        std::filesystem::file_time_type written;
        std::uintmax_t bytes = 0;
        io::FrameTimes times; // none where the block cannot be read
    };
    void add(const io::FrameTimes& times);
    void bridge(std::size_t from, std::size_t to); // frames whose time nobody knows

    std::filesystem::path folder_;
    std::map<std::int64_t, Known> known_; // by their first frame
};

} // namespace talus::report
