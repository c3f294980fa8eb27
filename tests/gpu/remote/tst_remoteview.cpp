// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/tracefile/savetrace.h"
#include "core/tracefile/tracefile.h"
#include "gpu/remote/remoteview.h"
#include "gpu/remote/viewdesk.h"
#include "tests/support/largetrace.h"
#include "tests/support/samepicture.h"
#include "tests/support/scriptedboard.h"
#include "tests/support/testprogram.h"
#include "tests/support/viewlaptop.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <fstream>
#include <random>

using namespace jetscope;
using Board = jetscope::testing::ScriptedBoard;
using Laptop = jetscope::testing::ViewLaptop;

class TestRemoteView : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    std::string m_path;
    std::optional<Trace> m_local; ///< The same file, read here.

    std::string copy(const char *name) const
    {
        const std::string path = m_folder.filePath(QLatin1String(name)).toStdString();
        std::filesystem::copy_file(m_path, path);
        return path;
    }

private slots:
    void initTestCase()
    {
        QVERIFY(m_folder.isValid());
        m_path = m_folder.filePath(QStringLiteral("large.jscope")).toStdString();
        NoOpenProgress progress;
        QVERIFY(saveTrace(largeTrace(200'000), m_path, progress).ok());
        auto opened = readTraceFile(m_path, progress, Trace::kDefaultMaxSpans);
        QVERIFY(opened.ok());
        m_local = std::move(opened.value().trace);
    }

    void everyWindowIsWhatTheFileHas()
    {
        Board board;
        Laptop laptop(board, m_path);
        QVERIFY(laptop.waitForTrace());
        const Trace &trace = *laptop.trace;
        QCOMPARE(trace.spanCount(), m_local->spanCount());
        QCOMPARE(trace.oldestNs(), m_local->oldestNs());
        QCOMPARE(trace.newestNs(), m_local->newestNs());
        QCOMPARE(laptop.view->bytes(), std::filesystem::file_size(m_path));
        const auto isSameName = [&](TraceName here, TraceName there) {
            return m_local->names().text(here) == trace.names().text(there)
                && m_local->names().category(here) == trace.names().category(there);
        };
        std::mt19937_64 random(11);
        for (int i = 0; i < 60; ++i) {
            const double length = std::pow(10, -5.0 * static_cast<double>(random() % 100) / 100);
            const double from = static_cast<double>(random() % 110) / 100 - 0.05;
            const WindowWish wish = laptop.all(laptop.part(from, length, 1 + static_cast<int>(random() % 600)));
            QVERIFY(laptop.look(wish));
            const WindowPicture *shown = laptop.view->find(wish.window);
            QVERIFY(shown);
            QCOMPARE(testing::difference(windowPicture(*m_local, wish), *shown, isSameName), QString());
        }
        QVERIFY(laptop.view->memoryBytes() > 0);
    }

    void aViewTakesFarLessThanTheCapture()
    {
        Board board;
        Laptop laptop(board, m_path);
        QVERIFY(laptop.waitForTrace());
        const std::uint64_t before = laptop.host->state().bytesRead;
        QVERIFY(laptop.look(laptop.all(laptop.part(0, 1, 1920))));
        const std::uint64_t view = laptop.host->state().bytesRead - before;
        QVERIFY(view > 1000);
        QVERIFY2(view * 50 < std::filesystem::file_size(m_path), qPrintable(QString::number(view)));
    }

    /// What takes long comes when nothing else is asked for.
    void theLoadsOfTheWholeCome()
    {
        Board board;
        Laptop laptop(board, m_path);
        QVERIFY(laptop.waitForTrace());
        QVERIFY(!laptop.view->whole());
        const auto hasWhole = [&laptop] {
            laptop.view->takeInto(*laptop.trace);
            return laptop.view->whole() != nullptr;
        };
        QTRY_VERIFY_WITH_TIMEOUT(hasWhole(), 20'000);
        TraceOverview local;
        NoProgress progress;
        QVERIFY(local.extend(*m_local, m_local->newestNs(), progress));
        const Interval time{local.startNs(), local.startNs() + (local.endNs() - local.startNs()) / 7};
        QVERIFY(std::abs(laptop.view->whole()->loads.loadOf(time).gpu - local.loadOf(time).gpu) < 0.005);
    }

    void framesAndSpansInViewAreKnown()
    {
        Board board;
        Laptop laptop(board, m_path);
        QVERIFY(laptop.waitForTrace());
        QVERIFY(laptop.trace->frames().empty());
        const FrameFigures frame = m_local->frames().at(100);
        const WindowWish wish = laptop.all({frame.startNs, static_cast<double>(frame.periodNs()) / 600, 1200});
        QVERIFY(laptop.look(wish));
        const FrameTable &frames = laptop.trace->frames();
        const auto [first, last] = frames.range(frame.startNs, frame.startNs + 1);
        QCOMPARE(last - first, std::uint64_t{1});
        QCOMPARE(frames.at(first).frame, frame.frame);
        QCOMPARE(frames.at(first).overlap.gpuNs, frame.overlap.gpuNs);
        std::size_t spans = 0;
        for (std::uint32_t track = 0; track < laptop.trace->tracks().size(); ++track)
            for (const TraceBar &bar : laptop.view->find(wish.window)->tracks.at(track).bars) {
                const auto at = laptop.view->barAt(track, bar.span.startNs, 0);
                QVERIFY(at && at->index == bar.index);
                const auto next = laptop.view->barBeside(track, bar.span.startNs, 1);
                QVERIFY(!next || next->index == bar.index + 1);
                ++spans;
            }
        QVERIFY(spans > 10);
        // At another scale they are not in view any more.
        QVERIFY(laptop.look(laptop.all(laptop.part(0, 1, 100))));
        QVERIFY(laptop.trace->frames().empty());
    }

    void whatIsKnownAtOtherScalesIsShownMeanwhile()
    {
        Board board;
        Laptop laptop(board, m_path);
        QVERIFY(laptop.waitForTrace());
        QVERIFY(laptop.view->guess(laptop.part(0.2, 0.1, 300)).tracks.empty());
        QVERIFY(laptop.look(laptop.all(laptop.part(0, 1, 1000))));
        const WindowPicture guess = laptop.view->guess(laptop.part(0.2, 0.1, 300));
        QCOMPARE(guess.tracks.size(), laptop.trace->tracks().size());
        const auto isBusy = [](const TraceColumn &column) { return column.busyNs > 0; };
        QVERIFY(std::ranges::count_if(guess.tracks.at(0).columns, isBusy) > 200);
    }

    void aCutEndsNothing()
    {
        Board board;
        Laptop laptop(board, m_path);
        QVERIFY(laptop.waitForTrace());
        QVERIFY(laptop.look(laptop.all(laptop.part(0, 1, 300))));
        board.cut();
        QTRY_VERIFY(QString::fromStdString(laptop.view->trouble()).contains(QStringLiteral("not connected")));
        const WindowWish next = laptop.all(laptop.part(0.3, 0.2, 300));
        laptop.view->want({next}, {});
        QVERIFY(laptop.view->find(laptop.part(0, 1, 300)));
        QVERIFY(!laptop.view->isWhole());
        board.back();
        QVERIFY(QTest::qWaitFor(
            [&] {
                laptop.view->takeInto(*laptop.trace);
                return laptop.view->isWhole();
            },
            20'000));
        QVERIFY(laptop.view->trouble().empty());
    }

    void aChangedFileIsSaidAndStays()
    {
        Board board;
        const std::string path = copy("changes.jscope");
        Laptop laptop(board, path);
        QVERIFY(laptop.waitForTrace());
        QVERIFY(laptop.look(laptop.all(laptop.part(0, 1, 100))));
        int asks = 0;
        const auto isSaid = [&](const char *text) { // The board looks when it is asked, once a second.
            laptop.view->want({laptop.all(laptop.part(0, 1.0 / ++asks, 100))}, {});
            laptop.view->takeInto(*laptop.trace);
            return laptop.view->trouble().find(text) != std::string::npos;
        };
        std::ofstream(path, std::ios::app) << "more";
        QTRY_VERIFY(isSaid("changed on the board"));
        std::filesystem::remove(path);
        QTRY_VERIFY(isSaid("removed from the board"));
        QVERIFY(laptop.look(laptop.all(laptop.part(0, 0.3, 100)))); // It is still open there.
    }

    void otherFilesAreRefused()
    {
        Board board;
        const std::string text = m_folder.filePath(QStringLiteral("notes.txt")).toStdString();
        std::ofstream(text) << "no capture";
        for (const std::string &path : {text, m_folder.path().toStdString(), std::string("/dev/zero"),
                                        std::string("/proc/self/mem"), std::string("/nowhere/at.jscope")}) {
            Laptop laptop(board, path);
            QTRY_VERIFY_WITH_TIMEOUT(laptop.view->news().error.has_value(), 10'000);
            QVERIFY2(laptop.view->news().error->text.find(path) != std::string::npos,
                     laptop.view->news().error->text.c_str());
            QVERIFY(!laptop.view->takeTrace());
        }
    }

    /// A newer view does not wait for what an older one asked for.
    void fewAsksAreOnTheirWay()
    {
        Board board;
        Laptop laptop(board, m_path);
        QVERIFY(laptop.waitForTrace());
        std::atomic<int> asks{0};
        const auto view = std::make_shared<RemoteView>(RemoteView::Wish{
            1, m_path, "board",
            [&asks](const Message &message) { asks += message.kind == MessageKind::AskView ? 1 : 0; }, [] {}});
        ViewHead head{1, 1, {}, viewFacts(*m_local, {})};
        QVERIFY(view->take(head));
        std::vector<WindowWish> shown;
        for (int i = 0; i < 20; ++i)
            shown.push_back(laptop.all(laptop.part(i * 0.05, 0.05, 100)));
        view->want(shown, shown);
        QVERIFY(asks > 0 && asks <= 10);
        const int before = asks;
        for (WindowWish &wish : shown)
            ++wish.window.startNs;
        view->want(shown, {}); // Another view: what is on its way is not wanted any more, but on its way.
        QCOMPARE(asks.load(), before);
        ViewPart dropped;
        dropped.ask = 1;
        dropped.isDropped = true;
        QVERIFY(view->take(dropped));
        std::optional<Trace> trace = view->takeTrace();
        view->takeInto(*trace);
        QCOMPARE(asks.load(), before + 1);
    }

    void whatABoardMayNotSayIsRefused()
    {
        Board board;
        Laptop laptop(board, m_path);
        QVERIFY(laptop.waitForTrace());
        std::optional<AskView> asked;
        const auto view = std::make_shared<RemoteView>(RemoteView::Wish{1, m_path, "board",
                                                                        [&asked](const Message &message) {
                                                                            if (message.kind == MessageKind::AskView)
                                                                                asked = contentOf<AskView>(message);
                                                                        },
                                                                        [] {}});
        ViewHead wrong{1, 1, {}, viewFacts(*m_local, {})};
        wrong.facts->tracks.push_back({0, 0});
        QVERIFY(!view->take(wrong));
        ViewPart unasked;
        unasked.ask = 7;
        QVERIFY(!view->take(unasked));
        QVERIFY(view->take(ViewHead{1, 1, {}, viewFacts(*m_local, {})}));
        view->want({laptop.all(laptop.part(0, 1, 100))}, {});
        QVERIFY(asked.has_value());
        ViewPart part = ViewPart::of(windowPicture(*m_local, asked->wish));
        part.ask = asked->ask;
        QVERIFY(!view->take(part)); // Its names were not said.
        std::set<TraceName> names;
        WindowPicture picture = windowPicture(*m_local, asked->wish);
        eachName(picture, [&names](TraceName name) { names.insert(name); });
        for (const TraceName name : names)
            part.names.emplace_back(name, m_local->names().at(name));
        QVERIFY(view->take(part));
        QVERIFY(!view->take(part)); // Said twice.
    }

    /// What it has not answered yet when a newer view is asked for.
    void aBoardDropsWhatIsNotWantedAnyMore()
    {
        auto ends = testing::socketEnds().value();
        auto board = std::make_shared<Link>(std::move(ends.first));
        Link laptop(std::move(ends.second));
        std::mutex mutex;
        std::map<std::uint32_t, bool> answers;
        board->start([](const Message &) {}, [](const std::optional<Error> &) {});
        laptop.start(
            [&](const Message &message) {
                if (const auto part = contentOf<ViewPart>(message); message.kind == MessageKind::ViewPart && part) {
                    const std::lock_guard lock(mutex);
                    answers[part->ask] = part->isDropped;
                }
            },
            [](const std::optional<Error> &) {});
        ViewDesk desk;
        desk.open(1, board, {5, m_path});
        WindowWish wish;
        wish.window = {m_local->oldestNs(), 1e6, 100};
        for (std::uint32_t i = 1; i <= 8; ++i) // While it reads the file.
            QVERIFY(desk.ask(1, AskView{5, i, i == 8 ? 8U : 0U, wish}));
        const auto count = [&] {
            const std::lock_guard lock(mutex);
            return answers.size();
        };
        QTRY_COMPARE_WITH_TIMEOUT(count(), std::size_t{8}, 10'000);
        const std::lock_guard lock(mutex);
        for (const auto &[ask, isDropped] : answers)
            QCOMPARE(isDropped, ask != 8);
    }

    /// The laptop closes a view when it has opened the next.
    void anEarlierViewThatIsClosedLateClosesNothing()
    {
        auto ends = testing::socketEnds().value();
        auto board = std::make_shared<Link>(std::move(ends.first));
        Link laptop(std::move(ends.second));
        std::atomic<int> heads{0};
        std::atomic<int> parts{0};
        board->start([](const Message &) {}, [](const std::optional<Error> &) {});
        laptop.start(
            [&](const Message &message) {
                if (const auto head = contentOf<ViewHead>(message); message.kind == MessageKind::ViewHead && head)
                    heads += head->facts && head->id == 6 ? 1 : 0;
                parts += message.kind == MessageKind::ViewPart ? 1 : 0;
            },
            [](const std::optional<Error> &) {});
        ViewDesk desk;
        desk.open(1, board, {5, m_path});
        desk.open(1, board, {6, m_path});
        desk.open(1, board, {5, {}});
        QTRY_COMPARE_WITH_TIMEOUT(heads.load(), 1, 20'000);
        desk.open(1, board, {5, {}});
        WindowWish wish;
        wish.window = {m_local->oldestNs(), 1e6, 100};
        QVERIFY(desk.ask(1, AskView{6, 1, 0, wish}));
        QTRY_COMPARE(parts.load(), 1);
    }

    /// Only a few windows wait for an answer at the board, whatever a laptop sends.
    void aLaptopThatAsksTooMuchIsRefused()
    {
        ViewDesk desk;
        QVERIFY(desk.ask(1, AskView()));
        desk.open(1, {}, {5, m_path});
        WindowWish wish;
        wish.window = {0, 1e6, 100};
        bool isRefused = false;
        for (std::uint32_t i = 1; i < 100 && !isRefused; ++i)
            isRefused = !desk.ask(1, AskView{5, i, 0, wish});
        QVERIFY(isRefused);
        ViewDesk other;
        other.open(1, {}, {5, m_path});
        for (std::uint32_t i = 1; i < 100; ++i)
            QVERIFY(other.ask(1, AskView{5, i, i, wish})); // Each drops the ones before.
        wish.window.count = -1;
        QVERIFY(!other.ask(1, AskView{5, 100, 100, wish}));
    }
};

JETSCOPE_TEST(TestRemoteView)
#include "tst_remoteview.moc"
