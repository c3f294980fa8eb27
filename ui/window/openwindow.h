// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/remote/sessionrequest.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jetscope {

/// Options for the window that the command line sets. They override saved choices; everything else is taken from the
/// last session, by default the best device and the synthetic source.
struct WindowOptions {
    std::optional<std::string> source;   ///< URI for openSource.
    std::optional<std::string> deviceId; ///< Id for openDevice.
    /// Validated keys and values for applySetting, applied in order over the saved ones.
    std::vector<std::pair<std::string, std::string>> settings;
    std::uint64_t frameLimit = 0; ///< 0: no limit.

    std::string traceFilePath;              ///< Not empty: show this trace instead of a pipeline.
    std::string recordPath;                 ///< Not empty: record to this new file as soon as the pipeline is open.
    std::optional<std::uint64_t> mostSpans; ///< Limit of spans in the trace.
    std::string framesBy;                   ///< Name of what counts as a frame in another program's trace.

    std::string board; ///< Address of a board to connect with, where `traceFilePath` then lies; empty: this machine.
    std::string screenshotPath;          ///< Not empty: save a screenshot there and exit.
    std::uint64_t screenshotAfter = 100; ///< Frames to show before the screenshot.

    int closeRequest = -1;          ///< File descriptor that becomes readable when the window must close; -1: none.
    std::function<void()> limitEnd; ///< Called when the window was closed: limits the time until the process ends.

    bool ignoreRemembered = false; ///< Neither read nor write settings. Implied by a screenshot.
};

/// Setup that is needed before a QApplication exists: checks that a display is reachable, and sets the GLES surface
/// format (swap interval 0), shared contexts and Qt's EGL integration. The error is one sentence with the remedy.
Status prepareForWindow();

/// Opens the window and runs it until it is closed. Creates the QApplication, so none may exist; calls prepareForWindow
/// and prints its error to stderr. Returns the exit code of the program.
int openWindow(int &argc, char **argv, const WindowOptions &options);

/// Request for the window: the command line overrides the settings.
SessionRequest windowRequest(const WindowOptions &options, SessionRequest settings);

} // namespace jetscope
