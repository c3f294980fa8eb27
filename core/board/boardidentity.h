// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/board/l4trelease.h"
#include "core/board/reading.h"

#include <string>

namespace jetscope {

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
