// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/console.h"
#include "app/commandline/interrupt.h"
#include "app/commandline/jsonvalues.h"
#include "app/lab/labcommands.h"
#include "app/lab/sourcewatching.h"
#include "app/run/cameraoutput.h"
#include "core/recording/tracer.h"
#include "core/text/shorttext.h"
#include "gpu/sources/severaladdress.h"

#include <algorithm>

namespace jetscope {

namespace {

std::vector<std::shared_ptr<const CameraLog>> logsOf(const WatchedSources &watched)
{
    std::vector<std::shared_ptr<const CameraLog>> logs;
    for (const auto &source : watched.sources)
        logs.push_back(source->log());
    return logs;
}

} // namespace

int labCameras(int, char **, const Options &options)
{
    const std::vector<std::string> addresses(options.operands.begin() + 1, options.operands.end());
    if (addresses.size() < SeveralAddress::kFewest || addresses.size() > SeveralAddress::kMost)
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
    CamerasReport report = camerasReportOf(logsOf(watched.value()), options.frames.value_or(CameraLog::kMostFrames));
    for (std::size_t i = 0; i < report.cameras.size(); ++i)
        report.cameras[i].trouble = watched.value().sources[i]->trouble();
    return finishWith(options.json ? jsonLine(camerasJson(report)) : camerasText(report),
                      report.skew.groups > 0 ? Good : Failed);
}

} // namespace jetscope
