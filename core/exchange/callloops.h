// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/exchange/frameperiods.h"
#include "core/figures/overlap.h"
#include "core/progress.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace jetscope {

struct AttachEvent;
struct FrameGuess;
class FrameFinder;

/// Where a program made a call: its stack, or the ranges around it.
struct CallPlace {
    std::uint64_t hash = 0; ///< Equal for equal stacks; 0: not known.
    std::string_view text;  ///< The innermost function or range; may be empty.
};

/// "cudaLaunchKernel" of "cudaLaunchKernel_v7000".
std::string_view withoutCallVersion(std::string_view name);

/// Finds the frames of another program's trace in its calls to CUDA, EGL and GL, as under `jetscope attach`: from swap
/// to swap, else the rounds of a loop that makes the same calls at the same places. Not thread-safe.
class CallLoops {
public:
    /// Calls to be looked at; a loop that only begins behind them is not found.
    static constexpr std::size_t kMostCalls = 1'000'000;

    /// Whether a call of this name could be of a loop: of the runtime or the driver, with or without a version.
    static bool knows(std::string_view name);
    /// `work`: of the call and of what the device did for it; 0: not known.
    void add(std::uint64_t thread, std::string_view name, const Interval &time, const CallPlace &place,
             std::uint64_t work = 0);
    /// What the device copied for the call with this work, whose name need not tell it: JSA_COPY_*.
    void addCopy(std::uint64_t work, std::uint8_t direction) { m_copies.insert_or_assign(work, direction); }

    /// Without periods if there is neither. `number` is that of a loop, from 1; 0: swaps, else the best loop. Returns
    /// an empty optional when cancelled.
    std::optional<FoundFrames> find(unsigned number, Progress &progress, double fraction);
    /// For `framesBy`, of each loop; valid after find.
    const std::vector<std::string> &choices() const { return m_choices; }

private:
    struct Call {
        Interval time;
        std::uint64_t place = 0;
        std::uint64_t work = 0;
        std::uint32_t thread = 0; ///< In m_threads.
        std::uint16_t number = 0; ///< As in attachCall().
    };

    AttachEvent eventOf(const Call &call) const;
    std::string loopText(const FrameGuess &guess) const;
    std::string whyText(const std::vector<FrameGuess> &guesses, std::size_t taken, std::size_t frames) const;
    /// Without periods if there are too few.
    FoundFrames foundBy(FrameFinder &finder, FrameSign sign) const;
    FoundFrames framesOf(const std::vector<FrameGuess> &guesses, std::size_t taken) const;
    FoundFrames swaps() const;

    std::vector<Call> m_calls;
    std::unordered_map<std::string, std::uint16_t> m_numbers; ///< By the names that came, JSA_CALL_NONE for others.
    std::vector<std::uint64_t> m_threads;
    std::unordered_map<std::uint64_t, std::uint32_t> m_threadIndex;
    std::unordered_map<std::uint64_t, std::string> m_places;
    std::unordered_map<std::uint64_t, std::uint8_t> m_copies; ///< Directions by work.
    std::vector<std::string> m_choices;
};

} // namespace jetscope
