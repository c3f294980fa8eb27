// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace jetscope {

/// While an instance exists, the first Ctrl-C (or SIGTERM) requests a stop; the second ends the program as usual.
/// Closing the terminal (SIGHUP) is also a request, unless the program was started with nohup. If the instance still
/// exists when the timeout after a request ends, the program prints an error and ends with exit code 1. Only one
/// instance at a time.
class Interrupt {
public:
    explicit Interrupt(std::chrono::seconds timeout = std::chrono::seconds(30));
    ~Interrupt();
    Interrupt(const Interrupt &) = delete;
    Interrupt &operator=(const Interrupt &) = delete;

    bool requested() const { return waitFor(std::chrono::milliseconds(0)); }
    /// Waits for the request or the timeout; returns whether a stop was requested.
    bool waitFor(std::chrono::milliseconds timeout) const;
    /// From now on as after a request: the program ends with an error if the instance still exists after the timeout.
    void limitEnd() const;
    /// A file descriptor that becomes readable with the request; negative if it could not be created.
    int descriptor() const;
};

} // namespace jetscope
