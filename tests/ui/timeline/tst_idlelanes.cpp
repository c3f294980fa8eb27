// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/recording/span.h"
#include "tests/support/testprogram.h"
#include "tests/support/timelinefixture.h"
#include "tests/support/tooltip.h"
#include "ui/style/theme.h"

using namespace jetscope;

/// The lane below the streams of a GPU: when it had nothing to do, and what the CPU did then.
class TestIdleLanes : public QObject {
    Q_OBJECT
private slots:
    void init();
    void eachGpuHasOneBelowItsStreams();
    void aGapTellsWhatTheCpuDid();
    void aClickSelectsIt();
    void aGapWithoutACauseSelectsNothing();
    void itIsHiddenAndFoundLikeAnyLane();
    void theHeadingCountsStreams();
    void aLiveTraceHasNone();
    void shortGapsAreLeftOut();
    void aCopyIsNoGap();
    void wideGapsHaveAText();
    void anotherTraceHasItsOwn();

private:
    TimelineView &view() { return *m_fixture->view; }
    void show(const std::vector<Span> &spans);
    std::vector<TimelineRow> idleRows();
    QPoint gapAt(const TimelineRow &row, std::int64_t ns)
    {
        return {qRound(m_fixture->pixelOf(ns)), view().layout().contentTop() + row.top + 17};
    }

    std::unique_ptr<TimelineFixture> m_fixture;
};

namespace {

constexpr LaneId kThread = 1;
constexpr LaneId kFirst = 2;
constexpr LaneId kSecond = 3;
constexpr std::int64_t kMs = 1'000'000;

std::vector<LaneInfo> lanesOfTwoGpus()
{
    std::vector<LaneInfo> lanes(3);
    lanes[0] = {kThread, LaneRole::Pipeline, "main", ""};
    lanes[1] = {kFirst, LaneRole::DeviceStream, "stream 7", ""};
    lanes[2] = {kSecond, LaneRole::DeviceStream, "stream 9", ""};
    lanes[1].gpu = 0;
    lanes[2].gpu = 1;
    return lanes;
}

Span spanOf(LaneId lane, const char *name, Category category, std::int64_t startNs, std::int64_t endNs)
{
    Span span;
    span.lane = lane;
    span.name = internName(name, category);
    span.startNs = startNs;
    span.durationNs = endNs - startNs;
    return span;
}

/// GPU 0 waits for the loader in each of ten frames; GPU 1 works without a gap for the first half.
std::vector<Span> tenFrames()
{
    std::vector<Span> spans;
    for (std::int64_t i = 0; i < 10; ++i) {
        const std::int64_t at = i * 10 * kMs;
        spans.push_back(spanOf(kThread, "load", Category::CpuStage, at, at + 6 * kMs));
        spans.push_back(spanOf(kFirst, "conv", Category::Kernel, at + 6 * kMs, at + 10 * kMs));
        if (i < 5)
            spans.push_back(spanOf(kSecond, "other", Category::Kernel, at, at + 10 * kMs));
    }
    return spans;
}

} // namespace

void TestIdleLanes::init()
{
    applyTheme(*qApp, darkTheme());
    m_fixture = std::make_unique<TimelineFixture>(QSize(1200, 700));
    QVERIFY(m_fixture->expose());
}

void TestIdleLanes::show(const std::vector<Span> &spans)
{
    m_fixture->trace = Trace();
    m_fixture->trace.setLanes(lanesOfTwoGpus());
    m_fixture->trace.add(spans);
    view().restart(false);
    view().setAnimated(false);
    view().fitAll();
}

std::vector<TimelineRow> TestIdleLanes::idleRows()
{
    std::vector<TimelineRow> rows;
    for (const TimelineRow &row : view().layout().rows)
        if (row.kind == TimelineRow::Kind::Idle)
            rows.push_back(row);
    return rows;
}

