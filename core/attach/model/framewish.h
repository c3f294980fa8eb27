// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace jetscope {

/// What the user wants a frame of an inspected program to be.
struct FrameWish {
    enum class Kind : std::uint8_t {
        Auto, ///< Frames that the program marks, else swaps, whichever comes first; else hand-overs.
        Swap,
        Call,
        Nvtx,   ///< Ranges or marks of NVTX.
        Stream, ///< Hand-overs of an EGLStream, else of NvBuf buffers.
        Site,   ///< Calls at a place of the program.
        Loop,   ///< A loop that is guessed.
    };
    Kind kind = Kind::Auto;
    std::uint16_t call = 0; ///< For Call.
    std::string name{};     ///< For Nvtx; of Site, the place.
    unsigned rank = 0;      ///< For Loop: among those that are guessed, the best one is 0.
};
/// "auto", "swap", "stream", "call:NAME", "nvtx:NAME", "site:PLACE" or "site:NUMBER"; a * at the end of a range's NAME
/// stands for any text. An error is one sentence with the remedy.
Result<FrameWish> parseFrameWish(std::string_view text);

} // namespace jetscope
