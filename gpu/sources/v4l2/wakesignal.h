// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace jetscope {

/// An eventfd that is readable from raise to lower; used to end a wait for a camera. Any thread may raise it.
class WakeSignal {
public:
    WakeSignal();
    ~WakeSignal();
    WakeSignal(const WakeSignal &) = delete;
    WakeSignal &operator=(const WakeSignal &) = delete;

    int fd() const { return m_fd; }
    void raise();
    void lower();
    bool raised() const;

private:
    int m_fd;
};

} // namespace jetscope
