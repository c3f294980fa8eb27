// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace jetscope {

/// By signals, a user stops and continues the recording of `jetscope attach`: SIGRTMIN+1 continues, SIGRTMIN+2 stops.
/// They are two, so that a script need not know what is so. Real-time signals, because others are the program's. One
/// instance at a time.
class RecordingSwitch {
public:
    explicit RecordingSwitch(bool on);
    ~RecordingSwitch();
    RecordingSwitch(const RecordingSwitch &) = delete;
    RecordingSwitch &operator=(const RecordingSwitch &) = delete;

    struct State {
        bool on = true;
        std::int64_t ns = 0; ///< Since when.
    };
    /// What was asked for last.
    State state() const;
};

} // namespace jetscope
