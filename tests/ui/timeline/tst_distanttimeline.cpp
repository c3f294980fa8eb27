// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/board/boardlayout.h"
#include "gpu/remote/remoteview.h"
#include "tests/support/largetrace.h"
#include "tests/support/testprogram.h"
#include "ui/session/figureswork.h"
#include "ui/session/traceselection.h"
#include "ui/style/theme.h"
#include "ui/timeline/limitbands.h"
#include "ui/timeline/timelineview.h"

#include <QApplication>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <deque>
#include <set>

using namespace jetscope;

namespace {

/// A board without a link: what is asked of it is answered when the test wants.
class Board {
public:
    explicit Board(const Trace &trace)
        : m_trace(trace),
          m_view(std::make_shared<RemoteView>(RemoteView::Wish{1, "large.jscope", "orin-lab-3",
                                                               [this](const Message &message) {
                                                                   if (message.kind == MessageKind::AskView)
                                                                       m_asks.push_back(*contentOf<AskView>(message));
                                                                   else if (message.kind == MessageKind::AskFigures)
                                                                       figures = contentOf<AskFigures>(message);
                                                               },
                                                               [] {}}))
    {
        m_view->take(ViewHead{1, 1, {}, viewFacts(m_trace, {})});
        laptop = m_view->takeTrace();
    }
    RemoteView &view() { return *m_view; }
    /// False: nothing is asked.
    bool answerOne()
    {
        if (m_asks.empty())
            return false;
        const AskView ask = m_asks.front();
        m_asks.pop_front();
        WindowPicture picture = windowPicture(m_trace, ask.wish);
        ViewPart part = ViewPart::of(picture);
        part.ask = ask.ask;
        eachName(picture, [&](TraceName name) {
            if (m_said.insert(name).second)
                part.names.emplace_back(name, m_trace.names().at(name));
        });
        return m_view->take(part);
    }

    std::optional<Trace> laptop;
    std::optional<AskFigures> figures; ///< What was asked for last.

private:
    const Trace &m_trace;
    std::deque<AskView> m_asks;
    std::set<TraceName> m_said;
    std::shared_ptr<RemoteView> m_view;
};

struct Shown {
    explicit Shown(const Trace &trace) : selection(trace), timeline(trace, selection)
    {
        timeline.resize(900, 800);
        timeline.QWidget::show();
        timeline.setAnimated(false);
        timeline.restart(false);
    }
    QImage picture()
    {
        QImage image(timeline.viewport()->size(), QImage::Format_RGB32);
        timeline.viewport()->render(&image, {}, {}, QWidget::DrawWindowBackground);
        return image;
    }
    TraceSelection selection;
    TimelineView timeline;
};

/// What part of the pixels differs by more than a rounding.
double differing(const QImage &a, const QImage &b)
{
    constexpr int kRounding = 2;
    int differ = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x) {
            const QRgb p = a.pixel(x, y);
            const QRgb q = b.pixel(x, y);
            if (std::abs(qRed(p) - qRed(q)) > kRounding || std::abs(qGreen(p) - qGreen(q)) > kRounding
                || std::abs(qBlue(p) - qBlue(q)) > kRounding)
                ++differ;
        }
    return differ / static_cast<double>(a.width() * a.height());
}

} // namespace

