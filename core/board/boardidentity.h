// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/board/reading.h"

#include <compare>
#include <string>
#include <string_view>

namespace jetscope {

/// A release of Jetson Linux (L4T): "36.4.7".
struct L4tRelease {
    int major = 0;
    int minor = 0;
    int patch = 0;

    auto operator<=>(const L4tRelease &) const = default;
    std::string text() const;
};

/// From /etc/nv_tegra_release: "# R36 (release), REVISION: 4.7, GCID: …".
Reading<L4tRelease> parseTegraRelease(std::string_view text);
/// From the version of the package nvidia-l4t-core: "36.4.7-20250918154033".
Reading<L4tRelease> parseL4tVersion(std::string_view version);
/// "6.2.1"; unknown for a release that the table lacks. The pairs are those of jetson_stats.
Reading<std::string> jetpackOf(const L4tRelease &release);

/// What a machine is. The paths follow NVIDIA's documentation and jetson_stats; they were not tried on a Jetson.
struct BoardIdentity {
    Reading<std::string> model;  ///< "NVIDIA Jetson AGX Orin Developer Kit"; of a PC "Vendor Product".
    Reading<std::string> module; ///< "p3701-0005 (Jetson AGX Orin)".
    Reading<std::string> chip;   ///< "tegra234".
    Reading<L4tRelease> l4t;
    Reading<std::string> jetpack; ///< "6.2.1"
    Reading<std::string> kernel;  ///< "5.15.148-tegra"

    bool isJetson() const { return chip.known(); }
};

/// Reads below `root`: "/" except in tests. Takes milliseconds.
BoardIdentity readBoardIdentity(const std::string &root = "/");

} // namespace jetscope
