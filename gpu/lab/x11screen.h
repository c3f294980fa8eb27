// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <memory>
#include <string>
#include <vector>

namespace jetscope {

/// An X server of this machine that may be asked for its screen.
struct X11Display {
    std::string name;      ///< As in DISPLAY.
    std::string authority; ///< File with the server's key, as in XAUTHORITY; empty: where libxcb looks by itself.
};

/// The server of DISPLAY; where that is not set, as in a session of ssh, each server that has a socket in `sockets`,
/// with the keys that display managers write into `runtime`. Best first.
std::vector<X11Display> x11Displays(const std::string &sockets = "/tmp/.X11-unix",
                                    const std::string &runtime = "/run/user");

/// A window that covers a screen and shows the clock of the lab, drawn by the X server itself: for machines that have
/// no toolkit, as a board. libxcb is loaded when it is opened. One thread.
class X11Screen {
public:
    /// Changes XAUTHORITY of this process when no other way leads to a screen.
    static Result<std::unique_ptr<X11Screen>> open();
    ~X11Screen();
    X11Screen(const X11Screen &) = delete;
    X11Screen &operator=(const X11Screen &) = delete;

    /// How often the screen is refreshed, in Hz, as the server says; 0 if it does not.
    double rate() const;
    /// Returns when the server has drawn the time. False: a key or a button of the mouse was pressed. An error if the
    /// server has gone.
    Result<bool> show(int ms);

private:
    struct Parts;
    explicit X11Screen(std::unique_ptr<Parts> parts);

    const std::unique_ptr<Parts> m_parts;
};

} // namespace jetscope
