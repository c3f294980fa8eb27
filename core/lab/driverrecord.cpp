// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/lab/driverrecord.h"

#include "core/text/numbertext.h"
#include "core/time/clock.h"

#include <algorithm>
#include <utility>

namespace jetscope {

namespace {

/// Far more than happen between two frames.
constexpr std::size_t kEventsKept = 256;
/// Numbers of a gap that are looked at one by one; of a longer gap each stands for some.
constexpr std::uint64_t kMostLookedAt = 256;
constexpr std::size_t kMostRows = 64;
constexpr std::size_t kKnownKept = 1024;

std::string lateMs(std::int64_t ns)
{
    return fixedText(static_cast<double>(ns) / 1e6, 1) + " ms";
}

} // namespace

std::string lateWords(std::int64_t lateNs, const ReaderTimes &reader, const DriverRecord::WhoRan &whoRan)
{
    std::string text = "the capture thread took none for " + lateMs(lateNs);
    const std::int64_t ready = std::min(reader.readyNs, lateNs);
    const std::int64_t away = std::min(reader.awayNs, lateNs);
    // What makes up less than a third of it is not the reason.
    if (reader.knowsReady && ready > lateNs / 3) {
        const std::string others = whoRan ? whoRan(nowNs() - lateNs) : std::string();
        return text + "; for " + lateMs(ready) + " of that it was ready but not scheduled"
            + (others.empty() ? "" : "; " + others);
    }
    if (away > lateNs / 3)
        return text + "; for " + lateMs(away) + " of that the frame before, or a free input buffer, kept it";
    return text + (reader.knowsReady ? "; it was asleep, and was not woken" : "");
}

void DriverRecord::restart()
{
    m_known.clear();
    m_events.clear();
    m_before = {};
    m_buffers = 0;
}

void DriverRecord::note(Event event)
{
    m_events.push_back(event);
    if (m_events.size() <= kEventsKept)
        return;
    const Event::What what = m_events.front().what;
    m_before.empty += what == Event::What::Queued ? 1 : what == Event::What::Filled ? -1 : 0;
    m_before.full += what == Event::What::Filled ? 1 : what == Event::What::Taken ? -1 : 0;
    m_events.pop_front();
}

void DriverRecord::queued(std::int64_t ns)
{
    note({ns, Event::What::Queued});
    // What the driver and the program have together is known by the first buffers that are queued.
    const Buffers all = buffersAt(ns);
    m_buffers = std::max(m_buffers, all.empty + all.full);
}

void DriverRecord::taken(const Filled &filled)
{
    note({std::min(filled.filledNs, filled.takenNs), Event::What::Filled});
    note({filled.takenNs, Event::What::Taken});
    m_known.push_back({filled, false, LossCause::LateDequeue, {}});
    if (m_known.size() > kKnownKept) // None is delivered.
        m_known.erase(m_known.begin());
}

DriverRecord::Known *DriverRecord::knownOf(std::uint32_t sequence)
{
    const auto known = std::find_if(m_known.rbegin(), m_known.rend(),
                                    [&](const Known &each) { return each.filled.sequence == sequence; });
    return known == m_known.rend() ? nullptr : &*known;
}

void DriverRecord::discarded(std::uint32_t sequence, LossCause cause, std::string evidence)
{
    if (Known *known = knownOf(sequence)) {
        known->isLost = true;
        known->cause = cause;
        known->evidence = std::move(evidence);
    }
}

void DriverRecord::passedOver(std::uint32_t sequence, const ReaderTimes &reader)
{
    if (const Known *known = knownOf(sequence))
        discarded(sequence, LossCause::LateDequeue,
                  "a newer frame was there when it was taken: "
                      + lateWords(known->filled.takenNs - known->filled.filledNs, reader, m_whoRan));
}

DriverRecord::Buffers DriverRecord::buffersAt(std::int64_t ns) const
{
    Buffers at = m_before;
    for (const Event &event : m_events) {
        if (event.ns > ns)
            continue;
        at.empty += event.what == Event::What::Queued ? 1 : event.what == Event::What::Filled ? -1 : 0;
        at.full += event.what == Event::What::Filled ? 1 : event.what == Event::What::Taken ? -1 : 0;
    }
    at.held = m_buffers - at.empty - at.full;
    return at;
}

std::vector<LostFrames> DriverRecord::delivered(std::uint32_t sequence, std::uint64_t index, std::uint64_t lost,
                                                const ReaderTimes &reader)
{
    // The buffers may have been full until the frame before was taken.
    const ReaderTimes last = std::exchange(m_lastReader, reader);
    const ReaderTimes times{std::max(last.awayNs, reader.awayNs), std::max(last.readyNs, reader.readyNs),
                            last.knowsReady || reader.knowsReady};
    std::vector<LostFrames> rows;
    std::size_t end = 0;
    while (end < m_known.size() && m_known[end].filled.sequence != sequence)
        ++end;
    if (end == m_known.size())
        return rows;
    const std::uint64_t first = index - lost;
    // How far a number lies before the delivered one; the driver's counter may pass its end.
    const auto indexOf = [&](const Filled &filled) { return index - std::uint32_t{sequence - filled.sequence}; };
    for (std::size_t i = 0; lost > 0 && i <= end; ++i) {
        const Known &known = m_known[i];
        const std::uint32_t back = sequence - known.filled.sequence;
        if (back > lost + 1) // Numbers that tell nothing.
            continue;
        if (i > 0)
            if (const std::uint32_t step = known.filled.sequence - m_known[i - 1].filled.sequence; step > 1)
                explain(m_known[i - 1].filled, known.filled, indexOf(known.filled) - step + 1, times, rows);
        if (known.isLost && back > 0 && indexOf(known.filled) >= first)
            append(rows, {indexOf(known.filled), 1, known.cause, known.filled.filledNs, known.evidence}, kMostRows);
    }
    m_known.erase(m_known.begin(), m_known.begin() + static_cast<std::ptrdiff_t>(end));
    return rows;
}

void DriverRecord::explain(const Filled &before, const Filled &after, std::uint64_t firstIndex,
                           const ReaderTimes &reader, std::vector<LostFrames> &rows) const
{
    const std::uint64_t count = std::uint32_t{after.sequence - before.sequence} - 1;
    const std::int64_t periodNs = (after.filledNs - before.filledNs) / static_cast<std::int64_t>(count + 1);
    const std::uint64_t each = (count + kMostLookedAt - 1) / kMostLookedAt;
    for (std::uint64_t i = 0; i < count; i += each) {
        LostFrames lost =
            judge(before.filledNs + periodNs * static_cast<std::int64_t>(i + 1), periodNs, before, after, reader);
        lost.first = firstIndex + i;
        lost.count = std::min(each, count - i);
        append(rows, std::move(lost), kMostRows);
    }
}

/// Of a frame that should have been complete at about this time. A driver needs an empty buffer when the frame begins,
/// and some want one more behind it until it ends.
LostFrames DriverRecord::judge(std::int64_t atNs, std::int64_t periodNs, const Filled &before, const Filled &after,
                               const ReaderTimes &reader) const
{
    LostFrames lost;
    lost.timeNs = atNs;
    const Buffers begin = buffersAt(atNs - periodNs * 9 / 10);
    const Buffers end = buffersAt(atNs);
    const Buffers &scarce = begin.empty < end.empty ? begin : end;
    const std::string all = std::to_string(m_buffers);
    if (scarce.empty > 0) {
        lost.cause = LossCause::SourceGap;
        lost.evidence = "the camera's numbers go from " + std::to_string(before.sequence) + " to "
            + std::to_string(after.sequence) + ", " + lateMs(after.filledNs - before.filledNs)
            + " apart by their stamps, while " + std::to_string(scarce.empty) + " of " + all + " buffers were empty";
    } else if (scarce.full > 0) {
        lost.cause = LossCause::LateDequeue;
        lost.evidence = std::to_string(scarce.full) + " of " + all
            + " buffers were full: " + lateWords(starvedNs(atNs), reader, m_whoRan);
    } else {
        lost.cause = LossCause::NoBuffer;
        lost.evidence = "no buffer was queued for " + lateMs(starvedNs(atNs)) + ": the program held all " + all;
    }
    return lost;
}

/// For how long the driver had no empty buffer around a time.
std::int64_t DriverRecord::starvedNs(std::int64_t atNs) const
{
    std::int64_t from = atNs;
    std::int64_t until = atNs;
    std::vector<std::int64_t> times;
    for (const Event &event : m_events)
        times.push_back(event.ns);
    std::sort(times.begin(), times.end());
    const auto middle = std::upper_bound(times.begin(), times.end(), atNs);
    for (auto at = middle; at != times.begin() && buffersAt(*(at - 1)).empty <= 0; --at)
        from = *(at - 1);
    for (auto at = middle; at != times.end(); ++at) {
        until = *at;
        if (buffersAt(*at).empty > 0)
            break;
    }
    return until - from;
}

} // namespace jetscope
