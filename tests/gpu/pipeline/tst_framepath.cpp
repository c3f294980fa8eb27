// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Critical paths: the path of a pipeline with a planted bottleneck must show that bottleneck.
#include "core/board/boardfactrows.h"
#include "core/path/verdict.h"
#include "core/recording/tracer.h"
#include "gpu/device/forwardingdevice.h"
#include "tests/support/pipelinefixture.h"
#include "tests/support/testprogram.h"

#include <algorithm>
#include <functional>
#include <thread>

using namespace jetscope;

namespace {

/// A slow CPU stage.
class SlowAnalysis final : public CpuAnalysis {
public:
    explicit SlowAnalysis(std::chrono::milliseconds time) : m_time(time) {}
    CpuAnswer run(CpuWork work, const std::byte *, std::size_t, int width, int height) override
    {
        std::this_thread::sleep_for(m_time);
        CpuAnswer answer;
        answer.work = work;
        answer.width = width;
        answer.height = height;
        return answer;
    }

private:
    const std::chrono::milliseconds m_time;
};

/// A view that takes every frame, holds several for a while and returns them together.
class LateView {
public:
    LateView(Pipeline &pipeline, std::chrono::milliseconds time)
        : m_thread([this, &pipeline, time] { work(pipeline, time); })
    {
    }
    ~LateView()
    {
        m_stopping = true;
        m_thread.join();
    }

private:
    void work(Pipeline &pipeline, std::chrono::milliseconds time)
    {
        const ThreadRecorder recorder(pipeline.tracer(), LaneRole::View, "View", "thread");
        static const NameId kLook = internName("look at it", Category::Present);
        std::vector<ViewFrame> held;
        while (!m_stopping) {
            {
                const SpanScope span(kLook);
                const auto until = std::chrono::steady_clock::now() + time;
                do {
                    if (std::optional<ViewFrame> frame = pipeline.mailbox().take(false))
                        held.push_back(std::move(*frame));
                    std::this_thread::sleep_for(std::chrono::milliseconds(1)); // It takes no core from the others.
                } while (std::chrono::steady_clock::now() < until && !m_stopping);
            }
            for (const ViewFrame &frame : held)
                pipeline.mailbox().release(frame, GlFence());
            held.clear();
        }
        for (const ViewFrame &frame : held)
            pipeline.mailbox().release(frame, GlFence());
    }

    std::atomic<bool> m_stopping{false};
    std::thread m_thread;
};

/// A device whose waits return well after the work is complete.
class LateDevice final : public ForwardingDevice {
public:
    explicit LateDevice(std::unique_ptr<Device> device) : ForwardingDevice(std::move(device)) {}

    Status synchronize() override { return late(ForwardingDevice::synchronize()); }
    Status synchronize(Stream &stream) override { return late(ForwardingDevice::synchronize(stream)); }
    Status synchronize(const Event &event) override { return late(ForwardingDevice::synchronize(event)); }

private:
    static Status late(Status status)
    {
        std::this_thread::sleep_for(std::chrono::milliseconds(150));
        return status;
    }
};

struct Outcome {
    std::vector<PathPiece> pieces;
    std::vector<LaneInfo> lanes;
    std::vector<FrameFigures> figures;
    std::vector<TraceFact> facts;
    PathSummary path;
    Verdict verdict;