void TestIdleLanes::eachGpuHasOneBelowItsStreams()
{
    show(tenFrames());
    QTRY_COMPARE(idleRows().size(), std::size_t(2));
    const std::vector<TimelineRow> &rows = view().layout().rows;
    for (std::size_t i = 1; i < rows.size(); ++i)
        if (rows[i].kind == TimelineRow::Kind::Idle)
            QCOMPARE(rows[i - 1].lane, rows[i].idle->gpu == 0U ? kFirst : kSecond);
    QCOMPARE(idleRows()[0].idle->gaps.size(), std::size_t(10));
    QCOMPARE(idleRows()[0].idle->ns, 60 * kMs);
    QCOMPARE(idleRows()[1].idle->gaps.size(), std::size_t(1)); // From the middle to the end.
    QCOMPARE(idleRows()[1].idle->ns, 50 * kMs);
}

void TestIdleLanes::aGapTellsWhatTheCpuDid()
{
    show(tenFrames());
    QTRY_COMPARE(idleRows().size(), std::size_t(2));
    const QString tip = tipOf(m_fixture->viewport(), gapAt(idleRows()[0], 33 * kMs));
    QVERIFY2(tip.contains(QStringLiteral("nothing to do for 6.0 ms")), qPrintable(tip));
    QVERIFY2(tip.contains(QStringLiteral("while load ran on main, for 6.0 ms of it")), qPrintable(tip));
    QTRY_VERIFY(tipOf(m_fixture->viewport(), gapAt(idleRows()[0], 38 * kMs)).isEmpty()); // It worked.
}

void TestIdleLanes::aClickSelectsIt()
{
    show(tenFrames());
    QTRY_COMPARE(idleRows().size(), std::size_t(2));
    QTest::mouseClick(m_fixture->viewport(), Qt::LeftButton, {}, gapAt(idleRows()[0], 33 * kMs));
    QVERIFY(m_fixture->selection.span());
    const SpanPlace &selected = *m_fixture->selection.span();
    QCOMPARE(m_fixture->trace.tracks()[selected.track].lane(), kThread);
    QCOMPARE(selected.bar.span.startNs, 30 * kMs);
}

/// Nothing lasted for half of the second GPU's gap.
void TestIdleLanes::aGapWithoutACauseSelectsNothing()
{
    show(tenFrames());
    QTRY_COMPARE(idleRows().size(), std::size_t(2));
    const QPoint at = gapAt(idleRows()[1], 72 * kMs);
    const QString tip = tipOf(m_fixture->viewport(), at);
    QVERIFY2(tip.contains(QStringLiteral("no span of the CPU")), qPrintable(tip));
    QTest::mouseClick(m_fixture->viewport(), Qt::LeftButton, {}, at);
    QVERIFY(!m_fixture->selection.span());
}

void TestIdleLanes::itIsHiddenAndFoundLikeAnyLane()
{
    show(tenFrames());
    QTRY_COMPARE(idleRows().size(), std::size_t(2));
    LaneChoices choices = view().laneChoices();
    choices.setHidden(idleRows()[0].key, true);
    view().setLaneChoices(choices);
    QCOMPARE(idleRows().size(), std::size_t(1));
    QCOMPARE(idleRows()[0].idle->gpu, std::optional<std::uint32_t>(1));
    view().showAllLanes();
    choices = view().laneChoices();
    choices.setFilter(QStringLiteral("idle"));
    view().setLaneChoices(choices);
    QCOMPARE(idleRows().size(), std::size_t(2));
    QVERIFY(std::ranges::none_of(view().layout().rows,
                                 [](const TimelineRow &row) { return row.kind == TimelineRow::Kind::Lane; }));
}

void TestIdleLanes::theHeadingCountsStreams()
{
    show(tenFrames());
    QTRY_COMPARE(idleRows().size(), std::size_t(2));
    int headings = 0;
    for (const TimelineRow &row : view().layout().rows)
        if (row.kind == TimelineRow::Kind::Heading && row.group == RowGroup::CudaStreams) {
            QCOMPARE(row.detail, QStringLiteral("1 stream"));
            ++headings;
        }
    QCOMPARE(headings, 2);
}

