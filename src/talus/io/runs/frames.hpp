// Frames in blocks, frames/NNNNNN.h5: one block holds consecutive frames end to end in the same columns and is named by
// the number of its first. Small frames wait in memory until a block is worth a file; a large one is a block of its
// own.
#pragma once

#include "talus/io/runs/run_columns.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace talus::io {

inline constexpr std::int64_t last_frame = -1;
inline constexpr const char* numbers_of_bodies = "bodies/number"; // in run.h5, where bodies have left

// One frame, with what is constant of its bodies from run.h5.
template <int D>
struct Frame : NamedState<D> {
    std::int64_t index = 0;
};

template <int D>
class FrameWriter {
  public:
    FrameWriter(std::filesystem::path frames, std::int64_t next) : directory_(std::move(frames)), next_(next) {}

    void add(const Simulation<D>& simulation);
    void flush(); // what waits becomes a block
    bool is_due() const;
    std::int64_t count() const { return next_; } // frames so far, written or waiting

  private:
    // everything of a block; a large frame is not copied, it is written from where it stands
    struct Columns;
    void write(const Columns& columns) const;

    struct Waiting {
        std::vector<double> time;
        std::vector<std::int64_t> step, body_start{0}, contact_start{0};
        BodyTable<D> bodies;
        ContactTable<D> contacts;
        double dt = 0;
    };
    std::filesystem::path directory_;
    std::int64_t next_ = 0;
    Waiting waiting_;
};

struct FrameBlock {
    std::filesystem::path file;
    std::int64_t first = 0;
};
// By number; hidden files of unfinished blocks are left out.
std::vector<FrameBlock> list_blocks(const std::filesystem::path& run_folder);

struct FrameTimes {
    std::int64_t first = 0;
    std::vector<double> time;                   // [s]
    std::vector<std::int64_t> bodies, contacts; // number of
};
FrameTimes read_times(const FrameBlock& block, SealCheck check = SealCheck::contents);

// The frame nearest to a time; times up to half a frame beyond the first and the last one count as theirs. InputError
// beyond.
std::int64_t frame_at(const std::filesystem::path& run_folder, double time);

// InputError where there is no such frame or its block is damaged.
template <int D>
Frame<D> read_frame(const std::filesystem::path& run_folder, std::int64_t index = last_frame);

// The two halves of it, for who reads many frames. What moves: bodies without mass, inertia, shape and material, and
// contacts; neither shapes nor names.
enum class Moving { all, bodies }; // without contacts, of which there are many
template <int D>
Frame<D> read_moving(const std::filesystem::path& run_folder, std::int64_t index = last_frame,
                     SealCheck check = SealCheck::contents, Moving what = Moving::all);
// What stays: these columns of the first bodies of run.h5, of all without a number, shapes and names. Its table of
// bodies has no state but, where bodies have left, their numbers.
template <int D>
Frame<D> read_constants(const std::filesystem::path& run_folder, std::optional<std::size_t> bodies = {});

// Where the bodies of a frame stand among those of read_constants(); −1: it does not know one.
template <int D>
std::vector<std::int32_t> rows_of(const BodyTable<D>& bodies, const BodyTable<D>& constants);

// Their mass, inertia, shape and material from there. InputError where it does not know one.
template <int D>
void add_constants(BodyTable<D>& bodies, const BodyTable<D>& constants);

// Every problem of one block: damage, columns that do not fit together, indices out of range.
template <int D>
std::vector<std::string> verify_block(const FrameBlock& block, std::size_t known_bodies);

} // namespace talus::io
