// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/text/shorttext.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace jetscope {

/// Why a range or a mark of another program's trace is treated as a frame. If several apply, the first one in this
/// order is used.
enum class FrameSign : std::uint8_t {
    Asked,        ///< It has the requested name.
    Ours,         ///< "frame 12" in NVTX domain "jetscope".
    ProfilerStep, ///< "ProfilerStep#12" of PyTorch.
    Step,         ///< Its producer marks it as a step: JAX, ONNX Runtime.
    SaysFrame,    ///< "frame", "Frame #12", "process frame 3".
    Outermost,    ///< Fallback: the outermost range that repeats most often.
    Covers,       ///< Fallback: the repeated range that covers most of the time.
    Swap,         ///< Fallback: from swap to swap of a window.
    Loop,         ///< Fallback: the rounds of a loop of calls.
};

/// Whether the text is the name of a function as profilers write it, which is never a frame's.
bool isFunctionName(std::string_view text);

/// The number N of "site:N" with any text behind it, by which the loops of a trace are chosen; empty if it is none.
std::optional<unsigned> loopNumber(std::string_view framesBy);

/// Detects frames by their names: by the conventions of common producers, or by one requested name.
class FrameNames {
public:
    /// If empty, uses the conventions. "step" matches "step", "step 12" and "step#12".
    explicit FrameNames(std::string asked = {});

    /// Empty if the text is not a frame's name.
    std::optional<FrameSign> signOf(std::string_view text) const;
    const std::string &asked() const { return m_asked; }

private:
    std::string m_asked;
};

/// Candidates for frames in a trace of another program, offered to the user for selection: ranges that repeat, ignoring
/// numbers at the ends of their names. Not thread-safe.
class FrameChoices {
public:
    struct Sum {
        std::uint64_t count = 0;
        double durationNs = 0;
    };

    void add(std::string_view text, std::uint64_t count, std::int64_t durationNs);
    /// By name, ignoring numbers at its end.
    const std::unordered_map<std::string, Sum> &sums() const { return m_sums; }
    /// At most 30 names, sorted by total duration, longest first.
    std::vector<std::string> names() const;

private:
    std::unordered_map<std::string, Sum> m_sums;
};

} // namespace jetscope
