// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/window.h"

#include "app/commandline/console.h"
#include "app/commandline/devicechoice.h"
#include "app/commandline/help.h"
#include "app/commandline/interrupt.h"
#include "app/commandline/recordingwatch.h"
#include "core/system/newfile.h"
#include "gpu/sources/framesource.h"
#include "ui/remote/askpass.h"
#include "ui/window/openwindow.h"

#include <QCoreApplication>

namespace jetscope {

namespace {

Capability capability()
{
    const Status prepared = prepareForWindow();
    return prepared.ok() ? Capability::yes() : Capability::no(prepared.error().message());
}

int command(int argc, char **argv, const Options &options)
{
    if (options.source)
        if (const Status checked = checkSourceUri(*options.source); !checked.ok())
            return complain(checked.error(), WrongUsage);
    if (options.deviceId)
        if (const Status checked = checkDevice(*options.deviceId, listDevices()); !checked.ok())
            return complain(checked.error(), WrongUsage);
    if (options.recordPath) {
        // Checked before the window opens; the window creates the file once the device is known.
        if (const Status room = makeRoomForCapture(*options.recordPath); !room.ok())
            return complain(room.error(), Failed);
        if (const Result<UnfinishedFile> possible = UnfinishedFile::createDatabase(*options.recordPath); !possible.ok())
            return complain(possible.error(), Failed);
    }
    if (options.screenshotPath)
        if (const Result<UnfinishedFile> possible = UnfinishedFile::create(*options.screenshotPath); !possible.ok())
            return complain(possible.error(), Failed);
    QCoreApplication::setApplicationVersion(QString::fromUtf8(versionNumber())); // Captures contain the version.
    const Interrupt interrupt;
    WindowOptions window;
    window.closeRequest = interrupt.descriptor();
    window.limitEnd = [&interrupt] { interrupt.limitEnd(); };
    window.source = options.source;
    window.deviceId = options.deviceId;
    window.settings = options.hosts.empty() ? options.settings.texts() : options.boardSettings;
    window.frameLimit = options.frames.value_or(0);
    if (!options.operands.empty())
        window.traceFilePath = options.operands.front();
    if (!options.hosts.empty())
        window.board = options.hosts.front().text();
    window.recordPath = options.recordPath.value_or("");
    window.mostSpans = options.mostSpans;
    window.framesBy = options.framesBy.value_or("");
    window.screenshotPath = options.screenshotPath.value_or("");
    window.screenshotAfter = options.afterFrames.value_or(window.screenshotAfter);
    return openWindow(argc, argv, window);
}

int askForSsh(int argc, char **argv)
{
    return prepareForWindow().ok() ? askPass(argc, argv) : static_cast<int>(Failed);
}

int clock(int argc, char **argv, const ClockWork &work)
{
    const Status prepared = prepareForWindow();
    return prepared.ok() ? openClock(argc, argv, work) : complain(prepared.error(), Failed);
}

} // namespace

} // namespace jetscope

extern "C" const jetscope::WindowModule jetscopeModule{
    {JETSCOPE_VERSION}, jetscope::capability, jetscope::command, jetscope::askForSsh, jetscope::clock};
