// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/remote/wire/viewcontents.h"
#include "core/remote/wire/windowpacking.h"
#include "core/trace/timelimits.h"
#include "tests/support/largetrace.h"
#include "tests/support/samepicture.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <random>

using namespace jetscope;

namespace {

WindowWish everything(const Trace &trace, ColumnWindow window)
{
    WindowWish wish;
    wish.window = window;
    wish.nsPerPixel = window.nsPerColumn;
    for (std::uint32_t track = 0; track < trace.tracks().size(); ++track)
        wish.tracks.push_back(track);
    for (std::uint32_t counter = 0; counter < trace.counters().size(); ++counter)
        wish.counters.push_back(counter);
    return wish;
}

/// Of all lengths, in and beside the trace.
ColumnWindow randomWindow(const Trace &trace, std::mt19937_64 &random)
{
    const auto length = static_cast<double>(trace.newestNs() - trace.oldestNs());
    const double part = std::pow(10, -6.0 * static_cast<double>(random() % 1000) / 1000);
    const int count = 1 + static_cast<int>(random() % 700);
    const double at = static_cast<double>(random() % 1200) / 1000 - 0.1;
    return {trace.oldestNs() + static_cast<std::int64_t>(at * length), std::max(1.0, part * length / count), count};
}

} // namespace

