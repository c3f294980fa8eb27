// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Frames that are missing in the whole pipeline: each number either arrives or has one cause.
#include "core/time/clock.h"
#include "core/trace/framenumbers.h"
#include "gpu/pipeline/lossbook.h"
#include "tests/support/pipelinefixture.h"
#include "tests/support/testprogram.h"

#include <atomic>
#include <map>
#include <set>
#include <thread>

using namespace jetscope;

namespace {

/// A camera of 200 frames/s that tells of two kinds of its own losses: every 10th number is damaged, every 25th never
/// comes, and it does not say why.
class FaultyCamera final : public FrameSource {
public:
    explicit FaultyCamera(std::uint64_t frames) : m_frames(frames)
    {
        m_info.uri = "faulty:";
        m_info.description = "a camera with faults";
        m_info.layout = makeImageLayout(PixelFormat::Grey8, 16, 16);
        m_info.live = true;
    }
    const SourceInfo &info() const override { return m_info; }
    Result<std::optional<CapturedFrame>> read(std::byte *into) override
    {
        std::fill_n(into, m_info.layout.bytes, std::byte{});
        CapturedFrame captured;
        for (; isDamaged(m_next) || isGap(m_next); ++m_next)
            if (isDamaged(m_next))
                captured.lost.push_back({m_next, 1, LossCause::Damaged, nowNs(), "planted"});
        while (!m_cancelled && nowNs() < m_dueNs)
            std::this_thread::yield();
        m_dueNs = nowNs() + 5'000'000;
        if (m_cancelled || m_next >= m_frames)
            return std::optional<CapturedFrame>();
        captured.index = m_next++;
        captured.captureNs = nowNs();
        return std::optional(std::move(captured));
    }
    void cancel() override { m_cancelled = true; }

