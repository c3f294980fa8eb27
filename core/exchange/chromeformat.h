// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace jetscope {

// Extensions that Jetscope's own Chrome traces contain in addition to the standard format, so that an import restores
// them without loss. resources/docs/formats.md describes them.

inline constexpr std::string_view kOwnFormatKey = "jetscope_format"; ///< In otherData.
inline constexpr std::string_view kOwnFormat = "1";
inline constexpr std::string_view kPurposesKey =
    "purposes";                                         ///< In otherData: spans and lanes say what the names do not.
inline constexpr std::string_view kBaseKey = "base_ns"; ///< In otherData: subtracted from every time.
inline constexpr std::string_view kLaneKey = "lane";    ///< In the arguments of thread_name: the lane of the thread.
inline constexpr std::string_view kCounterEvent = "jetscope_counter"; ///< Metadata: declares a series of "C" events.
inline constexpr std::string_view kCertaintyKey = "certainty";        ///< In the arguments of bounded spans.
inline constexpr std::string_view kPurposeKey =
    "purpose"; ///< In the arguments of spans, if it is not their category's usual one.
inline constexpr std::string_view kEmulatedKey = "emulated"; ///< In the arguments of thread_name.
inline constexpr std::string_view kGpuKey = "gpu";           ///< The same.
inline constexpr std::string_view kFrameNumberKey =
    "number"; ///< In a frame's arguments: the source's number if it differs.
inline constexpr std::string_view kFrameCategory = "jetscope_frame"; ///< Category of the events with figures of frames.
inline constexpr std::string_view kMarkCategory = "jetscope_mark";   ///< Category of the instant events that are marks.
inline constexpr std::string_view kNoteCategory = "jetscope_note";   ///< The same for notes of the reader.
inline constexpr std::string_view kNoteLengthKey = "length_ns";      ///< In the arguments of a note at a range.

} // namespace jetscope
