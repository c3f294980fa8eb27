// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/path/lanesegments.h"

#include <algorithm>
#include <limits>
#include <queue>
#include <tuple>

namespace jetscope {

namespace {

/// Builds the segments of a lane, in order of time.
class Sweep {
public:
    explicit Sweep(std::span<const PathSpan> spans) : m_spans(spans) {}

    void begin(std::uint32_t span)
    {
        settleUntil(m_spans[span].startNs);
        m_open.push({m_spans[span].depth, m_spans[span].startNs, span});
    }

    std::vector<LaneSegment> finish()
    {
        settleUntil(std::numeric_limits<std::int64_t>::max());
        return std::move(m_segments);
    }

private:
    using Open = std::tuple<std::uint8_t, std::int64_t, std::uint32_t>; ///< Depth, start, span; the greatest wins.

    void settleUntil(std::int64_t ns)
    {
        while (!m_open.empty() && m_atNs < ns) {
            const std::uint32_t span = std::get<2>(m_open.top());
            const PathSpan &top = m_spans[span];
            const std::int64_t from = std::max(m_atNs, top.startNs);
            const std::int64_t to = std::min(top.endNs, ns);
            if (from < to) {
                append({from, to, span});
                m_atNs = to;
            }
            if (top.endNs > ns)
                break;
            m_open.pop();
        }
        m_atNs = std::max(m_atNs, ns);
    }

    void append(const LaneSegment &segment)
    {
        if (!m_segments.empty() && m_segments.back().span == segment.span && m_segments.back().endNs == segment.startNs)
            m_segments.back().endNs = segment.endNs;
        else
            m_segments.push_back(segment);
    }

    std::span<const PathSpan> m_spans;
    std::priority_queue<Open> m_open;
    std::int64_t m_atNs = std::numeric_limits<std::int64_t>::min();
    std::vector<LaneSegment> m_segments;
};

} // namespace

WaitScope waitScopeOf(Purpose purpose)
{
    switch (purpose) {
    case Purpose::DeviceFrame:
    case Purpose::HostFunction:
    case Purpose::GlUnmap:
    case Purpose::StreamProducer:
    case Purpose::StreamConsumer:
    case Purpose::ManagedAttach:
        return WaitScope::FrameWork;
    case Purpose::DevicePoll:
        return WaitScope::Polling;
    case Purpose::DeviceStream:
        return WaitScope::Stream;
    case Purpose::DeviceAll:
    case Purpose::ManagedDrain:
        return WaitScope::Device;
    case Purpose::EngineFrame:
        return WaitScope::Engine;
    case Purpose::GlDone:
    case Purpose::GlMap:
        return WaitScope::GlWork;
    case Purpose::Slot:
    case Purpose::CpuStageSlot:
        return WaitScope::Slot;
    case Purpose::Input:
        return WaitScope::Input;
    case Purpose::Buffer:
        return WaitScope::Buffer;
    case Purpose::Work:
    case Purpose::OwnCode:
    case Purpose::InputCopy:
    case Purpose::ManagedCopy:
    case Purpose::OutputCopy:
    case Purpose::GlUpload:
    case Purpose::StreamDraw:
    case Purpose::GlFence:
    case Purpose::CaptureCopy:
    case Purpose::QueueOrder:
        break;
    }
    return WaitScope::None;
}

std::vector<LaneSegment> laneSegments(std::span<const PathSpan> spans)
{
    std::vector<std::uint32_t> order;
    order.reserve(spans.size());
    for (std::uint32_t i = 0; i < spans.size(); ++i)
        if (spans[i].endNs > spans[i].startNs)
            order.push_back(i);
    const auto startsBefore = [&](std::uint32_t a, std::uint32_t b) { return spans[a].startNs < spans[b].startNs; };
    if (!std::is_sorted(order.begin(), order.end(), startsBefore))
        std::stable_sort(order.begin(), order.end(), startsBefore);
    Sweep sweep(spans);
    for (const std::uint32_t span : order)
        sweep.begin(span);
    return sweep.finish();
}

} // namespace jetscope
