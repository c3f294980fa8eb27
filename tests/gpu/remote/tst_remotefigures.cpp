// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/path/figurereader.h"
#include "core/path/spansteps.h"
#include "core/tracefile/savetrace.h"
#include "core/tracefile/tracefile.h"
#include "gpu/remote/viewdesk.h"
#include "tests/support/largetrace.h"
#include "tests/support/testprogram.h"
#include "tests/support/viewlaptop.h"

#include <QTemporaryDir>
#include <QTest>

#include <limits>

using namespace jetscope;
using Board = jetscope::testing::ScriptedBoard;
using Laptop = jetscope::testing::ViewLaptop;

namespace {

constexpr std::uint64_t kSpans = 200'000;

QString nameIn(const Trace &trace, TraceName name)
{
    return QString::fromStdString(trace.names().text(name)) + u'/'
        + QString::number(static_cast<int>(trace.names().category(name)));
}

/// Each value of a table as text, with its names.
QStringList rowsOf(const TopTable &top, const Trace &trace)
{
    QStringList rows{
        QStringLiteral("%1 %2 %3 %4").arg(top.ownNs).arg(top.lanes).arg(top.axisFromNs).arg(top.axisRatio)};
    for (const TopRow &row : top.rows) {
        QString text = nameIn(trace, row.name);
        for (const std::int64_t value : {static_cast<std::int64_t>(row.count), row.ownNs, row.wholeNs, row.meanNs,
                                         row.p50Ns, row.p95Ns, row.p99Ns, row.maxNs})
            text += u' ' + QString::number(value);
        for (const std::uint32_t bin : row.histogram)
            text += u' ' + QString::number(bin);
        rows << text;
    }
    return rows;
}

QStringList rowsOf(const FlameTree &tree, const Trace &trace)
{
    QStringList rows;
    for (std::uint32_t i = 0; i < tree.nodes().size(); ++i) {
        const FlameNode &node = tree.nodes()[i];
        rows << QStringLiteral("%1 below %2: %3 %4 %5, %6 at %7")
                    .arg(QString::fromStdString(tree.textOf(i, trace)))
                    .arg(node.parent)
                    .arg(node.count)
                    .arg(node.totalNs)
                    .arg(node.ownNs)
                    .arg(node.children)
                    .arg(node.firstChild);
    }
    return rows;
}

QStringList rowsOf(const WhereTimes &where, const Trace &trace)
{
    QStringList rows{QStringLiteral("%1 %2 %3 %4")
                         .arg(where.path.frames)
                         .arg(where.path.tooLarge)
                         .arg(where.path.unknownNs)
                         .arg(where.path.time.startNs)};
    for (const PathTime &part : where.path.parts)
        rows << QStringLiteral("%1 %2 on %3: %4 %5 from %6")
                    .arg(static_cast<int>(part.like.cause))
                    .arg(part.like.name == kNoPathName ? QString() : nameIn(trace, part.like.name))
                    .arg(part.like.lane)
                    .arg(part.ns)
                    .arg(part.pieces)
                    .arg(part.longest.startNs);
    for (const GpuTimes &gpu : where.gpus) {
        rows << QStringLiteral("gpu %1 %2 %3").arg(gpu.kernelNs).arg(gpu.copyNs).arg(gpu.boundedNs);
        for (const GpuIdleCause &cause : gpu.idle)
            rows << QStringLiteral("idle %1 %2 %3 %4 from %5")
                        .arg(static_cast<int>(cause.kind))
                        .arg(cause.kind == GpuIdleCause::Kind::During ? nameIn(trace, cause.name) : QString())
                        .arg(cause.ns)
                        .arg(cause.gaps)
                        .arg(cause.longest.startNs);
    }
    for (const ThreadTimes &thread : where.threads) {
        rows << QStringLiteral("thread %1 %2 %3").arg(thread.lane).arg(thread.unrecordedNs).arg(thread.framesNs);
        for (const ThreadTimes::State &state : thread.states)
            rows << QStringLiteral("%1 %2").arg(QString::fromStdString(state.what)).arg(state.ns);
    }
    return rows;
}

QStringList rowsOf(const RangeFigures &figures, const std::vector<NameFigures> &names, const Trace &trace)
{
    QStringList rows{QStringLiteral("%1 %2 %3 %4 %5 %6 %7")
                         .arg(figures.spans)
                         .arg(figures.frames)
                         .arg(figures.overlap.cpuNs)
                         .arg(figures.overlap.gpuNs)
                         .arg(figures.overlap.bothNs)
                         .arg(figures.waitSyncNs)
                         .arg(figures.bytesCopied),
                     QString::fromStdString(figures.headroom.limit() + figures.headroom.reason())};
    for (const NameFigures &name : names) {
        QString text = nameIn(trace, name.name);
        for (const std::int64_t value : {static_cast<std::int64_t>(name.count), name.totalNs, name.minNs, name.medianNs,
                                         name.p95Ns, name.p99Ns, name.maxNs})
            text += u' ' + QString::number(value);
        rows << text;
    }
    return rows;
}

bool isSame(const std::optional<SpanPlace> &a, const std::optional<SpanPlace> &b)
{
    return a.has_value() == b.has_value()
        && (!a
            || (a->track == b->track && a->bar.index == b->bar.index && a->bar.span.startNs == b->bar.span.startNs
                && a->bar.span.durationNs == b->bar.span.durationNs));
}

} // namespace

