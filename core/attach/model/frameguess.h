// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/read/ringreader.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace jetscope {

/// A loop of a program that neither swaps nor marks its frames: a place of the program's code that each round passes
/// once, or a fixed number of times, with the same calls at the same places in between.
struct FrameGuess {
    std::uint16_t call = 0;
    std::uint32_t thread = 0;    ///< That passes the place, of several the one that does most often.
    bool isOnAnyThread = false;  ///< The threads of a pool take the calls of a round by turns.
    double periodMs = 0;         ///< Median of the rounds.
    double sure = 0;             ///< 0..1: how many of the rounds are alike, and how much of their time these cover.
    std::uint64_t site = 0;      ///< Where the program goes on after the call, as in AttachEvent.
    std::uint32_t every = 1;     ///< So many passes are a round: a runtime makes all its calls at one place.
    std::uint64_t rounds = 0;    ///< That were seen.
    std::uint64_t calls = 0;     ///< In a round, on its thread; repeated waits count once.
    double covers = 0;           ///< Share of the time looked at, or of its calls, that rounds which are alike cover.
    double score = 0;            ///< Of several guesses, the better one has the higher score.
    bool waits = false;          ///< For the GPU.
    std::int64_t burstNs = 0;    ///< A pass that ends so soon after the one before, with no call between, is no other.
    bool hasBursts = false;      ///< Many do: then time tells which pass is of which round, and may be wrong.
    std::uint64_t signature = 0; ///< Of the calls of a round, as CycleHash makes it.
    bool isOfPlaces = false;     ///< The signature is that of the places alone, because their passes vary in number.
    std::optional<std::int64_t> startNs; ///< When the first round began; empty: with the first call of its thread.
    std::int64_t firstEndNs = 0;         ///< When it ended; passes before are of no round.
    std::optional<std::int64_t> endNs;   ///< Passes after this time are not of the loop.

    bool isSameLoop(const FrameGuess &other) const
    {
        return call == other.call && thread == other.thread && isOnAnyThread == other.isOnAnyThread
            && site == other.site && every == other.every && signature == other.signature;
    }
    bool isOfThread(std::uint32_t other) const { return isOnAnyThread || thread == other; }
};

/// Whether a call is one of a round; others may come between its calls, or not.
bool isOfLoops(const AttachEvent &event);

/// Sums up the calls of a round: equal for equal calls at equal places, in any order.
class CycleHash {
public:
    void add(const AttachEvent &event);
    /// The sum so far; starts again.
    std::uint64_t take();
    /// The same for the places alone.
    std::uint64_t takePlaces();

private:
    std::vector<std::uint64_t> m_places; ///< Sorted.
    std::uint64_t m_sum = 0;
    std::uint64_t m_last = 0;
};

/// Guesses which loop makes the frames, best first. `events` are in order of their ends. `hasEnded`: nothing follows,
/// so that a loop may have ended before other calls; else it must still go on.
///
/// A guess counts by how much of the time its rounds cover, how many of them hold the same calls at the same places,
/// and whether the call waits. How regular the times are does not count: what loads its data is irregular.
std::vector<FrameGuess> guessFrames(std::span<const AttachEvent> events, bool hasEnded);

/// Tells whether a loop that was guessed still goes on. Not thread-safe.
class FrameWatch {
public:
    void start(const FrameGuess &guess, std::int64_t nowNs);
    void stop() { m_guess.reset(); }
    /// Calls in order of their ends.
    void take(const AttachEvent &event);
    /// Whether it has not been passed for several periods, or since then too often by rounds of other calls.
    bool isStale(std::int64_t nowNs) const;

private:
    std::int64_t longestPauseNs() const;

    std::optional<FrameGuess> m_guess;
    std::vector<std::uint64_t> m_sums; ///< Of the newest passes, as many as a round has.
    CycleHash m_cycle;
    std::int64_t m_lastPassNs = 0;
    bool m_isBetween = true;    ///< There was another call since.
    std::int64_t m_likeNs = 0;  ///< When the last round like those of the guess ended.
    std::uint32_t m_unlike = 0; ///< Passes since.
    double m_alike = 1;         ///< How many of the newest passes end such a round; 0 after a pause.
};

} // namespace jetscope
