// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/lab/camerasreport.h"

#include "core/text/shorttext.h"

#include <algorithm>
#include <utility>

namespace jetscope {

namespace {

/// Stamps of a clock of this machine become times of ours; those of others tell nothing of other cameras.
std::vector<CameraFrame> datedFrames(const CameraLog::Contents &log, const StampFinding &finding)
{
    std::vector<CameraFrame> frames = log.frames;
    if (finding.clock != StampClock::System || !finding.offsetMs)
        return frames;
    const auto offsetNs = static_cast<std::int64_t>(*finding.offsetMs * 1e6);
    for (std::size_t i = 0; i < frames.size(); ++i)
        if (log.stamps[i].stamp.isThere)
            frames[i].stampNs = log.stamps[i].stamp.ns - offsetNs;
    return frames;
}

} // namespace

StampReport stampReportOf(const std::string &address, const CameraLog::Contents &log)
{
    return {address, {}, examineStamps(log.stamps, log.clocks, readClocks())};
}

std::string cameraName(std::size_t place, const std::string &source)
{
    return "camera " + std::to_string(place + 1) + " (" + source + ")";
}

CamerasReport camerasReportOf(std::span<const std::shared_ptr<const CameraLog>> logs, std::size_t newest)
{
    CamerasReport report;
    std::vector<std::vector<CameraFrame>> frames;
    std::vector<std::string> names;
    for (const std::shared_ptr<const CameraLog> &each : logs) {
        const CameraLog::Contents log = each->contents(newest);
        StampReport camera = stampReportOf(each->address(), log);
        frames.push_back(datedFrames(log, camera.finding));
        names.push_back(cameraName(report.cameras.size(), camera.source));
        if (camera.finding.clock != StampClock::System)
            report.trouble += (report.trouble.empty() ? "" : " ") + capitalized(names.back())
                + " has no stamps of a clock of this machine: its frames are compared by when they arrived.";
        report.lost.push_back(log.counts);
        report.cameras.push_back(std::move(camera));
    }
    // Without stamps of a clock of ours frames are dated by their arrival; some sources do that themselves.
    const bool knowsExposure =
        std::none_of(report.cameras.begin(), report.cameras.end(), [](const StampReport &camera) {
            return camera.finding.clock != StampClock::System || camera.finding.edge == StampEdge::Arrival;
        });
    report.skew = compareCameras(frames, names, knowsExposure);
    return report;
}

} // namespace jetscope