/// Figures of a capture that stays on its board are those of the same file read here.
class TestRemoteFigures : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    std::string m_path;
    std::optional<Trace> m_local;

    /// The whole, a range, a frame, and a time with nothing.
    std::vector<Interval> times() const
    {
        const std::int64_t from = m_local->oldestNs();
        const std::int64_t length = m_local->newestNs() - from;
        const FrameFigures frame = m_local->frames().at(100);
        return {{from, m_local->newestNs()},
                {from + length / 3, from + length / 2},
                {frame.startNs, frame.startNs + frame.periodNs()},
                {from - 1000, from - 1}};
    }
    static FigureWish wishFor(FigureWish::Kind kind, Interval time = {})
    {
        FigureWish wish;
        wish.kind = kind;
        wish.time = time;
        return wish;
    }
    FigureWish wishOf(FigureWish::Kind kind, const SpanPlace &span, int direction) const
    {
        FigureWish wish = wishFor(kind);
        wish.track = static_cast<std::uint32_t>(span.track);
        wish.index = span.bar.index;
        wish.hasSpan = true;
        wish.direction = static_cast<std::int8_t>(direction);
        return wish;
    }

private slots:
    void initTestCase()
    {
        QVERIFY(m_folder.isValid());
        m_path = m_folder.filePath(QStringLiteral("large.jscope")).toStdString();
        NoOpenProgress progress;
        QVERIFY(saveTrace(largeTrace(kSpans), m_path, progress).ok());
        auto opened = readTraceFile(m_path, progress, Trace::kDefaultMaxSpans);
        QVERIFY(opened.ok());
        m_local = std::move(opened.value().trace);
    }

    void eachRowOfTheTablesIsTheSame()
    {
        Board board;
        Laptop laptop(board, m_path);
        QVERIFY(laptop.waitForTrace());
        NoProgress progress;
        for (const Interval time : times()) {
            const auto top = laptop.ask(FigureSeat::Panel, wishFor(FigureWish::Kind::Top, time));
            QVERIFY(top && top->top);
            QCOMPARE(rowsOf(*top->top, *laptop.trace), rowsOf(*topTable(*m_local, time, progress), *m_local));
            for (const FlameLanes lanes : {FlameLanes::Cpu, FlameLanes::Gpu}) {
                FigureWish wish = wishFor(FigureWish::Kind::Flame, time);
                wish.lanes = lanes;
                const auto flame = laptop.ask(FigureSeat::Panel, wish);
                QVERIFY(flame && flame->flame && flame->flameReversed);
                const FlameTree local = *flameTree(*m_local, time, lanes, progress);
                QCOMPARE(rowsOf(*flame->flame, *laptop.trace), rowsOf(local, *m_local));
                QCOMPARE(rowsOf(*flame->flameReversed, *laptop.trace), rowsOf(local.reversed(), *m_local));
            }
            const auto where = laptop.ask(FigureSeat::Panel, wishFor(FigureWish::Kind::Where, time));
            QVERIFY(where && where->where);
            const Interval part = followedPartOf(*m_local, time);
            const auto local = whereTimes(*m_local->snapshot(edgesOfPaths(*m_local, part)), time, part, progress);
            QCOMPARE(rowsOf(*where->where, *laptop.trace), rowsOf(*local, *m_local));
        }
        // The rows of the whole are many, so that this test compares something.
        QVERIFY(topTable(*m_local, times().front(), progress)->rows.size() > 10);
    }

    void theDetailsAreTheSame()
    {
        Board board;
        Laptop laptop(board, m_path);
        QVERIFY(laptop.waitForTrace());
        for (const Interval time : times()) {
            const auto answer = laptop.ask(FigureSeat::Details, wishFor(FigureWish::Kind::Details, time));
            QVERIFY(answer && answer->details);
            RangeStatistics local(*m_local, time);
            while (!local.advance(10'000)) {}
            QCOMPARE(rowsOf(answer->details->figures, answer->details->names, *laptop.trace),
                     rowsOf(local.figures(), local.names(), *m_local));
            for (std::size_t i = 0; i < local.names().size(); ++i) {
                const DurationHistogram histogram = local.histogram(local.names()[i].name, RangeReport::kBins);
                QCOMPARE(answer->details->histograms[i].fromNs, histogram.fromNs);
                QCOMPARE(answer->details->histograms[i].bins, histogram.bins);
            }
        }
    }

    void stepsAndSearchesLeadToTheSameSpans()
    {
        Board board;
        Laptop laptop(board, m_path);
        QVERIFY(laptop.waitForTrace());
        NoProgress progress;
        const Interval time = times()[1];
        const TopTable table = *topTable(*m_local, time, progress);
        FigureWish step = wishFor(FigureWish::Kind::StepOfRow, time);
        std::optional<SpanPlace> at;
        for (const int direction : {1, 1, -1, -1, -1, 1}) {
            step.row = 3;
            step.fromNs = at ? std::optional(at->bar.span.startNs) : std::nullopt;
            step.direction = static_cast<std::int8_t>(direction);
            const auto answer = laptop.ask(FigureSeat::Step, step);
            at = stepOfRow(*m_local, table, step.row, step.fromNs, direction);
            QVERIFY(answer && at && isSame(answer->span, at));
        }
        for (const int direction : {1, -1}) {
            const auto longer = laptop.ask(FigureSeat::Step, wishOf(FigureWish::Kind::Longer, *at, direction));
            QVERIFY(longer && isSame(longer->span, longerSpan(*m_local, *at, direction)));
            const auto beside = laptop.ask(FigureSeat::Step, wishOf(FigureWish::Kind::Beside, *at, direction));
            QVERIFY(beside && isSame(beside->span, spanBeside(*m_local, *at, direction)));
        }
        NameSearch search(*m_local);
        const std::string text = m_local->names().text(at->bar.span.name).substr(0, 3);
        search.setText(text);
        while (!search.advance(10'000)) {}
        QVERIFY(search.count() > 100);
        FigureWish wish = wishFor(FigureWish::Kind::Search);
        wish.text = text;
        wish.fromNs = time.startNs;
        std::optional<SpanPlace> local = search.next(time.startNs, 1);
        for (int i = 0; i < 5; ++i) {
            wish.wantsList = i == 4;
            const auto found = laptop.ask(FigureSeat::Search, wish);
            QVERIFY(found && found->search && isSame(found->span, local));
            QCOMPARE(found->search->count, search.count());
            QCOMPARE(found->search->position, search.positionOf(*local));
            QCOMPARE(found->search->totalNs, search.durations().totalNs());
            QCOMPARE(found->search->p99Ns, search.durations().quantileNs(0.99));
            QCOMPARE(found->search->longest.size(), wish.wantsList ? search.longest().size() : std::size_t{0});
            wish = wishOf(FigureWish::Kind::Search, *local, 1);
            wish.text = text;
            local = search.nextOrFirst(*local, 1);
        }
    }

    void whatWaitedForWhatIsTheSame()
    {
        Board board;
        Laptop laptop(board, m_path);
        QVERIFY(laptop.waitForTrace());
        int waits = 0;
        for (std::size_t track = 0; track < m_local->tracks().size() && waits < 5; ++track) {
            const SpanTrack &spans = m_local->tracks()[track];
            for (std::uint64_t i = spans.firstIndex(); i < spans.endIndex() && waits < 5; ++i) {
                const SpanPlace wait{track, {i, spans.at(i)}};
                if (!isWait(m_local->names().category(wait.bar.span.name)))
                    continue;
                ++waits;
                const auto answer = laptop.ask(FigureSeat::Cause, wishOf(FigureWish::Kind::Cause, wait, 1));
                QVERIFY(answer && isSame(answer->span, waitedFor(*m_local, wait)));
            }
        }
        QVERIFY(waits > 0);
    }

    /// Also while the board reads the whole of it.
    void aNewerWishEndsAnOlderOneAndACutNone()
    {
        Board board;
        Laptop laptop(board, m_path);
        QVERIFY(laptop.waitForTrace());
        int older = 0;
        for (int i = 0; i < 20; ++i)
            laptop.view->ask(FigureSeat::Panel, wishFor(FigureWish::Kind::Where, times().front()),
                             [&older](double, const FigureAnswer *answer) { older += answer ? 1 : 0; });
        const auto newest = laptop.ask(FigureSeat::Panel, wishFor(FigureWish::Kind::Top, times()[1]));
        QVERIFY(newest && newest->top);
        QCOMPARE(older, 0);
        board.cut();
        QTRY_VERIFY(!laptop.view->trouble().empty());
        std::optional<TopTable> top;
        laptop.view->ask(FigureSeat::Panel, wishFor(FigureWish::Kind::Top, times().front()),
                         [&top](double, const FigureAnswer *answer) {
                             if (answer)
                                 top = answer->top;
                         });
        board.back();
        const auto hasCome = [&] {
            laptop.view->takeInto(*laptop.trace);
            return top.has_value();
        };
        QTRY_VERIFY_WITH_TIMEOUT(hasCome(), 20'000);
        NoProgress progress;
        QCOMPARE(rowsOf(*top, *laptop.trace), rowsOf(*topTable(*m_local, times().front(), progress), *m_local));
    }

    /// A window that is looked at is answered while figures of the whole are computed.
    void windowsGoBeforeFigures()
    {
        auto ends = testing::socketEnds().value();
        auto board = std::make_shared<Link>(std::move(ends.first));
        Link laptop(std::move(ends.second));
        std::mutex mutex;
        std::vector<MessageKind> answers;
        board->start([](const Message &) {}, [](const std::optional<Error> &) {});
        laptop.start(
            [&](const Message &message) {
                const std::lock_guard lock(mutex);
                const auto figures =
                    message.kind == MessageKind::ViewFigures ? contentOf<ViewFigures>(message) : std::nullopt;
                if (message.kind == MessageKind::ViewPart || (figures && figures->answer))
                    answers.push_back(message.kind);
            },
            [](const std::optional<Error> &) {});
        ViewDesk desk;
        desk.open(1, board, {5, m_path});
        AskFigures ask{5, 1, FigureSeat::Panel, wishFor(FigureWish::Kind::Where, times().front())};
        QVERIFY(desk.ask(1, ask));
        WindowWish wish;
        wish.window = {m_local->oldestNs(), 1e6, 100};
        for (std::uint32_t i = 1; i <= 8; ++i)
            QVERIFY(desk.ask(1, AskView{5, i, 0, wish}));
        const auto count = [&] {
            const std::lock_guard lock(mutex);
            return answers.size();
        };
        QTRY_COMPARE_WITH_TIMEOUT(count(), std::size_t{9}, 20'000);
        QCOMPARE(answers.back(), MessageKind::ViewFigures);
    }

    void whatALaptopMayNotAskIsRefused()
    {
        ViewDesk desk;
        desk.open(1, {}, {5, m_path});
        AskFigures ask{5, 1, FigureSeat::Panel, wishFor(FigureWish::Kind::Top, times().front())};
        QVERIFY(desk.ask(1, ask));
        const auto isRefused = [&](auto change) {
            AskFigures changed = ask;
            change(changed.wish);
            return !desk.ask(1, changed);
        };
        constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
        QVERIFY(isRefused([](FigureWish &wish) { wish.time = {0, kMost}; }));
        QVERIFY(isRefused([](FigureWish &wish) { wish.time = {1, 0}; }));
        QVERIFY(isRefused([](FigureWish &wish) { wish.fromNs = -kMost; }));
        QVERIFY(isRefused([](FigureWish &wish) { wish.text = std::string(kMostSearchBytes + 1, 'a'); }));
        QVERIFY(isRefused([](FigureWish &wish) { wish.direction = 2; }));
        // A span that is not there finds nothing.
        NoProgress progress;
        FigureReader reader(*m_local);
        for (const std::uint32_t track : {0U, 0xffffffffU})
            for (const std::uint64_t index : {std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
                const SpanPlace nowhere{track, {index, {}}};
                for (const auto kind : {FigureWish::Kind::Longer, FigureWish::Kind::Beside, FigureWish::Kind::Cause})
                    QVERIFY(!reader.read(wishOf(kind, nowhere, 1), progress)->span);
            }
    }

    void whatABoardMayNotSayIsRefused()
    {
        NoProgress progress;
        const auto wish = wishFor(FigureWish::Kind::Top, times().front());
        FigureAnswer whole = *FigureReader(*m_local).read(wish, progress);
        ViewFigures said{1, 1, FigureSeat::Panel, 1, {}, whole};
        std::set<TraceName> names;
        eachName(whole, [&names](TraceName name) { names.insert(name); });
        for (const TraceName name : names)
            said.names.emplace_back(name, m_local->names().at(name));
        const auto isTaken = [&](auto change) {
            const auto view =
                std::make_shared<RemoteView>(RemoteView::Wish{1, m_path, "board", [](const Message &) {}, [] {}});
            view->take(ViewHead{1, 1, {}, viewFacts(*m_local, {})});
            view->ask(FigureSeat::Panel, wish, [](double, const FigureAnswer *) {});
            ViewFigures changed = said;
            change(changed);
            return view->take(std::move(changed));
        };
        QVERIFY(isTaken([](ViewFigures &) {}));
        QVERIFY(!isTaken([](ViewFigures &figures) { figures.names.clear(); }));
        QVERIFY(!isTaken([](ViewFigures &figures) { figures.ask = 2; }));
        QVERIFY(!isTaken([](ViewFigures &figures) { figures.seat = FigureSeat::Search; }));
        QVERIFY(!isTaken([](ViewFigures &figures) { figures.answer->top.reset(); }));
        QVERIFY(!isTaken([](ViewFigures &figures) { figures.answer->search.emplace(); }));
        QVERIFY(!isTaken([](ViewFigures &figures) { figures.answer->top->rows[0].ownNs = -1; }));
        QVERIFY(!isTaken([](ViewFigures &figures) {
            for (TopRow &row : figures.answer->top->rows)
                row.ownNs = std::numeric_limits<std::int64_t>::max() / 2;
        }));
        QVERIFY(!isTaken([](ViewFigures &figures) { figures.answer->top->axisRatio = 1e300; }));
        QVERIFY(!isTaken([](ViewFigures &figures) { figures.answer->top->rows.resize(kMostTopRows + 1); }));
        // A flame that is no tree is not even read.
        std::vector<FlameNode> nodes(3);
        nodes[1].kind = nodes[2].kind = FlameNode::Kind::Name;
        nodes[2].name = 1;
        QVERIFY(FlameTree::of({}, nodes));
        nodes[1].parent = 2;
        QVERIFY(!FlameTree::of({}, nodes));
        nodes[1].parent = 0;
        nodes[1].totalNs = nodes[2].totalNs = std::numeric_limits<std::int64_t>::max() / 2 + 1;
        QVERIFY(!FlameTree::of({}, nodes));
    }
};

JETSCOPE_TEST(TestRemoteFigures)
#include "tst_remotefigures.moc"
