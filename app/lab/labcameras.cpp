// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/console.h"
#include "app/commandline/interrupt.h"
#include "app/commandline/jsonvalues.h"
#include "app/lab/cameraoutput.h"
#include "app/lab/labcommands.h"
#include "app/lab/sourcewatching.h"
#include "core/recording/tracer.h"
#include "core/text/shorttext.h"

#include <algorithm>

namespace jetscope {

namespace {

constexpr std::size_t kMostCameras = 8;

/// Stamps of a clock of this machine become times of ours; those of others tell
/// nothing of other cameras.
std::vector<CameraFrame> datedFrames(const SourceWatch &watch, const StampFinding &finding)
{
    std::vector<CameraFrame> frames = watch.frames();
    const std::vector<StampedFrame> stamps = watch.stamps();
    if (finding.clock != StampClock::System || !finding.offsetMs)
        return frames;
    const auto offsetNs = static_cast<std::int64_t>(*finding.offsetMs * 1e6);
    for (std::size_t i = 0; i < std::min(frames.size(), stamps.size()); ++i)
        if (stamps[i].stamp.isThere)
            frames[i].stampNs = stamps[i].stamp.ns - offsetNs;
    return frames;
}

CamerasReport camerasReportOf(const WatchedSources &watched)
{
    CamerasReport report;
    std::vector<std::vector<CameraFrame>> frames;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < watched.sources.size(); ++i) {
        StampReport camera = stampReportOf(watched, i);
        frames.push_back(datedFrames(*watched.sources[i], camera.finding));
        names.push_back(camera.source);
        if (camera.finding.clock != StampClock::System)
            report.trouble += (report.trouble.empty() ? "" : " ") + camera.source
                + " has no stamps of a clock of this machine: its frames "
                  "are compared by when they arrived.";
        LossCounts lost;
        for (const LostFrames &each : watched.sources[i]->lost())
            lost.add(each);
        report.lost.push_back(lost);
        report.cameras.push_back(std::move(camera));
    }
    report.skew = compareCameras(frames, names);
    return report;
}

} // namespace

int labCameras(int, char **, const Options &options)
{
    const std::vector<std::string> addresses(options.operands.begin() + 1, options.operands.end());
    if (addresses.size() < 2 || addresses.size() > kMostCameras)
        return complain(sentence("lab cameras compares 2 to 8 sources, and " + std::to_string(addresses.size())
                                 + " were given: jetscope lab cameras "
                                   "v4l2:/dev/video0 v4l2:/dev/video2"),
                        WrongUsage);
    for (const std::string &address : addresses)
        if (const Status checked = checkSourceUri(address); !checked.ok())
            return complain(checked.error(), WrongUsage);
    const Interrupt interrupt;
    Tracer tracer;
    WatchRecording recording;
    if (options.recordPath)
        if (const Status started = recording.start(*options.recordPath, joined(addresses, ", ")); !started.ok())
            return complain(started.error(), Failed);
    const Result<WatchedSources> watched = watchSources(addresses, options, recording, tracer, interrupt);
    const Status recorded = recording.finish();
    if (!watched.ok())
        return complain(watched.error(), Failed);
    if (!recorded.ok())
        complain(recorded.error().message());
    const CamerasReport report = camerasReportOf(watched.value());
    return finishWith(options.json ? jsonLine(camerasJson(report)) : camerasText(report),
                      report.skew.groups > 0 ? Good : Failed);
}

} // namespace jetscope
