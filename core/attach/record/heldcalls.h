// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/model/framefinder.h"
#include "core/attach/model/frameguess.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace jetscope {

/// Calls that have no place in the trace yet, because it is not known what makes the frames: so the first frames count,
/// and the lane of the thread that makes them is known as such. Looks ahead in them, and guesses a loop where nothing
/// marks frames; not for long, because there are programs without frames. Not thread-safe.
class HeldCalls {
public:
    explicit HeldCalls(FrameFinder frames) : m_ahead(std::move(frames)) {}

    /// Whether calls are held back.
    bool isOn() const { return m_isOn; }
    /// Whether there are some.
    bool hasCalls() const { return !m_calls.empty(); }
    /// None was let go yet.
    bool isFirst() const { return m_isFirst; }
    /// Has seen them.
    const FrameFinder &ahead() const { return m_ahead; }
    /// The newest guesses, best first.
    const std::vector<FrameGuess> &guesses() const { return m_guesses; }
    /// When the first one of them began; not later than `ns`.
    std::int64_t earliestNs(std::int64_t ns) const;

    /// All calls as they come. Begins to hold them back if it is doubtful what makes the frames, which `frames` has
    /// found so far.
    void watch(const std::vector<AttachEvent> &calls, const FrameFinder &frames, std::int64_t completeNs);
    void add(AttachEvent call, std::int32_t process);
    /// Whether it is known by now what makes the frames, or that nothing does. There are calls.
    bool isKnown(const FrameFinder &frames, std::int64_t completeNs) const;
    /// The loop that makes them, if one is found. `hasEnded`: nothing follows.
    std::optional<FrameGuess> guess(bool hasEnded);
    /// The same, but seldom, because it takes long.
    std::optional<FrameGuess> guessSometimes(std::int64_t completeNs);
    /// Those that have waited for long enough: they are of no frame, or of one of before.
    std::vector<AttachEvent> takeOld(std::int64_t completeNs);
    /// All; no more are held back.
    std::vector<AttachEvent> takeAll();

private:
    FrameFinder m_ahead;
    FrameWatch m_watch;
    std::vector<AttachEvent> m_calls;
    std::vector<FrameGuess> m_guesses;
    std::int64_t m_guessedNs = 0; ///< When they were last looked at.
    std::int64_t m_misses = 0;    ///< Looks in a row that found no loop.
    bool m_isOn = true;
    bool m_isFirst = true;
};

} // namespace jetscope
