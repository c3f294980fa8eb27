// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace jetscope {

/// While one lives, the first Ctrl-C (or SIGTERM) is a request to stop; the second ends the program as usual. So is a
/// terminal that goes away (SIGHUP), unless the program was started to outlive it (nohup). One at a time.
class Interrupt {
public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt &) = delete;
    Interrupt &operator=(const Interrupt &) = delete;

    bool requested() const { return waitFor(std::chrono::milliseconds(0)); }
    /// Waits until the request comes or the time is over; whether it has come.
    bool waitFor(std::chrono::milliseconds timeout) const;
    /// Readable once the request has come; negative if that can never be.
    int descriptor() const;
};

} // namespace jetscope