/// What comes next may change the cause of a gap. The other lanes are there at once, and a trace that was opened behind
/// it has gaps: this one was not overtaken.
void TestIdleLanes::aLiveTraceHasNone()
{
    show(tenFrames());
    view().restart(true);
    m_fixture->trace.add(std::vector<Span>{spanOf(kFirst, "conv", Category::Kernel, 200 * kMs, 201 * kMs)});
    view().refresh();
    TimelineFixture other;
    other.trace.setLanes(lanesOfTwoGpus());
    other.trace.add(tenFrames());
    other.view->restart(false);
    const auto isIdle = [](const TimelineRow &row) { return row.kind == TimelineRow::Kind::Idle; };
    QTRY_VERIFY(std::ranges::any_of(other.view->layout().rows, isIdle));
    QVERIFY(idleRows().empty());
}

void TestIdleLanes::shortGapsAreLeftOut()
{
    std::vector<Span> spans;
    for (std::int64_t i = 0; i < 100; ++i) // 19 µs between most of them, 20 between the last ones.
        spans.push_back(
            spanOf(kFirst, "conv", Category::Kernel, i * 100'000, i * 100'000 + (i < 98 ? 81'000 : 80'000)));
    show(spans);
    QTRY_COMPARE(idleRows().size(), std::size_t(1));
    QCOMPARE(idleRows()[0].idle->gaps.size(), std::size_t(1));
    QCOMPARE(idleRows()[0].idle->ns, std::int64_t(20'000));
}

/// A GPU that only copies has something to do: what to change is the copy, not what the CPU did meanwhile.
void TestIdleLanes::aCopyIsNoGap()
{
    std::vector<Span> spans = tenFrames();
    spans.push_back(spanOf(kSecond, "copy HtoD", Category::Copy, 50 * kMs, 90 * kMs));
    show(spans);
    QTRY_COMPARE(idleRows().size(), std::size_t(2));
    QCOMPARE(idleRows()[1].idle->ns, 10 * kMs);
    QCOMPARE(idleRows()[1].idle->gaps.front().time, (Interval{90 * kMs, 100 * kMs}));
}

void TestIdleLanes::wideGapsHaveAText()
{
    show(tenFrames());
    QTRY_COMPARE(idleRows().size(), std::size_t(2));
    QCOMPARE(idleText(m_fixture->trace, idleRows()[0].idle->gaps[3]), QStringLiteral("6.0 ms: load"));
    view().show({30 * kMs, 40 * kMs});
    const QRect bar(gapAt(idleRows()[0], 30 * kMs) - QPoint(-4, 12), QSize(120, 24));
    const QImage with = m_fixture->picture().copy(bar);
    int letters = 0; // Pale, unlike everything else there.
    for (int x = 0; x < with.width(); ++x)
        for (int y = 0; y < with.height(); ++y)
            letters += with.pixelColor(x, y).saturation() < 60 && with.pixelColor(x, y).value() > 150 ? 1 : 0;
    QVERIFY2(letters > 40, qPrintable(QString::number(letters)));
}

void TestIdleLanes::anotherTraceHasItsOwn()
{
    show(tenFrames());
    QTRY_COMPARE(idleRows().size(), std::size_t(2));
    show({spanOf(kSecond, "other", Category::Kernel, 0, kMs),
          spanOf(kSecond, "other", Category::Kernel, 2 * kMs, 3 * kMs)});
    QTRY_COMPARE(idleRows().size(), std::size_t(1));
    QCOMPARE(idleRows()[0].idle->ns, kMs);
    QCOMPARE(idleRows()[0].lane, kSecond);
}

JETSCOPE_TEST(TestIdleLanes)
#include "tst_idlelanes.moc"
