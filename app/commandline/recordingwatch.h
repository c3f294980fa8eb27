// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "core/tracefile/tracefilewriter.h"

#include <string>

namespace jetscope {

/// Tells the user at once what disturbs a recording, while there is time to mend it.
class RecordingWatch {
public:
    /// Call often.
    void look(const TraceFileWriter &writer);
    /// At the end: says what failed unless it was said already.
    void sayFailure(const std::string &failure);

private:
    bool m_waiting = false;
    bool m_saidFailure = false;
};

/// "the recording ended early: …"
std::string endedEarly(const std::string &failure);
/// "the recording lacks 3 values, because …"
std::string lacksValues(std::uint64_t lost, const RecordingProgress &progress);

/// Makes room for a new capture: files that an earlier one of its name left behind are moved away, and the user is
/// told.
Status makeRoomForCapture(const std::string &path);

} // namespace jetscope
