// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/model/framefinder.h"

#include "core/attach/format/calltable.h"
#include "core/text/parsenumber.h"
#include "core/text/shorttext.h"

#include <algorithm>
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
constexpr std::string_view kCallPrefix = "call:";
constexpr std::string_view kNvtxPrefix = "nvtx:";
constexpr std::string_view kSitePrefix = "site:";
constexpr unsigned kMaxRank = 16;
constexpr std::size_t kDeepestRange = 1024;
constexpr std::size_t kMaxStarted = 1024;
constexpr std::size_t kMaxOtherNames = 8;
/// Of longer names only so much is recorded (jetscope_mark.h).
constexpr std::size_t kMaxRangeName = 160;

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

/// A place of the program, or the number of a loop among those that were found.
Result<FrameWish> siteWish(std::string_view text)
{
    if (const std::optional<unsigned> number = parseNumber<unsigned>(text)) {
        if (*number < 1 || *number > kMaxRank)
            return sentence("loops have numbers from 1 to " + std::to_string(kMaxRank));
        return FrameWish{FrameWish::Kind::Loop, 0, {}, *number - 1};
    }
    if (text.empty())
        return sentence(
            "name a place as \"frame_candidates\" of --json does: site:FILE:LINE, site:FILE+OFFSET or its number");
    return FrameWish{FrameWish::Kind::Site, 0, std::string(text)};
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

} // namespace

Result<FrameWish> parseFrameWish(std::string_view text)
{
    if (text == "auto")
        return FrameWish{};
    if (text == "swap")
        return FrameWish{FrameWish::Kind::Swap, 0};
    if (text == "stream")
        return FrameWish{FrameWish::Kind::Stream, 0};
    if (text.starts_with(kNvtxPrefix) && text.size() > kNvtxPrefix.size())
        return FrameWish{FrameWish::Kind::Nvtx, 0, std::string(text.substr(kNvtxPrefix.size()))};
    if (text.starts_with(kSitePrefix))
        return siteWish(text.substr(kSitePrefix.size()));
    if (!text.starts_with(kCallPrefix))
        return sentence("take auto, swap, stream, nvtx:NAME, call:NAME, site:FILE:LINE or site:NUMBER");
    const std::string_view name = text.substr(kCallPrefix.size());
    const auto call = attachCallNamed(name);
    if (!call || attachCall(*call)->action != JSA_RECORD)
        return sentence("calls of \"" + std::string(name)
                        + "\" are not recorded: name a function that \"jetscope attach --probe\" lists");
    return FrameWish{FrameWish::Kind::Call, *call};
}

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
    m_pushed.clear(); // Their ends may not be seen.
    m_started.clear();
}

std::optional<AttachFrame> FrameFinder::takeMark(const AttachEvent &event, std::int32_t process)
{
    if (m_wish.kind == FrameWish::Kind::Nvtx)
        return takeRange(event, process);
    if (m_wish.kind != FrameWish::Kind::Auto)
        return std::nullopt;
    if (event.argument[0] >= JSA_MARK_RANGE_PUSH)
        rememberName(event.text);
    if (event.argument[0] == JSA_MARK_FRAME_BEGIN)
        return beginMarked(Source::Mark, event);
    if (event.argument[0] == JSA_MARK_FRAME_END && m_source == Source::Mark && event.thread == m_thread)
        endMarked(event);
    return std::nullopt;
}

void FrameFinder::rememberName(const std::string &name)
{
    if (!name.empty() && m_otherNames.size() < kMaxOtherNames)
        m_otherNames.insert(std::string(shortText(name, kMaxRangeName)));
}

bool FrameFinder::isWanted(const std::string &name)
{
    const std::string_view wish = std::string_view(m_wish.name).substr(0, kMaxRangeName);
    const bool wanted =
        !name.empty() && (name == wish || (wish.ends_with('*') && name.starts_with(wish.substr(0, wish.size() - 1))));
    if (!wanted)
        rememberName(name);
    return wanted;
}

/// A range of the name inside of another one belongs to the same frame.
std::optional<AttachFrame> FrameFinder::takeRange(const AttachEvent &event, std::int32_t process)
{
    std::vector<bool> &pushed = m_pushed[event.thread];
    const auto isInside = [&] { return std::find(pushed.begin(), pushed.end(), true) != pushed.end(); };
    switch (event.argument[0]) {
    case JSA_MARK_RANGE_PUSH: {
        const bool wanted = isWanted(event.text);
        const bool begins = wanted && !isInside();
        if (pushed.size() < kDeepestRange)
            pushed.push_back(wanted);
        return begins ? beginMarked(Source::Nvtx, event) : std::nullopt;
    }
    case JSA_MARK_RANGE_POP: {
        const bool wanted = !pushed.empty() && pushed.back();
        if (!pushed.empty())
            pushed.pop_back();
        if (wanted && !isInside() && event.thread == m_thread)
            endMarked(event);
        return std::nullopt;
    }
    case JSA_MARK_RANGE_START:
        if (!isWanted(event.text) || m_started.size() >= kMaxStarted)
            return std::nullopt;
        m_started.insert({process, event.argument[1]});
        return beginMarked(Source::Nvtx, event);
    case JSA_MARK_RANGE_END:
        if (m_started.erase({process, event.argument[1]}) > 0)
            endMarked(event);
        return std::nullopt;
    case JSA_MARK_POINT:
        return isWanted(event.text) ? beginMarked(Source::Nvtx, event) : std::nullopt;
    default:
        return std::nullopt;
    }
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
        m_pushed.erase(event.thread); // An end may be among them.
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

} // namespace jetscope