    QString words() const { return QString::fromStdString(verdict.sentence); }
    QString list() const
    {
        QString text;
        for (const PathShare &share : path.shares)
            text += QString("%1 [%2] %3 %, ")
                        .arg(QString::fromStdString(share.what), QString::fromStdString(share.lane))
                        .arg(share.share * 100, 0, 'f', 1);
        for (const PathPiece &piece : pieces) // The first long unexplained ones, as a starting point for debugging.
            if (piece.cause == PathCause::Unknown && piece.lengthNs() > 20'000 && text.size() < 2000)
                text += QString("; unknown %1 us of frame %2 on lane %3, %4")
                            .arg(piece.lengthNs() / 1000)
                            .arg(piece.frame)
                            .arg(piece.lane)
                            .arg(piece.name == kNoPathName
                                     ? QString()
                                     : QString::fromStdString(spanName(static_cast<NameId>(piece.name))));
        return text;
    }
};

} // namespace

class TestFramePath : public QObject {
    Q_OBJECT

private slots:
    void initTestCase_data() { testing::addDeviceRows(testing::representativeDevices()); }
    void init();
    void aSlowCameraIsNamed();
    void aSlowCpuStageIsNamed();
    void filtersThatFillTheGpuAreNamed();
    void aHandOverThatWaitsIsNamed();
    void aLateViewIsNamed();
    void everyFrameIsDivided_data();
    void everyFrameIsDivided();
    void itSaysOnWhichBoardItRan();

private:
    PipelineSetup setupOf(const std::string &source, std::vector<Filter> filters);
    Outcome run(PipelineSetup setup, const std::function<std::unique_ptr<LateView>(Pipeline &)> &view = {});
};

/// The planted bottleneck must be the slowest part.
void TestFramePath::init()
{
#ifdef JETSCOPE_THREADS_SANITIZED
    if (QByteArray(QTest::currentTestFunction()).endsWith("Named"))
        QSKIP("the thread sanitizer makes filters on the CPU slower than whatever is planted");
#endif
}

PipelineSetup TestFramePath::setupOf(const std::string &source, std::vector<Filter> filters)
{
    PipelineSetup setup;
    QFETCH_GLOBAL(QString, device);
    setup.deviceId = device.toStdString();
    setup.display = testing::displayOf(setup.deviceId);
    setup.config.filters = std::move(filters);
    setup.config = nearestLegal(setup.config, testing::factsOf(setup.deviceId));
    Result<std::unique_ptr<FrameSource>> opened = openSource(source, Pacing::Unpaced);
    if (opened.ok())
        setup.source = std::move(opened).value();
    setup.hostFiles.clear();
    return setup;
}

Outcome TestFramePath::run(PipelineSetup setup, const std::function<std::unique_ptr<LateView>(Pipeline &)> &view)
{
    Outcome outcome;
    const PipelineConfig config = setup.config;
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    if (!pipeline.ok()) {
        qWarning("%s", pipeline.error().message().c_str());
        return outcome;
    }
    const std::unique_ptr<LateView> late = view ? view(*pipeline.value()) : nullptr;
    std::vector<PathGain> gains;
    const auto take = [&] {
        const bool over = pipeline.value()->status().state == PipelineState::Ended;
        PipelineUpdate update = pipeline.value()->drainUpdates();
        outcome.lanes.insert(outcome.lanes.end(), update.lanes.begin(), update.lanes.end());
        outcome.pieces.insert(outcome.pieces.end(), update.path.begin(), update.path.end());
        outcome.figures.insert(outcome.figures.end(), update.figures.begin(), update.figures.end());
        gains.insert(gains.end(), update.pathGains.begin(), update.pathGains.end());
        outcome.facts.insert(outcome.facts.end(), update.facts.begin(), update.facts.end());
        return over;
    };
    static_cast<void>(QTest::qWaitFor(take, 60'000));
    take();
    PathSums sums;
    constexpr std::uint32_t kWarmUp = 5;
    for (const PathPiece &piece : outcome.pieces)
        if (piece.frame >= kWarmUp)
            sums.add(piece);
    for (const PathGain &gain : gains)
        sums.add(gain);
    outcome.path =
        sums.summary([](std::uint32_t name) { return internedName(static_cast<NameId>(name)); },
                     [&](LaneId lane) { return lane < outcome.lanes.size() ? &outcome.lanes[lane] : nullptr; });
    outcome.verdict = verdictOf(outcome.path, config, pipeline.value()->status().facts);
    return outcome;
}

void TestFramePath::aSlowCameraIsNamed()
{
    const Outcome outcome = run(setupOf("synthetic:?size=320x240&fps=20&frames=30&rate=real", {Filter::Sobel}));
    QVERIFY2(outcome.verdict.bottleneck == Bottleneck::Camera, qPrintable(outcome.words() + outcome.list()));
    QVERIFY2(outcome.path.shareOf(PathCause::Camera) > 0.7, qPrintable(outcome.list()));
    QVERIFY2(outcome.words().contains("waits for the source"), qPrintable(outcome.words()));
    QVERIFY2(qAbs(outcome.path.periodMs - 50) < 5, qPrintable(QString::number(outcome.path.periodMs)));
}

void TestFramePath::aSlowCpuStageIsNamed()
{
    for (const CpuStagePlacement placement :
         {CpuStagePlacement::Serial, CpuStagePlacement::Pipelined, CpuStagePlacement::SameInput}) {
        PipelineSetup setup = setupOf("synthetic:?size=320x240&frames=30", {Filter::Sobel});
        setup.config.cpuStage = placement;
        setup.analysis = std::make_unique<SlowAnalysis>(std::chrono::milliseconds(30));
        const Outcome outcome = run(std::move(setup));
        QVERIFY2(outcome.verdict.bottleneck == Bottleneck::Cpu, qPrintable(outcome.words() + outcome.list()));
        QVERIFY2(outcome.path.shareOf(PathCause::CpuStage) > 0.7, qPrintable(outcome.list()));
        QVERIFY2(outcome.words().contains("CPU stage"), qPrintable(outcome.words()));
        // Little would remain without it.
        QVERIFY(outcome.path.shares.front().mostShare.has_value());
        QVERIFY2(*outcome.path.shares.front().mostShare > 0.5,
                 qPrintable(QString::number(*outcome.path.shares.front().mostShare) + " " + outcome.list()));
    }
}

void TestFramePath::filtersThatFillTheGpuAreNamed()
{
    // A real GPU needs many filters to be busy.
    QFETCH_GLOBAL(QString, device);
    const bool software = testing::factsOf(device.toStdString()).software;
    const std::vector<Filter> chain(software ? 3 : 60, Filter::Gaussian15);
    const Outcome outcome =
        run(setupOf(software ? "synthetic:?size=1920x1080&frames=25" : "synthetic:?size=3840x2160&frames=200", chain));
    QVERIFY2(outcome.verdict.bottleneck == Bottleneck::Gpu, qPrintable(outcome.words() + outcome.list()));
    QVERIFY2(outcome.path.shares.front().cause == PathCause::Kernel, qPrintable(outcome.list()));
    QVERIFY2(outcome.words().startsWith("GPU-bound: ") && outcome.words().contains("kernel gaussian15"),
             qPrintable(outcome.words()));
}

/// A device whose waits end late: the time is spent between the steps. Its work is long enough that the wait begins
/// before it is complete; otherwise the wait would have no known cause.
void TestFramePath::aHandOverThatWaitsIsNamed()
{
    QFETCH_GLOBAL(QString, device);
    const bool software = testing::factsOf(device.toStdString()).software;
    const std::string source = software ? "synthetic:?size=480x270&frames=16" : "synthetic:?size=3840x2160&frames=16";
    for (const SyncMode sync : {SyncMode::Finish, SyncMode::Stream, SyncMode::Event}) {
        PipelineSetup setup = setupOf(source, std::vector<Filter>(software ? 1 : 4, Filter::Gaussian15));
        setup.config.sync = sync;
        setup.config.framesInFlight = 1;
        setup.decorateDevice = [](std::unique_ptr<Device> opened) {
            return std::make_unique<LateDevice>(std::move(opened));
        };
        const Outcome outcome = run(std::move(setup));
        const double between = outcome.path.shareOf(PathCause::WakeUp) + outcome.path.shareOf(PathCause::Call);
        QVERIFY2(between > 0.5, qPrintable(outcome.list())); // The larger part, on a busy machine too.
        QVERIFY2(outcome.verdict.bottleneck == Bottleneck::HandOver, qPrintable(outcome.words() + outcome.list()));
        QVERIFY2(outcome.words().startsWith("Held up between the steps: "), qPrintable(outcome.words()));
    }
}

void TestFramePath::aLateViewIsNamed()
{
    // It holds its frames much longer than a thread of the device waits for a core on a busy machine.
    PipelineSetup setup = setupOf("synthetic:?size=320x240&frames=40", {Filter::Sobel});
    setup.forWindow = true;
    const Outcome outcome = run(std::move(setup), [](Pipeline &pipeline) {
        return std::make_unique<LateView>(pipeline, std::chrono::milliseconds(500));
    });
    QVERIFY2(outcome.path.shareOf(PathCause::Present) > 0.5, qPrintable(outcome.list()));
    QVERIFY2(outcome.verdict.bottleneck == Bottleneck::View, qPrintable(outcome.words() + outcome.list()));
}

void TestFramePath::everyFrameIsDivided_data()
{
    QTest::addColumn<int>("sync");
    QTest::addColumn<int>("stage");
    for (const auto &sync : choices<SyncMode>())
        for (const auto &stage : choices<CpuStagePlacement>())
            QTest::addRow("%s %s", std::string(sync.name).c_str(), std::string(stage.name).c_str())
                << static_cast<int>(sync.value) << static_cast<int>(stage.value);
}

void TestFramePath::everyFrameIsDivided()
{
    QFETCH(int, sync);
    QFETCH(int, stage);
    PipelineSetup setup = setupOf("synthetic:?size=640x360&frames=60", {Filter::Gaussian5, Filter::Sobel});
    setup.config.sync = static_cast<SyncMode>(sync);
    setup.config.cpuStage = static_cast<CpuStagePlacement>(stage);
    if (!availability(setup.config, testing::factsOf(setup.deviceId)).legal()
        || (setup.config.cpuStage != CpuStagePlacement::Off && !cpuStageCapability().available))
        QSKIP("no legal choice here");
    const Outcome outcome = run(std::move(setup));
    // Each frame's pieces are contiguous, from the completion of the previous frame to its own.
    QVERIFY(outcome.figures.size() == 60);
    std::int64_t at = outcome.pieces.front().startNs;
    std::size_t i = 0;
    std::vector<double> unexplained;
    for (const FrameFigures &frame : outcome.figures) {
        const std::int64_t begin = at;
        std::int64_t unknownNs = 0;
        for (; i < outcome.pieces.size() && outcome.pieces[i].frame == frame.frame; ++i) {
            const PathPiece &piece = outcome.pieces[i];
            QCOMPARE(piece.startNs, at);
            QVERIFY(piece.endNs > at);
            at = piece.endNs;
            unknownNs += piece.cause == PathCause::Unknown ? piece.lengthNs() : 0;
        }
        QVERIFY(at >= frame.startNs + frame.frameNs || frame.frameNs == 0);
        if (at > begin)
            unexplained.push_back(static_cast<double>(unknownNs) / static_cast<double>(at - begin));
    }
    QCOMPARE(i, outcome.pieces.size());
    // Other programs take the cores from threads that are not traced, too (OpenCV's workers, Mesa's): in some of the
    // frames, and for long.
    QVERIFY(unexplained.size() > 30);
    std::ranges::nth_element(unexplained, unexplained.begin() + 30);
    QVERIFY2(unexplained[30] < 0.05, qPrintable(QString::number(unexplained[30]) + " " + outcome.list()));
}

/// Whoever keeps the trace: a window and a recording of a board, too.
void TestFramePath::itSaysOnWhichBoardItRan()
{
    const Outcome outcome = run(setupOf("synthetic:?size=320x240&frames=3", {Filter::Sobel}));
    const std::vector<TraceFact> board = boardFactRows();
    QVERIFY(!board.empty());
    for (const TraceFact &row : board)
        QCOMPARE(std::count(outcome.facts.begin(), outcome.facts.end(), row), std::ptrdiff_t{1}); // Not at each drain.
}

JETSCOPE_TEST(TestFramePath)
#include "tst_framepath.moc"