    static bool isDamaged(std::uint64_t number) { return number % 10 == 9; }
    static bool isGap(std::uint64_t number) { return number % 25 == 17; }

private:
    SourceInfo m_info;
    const std::uint64_t m_frames;
    std::uint64_t m_next = 0;
    std::int64_t m_dueNs = 0;
    std::atomic<bool> m_cancelled{false};
};

/// What a run told.
struct ToldRun {
    std::set<std::uint64_t> arrived;
    std::map<std::uint64_t, LostFrames> lost;
    bool isTwice = false; ///< A number was told of twice.
    PipelineStatus status;
    LossCounts counts;
};

void takeTold(ToldRun &told, PipelineUpdate update, FrameNumbers &numbers, std::vector<FrameFigures> &figures)
{
    for (const FrameNumber &number : update.numbers)
        numbers.add(number);
    figures.insert(figures.end(), update.figures.begin(), update.figures.end());
    for (const PipelineNotice &notice : update.notices)
        for (const LostFrames &lost : notice.lost) {
            told.counts.add(lost);
            for (std::uint64_t i = 0; i < lost.count; ++i)
                told.isTwice = !told.lost.emplace(lost.first + i, lost).second || told.isTwice;
        }
}

ToldRun runTold(PipelineSetup setup, const std::function<void(Pipeline &)> &meanwhile = nullptr)
{
    ToldRun told;
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    if (!pipeline.ok())
        qFatal("%s", pipeline.error().message().c_str());
    FrameNumbers numbers;
    std::vector<FrameFigures> figures;
    if (meanwhile)
        meanwhile(*pipeline.value());
    pipeline.value()->waitForEnd();
    told.status = pipeline.value()->status();
    // Figures of the last frames may come a little later.
    for (int i = 0; i < 200 && figures.size() < told.status.frames; ++i) {
        takeTold(told, pipeline.value()->drainUpdates(), numbers, figures);
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    for (const FrameFigures &frame : figures)
        told.arrived.insert(numbers.of(frame.frame));
    return told;
}

} // namespace

class TestLostFrames : public QObject {
    Q_OBJECT

private slots:
    void initTestCase_data() { testing::addDeviceRows(testing::representativeDevices()); }
    void eachNumberArrivesOrHasOneCause();
    void theSourcesCausesAreKept();
    void aChangeOfThePipelineIsNamed();
    void theViewIsNamed();
    void theBookTellsOncePerPause();

private:
    static PipelineSetup setupFor(std::unique_ptr<FrameSource> source)
    {
        QFETCH_GLOBAL(QString, device);
        PipelineSetup setup;
        setup.display = testing::displayOf(device.toStdString());
        setup.deviceId = device.toStdString();
        setup.config = nearestLegal(setup.config, testing::factsOf(setup.deviceId));
        setup.source = std::move(source);
        return setup;
    }
};

void TestLostFrames::eachNumberArrivesOrHasOneCause()
{
    PipelineSetup setup = setupFor(std::make_unique<FaultyCamera>(400));
    // A slow stage: every fourth frame takes the time of eight.
    setup.outputTap = [](std::uint32_t frame, const std::byte *, int, int) {
        if (frame % 4 == 0)
            std::this_thread::sleep_for(std::chrono::milliseconds(40));
    };
    const ToldRun told = runTold(std::move(setup));
    QVERIFY(!told.isTwice);
    QVERIFY(told.arrived.size() > 20);
    const std::uint64_t last = std::max(*told.arrived.rbegin(), told.lost.rbegin()->first);
    for (std::uint64_t number = *told.arrived.begin(); number <= last; ++number)
        QVERIFY2(told.arrived.count(number) + told.lost.count(number) == 1, qPrintable(QString::number(number)));
    QCOMPARE(told.counts, told.status.lost);
    QCOMPARE(told.counts.sum(), told.status.droppedBySource + told.status.droppedByView);
    // What was planted is named right: the rest was overtaken.
    std::size_t right = 0;
    for (const auto &[number, lost] : told.lost) {
        const LossCause truth = FaultyCamera::isDamaged(number) ? LossCause::Damaged
            : FaultyCamera::isGap(number)                       ? LossCause::SourceGap
                                                                : LossCause::Overtaken;
        right += lost.cause == truth ? 1 : 0;
    }
    QVERIFY(told.counts[LossCause::Overtaken] > 20);
    QVERIFY2(right * 100 >= told.lost.size() * 95, qPrintable(QString("%1 of %2").arg(right).arg(told.lost.size())));
}

void TestLostFrames::theSourcesCausesAreKept()
{
    const ToldRun told = runTold(setupFor(std::make_unique<FaultyCamera>(120)));
    QVERIFY(told.counts[LossCause::Damaged] >= 10);
    QVERIFY(told.lost.at(29).evidence == "planted");
    QVERIFY(told.lost.at(42).cause == LossCause::SourceGap);
}

void TestLostFrames::aChangeOfThePipelineIsNamed()
{
    PipelineSetup setup = setupFor(std::make_unique<FaultyCamera>(400));
    const PipelineConfig config = setup.config;
    const ToldRun told = runTold(std::move(setup), [&](Pipeline &pipeline) {
        QTRY_VERIFY(pipeline.status().frames > 20);
        PipelineConfig other = config;
        other.filters = {Filter::Invert};
        pipeline.change(other);
        QTRY_VERIFY(pipeline.status().switches == 1);
    });
    QCOMPARE(told.counts, told.status.lost);
    QVERIFY(!told.isTwice);
}

void TestLostFrames::theViewIsNamed()
{
    PipelineSetup setup = setupFor(std::make_unique<FaultyCamera>(100));
    setup.forWindow = true; // And nobody takes the frames.
    const ToldRun told = runTold(std::move(setup));
    QVERIFY(told.status.droppedByView > 0);
    QCOMPARE(told.counts[LossCause::NotShown], told.status.droppedByView);
    QCOMPARE(told.counts, told.status.lost);
}

void TestLostFrames::theBookTellsOncePerPause()
{
    LossBook book;
    constexpr std::int64_t kSecond = 1'000'000'000;
    book.collect({{5, 1, LossCause::Damaged, 0, "a"}}, {}, 3);
    QCOMPARE(book.take(kSecond, false).size(), std::size_t(1));
    book.collect({{7, 2, LossCause::Overtaken, 0, "b"}}, {{4, 9, 0, 0, false}}, 4);
    std::vector<PipelineNotice> notices = book.take(kSecond + 1, false);
    QCOMPARE(notices.size(), std::size_t(1)); // The view's: nothing was told of it yet.
    QVERIFY(notices.front().text.find("not shown") != std::string::npos);
    QCOMPARE(book.bySource(), std::uint64_t(3)); // Counted at once.
    QCOMPARE(book.byView(), std::uint64_t(1));
    notices = book.take(kSecond + 2, true);
    QCOMPARE(notices.size(), std::size_t(1));
    QCOMPARE(QString::fromStdString(notices.front().text), QString("2 frames missing: 2 overtaken in the queue"));
    QVERIFY(book.take(9 * kSecond, true).empty());
}

JETSCOPE_TEST(TestLostFrames)
#include "tst_lostframes.moc"
