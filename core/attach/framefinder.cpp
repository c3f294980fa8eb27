// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/framefinder.h"

#include "core/attach/calltable.h"

namespace jetscope {

namespace {

/// So many swaps of other surfaces without one of the first: a splash screen has closed.
constexpr std::uint32_t kSwapsThatMove = 3;
constexpr std::string_view kCallPrefix = "call:";

} // namespace

Result<FrameWish> parseFrameWish(std::string_view text)
{
    if (text == "auto")
        return FrameWish{};
    if (text == "swap")
        return FrameWish{FrameWish::Kind::Swap, 0};
    if (text.starts_with("nvtx:"))
        return sentence("frames by NVTX ranges are not available: ranges are not seen yet; take call:NAME, or mark the "
                        "frames with jetscope_mark.h");
    if (!text.starts_with(kCallPrefix))
        return sentence("take auto, swap or call:NAME");
    const std::string_view name = text.substr(kCallPrefix.size());
    const auto call = attachCallNamed(name);
    if (!call || attachCall(*call)->action != JSA_RECORD)
        return sentence("calls of \"" + std::string(name)
                        + "\" are not recorded: name a function that \"jetscope attach --probe\" lists");
    return FrameWish{FrameWish::Kind::Call, *call};
}

void FrameFinder::choose(Source source, const AttachEvent &event)
{
    m_source = source;
    m_thread = event.thread;
    m_surface = event.argument[0];
}

AttachFrame FrameFinder::endAt(const AttachEvent &event)
{
    const std::int64_t startNs = m_startNs.value_or(m_firstNs[event.thread]);
    m_startNs = event.endNs;
    return {{startNs, event.endNs}, event.endNs};
}

std::optional<AttachFrame> FrameFinder::takeMark(const AttachEvent &event)
{
    if (m_wish.kind != FrameWish::Kind::Auto || event.argument[0] == JSA_MARK_BUFFER)
        return std::nullopt;
    if (m_source == Source::None)
        choose(Source::Mark, event);
    if (m_source != Source::Mark || event.thread != m_thread)
        return std::nullopt;
    if (event.argument[0] != JSA_MARK_FRAME_BEGIN) {
        if (m_startNs)
            m_markedEndNs = event.endNs;
        return std::nullopt;
    }
    std::optional<AttachFrame> ended;
    if (m_startNs)
        ended = AttachFrame{{*m_startNs, event.startNs}, m_markedEndNs.value_or(event.startNs)};
    m_startNs = event.startNs;
    m_markedEndNs.reset();
    return ended;
}

std::optional<AttachFrame> FrameFinder::takeSwap(const AttachEvent &event)
{
    if (m_wish.kind == FrameWish::Kind::Call || event.failed())
        return std::nullopt;
    if (m_source == Source::None)
        choose(Source::Swap, event);
    if (m_source != Source::Swap)
        return std::nullopt;
    if (event.thread == m_thread && event.argument[0] == m_surface) {
        m_otherInARow = 0;
        return endAt(event);
    }
    ++m_otherSwaps;
    if (++m_otherInARow < kSwapsThatMove)
        return std::nullopt;
    choose(Source::Swap, event);
    m_otherInARow = 0;
    ++m_moves;
    return endAt(event);
}

std::optional<AttachFrame> FrameFinder::take(const AttachEvent &event)
{
    m_firstNs.try_emplace(event.thread, event.startNs);
    const jsa_work work = attachCall(event.call)->work;
    if (m_source == Source::Guess && (work == JSA_WORK_FRAME || work == JSA_WORK_SWAP)) {
        m_source = Source::None;
        m_wish = {};
    }
    if (work == JSA_WORK_FRAME)
        return takeMark(event);
    if (work == JSA_WORK_SWAP && m_wish.kind != FrameWish::Kind::Call)
        return takeSwap(event);
    if (m_wish.kind != FrameWish::Kind::Call || event.call != m_wish.call)
        return std::nullopt;
    if (m_source == Source::None)
        choose(Source::Call, event);
    return event.thread == m_thread ? std::optional(endAt(event)) : std::nullopt;
}

std::optional<AttachFrame> FrameFinder::finish()
{
    if (m_source != Source::Mark || !m_startNs || !m_markedEndNs)
        return std::nullopt;
    return AttachFrame{{*m_startNs, *m_markedEndNs}, *m_markedEndNs};
}

std::string FrameFinder::sourceName() const
{
    switch (m_source) {
    case Source::Mark:
        return "mark";
    case Source::Swap:
        return "swap";
    case Source::Guess:
        return "guess:" + std::string(attachCall(m_wish.call)->name);
    case Source::Call:
        return std::string(kCallPrefix) + std::string(attachCall(m_wish.call)->name);
    case Source::None:
        break;
    }
    return {};
}

} // namespace jetscope
