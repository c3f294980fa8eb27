// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jetscope {

/// What the command line fixed for the window. It wins over saved choices; what it leaves open is taken
/// from the last session, else from the best device and the synthetic source.
struct WindowOptions {
    std::optional<std::string> source;   ///< URI as for openSource.
    std::optional<std::string> deviceId; ///< As for openDevice.
    /// Keys and values of applySetting, already checked; applied in order on top of the saved ones.
    std::vector<std::pair<std::string, std::string>> settings;
    std::uint64_t frameLimit = 0; ///< 0: until the source ends.

    std::string traceFilePath;              ///< Not empty: show this trace in place of a pipeline.
    std::string recordPath;                 ///< Not empty: record into this new file as soon as the pipeline is open.
    std::optional<std::uint64_t> mostSpans; ///< That the trace keeps.
    std::string framesBy;                   ///< What stands for a frame in a trace of another program.

    std::string screenshotPath;          ///< Not empty: save the window there and leave.
    std::uint64_t screenshotAfter = 100; ///< Frames shown before the screenshot.

    int closeRequest = -1; ///< A descriptor that becomes readable when the window is to close; -1: none.

    bool ignoreRemembered = false; ///< Neither read nor write the last session. A screenshot implies it.
};

/// What has to be settled before a QApplication exists: that a display can be reached, the GLES surface format
/// (swap interval 0), shared contexts and Qt's EGL integration. The error is one sentence with the remedy.
Status prepareForWindow();

/// Opens the window and runs it until it is closed. Makes the QApplication, so none may exist; calls
/// prepareForWindow and puts its error on stderr. Returns the exit code of the program.
int openWindow(int &argc, char **argv, const WindowOptions &options);

} // namespace jetscope
