// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/trace/frametable.h"

#include "core/trace/pyramid.h"
#include "core/trace/search.h"
#include "core/trace/timelimits.h"

#include <algorithm>
#include <queue>

namespace jetscope {

namespace {

/// What 16, 256, … frames come to.
struct FrameNode : FrameSum {
    static FrameNode of(const FrameNode *children);
};

/// `more` comes behind `sum`. No sum of times overflows: no frame has more than its period, and periods are disjoint.
void addTo(FrameSum &sum, const FrameSum &more)
{
    if (sum.frames == 0 || more.longestPeriodNs > sum.longestPeriodNs) {
        sum.longestPeriodNs = more.longestPeriodNs;
        sum.longest = more.longest;
    }
    sum.frames += more.frames;
    sum.overlap.periodNs += more.overlap.periodNs;
    sum.overlap.cpuNs += more.overlap.cpuNs;
    sum.overlap.gpuNs += more.overlap.gpuNs;
    sum.overlap.bothNs += more.overlap.bothNs;
    sum.overlap.idleNs += more.overlap.idleNs;
    sum.waitSyncNs += more.waitSyncNs;
    sum.waitMemoryNs += more.waitMemoryNs;
    sum.waitSlotNs += more.waitSlotNs;
    sum.waitInputNs += more.waitInputNs;
    sum.bytesCopied = saturatingSum(sum.bytesCopied, more.bytesCopied);
}

FrameSum sumOf(const FrameFigures &figures, std::uint64_t index)
{
    FrameSum sum;
    sum.frames = 1;
    sum.overlap = figures.overlap;
    sum.waitSyncNs = figures.waitSyncNs;
    sum.waitMemoryNs = figures.waitMemoryNs;
    sum.waitSlotNs = figures.waitSlotNs;
    sum.waitInputNs = figures.waitInputNs;
    sum.bytesCopied = figures.bytesCopied;
    sum.longestPeriodNs = figures.periodNs();
    sum.longest = index;
    return sum;
}

FrameNode FrameNode::of(const FrameNode *children)
{
    FrameNode sum = *children;
    for (std::size_t child = 1; child < Pyramid<FrameNode>::kFanOut; ++child)
        addTo(sum, children[child]);
    return sum;
}

/// Whether the figures can be those of one period.
bool isPossible(const FrameFigures &figures)
{
    const std::int64_t period = figures.periodNs();
    const auto fits = [period](std::int64_t ns) { return ns >= 0 && ns <= period; };
    const Overlap &overlap = figures.overlap;
    return isTracePiece(figures.startNs, period) && fits(overlap.cpuNs) && fits(overlap.gpuNs) && fits(overlap.bothNs)
        && fits(overlap.idleNs) && fits(figures.waitSyncNs) && fits(figures.waitMemoryNs) && fits(figures.waitSlotNs)
        && fits(figures.waitInputNs);
}

} // namespace

struct FrameTable::Parts {
    BlockList<FrameFigures> frames;
    Pyramid<FrameNode> pyramid;
    /// Where numbers begin anew, as they do with every run of a pipeline: between these they grow.
    std::vector<std::uint64_t> runs;
    std::int64_t endNs = -kMostTraceNs; ///< Of the last period.

    FrameSum sumAt(int level, std::uint64_t index) const
    {
        if (level == Pyramid<FrameNode>::kLeaves)
            return sumOf(frames[index], index);
        return pyramid.node(level, index);
    }

