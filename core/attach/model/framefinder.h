// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/model/frameguess.h"
#include "core/attach/model/framewish.h"
#include "core/attach/model/namedranges.h"
#include "core/figures/overlap.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace jetscope {

/// A frame of an inspected program.
struct AttachFrame {
    Interval period;             ///< Frames of one program are consecutive.
    std::int64_t completeNs = 0; ///< When its last call returned.
};

/// Finds the frames of an inspected program in its calls. A frame lasts from the return of one swap (or of the call
/// that the user named) to the return of the next, or from one beginning that the program marks to the next. Without
/// these it lasts from one hand-over to the next: the release of a frame of an EGLStream, or what makes an NvBuf buffer
/// ready for another engine, at one place of the program. Not thread-safe.
class FrameFinder {
public:
    enum class Source : std::uint8_t { None, Mark, Swap, Call, Guess, Nvtx, Stream, NvBuf };

    explicit FrameFinder(FrameWish wish) : m_wish(std::move(wish)), m_ranges(m_wish.name) {}

    /// Frames by a guess, in place of one before, until the program swaps or marks a frame. Call before the calls of
    /// its first round; a guess of the same loop changes nothing but what is said of it.
    void setGuess(const FrameGuess &guess);
    /// Whether an address of a process is at the place that the user has named; for FrameWish::Kind::Site.
    std::function<bool(std::int32_t process, std::uint64_t address)> isAtSite;
    /// Whether a guess is wanted: the program neither swaps nor marks frames, and the user has named nothing.
    bool wantsGuess() const
    {
        return (m_wish.kind == FrameWish::Kind::Auto || m_wish.kind == FrameWish::Kind::Loop)
            && (m_source == Source::None || m_source == Source::Guess);
    }

    /// What is found in the calls to come, as was seen ahead: no other hand-overs count until there is a swap or a
    /// mark.
    void expect(Source source) { m_expected = source; }
    /// Whether nothing but another surface can take the place of the source.
    bool isCertain() const
    {
        return m_source != Source::None && m_source != Source::Guess
            && (m_wish.kind != FrameWish::Kind::Auto || !isOfHandOvers());
    }

    /// Call for every call of the program, in order of their ends, with the process of its thread. Returns the frame
    /// that it completes, if any.
    std::optional<AttachFrame> take(const AttachEvent &event, std::int32_t process = 0);
    /// The program has ended: returns the last frame, if its end was marked.
    std::optional<AttachFrame> finish();

    /// Calls are missing before the next one: the frame in progress has no end.
    void interrupt();

    Source source() const { return m_source; }
    /// For users: "swap", "mark", "stream", "nvbuf", "call:glFinish", "guess:glFinish"; empty while no frame was found.
    std::string sourceName() const;
    /// How frames were found and how sure that is, or why there are none.
    std::string note() const;
    /// The thread that makes the frames; valid if there is a source.
    std::uint32_t thread() const { return m_thread; }
    /// Start of the frame in progress; empty before the first one.
    const std::optional<std::int64_t> &startNs() const { return m_startNs; }
    /// What the frames were guessed from, also if swaps or marks came later.
    const std::optional<FrameGuess> &guess() const { return m_guess; }
    const FrameWish &wish() const { return m_wish; }
    /// How often frames moved to another surface, because the first one was not swapped any more; also of hand-overs.
    std::uint64_t moves() const { return m_moves; }
    /// Swaps of other surfaces than the one that makes the frames, or such hand-overs.
    std::uint64_t otherSwaps() const { return m_otherSwaps; }

private:
    void choose(Source source, const AttachEvent &event);
    bool isOfHandOvers() const { return m_source == Source::Stream || m_source == Source::NvBuf; }
    std::optional<AttachFrame> takeHandOver(Source source, const AttachEvent &event, std::int32_t process);
    bool givesBack(const AttachEvent &event, std::int32_t process);
    bool takesPlace(Source source, const AttachEvent &event) const;
    std::optional<AttachFrame> endOrMove(const AttachEvent &event, bool isOurs, std::uint32_t othersThatMove);
    void noteFirst(const AttachEvent &event);
    bool isFrameCall(const AttachEvent &event, std::int32_t process) const;
    std::optional<AttachFrame> takeGuess(const AttachEvent &event);
    bool endsGuess(const AttachEvent &event) const;
    std::string handOverText() const;
    std::string leftOutText(std::string_view what, const char *others, const char *key) const;
    std::optional<AttachFrame> takeMark(const AttachEvent &event, std::int32_t process);
    std::optional<AttachFrame> takeRange(const AttachEvent &event, std::int32_t process);
    std::optional<AttachFrame> beginMarked(Source source, const AttachEvent &event);
    void endMarked(const AttachEvent &event);
    std::string otherNamesText() const;
    std::string rangesText() const;
    std::optional<AttachFrame> takeSwap(const AttachEvent &event);
    std::optional<AttachFrame> endAt(const AttachEvent &event);

    FrameWish m_wish;
    NamedRanges m_ranges; ///< Of the name that is wished for.
    Source m_source = Source::None;
    std::uint32_t m_thread = 0;
    std::uint64_t m_surface = 0;      ///< Or the EGLStream, or the place of an NvBuf call.
    std::uint16_t m_handOver = 0;     ///< The call whose returns end frames, of hand-overs.
    Source m_expected = Source::None; ///< As was seen ahead.
    /// Frames that were taken of EGLStreams, by process and stream, until a call has released one; a few.
    std::map<std::pair<std::int32_t, std::uint64_t>, std::optional<std::uint32_t>> m_taken;
    std::optional<FrameGuess> m_guess;
    std::uint64_t m_passes = 0;                                ///< Of the guess's call, since its first round.
    std::int64_t m_lastPassNs = 0;                             ///< Its newest one.
    bool m_isBetween = true;                                   ///< Its thread has made another call since.
    std::unordered_map<std::uint32_t, std::int64_t> m_firstNs; ///< Of threads: where the first frame may begin.
    std::optional<std::int64_t> m_startNs;                     ///< Of the frame in progress.
    std::optional<std::int64_t> m_markedEndNs;                 ///< Of the frame in progress.
    bool m_interrupted = false;                                ///< Calls are missing since the last end of a frame.
    std::uint32_t m_otherInARow = 0;
    std::uint64_t m_moves = 0;
    std::uint64_t m_otherSwaps = 0;
};

} // namespace jetscope
