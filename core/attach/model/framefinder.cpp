// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/model/framefinder.h"

#include "core/attach/format/calltable.h"
#include "core/text/shorttext.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

namespace jetscope {

namespace {

/// So many swaps of other surfaces without one of the first: a splash screen has closed.
constexpr std::uint32_t kSwapsThatMove = 3;
/// The same for NvBuf buffers, which are also copied in parts.
constexpr std::uint32_t kNvBufCallsThatMove = 30;
/// So many frames of an EGLStream taken and none released: taking one gives back the one before.
constexpr std::uint32_t kTakenWithoutRelease = 3;
constexpr std::size_t kMaxStreamsTaken = 64;
constexpr std::uint64_t kAllPlanes = UINT32_MAX; // -1

/// The kind of hand-over that a call is, or None.
FrameFinder::Source handOverOf(const AttachEvent &event)
{
    const std::uint64_t plane = event.argument[1];
    switch (attachCall(event.call)->work) {
    case JSA_WORK_ACQUIRE:
    case JSA_WORK_RELEASE:
        return FrameFinder::Source::Stream;
    case JSA_WORK_NVSYNC: // Of one picture, many programs take the planes one by one.
        return plane == 0 || plane == kAllPlanes ? FrameFinder::Source::NvBuf : FrameFinder::Source::None;
    case JSA_WORK_NVCOPY:
    case JSA_WORK_NVSUBMIT:
    case JSA_WORK_NVIMAGEEND:
        return FrameFinder::Source::NvBuf;
    default:
        return FrameFinder::Source::None;
    }
}

/// What hand-overs of one loop have in common. NvBuf buffers are used in turn, so that it is the place of the call.
std::uint64_t keyOf(FrameFinder::Source source, const AttachEvent &event)
{
    return source == FrameFinder::Source::NvBuf ? event.site : event.argument[0];
}

/// Memory, objects and names: what programs make before they begin.
bool isSetUp(const AttachEvent &event)
{
    switch (attachCall(event.call)->work) {
    case JSA_WORK_CURRENT:
    case JSA_WORK_STREAM:
    case JSA_WORK_ALLOC:
    case JSA_WORK_HOSTALLOC:
    case JSA_WORK_MANAGED:
    case JSA_WORK_REGISTER:
    case JSA_WORK_STREAMMADE:
    case JSA_WORK_EVENTMADE:
    case JSA_WORK_NAME:
    case JSA_WORK_CONNECT:
    case JSA_WORK_NVBUF:
    case JSA_WORK_ARRAY:
    case JSA_WORK_PHYSICAL:
    case JSA_WORK_VIRTUALMAP:
        return true;
    default:
        return event.call == JSA_CALL_cuInit;
    }
}

std::string guessText(const FrameGuess &guess)
{
    std::array<char, 256> text{};
    const std::string name(attachCall(guess.call)->name);
    const std::string passes = guess.every == 1 ? "once" : std::to_string(guess.every) + " times";
    std::snprintf(text.data(), text.size(),
                  "guessed: a round of a loop, %s each, passes one place that calls %s %s%s, each %.3f ms; %.0f %% "
                  "sure, by the rounds that make the same calls and by their time",
                  counted(guess.calls, "call").c_str(), name.c_str(), passes.c_str(),
                  guess.isOnAnyThread ? " on any thread" : "", guess.periodMs, guess.sure * 100);
    return text.data();
}

} // namespace

/// The first frame begins behind what sets up.
void FrameFinder::noteFirst(const AttachEvent &event)
{
    const auto [first, isNew] = m_firstNs.try_emplace(event.thread, event.startNs);
    if (!m_startNs && isSetUp(event))
        first->second = std::max(first->second, event.endNs);
}

void FrameFinder::choose(Source source, const AttachEvent &event)
{
    if (m_source != source) {
        m_otherInARow = 0;
        m_moves = m_otherSwaps = 0;
    }
    m_source = source;
    m_thread = event.thread;
    m_surface = keyOf(source, event);
    m_handOver = event.call;
}

std::optional<AttachFrame> FrameFinder::endAt(const AttachEvent &event)
{
    if (std::exchange(m_interrupted, false)) {
        m_startNs = event.endNs;
        return std::nullopt;
    }
    const std::int64_t startNs = m_startNs.value_or(m_firstNs[event.thread]);
    m_startNs = event.endNs;
    return AttachFrame{{startNs, event.endNs}, event.endNs};
}

void FrameFinder::setGuess(const FrameGuess &guess)
{
    const bool isSame = m_source == Source::Guess && m_guess->isSameLoop(guess);
    const std::int64_t firstEndNs = isSame ? m_guess->firstEndNs : guess.firstEndNs;
    m_source = Source::Guess;
    m_thread = guess.thread;
    m_guess = guess;
    m_guess->firstEndNs = firstEndNs;
    if (isSame && m_startNs)
        return;
    m_startNs = guess.startNs;
    m_passes = 0;
    m_interrupted = false;
}

bool FrameFinder::isFrameCall(const AttachEvent &event, std::int32_t process) const
{
    if (m_wish.kind == FrameWish::Kind::Site)
        return event.site != 0 && !event.failed() && isAtSite && isAtSite(process, event.site);
    return m_wish.kind == FrameWish::Kind::Call && m_wish.call == event.call;
}

/// One round of the loop ends.
std::optional<AttachFrame> FrameFinder::takeGuess(const AttachEvent &event)
{
    if (!m_guess->isOfThread(event.thread) || !isOfLoops(event))
        return std::nullopt;
    if (event.call != m_guess->call || event.site != m_guess->site) {
        m_isBetween = true;
        return std::nullopt;
    }
    const std::int64_t beforeNs = std::exchange(m_lastPassNs, event.endNs);
    if (!std::exchange(m_isBetween, false) && event.endNs - beforeNs < m_guess->burstNs)
        return std::nullopt;
    if (event.endNs < m_guess->firstEndNs || (m_guess->endNs && event.endNs > *m_guess->endNs))
        return std::nullopt;
    return m_passes++ % m_guess->every == 0 ? endAt(event) : std::nullopt;
}

void FrameFinder::interrupt()
{
    m_interrupted = m_source != Source::Mark && m_source != Source::Nvtx;
    m_startNs.reset();
    m_markedEndNs.reset();
    m_ranges.interrupt();
}

std::optional<AttachFrame> FrameFinder::takeMark(const AttachEvent &event, std::int32_t process)
{
    if (m_wish.kind == FrameWish::Kind::Nvtx)
        return takeRange(event, process);
    if (m_wish.kind != FrameWish::Kind::Auto)
        return std::nullopt;
    if (event.argument[0] >= JSA_MARK_RANGE_PUSH)
        m_ranges.rememberName(event.text);
    if (event.argument[0] == JSA_MARK_FRAME_BEGIN)
        return beginMarked(Source::Mark, event);
    if (event.argument[0] == JSA_MARK_FRAME_END && m_source == Source::Mark && event.thread == m_thread)
        endMarked(event);
    return std::nullopt;
}

std::optional<AttachFrame> FrameFinder::takeRange(const AttachEvent &event, std::int32_t process)
{
    switch (m_ranges.take(event, process)) {
    case NamedRanges::Edge::Begins:
        return beginMarked(Source::Nvtx, event);
    case NamedRanges::Edge::EndsOfThread:
        if (event.thread != m_thread)
            return std::nullopt;
        [[fallthrough]];
    case NamedRanges::Edge::Ends:
        endMarked(event);
        return std::nullopt;
    case NamedRanges::Edge::None:
        break;
    }
    return std::nullopt;
}

void FrameFinder::endMarked(const AttachEvent &event)
{
    if (m_startNs)
        m_markedEndNs = event.endNs;
}

std::optional<AttachFrame> FrameFinder::beginMarked(Source source, const AttachEvent &event)
{
    if (m_source == Source::None)
        choose(source, event);
    if (m_source != source || event.thread != m_thread)
        return std::nullopt;
    std::optional<AttachFrame> ended;
    if (m_startNs)
        ended = AttachFrame{{*m_startNs, event.startNs}, m_markedEndNs.value_or(event.startNs)};
    m_startNs = event.startNs;
    m_markedEndNs.reset();
    return ended;
}

std::optional<AttachFrame> FrameFinder::endOrMove(const AttachEvent &event, bool isOurs, std::uint32_t othersThatMove)
{
    if (!isOurs) {
        ++m_otherSwaps;
        if (++m_otherInARow < othersThatMove)
            return std::nullopt;
        choose(m_source, event);
        ++m_moves;
    }
    m_otherInARow = 0;
    return endAt(event);
}

std::optional<AttachFrame> FrameFinder::takeSwap(const AttachEvent &event)
{
    if ((m_wish.kind != FrameWish::Kind::Auto && m_wish.kind != FrameWish::Kind::Swap) || event.failed())
        return std::nullopt;
    if (m_source == Source::None)
        choose(Source::Swap, event);
    if (m_source != Source::Swap)
        return std::nullopt;
    return endOrMove(event, event.thread == m_thread && event.argument[0] == m_surface, kSwapsThatMove);
}

/// Whether a call gives back a frame of an EGLStream. A consumer that takes a frame gives back the one before, if it
/// has not done so by another call.
bool FrameFinder::givesBack(const AttachEvent &event, std::int32_t process)
{
    const std::pair key{process, event.argument[0]};
    if (m_taken.size() >= kMaxStreamsTaken && !m_taken.contains(key))
        return attachCall(event.call)->work == JSA_WORK_RELEASE;
    std::optional<std::uint32_t> &taken = m_taken.try_emplace(key, 0).first->second;
    if (attachCall(event.call)->work == JSA_WORK_RELEASE) {
        taken.reset();
        return true;
    }
    return taken && ++*taken >= kTakenWithoutRelease;
}

bool FrameFinder::takesPlace(Source source, const AttachEvent &event) const
{
    const bool isOther = m_expected != Source::None && m_expected != Source::Guess && m_expected != source;
    if (m_source == Source::None || m_source == Source::Guess)
        return !isOther;
    const jsa_work work = attachCall(event.call)->work;
    if (m_source == Source::NvBuf)
        return source == Source::Stream
            || (source == Source::NvBuf && attachCall(m_handOver)->work == JSA_WORK_NVSYNC && work != JSA_WORK_NVSYNC);
    return m_source == Source::Stream && source == Source::Stream && attachCall(m_handOver)->work == JSA_WORK_ACQUIRE
        && work == JSA_WORK_RELEASE && event.argument[0] == m_surface; // It releases after all.
}

std::optional<AttachFrame> FrameFinder::takeHandOver(Source source, const AttachEvent &event, std::int32_t process)
{
    if (event.failed() || (source == Source::Stream && !givesBack(event, process)))
        return std::nullopt;
    if (takesPlace(source, event))
        choose(source, event);
    if (m_source != source)
        return std::nullopt;
    const bool isOurs = event.thread == m_thread && event.call == m_handOver && keyOf(source, event) == m_surface;
    return endOrMove(event, isOurs, source == Source::NvBuf ? kNvBufCallsThatMove : kSwapsThatMove);
}

/// Of marks only those of a frame: ranges of NVTX are named for other reasons, too.
bool FrameFinder::endsGuess(const AttachEvent &event) const
{
    const jsa_work work = attachCall(event.call)->work;
    return m_wish.kind == FrameWish::Kind::Auto && (m_source == Source::Guess || isOfHandOvers())
        && (work == JSA_WORK_SWAP ? !event.failed()
                                  : work == JSA_WORK_FRAME && event.argument[0] == JSA_MARK_FRAME_BEGIN);
}

std::optional<AttachFrame> FrameFinder::take(const AttachEvent &event, std::int32_t process)
{
    noteFirst(event);
    if (event.lost > 0)
        m_ranges.lose(event.thread); // An end may be among them.
    const jsa_work work = attachCall(event.call)->work;
    if (endsGuess(event))
        m_source = Source::None;
    if (work == JSA_WORK_FRAME)
        return takeMark(event, process);
    if (work == JSA_WORK_SWAP && m_wish.kind != FrameWish::Kind::Call && m_wish.kind != FrameWish::Kind::Site)
        return takeSwap(event);
    if (const Source source = handOverOf(event);
        source != Source::None && (m_wish.kind == FrameWish::Kind::Auto || m_wish.kind == FrameWish::Kind::Stream))
        return takeHandOver(source, event, process);
    if (m_source == Source::Guess)
        return takeGuess(event);
    if (!isFrameCall(event, process))
        return std::nullopt;
    if (m_source == Source::None)
        choose(Source::Call, event);
    return event.thread == m_thread ? endAt(event) : std::nullopt;
}

std::optional<AttachFrame> FrameFinder::finish()
{
    if ((m_source != Source::Mark && m_source != Source::Nvtx) || !m_startNs || !m_markedEndNs)
        return std::nullopt;
    return AttachFrame{{*m_startNs, *m_markedEndNs}, *m_markedEndNs};
}

// --- for users

std::string FrameFinder::sourceName() const
{
    switch (m_source) {
    case Source::Mark:
        return "mark";
    case Source::Swap:
        return "swap";
    case Source::Stream:
        return "stream";
    case Source::NvBuf:
        return "nvbuf";
    case Source::Nvtx:
        return std::string("nvtx:") + m_wish.name;
    case Source::Guess:
        return "guess:" + std::string(attachCall(m_guess->call)->name);
    case Source::Call:
        return m_wish.kind == FrameWish::Kind::Site ? "site:" + m_wish.name
                                                    : "call:" + std::string(attachCall(m_wish.call)->name);
    case Source::None:
        break;
    }
    return {};
}

std::string FrameFinder::otherNamesText() const
{
    std::string text;
    const std::set<std::string> &names = m_ranges.otherNames();
    for (const std::string &name : names)
        text += (name == *names.begin() ? " " : ", ") + quotedWords(name);
    return text;
}

/// What the user may take in place of a guess.
std::string FrameFinder::rangesText() const
{
    return m_ranges.otherNames().empty()
        ? std::string()
        : "; --frame nvtx:NAME takes ranges or marks of NVTX, of which there are" + otherNamesText();
}

std::string FrameFinder::leftOutText(std::string_view what, const char *others, const char *key) const
{
    return (m_otherSwaps > 0 ? "; " + counted(m_otherSwaps, what) + " " + others + " left out" : std::string())
        + (m_moves > 0 ? std::string("; the ") + key + " changed " + counted(m_moves, "time") : std::string());
}

std::string FrameFinder::handOverText() const
{
    const bool ofStream = m_source == Source::Stream;
    return "from the return of one " + std::string(attachCall(m_handOver)->name)
        + (ofStream ? ", by which the program hands over a frame of an EGLStream, to that of the next"
                    : ", by which the program hands over an NvBuf buffer, to that of the next")
        + leftOutText("hand-over", ofStream ? "of other streams" : "at other places", ofStream ? "stream" : "place")
        + "; --frame call:NAME takes another call" + rangesText();
}

std::string FrameFinder::note() const
{
    switch (m_source) {
    case Source::Mark:
        return "marked by the program";
    case Source::Swap:
        return "from the return of one swap to that of the next" + leftOutText("swap", "of other surfaces", "surface");
    case Source::Stream:
    case Source::NvBuf:
        return handOverText();
    case Source::Guess:
        return guessText(*m_guess) + rangesText();
    case Source::Call:
        return "from the return of one call to that of the next";
    case Source::Nvtx:
        return "from the beginning of one NVTX range or mark of that name to that of the next";
    case Source::None:
        break;
    }
    if (m_wish.kind == FrameWish::Kind::Site)
        return "no call that may end a frame was made at " + quotedWords(m_wish.name)
            + ": \"frame_candidates\" of --json names the places of loops";
    if (m_wish.kind == FrameWish::Kind::Loop)
        return "there is no loop of number " + std::to_string(m_wish.rank + 1)
            + ": \"frame_candidates\" of --json lists those that were found";
    if (m_wish.kind == FrameWish::Kind::Stream)
        return "no frame of an EGLStream was given back or presented, and no NvBuf buffer was made ready for another "
               "engine";
    if (m_wish.kind == FrameWish::Kind::Swap)
        return "no swap: \"--frame auto\" looks for loops, too" + rangesText();
    if (m_wish.kind != FrameWish::Kind::Nvtx)
        return "no swap, no marked frame, no hand-over, no call that was asked for and none that repeats regularly"
            + rangesText();
    const std::string missing = "there is no NVTX range or mark " + quotedWords(m_wish.name);
    if (m_ranges.otherNames().empty())
        return missing + ", nor any other: the program uses no NVTX of version 3, or another tool takes its ranges";
    return missing + "; there are" + otherNamesText();
}

} // namespace jetscope
