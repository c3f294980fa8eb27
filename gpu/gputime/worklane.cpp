// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/gputime/worklane.h"

#include <algorithm>
#include <utility>

namespace jetscope {

namespace {

std::uint32_t saturatedBytes(std::uint64_t bytes)
{
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(bytes, std::numeric_limits<std::uint32_t>::max()));
}

} // namespace

GpuItem &WorkLane::push(GpuItem item)
{
    m_items.push_back(item);
    return m_items.back();
}

void WorkLane::completed(std::uint32_t frame, std::int64_t ns)
{
    // A stream's frames end in the order of submission.
    std::size_t end = m_items.size();
    while (end > m_open && m_items[end - 1].frame != frame)
        --end;
    for (; m_open < end; ++m_open)
        m_items[m_open].completedNs = ns;
}

void WorkLane::completedAll(std::int64_t ns)
{
    for (; m_open < m_items.size(); ++m_open)
        m_items[m_open].completedNs = ns;
}

void WorkLane::giveUp()
{
    for (GpuItem &item : m_items)
        if (item.state == GpuItem::State::Pending)
            item.state = GpuItem::State::Untimed;
}

bool WorkLane::mayRunUnknown() const
{
    return std::any_of(m_items.begin() + static_cast<std::ptrdiff_t>(m_open), m_items.end(),
                       [](const GpuItem &item) { return item.isUnknown; });
}

std::int64_t WorkLane::earliestStart(const GpuItem &item) const
{
    return std::max(item.submitNs, m_endedNs);
}

std::int64_t WorkLane::nothingBeforeNs() const
{
    if (m_items.empty())
        return std::numeric_limits<std::int64_t>::max();
    return std::min(earliestStart(m_items.front()),
                    m_kernel ? m_kernel->endNs() : std::numeric_limits<std::int64_t>::max());
}

/// Whether the latest possible end of an untimed item is known.
bool WorkLane::boundOf(std::size_t index, std::int64_t &endNs) const
{
    const std::int64_t seenNs = m_items[index].completedNs;
    for (std::size_t i = index + 1; i < m_items.size(); ++i) {
        const GpuItem &next = m_items[i];
        if (next.state == GpuItem::State::Pending)
            return false; // Its start may be the tighter bound.
        if (next.state == GpuItem::State::Timed) {
            endNs = seenNs > 0 ? std::min(seenNs, next.time.startNs) : next.time.startNs;
            return true;
        }
        if (seenNs > 0 && next.submitNs >= seenNs)
            break; // All following items begin after it was seen complete.
    }
    endNs = seenNs;
    return seenNs > 0;
}

void WorkLane::takeSpans(std::vector<Span> &spans)
{
    while (!m_items.empty()) {
        const GpuItem &item = m_items.front();
        std::int64_t endNs = 0;
        if (item.state == GpuItem::State::Pending || (item.state == GpuItem::State::Untimed && !boundOf(0, endNs)))
            return;
        const bool isTimed = item.state == GpuItem::State::Timed;
        // The span of an untimed item begins with the end of the kernel.
        addUnseen(spans, isTimed ? item.time.startNs : std::numeric_limits<std::int64_t>::min());
        spans.push_back(isTimed ? exactSpan(item) : boundedSpan(item, endNs));
        if (isTimed && item.isKernel && m_unseenNs > 0)
            m_kernel = spans.back();
        m_items.pop_front();
        m_open -= m_open > 0 ? 1 : 0;
    }
    addUnseen(spans, std::numeric_limits<std::int64_t>::max()); // What is submitted from now on begins later.
}

/// `nextNs`: the start of the next item.
void WorkLane::addUnseen(std::vector<Span> &spans, std::int64_t nextNs)
{
    const std::optional<Span> kernel = std::exchange(m_kernel, std::nullopt);
    if (!kernel || nextNs <= kernel->endNs())
        return;
    static const NameId kName = internName("launch and end", Category::Kernel, Certainty::Bounded);
    Span span = *kernel;
    const Interval time = m_orders[0].place(kernel->endNs(), std::min(nextNs, kernel->endNs() + m_unseenNs));
    span.startNs = time.startNs;
    span.durationNs = time.endNs - time.startNs;
    span.bytes = 0;
    span.name = kName;
    spans.push_back(span);
}

Span WorkLane::spanOf(const GpuItem &item, Interval time) const
{
    Span span;
    span.startNs = time.startNs;
    span.durationNs = time.endNs - time.startNs;
    span.frame = item.frame;
    span.bytes = saturatedBytes(item.bytes);
    span.name = item.name;
    span.lane = m_lane;
    return span;
}

Span WorkLane::exactSpan(const GpuItem &item)
{
    m_endedNs = std::max(m_endedNs, item.time.endNs);
    return spanOf(item, m_orders[0].place(item.time.startNs, item.time.endNs));
}

Span WorkLane::boundedSpan(const GpuItem &item, std::int64_t endNs)
{
    m_endedNs = earliestStart(item);
    std::size_t depth = 0;
    while (depth + 1 < kDepths && m_orders[depth].endNs() > m_endedNs)
        ++depth;
    Span span = spanOf(item, m_orders[depth].place(m_endedNs, endNs));
    span.name = boundedName(item.name);
    span.depth = static_cast<std::uint8_t>(depth);
    return span;
}

} // namespace jetscope
