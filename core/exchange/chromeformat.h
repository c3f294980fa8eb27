// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace jetscope {

// What our own Chrome traces say beside what every reader of them understands, so that they come back as they went. The
// README of core describes it.

inline constexpr std::string_view kOwnFormatKey = "jetscope_format"; ///< In otherData.
inline constexpr std::string_view kOwnFormat = "1";
inline constexpr std::string_view kBaseKey = "base_ns"; ///< In otherData: what was taken off every time.
inline constexpr std::string_view kLaneKey = "lane";    ///< In the arguments of thread_name: which lane the thread is.
inline constexpr std::string_view kCounterEvent = "jetscope_counter"; ///< Metadata: what a series of "C" events is.
inline constexpr std::string_view kCertaintyKey = "certainty";        ///< In a span's arguments, where it is bounded.
inline constexpr std::string_view kFrameNumberKey =
    "number"; ///< In a frame's arguments: the source's, where it differs.
inline constexpr std::string_view kFrameCategory = "jetscope_frame"; ///< Of the events that hold figures of frames.
inline constexpr std::string_view kMarkCategory = "jetscope_mark";   ///< Of instant events that are marks.

} // namespace jetscope
