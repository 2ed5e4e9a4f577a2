// Figures of a crowd: maps by squares of the ground, paths of persons, the evacuation curve, the fundamental diagram.
#pragma once

#include "talus/crowd/density.hpp"
#include "talus/io/runs/crowd_frames.hpp"
#include "talus/io/runs/run_text.hpp"
#include "talus/report/drawing/chart.hpp"

namespace talus::report {

enum class MapQuantity { density, speed, service };

struct CrowdPicture {
    std::string title;
    int width = 1200; // [pixels]
    io::TimeInterval during = {};
};

CrowdMap crowd_map(const io::CrowdFrames& frames, double side, const io::TimeInterval& during = {});
Picture paint_map(const io::CrowdFrames& frames, const CrowdMap& map, MapQuantity quantity,
                  const CrowdPicture& options);
// The ways of persons, coloured by time; of at most 500, evenly chosen.
Picture paint_paths(const io::CrowdFrames& frames, const CrowdPicture& options);

// Persons inside, and who has left by each exit, against time; no curves where the series has no measures of a crowd.
Chart evacuation_chart(const io::SeriesColumns& series);

} // namespace talus::report
