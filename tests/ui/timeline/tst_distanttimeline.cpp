// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/remoteview.h"
#include "tests/support/largetrace.h"
#include "tests/support/testprogram.h"
#include "ui/session/traceselection.h"
#include "ui/style/theme.h"
#include "ui/timeline/timelineview.h"

#include <QApplication>
#include <QTest>

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
