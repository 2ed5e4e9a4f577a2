// A run's folder as the viewer's page reads it: run.json, live.json and packets of shapes, frames and contacts. Frames
// are read one at a time; the run may still be written, and what is new is found at the next question. Not for several
// threads at once. The format is told in docs/viewer.md.
#pragma once

#include "talus/io/runs/series_lines.hpp"
#include "talus/report/pages/page_text.hpp"
#include "talus/report/view/view_bodies.hpp"
#include "talus/report/view/view_times.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace talus::report {

// What a page that stands alone keeps of a run.
struct ViewSelection {
    std::vector<std::int64_t> frames;
    ShownBodies bodies;
    std::string left_out; // in words; empty where nothing is
};

class ViewedRun {
  public:
    // InputError where this is no run's folder, or a newer version's.
    static std::unique_ptr<ViewedRun> open(const std::filesystem::path& folder);
    virtual ~ViewedRun() = default;

    const std::filesystem::path& folder() const { return folder_; }
    const FrameIndex& frames(); // as they are now
    bool has_frame(std::int64_t index);

    std::string run_json(); // all that there is
    std::string run_json(const ViewSelection& selection);
    std::string live_json(std::size_t frames, std::size_t lines); // what came after so many

    // InputError where a file is damaged or gone.
    virtual std::string shapes(const ShownBodies& shown = {}) = 0;
    virtual std::string frame(std::int64_t index, const ShownBodies& shown = {}) = 0;
    virtual std::string contacts(std::int64_t index, const ShownBodies& shown = {}) = 0;
    virtual std::string crowd(const ShownBodies& shown = {}) = 0; // empty where it is none
    virtual std::string ranges() = 0;                             // JSON: what all frames share

    // About so many bodies: those that are led or have a name of their own, and an even sample of the others.
    virtual ShownBodies some_bodies(std::size_t count) = 0;
    virtual std::size_t body_count() = 0;

  protected:
    explicit ViewedRun(std::filesystem::path folder);
    virtual int dimension() const = 0;
    virtual std::string materials_json() = 0;
    virtual std::string groups_json(const ShownBodies& shown) = 0;
    struct SceneFacts {
        std::string gauges = "[]";
        int parts = 0; // 0: no sub-domains
        std::string crowd = "null";
        std::vector<std::string> warnings;
    };
    virtual SceneFacts scene_facts(const ShownBodies& shown) = 0; // none before the first frame is there

    std::filesystem::path folder_;
    FrameIndex index_;

  private:
    std::string state_json() const;
    std::string series_json(std::size_t first, std::vector<std::string>& warnings);

    io::SeriesLines series_;
};

// The page around the data: what comes before the scripts of id "run", "shapes", ... and what comes after them.
struct ViewPage {
    std::string head, tail;
};
ViewPage view_page(const WebPage& page, const std::string& title, bool is_served);

} // namespace talus::report