    FrameNode summary(std::uint64_t first) const
    {
        FrameNode sum;
        for (std::uint64_t index = first; index < first + Pyramid<FrameNode>::kFanOut; ++index)
            addTo(sum, sumOf(frames[index], index));
        return sum;
    }
};

FrameTable::FrameTable() : m_parts(std::make_unique<Parts>()) {}
FrameTable::~FrameTable() = default;
FrameTable::FrameTable(FrameTable &&) noexcept = default;
FrameTable &FrameTable::operator=(FrameTable &&) noexcept = default;

bool FrameTable::append(const FrameFigures &figures)
{
    if (figures.startNs < m_parts->endNs || !isPossible(figures))
        return false;
    if (empty() || figures.frame <= m_parts->frames.back().frame)
        m_parts->runs.push_back(endIndex());
    m_parts->endNs = figures.startNs + figures.periodNs();
    m_parts->frames.push(figures);
    m_parts->pyramid.grown(endIndex(), [this](std::uint64_t first) { return m_parts->summary(first); });
    return true;
}

std::uint64_t FrameTable::firstIndex() const
{
    return m_parts->frames.firstIndex();
}

std::uint64_t FrameTable::endIndex() const
{
    return m_parts->frames.endIndex();
}

FrameFigures FrameTable::at(std::uint64_t index) const
{
    return m_parts->frames[index];
}

std::pair<std::uint64_t, std::uint64_t> FrameTable::range(std::int64_t fromNs, std::int64_t toNs) const
{
    const auto &frames = m_parts->frames;
    return touching(firstIndex(), endIndex(), fromNs, toNs, [&frames](std::uint64_t index) {
        const FrameFigures &figures = frames[index];
        return Interval{figures.startNs, figures.startNs + figures.periodNs()};
    });
}

std::optional<std::uint64_t> FrameTable::find(std::uint32_t frame) const
{
    const auto &frames = m_parts->frames;
    std::uint64_t last = endIndex();
    for (auto run = m_parts->runs.rbegin(); run != m_parts->runs.rend(); ++run) {
        const std::uint64_t first = std::max(*run, firstIndex());
        const std::uint64_t found =
            partitionIndex(first, last, [&](std::uint64_t index) { return frames[index].frame < frame; });
        if (found < last && frames[found].frame == frame)
            return found;
        last = first;
    }
    return std::nullopt;
}

FrameSum FrameTable::sum(std::uint64_t first, std::uint64_t last) const
{
    FrameSum sum;
    Pyramid<FrameNode>::cover(std::max(first, firstIndex()), std::min(last, endIndex()),
                              [&](int level, std::uint64_t index) { addTo(sum, m_parts->sumAt(level, index)); });
    return sum;
}

std::vector<std::uint64_t> FrameTable::longest(std::uint64_t first, std::uint64_t last, std::size_t count) const
{
    struct Candidate {
        std::int64_t periodNs = 0;
        std::uint64_t longest = 0;
        int level = 0;
        std::uint64_t index = 0;
    };
    // The longest first; the earlier one of equals.
    const auto isBehind = [](const Candidate &a, const Candidate &b) {
        return a.periodNs != b.periodNs ? a.periodNs < b.periodNs : a.longest > b.longest;
    };
    std::priority_queue<Candidate, std::vector<Candidate>, decltype(isBehind)> candidates(isBehind);
    const auto consider = [&](int level, std::uint64_t index) {
        const FrameSum sum = m_parts->sumAt(level, index);
        candidates.push({sum.longestPeriodNs, sum.longest, level, index});
    };
    Pyramid<FrameNode>::cover(std::max(first, firstIndex()), std::min(last, endIndex()), consider);

    std::vector<std::uint64_t> found;
    while (found.size() < count && !candidates.empty()) {
        const Candidate best = candidates.top();
        candidates.pop();
        if (best.level == Pyramid<FrameNode>::kLeaves) {
            found.push_back(best.index);
            continue;
        }
        for (std::uint64_t child = 0; child < Pyramid<FrameNode>::kFanOut; ++child)
            consider(best.level - 1, best.index * Pyramid<FrameNode>::kFanOut + child);
    }
    return found;
}

void FrameTable::dropBefore(std::uint64_t index)
{
    m_parts->frames.dropBefore(index);
    m_parts->pyramid.dropBefore(firstIndex());
    // The run that the first frame is in began before it.
    const auto next = std::upper_bound(m_parts->runs.begin(), m_parts->runs.end(), firstIndex());
    if (next != m_parts->runs.begin())
        m_parts->runs.erase(m_parts->runs.begin(), next - 1);
}

std::uint64_t FrameTable::memoryBytes() const
{
    return sizeof(Parts) + m_parts->frames.memoryBytes() + m_parts->pyramid.memoryBytes()
        + m_parts->runs.capacity() * sizeof(std::uint64_t);
}

} // namespace jetscope
