// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/figures/tracecost.h"
#include "core/stream/latespansource.h"
#include "core/time/clock.h"
#include "core/trace/coarsespans.h"
#include "gpu/remote/jpegpicture.h"
#include "gpu/remote/remotehost.h"
#include "gpu/remote/remotepictures.h"
#include "tests/support/longrun.h"
#include "tests/support/startserve.h"

#include <QElapsedTimer>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <set>

using namespace jetscope;

namespace {

double medianOf(std::vector<double> values)
{
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

} // namespace

/// The program as a server at the other end of a link of 2 Mbit/s and 40 ms: both ends have one clock.
class TestSlowLink : public QObject {
    Q_OBJECT

    struct Turn {
        std::vector<double> agesMs; ///< Of the newest span and the newest frame, when they come.
        std::vector<double> lags;   ///< Of each picture: how many frames have been told that are newer.
    };
    /// Five seconds, with pictures or without.
    static Turn watch(PipelineControl &control, bool withPictures)
    {
        constexpr std::int64_t kTurnNs = 5'000'000'000;
        Turn turn;
        std::uint32_t newest = 0;
        static_cast<void>(control.pictures()->takeReduced()); // Of the turn before.
        for (const std::int64_t startNs = nowNs(); nowNs() - startNs < kTurnNs; QTest::qWait(2)) {
            const PipelineUpdate update = control.drainUpdates();
            if (!update.spans.empty())
                turn.agesMs.push_back(static_cast<double>(nowNs() - update.spans.back().endNs()) / 1e6);
            if (!update.figures.empty()) {
                newest = update.figures.back().frame;
                turn.agesMs.push_back(
                    static_cast<double>(nowNs() - update.figures.back().startNs - update.figures.back().frameNs) / 1e6);
            }
            if (withPictures) {
                if (const auto picture = control.pictures()->takeReduced(); picture && newest > 0)
                    turn.lags.push_back(static_cast<double>(newest) - static_cast<double>(picture->frame));
                control.pictures()->ask();
            }
        }
        return turn;
    }

    /// A board with this folder as its home, and a link of so many bits a second and 40 ms.
    static Result<std::shared_ptr<RemoteHost>> connectTo(const QTemporaryDir &home, int bits)
    {
        qputenv("HOME", home.path().toUtf8());
        qputenv("XDG_RUNTIME_DIR", home.path().toUtf8());
        qunsetenv("XDG_CACHE_HOME");
        return RemoteHost::connect([bits] {
            return testing::startCommand(std::string(JETSCOPE_LINKPROXY) + " --bits " + std::to_string(bits)
                                         + " --delay 20 -- " + JETSCOPE_PROGRAM + " serve --alone 5");
        });
    }

    /// A board with its pipeline; that closes before the connection does.
    struct OpenBoard {
        std::shared_ptr<RemoteHost> host;
        std::unique_ptr<PipelineControl> control;
    };
    static Result<OpenBoard> openOver(const QTemporaryDir &home, int bits, const std::string &size)
    {
        OpenBoard board;
        JETSCOPE_TRY_ASSIGN(board.host, connectTo(home, bits));
        SessionRequest request;
        request.source = "synthetic:?size=" + size + "&fps=60";
        request.deviceId = "soft:orin";
        JETSCOPE_TRY_ASSIGN(board.control, board.host->open(request));
        return board;
    }

