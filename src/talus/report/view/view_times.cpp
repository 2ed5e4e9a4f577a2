#include "talus/report/view/view_times.hpp"

#include "talus/base/error.hpp"

namespace talus::report {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t widest_gap = 1'000'000; // frames: beyond it the name of a block is a mistake

io::FrameTimes times_of(const io::FrameBlock& block)
{
    try {
        return io::read_times(block, io::SealCheck::length);
    } catch (const InputError&) { // the frame says so itself when it is asked for
        return {block.first, {}, {}, {}};
    }
}

} // namespace

void FrameIndex::refresh()
{
    std::map<std::int64_t, Known> now;
    for (const io::FrameBlock& block : io::list_blocks(folder_)) {
        std::error_code error;
        Known found{fs::last_write_time(block.file, error), fs::file_size(block.file, error), {}};
        const auto old = known_.find(block.first);
        const bool is_same =
            old != known_.end() && old->second.written == found.written && old->second.bytes == found.bytes;
        found.times = is_same ? std::move(old->second.times) : times_of(block);
        now.emplace(block.first, std::move(found));
    }
    known_ = std::move(now);
    time.clear();
    bodies.clear();
    contacts.clear();
    for (const auto& [first, block] : known_) add(block.times);
    if (known_.empty() || !known_.rbegin()->second.times.time.empty()) return;
    const auto last = std::size_t(known_.rbegin()->first); // one frame at least, to say what is wrong
    if (last < size() + widest_gap) bridge(size(), last + 1);
}

void FrameIndex::add(const io::FrameTimes& times)
{
    if (times.time.empty()) return;
    const std::size_t known = size(), first = std::size_t(times.first);
    if (first < known || first > known + widest_gap) return; // a block that overlaps another, or has lost its way
    time.resize(first, times.time.front());
    bridge(known, first);
    time.insert(time.end(), times.time.begin(), times.time.end());
    bodies.insert(bodies.end(), times.bodies.begin(), times.bodies.end());
    contacts.insert(contacts.end(), times.contacts.begin(), times.contacts.end());
}

void FrameIndex::bridge(std::size_t from, std::size_t to)
{
    if (to <= from) return;
    const double before = from > 0 ? time[from - 1] : 0, after = time.size() > from ? time[from] : before;
    time.resize(to);
    bodies.resize(to, 0);
    contacts.resize(to, 0);
    for (std::size_t f = from; f < to; ++f) {
        time[f] = before + (after - before) * double(f + 1 - from) / double(to - from + 1);
    }
}

FrameIndex::Block FrameIndex::block_of(std::int64_t frame) const
{
    const auto after = known_.upper_bound(frame);
    if (after == known_.begin()) return {};
    return {std::prev(after)->first, std::prev(after)->second.written};
}

} // namespace talus::report
