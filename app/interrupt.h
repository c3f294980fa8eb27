// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace jetscope {

/// While one lives, the first Ctrl-C (or SIGTERM) is a request to stop; the second ends the program as usual. A
/// terminal that goes away (SIGHUP) is a request, too, unless the program was started to outlive it (nohup). Whoever
/// does not let go within the timeout after a request is left behind: the program says so and ends with exit code 1.
/// One at a time.
class Interrupt {
public:
    explicit Interrupt(std::chrono::seconds timeout = std::chrono::seconds(30));
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
