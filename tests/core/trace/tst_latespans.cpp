// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/trace/trace.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace jetscope;

namespace {

constexpr int kLanes = 3;

Trace emptyTrace(std::uint64_t most = Trace::kDefaultMaxSpans)
{
    Trace trace(most);
    std::vector<LaneInfo> lanes;
    for (int i = 0; i < kLanes; ++i)
        lanes.push_back({static_cast<LaneId>(i), LaneRole::Pipeline, "lane", ""});
    trace.setLanes(lanes);
    trace.names().addProcessNames(0, {{"work"}, {"wait"}});
    return trace;
}

/// In order of time; some are longer than 32 bits hold.
std::vector<Span> someSpans(int count, std::mt19937_64 &random)
{
    std::vector<Span> spans;
    std::vector<std::int64_t> at(kLanes);
    for (int i = 0; i < count; ++i) {
        const auto lane = random() % kLanes;
        Span span;
        span.lane = static_cast<LaneId>(lane);
        span.name = static_cast<NameId>(random() % 2);
        span.startNs = at[lane] + static_cast<std::int64_t>(random() % 50);
        span.durationNs = random() % 500 == 0 ? std::int64_t{1} << 33 : static_cast<std::int64_t>(1 + random() % 100);
        span.frame = static_cast<std::uint32_t>(i);
        at[lane] = span.startNs + span.durationNs;
        spans.push_back(span);
    }
    return spans;
}

QString difference(const Trace &a, const Trace &b)
{
    if (a.spanCount() != b.spanCount() || a.tracks().size() != b.tracks().size())
        return QStringLiteral("other numbers of spans or tracks");
    for (std::size_t i = 0; i < a.tracks().size(); ++i) {
        const SpanTrack &left = a.tracks()[i];
        const SpanTrack &right = b.tracks()[i];
        if (left.endIndex() - left.firstIndex() != right.endIndex() - right.firstIndex())
            return QStringLiteral("another number of spans on track %1").arg(i);
        for (std::uint64_t at = 0; at < left.endIndex() - left.firstIndex(); ++at) {
            const TraceSpan x = left.at(left.firstIndex() + at);
            const TraceSpan y = right.at(right.firstIndex() + at);
            if (x.startNs != y.startNs || x.durationNs != y.durationNs || x.frame != y.frame
                || a.names().text(x.name) != b.names().text(y.name))
                return QStringLiteral("another span on track %1").arg(i);
        }
        TrackPicture p;
        TrackPicture q;
        const ColumnWindow window{a.oldestNs(), static_cast<double>(a.newestNs() - a.oldestNs()) / 300, 300};
        left.query(window, p);
        right.query(window, q);
        for (std::size_t x = 0; x < p.columns.size(); ++x)
            if (static_cast<double>(std::abs(p.columns[x].busyNs - q.columns[x].busyNs)) > window.nsPerColumn)
                return QStringLiteral("another picture of track %1").arg(i);
        if (p.bars.size() != q.bars.size())
            return QStringLiteral("other bars on track %1").arg(i);
    }
    return {};
}

} // namespace

class TestLateSpans : public QObject {
    Q_OBJECT
private slots:
    /// In whatever order the pieces come.
    void aTraceWithLateSpansIsTheWholeOne()
    {
        std::mt19937_64 random(5);
        for (int round = 0; round < 20; ++round) {
            const std::vector<Span> all = someSpans(1 + static_cast<int>(random() % 8000), random);
            Trace whole = emptyTrace();
            whole.add(all);
            std::vector<std::vector<Span>> late;
            std::vector<Span> live;
            for (std::size_t i = 0; i < all.size();) {
                const std::size_t end = std::min(all.size(), i + 1 + random() % 700);
                const bool isLate = random() % 3 == 0;
                if (isLate)
                    late.emplace_back();
                for (; i < end; ++i)
                    (isLate ? late.back() : live).push_back(all[i]);
            }
            Trace trace = emptyTrace();
            trace.add(live);
            const auto before = trace.snapshot();
            std::ranges::shuffle(late, random);
            for (const std::vector<Span> &piece : late) {
                const std::uint64_t shape = trace.shape();
                trace.insert(piece);
                QVERIFY(trace.shape() != shape);
            }
            QCOMPARE(difference(trace, whole), QString());
            QCOMPARE(trace.newestNs(), whole.newestNs());
            // Who has a snapshot sees what there was.
            Trace then = emptyTrace();
            then.add(live);
            QCOMPARE(difference(*before, then), QString());
            // And it goes on.
            Span next = all.back();
            next.startNs = whole.newestNs() + 10;
            QVERIFY(trace.add(next.lane, 0, TraceSpan{next.startNs, 5, 0, 0, 0}));
        }
    }

    /// Twice, or over others.
    void whatIsThereAlreadyIsLeftOut()
    {
        std::mt19937_64 random(6);
        const std::vector<Span> all = someSpans(3000, random);
        Trace trace = emptyTrace();
        trace.add(all);
        Trace whole = emptyTrace();
        whole.add(all);
        trace.insert({all.data() + 500, 1000});
        std::vector<Span> over(all.begin(), all.begin() + 100);
        for (Span &span : over)
            span.durationNs = std::numeric_limits<std::int64_t>::max();
        trace.insert(over);
        QCOMPARE(difference(trace, whole), QString());
    }

    void whatWasDroppedStaysDropped()
    {
        Trace trace = emptyTrace(2 * Trace::kSegmentSpans);
        std::vector<Span> spans(1);
        for (std::int64_t i = 0; trace.droppedSpans() == 0; ++i) {
            spans[0].startNs = i * 10;
            spans[0].durationNs = 5;
            trace.add(spans);
        }
        const std::uint64_t count = trace.spanCount();
        spans[0].startNs = 16;
        spans[0].durationNs = 2;
        trace.insert(spans);
        QCOMPARE(trace.spanCount(), count);
        spans[0].startNs = trace.oldestNs() + 16;
        trace.insert(spans);
        QCOMPARE(trace.spanCount(), count + 1);
    }
};

JETSCOPE_TEST(TestLateSpans)
#include "tst_latespans.moc"