    /// A view over a link that has no room for all spans of its board.
    class NarrowView {
    public:
        /// Until more than so many updates came without their spans; the pipeline is paused then. False: they never
        /// did.
        bool open(std::uint64_t updates)
        {
            Result<OpenBoard> opened = openOver(m_home, 250'000, "320x180");
            if (!m_home.isValid() || !opened.ok())
                return false;
            m_board = std::move(opened).value();
            const auto lacksMuch = [&] {
                take();
                return notSent() > updates;
            };
            if (!QTest::qWaitFor(lacksMuch, 60'000))
                return false;
            m_board.control->setPaused(true);
            return QTest::qWaitFor([&] { return m_board.control->status().state == PipelineState::Paused; }, 20'000);
        }
        /// What has come.
        void take()
        {
            addValues(trace, m_board.control->drainUpdates());
            trace.insert(late().takeMissing());
            trace.setMissing(late().missingTimes());
            for (CoarseSpans &coarse : late().takeCoarse())
                takesAll = store.add(std::move(coarse), trace) && takesAll;
            store.keepWithin(trace.missing());
        }
        LateSpanSource &late() const { return *m_board.control->missing(); }
        std::uint64_t notSent() const
        {
            return m_board.host->state().notSent.messages[static_cast<std::size_t>(MessageClass::Spans)];
        }
        std::uint64_t bytesRead() const { return m_board.host->state().bytesRead; }
        Interval all() const { return {trace.oldestNs(), trace.newestNs() + 1'000'000'000}; }

        Trace trace;
        CoarseStore store;
        bool takesAll = true; ///< No column was refused.

    private:
        QTemporaryDir m_home;
        OpenBoard m_board;
    };

private slots:
    /// As ssh does when nobody reads what it brings: it must not wait for a far side that nobody ends.
    void theProxyEndsWithItsReader()
    {
        const QTemporaryDir folder;
        QVERIFY(folder.isValid());
        constexpr int kPatienceMs = 15'000;
        QElapsedTimer time;
        time.start();
        QProcess shell;
        const QString line = "mkfifo \"$1\" && timeout 15 \"$0\" -- yes <> \"$1\" | head -c 1"; // Its input never ends.
        shell.start("sh", {"-c", line, JETSCOPE_LINKPROXY, folder.filePath("open")});
        QVERIFY(shell.waitForFinished(2 * kPatienceMs));
        QCOMPARE(shell.readAllStandardOutput(), QByteArray("y"));
        QVERIFY2(time.elapsed() < kPatienceMs, qPrintable(QString::number(time.elapsed())));
    }

    /// Spans for which the link had no room come when they are asked for, and then none is missing.
    void whatTheLinkDidNotCarryIsFilled()
    {
        NarrowView view;
        QVERIFY(view.open(10));
        const Trace &trace = view.trace;
        QVERIFY(!trace.missing().empty());
        const auto isFilled = [&view] {
            view.late().wantMissing(view.all(), 0);
            view.take();
            return view.notSent() == 0 && view.trace.missing().empty();
        };
        QTRY_VERIFY_WITH_TIMEOUT(isFilled(), 60'000);
        QCOMPARE(trace.lateSpans(), std::uint64_t{0});
        // Each frame between the first and the last has its spans, if it was traced.
        std::set<std::uint32_t> frames;
        for (const SpanTrack &track : trace.tracks())
            for (std::uint64_t i = track.firstIndex(); i < track.endIndex(); ++i)
                if (const TraceSpan span = track.at(i); span.frame != kNoFrame)
                    frames.insert(span.frame);
        QVERIFY(frames.size() > 30);
        for (std::uint32_t frame = *frames.begin(); frame <= *frames.rbegin(); ++frame)
            QVERIFY2(frames.contains(frame) || !TraceCostMeter::traces(frame), qPrintable(QString::number(frame)));
    }

    /// A hole that is seen from afar costs less as columns than as spans; both are asked for of the same board.
    void aHoleFromAfarComesAsColumns()
    {
        JETSCOPE_SKIP_UNLESS_LONG();
        NarrowView view;
        QVERIFY(view.open(100));
        const CoarseStore &store = view.store;
        // What is on its way comes.
        std::uint64_t bytes = view.bytesRead();
        const auto isQuiet = [&] {
            QTest::qWait(1500);
            view.take();
            return std::exchange(bytes, view.bytesRead()) + 2000 > view.bytesRead();
        };
        QTRY_VERIFY_WITH_TIMEOUT(isQuiet(), 60'000);
        const std::uint64_t missing = view.notSent();
        const Interval all = view.all();
        const auto known = [&store] {
            std::int64_t ns = 0;
            for (const auto &[startNs, coarse] : store.all())
                ns += std::llround(coarse.window.nsPerColumn * coarse.window.count);
            return ns;
        };
        // 20 ms a pixel: frames cannot be told apart. Some holes are too thin for columns.
        std::size_t shown = 0;
        std::int64_t before = 0;
        const auto isShown = [&] {
            for (int i = 0; i < 20; ++i, QTest::qWait(50)) {
                view.late().wantMissing(all, 20e6);
                view.take();
            }
            shown = store.all().size();
            return shown > 0 && std::exchange(before, known()) == known();
        };
        const std::uint64_t start = view.bytesRead();
        QTRY_VERIFY_WITH_TIMEOUT(isShown(), 60'000);
        const std::uint64_t asColumns = view.bytesRead() - start;
        const std::uint64_t left = view.notSent();
        const auto isFilled = [&] {
            view.late().wantMissing(all, 0);
            view.take();
            return view.notSent() == 0;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isFilled(), 120'000);
        const std::uint64_t asSpans = view.bytesRead() - start - asColumns;
        QVERIFY(store.all().empty() && view.takesAll);
        qInfo("%llu updates without spans: %zu holes as columns took %llu bytes, %llu updates as spans %llu bytes",
              static_cast<unsigned long long>(missing), shown, static_cast<unsigned long long>(asColumns),
              static_cast<unsigned long long>(left), static_cast<unsigned long long>(asSpans));
        QVERIFY(left > missing / 2); // They are shown, and not taken for spans.
        QVERIFY2(asColumns * 3 < asSpans, qPrintable(QString::number(asColumns)));
    }

    void picturesDelayNothing()
    {
        JETSCOPE_SKIP_UNLESS_LONG();
        if (*jpegTrouble())
            QSKIP(jpegTrouble());
        const QTemporaryDir home;
        QVERIFY(home.isValid());
        const auto board = openOver(home, 2'000'000, "1280x720");
        QVERIFY2(board.ok(), board.ok() ? "" : board.error().text.c_str());
        PipelineControl &control = *board.value().control;
        const Turn first = watch(control, true); // Until sizes have settled.
        const Turn pictured = watch(control, true);
        const Turn bare = watch(control, false);
        const std::vector<double> &with = pictured.agesMs;
        const std::vector<double> &without = bare.agesMs;
        QVERIFY(!with.empty() && !without.empty() && !first.lags.empty() && !pictured.lags.empty());
        const NotSent notSent = board.value().host->state().notSent;
        const double ratio = medianOf(with) / medianOf(without);
        const std::size_t pictures = first.lags.size() + pictured.lags.size();
        qInfo("%zu pictures in 10 s; age of news %.0f ms with, %.0f ms without, ratio %.2f", pictures, medianOf(with),
              medianOf(without), ratio);
        QVERIFY(pictures >= 10);
        // They do not come later and later.
        qInfo("a picture is %.0f frames old at first, %.0f at the end", medianOf(first.lags), medianOf(pictured.lags));
        QVERIFY(medianOf(pictured.lags) < 2 * medianOf(first.lags) + 30);
        QVERIFY2(ratio < 1.5, qPrintable(QString::number(ratio)));
        QCOMPARE(notSent.messages[static_cast<std::size_t>(MessageClass::Figures)], std::uint64_t{0});
        QCOMPARE(notSent.messages[static_cast<std::size_t>(MessageClass::Spans)], std::uint64_t{0});
    }

    /// Figures go between the parts of a whole frame.
    void aWholeFrameDelaysLittle()
    {
        JETSCOPE_SKIP_UNLESS_LONG();
        if (*jpegTrouble())
            QSKIP(jpegTrouble());
        const QTemporaryDir home;
        QVERIFY(home.isValid());
        const auto board = openOver(home, 2'000'000, "1280x720");
        QVERIFY2(board.ok(), board.ok() ? "" : board.error().text.c_str());
        PipelineControl &control = *board.value().control;
        RemotePictures &pictures = *control.pictures();
        std::optional<BoardPicture> reduced;
        const auto hasReduced = [&] {
            pictures.ask();
            if (!reduced)
                reduced = pictures.takeReduced();
            return reduced.has_value();
        };
        QTRY_VERIFY_WITH_TIMEOUT(hasReduced(), 20'000);
        const Turn bare = watch(control, false);
        std::vector<double> ages;
        std::uint64_t bytes = 0;
        std::int64_t tookNs = 0;
        int wholes = 0;
        for (int asked = 0; wholes < 6; ++asked) { // While a frame is on its way.
            QVERIFY(asked < 30);
            reduced.reset();
            QTRY_VERIFY_WITH_TIMEOUT(hasReduced(), 20'000);
            pictures.fetchWhole(*reduced);
            std::optional<Result<BoardPicture>> whole;
            for (const std::int64_t startNs = nowNs(); !whole && nowNs() - startNs < 60'000'000'000; QTest::qWait(2)) {
                const auto progress = pictures.progress();
                const PipelineUpdate update = control.drainUpdates();
                if (progress && progress->bytes > 0 && !update.figures.empty()) {
                    const FrameFigures &newest = update.figures.back();
                    ages.push_back(static_cast<double>(nowNs() - newest.startNs - newest.frameNs) / 1e6);
                }
                whole = pictures.takeWhole();
                tookNs = nowNs() - startNs;
            }
            QVERIFY(whole.has_value());
            if (!whole->ok()) { // The link is too slow for the few frames that the board keeps.
                QVERIFY2(whole->error().text.find("newer frames only") != std::string::npos,
                         whole->error().text.c_str());
                continue;
            }
            bytes = whole->value().file.size();
            ++wholes;
        }
        QVERIFY(ages.size() > 20);
        const double ratio = medianOf(ages) / medianOf(bare.agesMs);
        qInfo("a whole frame of %llu bytes in %.1f s; age of figures %.0f ms meanwhile, %.0f ms without, ratio %.2f",
              static_cast<unsigned long long>(bytes), static_cast<double>(tookNs) / 1e9, medianOf(ages),
              medianOf(bare.agesMs), ratio);
        QVERIFY2(ratio < 6, qPrintable(QString::number(ratio)));
    }
};

QTEST_GUILESS_MAIN(TestSlowLink)
#include "tst_slowlink.moc"