class TestWindowPacking : public QObject {
    Q_OBJECT
    const Trace m_trace = largeTrace(100'000);

private slots:
    void aPictureComesAsItWasPacked()
    {
        std::mt19937_64 random(3);
        std::size_t near = 0;
        for (int i = 0; i < 300; ++i) {
            const WindowWish wish = everything(m_trace, randomWindow(m_trace, random));
            QVERIFY(isPossibleWish(wish));
            const WindowPicture picture = windowPicture(m_trace, wish);
            near += picture.isNear ? 1 : 0;
            const auto crossed = ViewPart::of(picture).picture(wish);
            QVERIFY(crossed.has_value());
            QCOMPARE(testing::difference(picture, *crossed), QString());
        }
        QVERIFY(near > 20 && near < 280); // Both kinds were tried.
    }

    /// A wish may have few spans in its window and all others beside it.
    void aStrangeWishCostsNoMoreThanOthers()
    {
        WindowWish wish = everything(m_trace, {m_trace.oldestNs() - 1'000'000'000, 1e9, 1});
        wish.nsPerPixel = 1;
        const WindowPicture picture = windowPicture(m_trace, wish);
        QVERIFY(picture.isNear);
        QVERIFY2(picture.pieces.size() <= 4, qPrintable(QString::number(picture.pieces.size())));
    }

    void itTakesAFewBytesAColumn()
    {
        const std::int64_t length = m_trace.newestNs() - m_trace.oldestNs();
        for (const double part : {1.0, 0.1, 0.01, 0.001}) {
            const ColumnWindow window{m_trace.oldestNs(), part * static_cast<double>(length) / 1000, 1000};
            const WindowWish wish = everything(m_trace, window);
            const std::size_t cells = wish.tracks.size() * 1000;
            QVERIFY(packColumns(windowPicture(m_trace, wish)).size() < 3 * cells);
        }
    }

    void whatIsCutOffIsRefused()
    {
        const std::int64_t length = m_trace.newestNs() - m_trace.oldestNs();
        for (const double part : {0.5, 0.0005}) {
            const WindowWish wish =
                everything(m_trace, {m_trace.oldestNs() + length / 3, part * static_cast<double>(length) / 100, 100});
            const std::vector<std::byte> whole = packColumns(windowPicture(m_trace, wish));
            for (std::size_t size = 0; size < whole.size(); ++size) {
                WindowPicture picture;
                QVERIFY(!unpackColumns({whole.data(), size}, wish, picture));
            }
            std::vector<std::byte> more = whole;
            more.push_back({});
            WindowPicture picture;
            QVERIFY(!unpackColumns(more, wish, picture));
        }
    }

    /// Whatever comes, times are those of a trace and lists are no longer than the window.
    void whatIsChangedIsBounded()
    {
        std::mt19937_64 random(5);
        const std::int64_t length = m_trace.newestNs() - m_trace.oldestNs();
        int accepted = 0;
        for (int i = 0; i < 3000; ++i) {
            const double part = i % 2 == 0 ? 0.3 : 0.0003;
            const WindowWish wish =
                everything(m_trace, {m_trace.oldestNs() + length / 3, part * static_cast<double>(length) / 60, 60});
            std::vector<std::byte> bytes = packColumns(windowPicture(m_trace, wish));
            for (int change = 0; change < 1 + i % 3; ++change)
                bytes[random() % bytes.size()] = static_cast<std::byte>(random());
            WindowPicture picture;
            if (!unpackColumns(bytes, wish, picture))
                continue;
            ++accepted;
            for (const auto &[track, of] : picture.tracks) {
                QCOMPARE(of.columns.size(), std::size_t{60});
                QVERIFY(of.bars.size() <= 62);
                for (const TraceBar &bar : of.bars)
                    QVERIFY(isTracePiece(bar.span.startNs, bar.span.durationNs));
            }
            for (const auto &[counter, columns] : picture.counters)
                QCOMPARE(columns.size(), std::size_t{60});
        }
        QVERIFY(accepted > 100); // Many changes make other pictures.
    }

    void wishesThatCostTooMuchAreRefused()
    {
        const auto with = [](auto change) {
            WindowWish wish;
            wish.window = {1000, 10, 100};
            wish.tracks = {0, 1};
            change(wish);
            return isPossibleWish(wish);
        };
        QVERIFY(with([](WindowWish &) {}));
        QVERIFY(!with([](WindowWish &wish) { wish.window.count = 0; }));
        QVERIFY(!with([](WindowWish &wish) { wish.window.count = -1; }));
        QVERIFY(!with([](WindowWish &wish) { wish.window.count = kMostViewColumns + 1; }));
        QVERIFY(!with([](WindowWish &wish) { wish.window.nsPerColumn = 0; }));
        QVERIFY(!with([](WindowWish &wish) { wish.window.nsPerColumn = std::nan(""); }));
        QVERIFY(!with([](WindowWish &wish) { wish.window.nsPerColumn = 1e300; }));
        QVERIFY(!with([](WindowWish &wish) { wish.window.startNs = std::numeric_limits<std::int64_t>::min(); }));
        QVERIFY(!with([](WindowWish &wish) { wish.nsPerPixel = -1; }));
        QVERIFY(!with([](WindowWish &wish) { wish.tracks = {1, 1}; }));
        QVERIFY(!with([](WindowWish &wish) { wish.tracks = {2, 1}; }));
        QVERIFY(!with([](WindowWish &wish) {
            wish.tracks.resize(kMostViewCells / 100 + 1);
            std::iota(wish.tracks.begin(), wish.tracks.end(), 0U);
        }));
    }

    void theTraceOfALaptopHasWhatIsKnownOfIt()
    {
        const ViewFacts facts = viewFacts(m_trace, {"a remark"});
        const auto trace = traceOf(*fromBytes<ViewFacts>(toBytes(facts)));
        QVERIFY(trace.has_value());
        QCOMPARE(trace->tracks().size(), m_trace.tracks().size());
        QCOMPARE(trace->counters().front().extremes(), m_trace.counters().front().extremes());
        QCOMPARE(trace->marks().all().size(), m_trace.marks().all().size());
        QCOMPARE(facts.whole.spans, m_trace.spanCount());
        QCOMPARE(facts.whole.newestNs, m_trace.newestNs());
    }

    void theLoadsOfTheWholeCross()
    {
        WholePicture whole;
        NoProgress progress;
        QVERIFY(whole.loads.extend(m_trace, m_trace.newestNs(), progress));
        const auto length = static_cast<double>(m_trace.newestNs() - m_trace.oldestNs());
        m_trace.frames().query({m_trace.oldestNs(), length / WholePicture::kColumns, WholePicture::kColumns},
                               whole.frames);
        const auto crossed = ViewWhole::of(whole).picture();
        QVERIFY(crossed.has_value());
        for (int i = 0; i < 50; ++i) {
            const std::int64_t from = m_trace.oldestNs() + static_cast<std::int64_t>(i * length / 50);
            const Interval time{from, from + static_cast<std::int64_t>(length / 200)};
            const TraceOverview::Load a = whole.loads.loadOf(time);
            const TraceOverview::Load b = crossed->loads.loadOf(time);
            QVERIFY(std::abs(a.cpu - b.cpu) < 0.005 && std::abs(a.gpu - b.gpu) < 0.005
                    && std::abs(a.both - b.both) < 0.005);
            const FrameColumn &here = whole.frames[static_cast<std::size_t>(i) * 20];
            const FrameColumn &there = crossed->frames[static_cast<std::size_t>(i) * 20];
            QVERIFY(std::abs(here.gpuNs / here.periodNs - there.gpuNs / there.periodNs) < 0.005);
        }
        const auto with = [&whole](auto change) {
            ViewWhole said = ViewWhole::of(whole);
            change(said);
            const auto picture = said.picture();
            return picture && !picture->loads.empty();
        };
        QVERIFY(with([](ViewWhole &) {}));
        QVERIFY(!with([](ViewWhole &said) { said.loads.pop_back(); }));
        QVERIFY(!with([](ViewWhole &said) { said.loads.resize(3 * TraceOverview::kMaxParts + 3); }));
        QVERIFY(!with([](ViewWhole &said) { said.frames.pop_back(); }));
        QVERIFY(!with([](ViewWhole &said) { said.partNs = 0; }));
        QVERIFY(!with([](ViewWhole &said) { said.partNs = kMaxTraceNs; }));
        QVERIFY(!with([](ViewWhole &said) { said.startNs = kMaxTraceNs; }));
    }

    void factsThatCannotBeAreRefused()
    {
        const auto with = [this](auto change) {
            ViewFacts facts = viewFacts(m_trace, {});
            change(facts);
            return traceOf(facts).has_value();
        };
        QVERIFY(with([](ViewFacts &) {}));
        QVERIFY(!with([](ViewFacts &facts) { facts.tracks.push_back(facts.tracks.front()); }));
        QVERIFY(!with([](ViewFacts &facts) { std::swap(facts.tracks.front(), facts.tracks.back()); }));
        QVERIFY(!with([](ViewFacts &facts) { facts.counters.push_back(facts.counters.front()); }));
        QVERIFY(!with([](ViewFacts &facts) { facts.extremes.front() = {2, 1}; }));
        QVERIFY(!with([](ViewFacts &facts) { facts.extremes.front() = {std::nan(""), 1}; }));
        QVERIFY(!with([](ViewFacts &facts) { std::swap(facts.whole.oldestNs, facts.whole.newestNs); }));
        QVERIFY(!with([](ViewFacts &facts) { facts.whole.newestNs = kMaxTraceNs + 1; }));
        QVERIFY(!with([](ViewFacts &facts) { facts.notes.push_back({2, 1, "backwards"}); }));
    }
};

JETSCOPE_TEST(TestWindowPacking)
#include "tst_windowpacking.moc"