class TestDistantTimeline : public QObject {
    Q_OBJECT
    const Trace m_trace = largeTrace(60'000);

    void untilWhole(Board &board, Shown &shown)
    {
        for (int i = 0; i < 200; ++i) {
            shown.picture();
            if (!board.answerOne())
                break;
            board.view().takeInto(*board.laptop);
            shown.timeline.refresh();
        }
        QVERIFY(board.view().isWhole());
    }

private slots:
    void itLooksAsTheWholeTraceDoes()
    {
        for (const Theme *theme : {&darkTheme(), &lightTheme()}) {
            applyTheme(*qApp, *theme);
            Board board(m_trace);
            QVERIFY(board.laptop.has_value());
            Shown local(m_trace);
            Shown distant(*board.laptop);
            const std::int64_t length = m_trace.newestNs() - m_trace.oldestNs();
            for (const double part : {1.0, 0.2, 0.01, 0.002}) {
                const std::int64_t from = m_trace.oldestNs() + length / 3;
                const Interval time{from, from + static_cast<std::int64_t>(part * static_cast<double>(length))};
                for (Shown *shown : {&local, &distant})
                    part == 1 ? shown->timeline.fitAll() : shown->timeline.show(time);
                const double before = differing(local.picture(), distant.picture());
                untilWhole(board, distant);
                const double after = differing(local.picture(), distant.picture());
                QVERIFY2(after < 0.002, qPrintable(QStringLiteral("%1 at %2").arg(after).arg(part)));
                QVERIFY2(before > 10 * after && before > 0.02, qPrintable(QString::number(before)));
                for (Shown *shown : {&local, &distant})
                    shown->timeline.camera().panBy(-300);
                local.picture();
                untilWhole(board, distant);
                QVERIFY(differing(local.picture(), distant.picture()) < 0.002);
            }
        }
    }

    /// Whoever leaves a panel wants no figures any more: the board need not go on with them.
    void figuresThatNobodyWantsEndOnTheBoard()
    {
        Board board(m_trace);
        int told = 0;
        FiguresWork work;
        connect(&work, &FiguresWork::progressed, this, [&told] { ++told; });
        FigureWish wish;
        wish.kind = FigureWish::Kind::Where;
        wish.time = {m_trace.oldestNs(), m_trace.newestNs()};
        work.ask(board.view(), FigureSeat::Panel, wish, [&told](const FigureAnswer &) { told += 100; });
        QVERIFY(board.figures && board.figures->wish == wish);
        const auto progress = [&board](double fraction) {
            board.view().take(ViewFigures{1, board.figures->ask, FigureSeat::Panel, fraction, {}, {}});
            board.view().takeInto(*board.laptop);
        };
        progress(0.2);
        QCOMPARE(told, 1);
        QVERIFY(work.isRunning());
        work.cancel();
        progress(0.4);
        QCOMPARE(told, 1);
        QCOMPARE(board.figures->wish.kind, FigureWish::Kind::Nothing);
        board.view().take(ViewFigures{1, board.figures->ask, FigureSeat::Panel, 1, {}, FigureAnswer()});
        board.view().takeInto(*board.laptop);
        QCOMPARE(told, 1);
    }

    /// Of a running pipeline: spans that have not come are hatched, and when they come they are where they belong.
    void lateSpansFillTheirHole()
    {
        const Trace &whole = m_trace;
        Trace trace;
        trace.setLanes(whole.lanes());
        const Interval hole{whole.oldestNs() + 100'000'000, whole.oldestNs() + 250'000'000};
        std::vector<Span> late;
        std::vector<SpanName> names;
        for (TraceName name = 0; name < whole.names().size(); ++name)
            names.push_back(whole.names().at(name));
        trace.names().addProcessNames(0, names);
        std::vector<Span> live;
        for (const SpanTrack &track : whole.tracks())
            for (std::uint64_t i = track.firstIndex(); i < track.endIndex(); ++i) {
                const TraceSpan span = track.at(i);
                const bool isLate = span.startNs >= hole.startNs && span.startNs < hole.endNs;
                (isLate ? late : live)
                    .push_back({span.startNs, span.durationNs, span.frame, static_cast<std::uint32_t>(span.bytes),
                                static_cast<NameId>(span.name), track.lane(), track.depth()});
            }
        trace.add(live);
        CoarseStore store;
        Shown all(trace);
        all.timeline.setCoarse(store);
        const Interval view{hole.startNs - 100'000'000, hole.endNs + 100'000'000};
        all.timeline.show(view);
        const QImage empty = all.picture();
        trace.setMissing({hole});
        all.timeline.refresh();
        const QImage hatched = all.picture();
        QVERIFY(differing(empty, hatched) > 0.01);
        QVERIFY(!late.empty());
        // Columns of a scale of their own show where the spans are, although the trace has not changed.
        constexpr double kNsPerColumn = 1 << 18;
        const auto columns = static_cast<int>(static_cast<double>(hole.endNs - hole.startNs) / kNsPerColumn) + 1;
        QVERIFY(store.add(coarseSpans(late, {hole.startNs, kNsPerColumn, columns}), trace));
        all.timeline.refresh();
        const QImage coarse = all.picture();
        QVERIFY(differing(hatched, coarse) > 0.01);
        trace.insert(late);
        trace.setMissing({});
        store.keepWithin({});
        all.timeline.refresh();
        const QImage filled = all.picture();
        QVERIFY(differing(coarse, filled) > 0.01); // They stay hatched.
        QVERIFY(differing(hatched, filled) > 0.01);
        Trace other;
        other.setLanes(whole.lanes());
        other.names().addProcessNames(0, names);
        live.insert(live.end(), late.begin(), late.end());
        std::ranges::stable_sort(live, {}, &Span::startNs);
        other.add(live);
        Shown expected(other);
        expected.timeline.show(view);
        QVERIFY(differing(filled, expected.picture()) < 0.0005);
    }

    void aNeighbourIsThereBeforeItIsSeen()
    {
        Board board(m_trace);
        Shown shown(*board.laptop);
        shown.timeline.show({m_trace.oldestNs(), m_trace.oldestNs() + (m_trace.newestNs() - m_trace.oldestNs()) / 20});
        untilWhole(board, shown);
        shown.timeline.camera().panBy(-shown.timeline.viewport()->width() / 2);
        shown.picture(); // It asks for what it shows.
        QVERIFY(board.view().isWhole());
    }

    /// Throttled clocks are shaded over all rows.
    void limitsAndCountersAreKnown()
    {
        Trace limited(Trace::kDefaultMaxSpans);
        limited.setLanes({{0, LaneRole::Pipeline, "Pipeline", ""}});
        limited.setCounters(
            {{0, "GPU load", "%", std::nullopt}, {1, std::string(kThrottlingCounter), "", std::nullopt}});
        const TraceName name = limited.names().intern("work", Category::Kernel);
        for (std::int64_t i = 0; i < 100; ++i) {
            limited.add(0, 0, TraceSpan{i * 1'000'000, 700'000, 0, kNoFrame, name});
            const std::array samples = {CounterSample{i * 1'000'000, static_cast<double>(i), 0},
                                        CounterSample{i * 1'000'000, i >= 40 && i < 60 ? 1.0 : 0.0, 1}};
            limited.add(samples);
        }
        Board board(limited);
        Shown shown(*board.laptop);
        untilWhole(board, shown);
        const TimeScale scale = shown.timeline.scale();
        const ColumnWindow window{scale.startNs, scale.nsPerPixel, 600};
        const std::vector<LimitBand> here = limitBands(limited, window);
        const std::vector<LimitBand> there = limitBands(*board.laptop, window);
        QCOMPARE(here.size(), std::size_t{1});
        QCOMPARE(there.size(), std::size_t{1});
        QVERIFY(std::abs(here[0].first - there[0].first) <= 1 && std::abs(here[0].end - there[0].end) <= 1);
        QVERIFY(!limitsAt(*board.laptop, 50'000'000).isEmpty());
        QVERIFY(limitsAt(*board.laptop, 20'000'000).isEmpty());
        const auto load = board.view().counterAt(0, 30'000'000);
        QVERIFY(load && std::abs(load->high - 30) < 1.5);
        QVERIFY(!board.view().counterAt(0, -1'000'000'000));
    }

    void spansAreHoveredSelectedAndStepped()
    {
        Board board(m_trace);
        Shown shown(*board.laptop);
        const FrameFigures frame = m_trace.frames().at(50);
        shown.timeline.show({frame.startNs, frame.startNs + frame.periodNs()});
        untilWhole(board, shown);
        const TimelineRow *row = nullptr;
        std::optional<SpanPlace> span;
        for (const TimelineRow &each : shown.timeline.layout().rows)
            for (int x = 0; x < 700 && !span && each.kind == TimelineRow::Kind::Lane; ++x)
                if (auto found = spanNear(*board.laptop, each.tracks.front(), shown.timeline.scale(), x)) {
                    span = found;
                    row = &each;
                }
        QVERIFY(span.has_value() && row);
        const TraceSpan real = m_trace.tracks()[span->track].at(span->bar.index);
        QCOMPARE(real.startNs, span->bar.span.startNs);
        QCOMPARE(real.durationNs, span->bar.span.durationNs);
        QCOMPARE(board.laptop->names().text(span->bar.span.name), m_trace.names().text(real.name));
        shown.selection.selectSpan(*span);
        QVERIFY(shown.selection.frame() && shown.selection.frame()->key == real.frame);
        FrameNotes notes;
        FrameNotes localNotes;
        const auto index = board.laptop->frames().find(frame.frame);
        QVERIFY(index.has_value());
        QCOMPARE(notes.of(*board.laptop, *index).text, localNotes.of(m_trace, 50).text);
        const Interval there = notes.of(*board.laptop, *index).place;
        QVERIFY(there.endNs - there.startNs > 0);
        QTest::keyClick(&shown.timeline, Qt::Key_Right);
        QTest::keyClick(&shown.timeline, Qt::Key_Left);
        QTest::keyClick(&shown.timeline, Qt::Key_Down);
        QTest::keyClick(&shown.timeline, Qt::Key_Up);
        QTest::keyClick(&shown.timeline, Qt::Key_BracketRight);
        shown.timeline.stepLonger(1);
        untilWhole(board, shown);
        QVERIFY(shown.selection.frame().has_value());
    }
};

JETSCOPE_TEST(TestDistantTimeline)
#include "tst_distanttimeline.moc"
