// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The corners of VPI's harris as the CPU stage reads them: in VPI's arrays, locked after the wait for VPI.
#include "core/recording/tracer.h"
#include "gpu/hazards/ledgerdevice.h"
#include "gpu/stages/vpi/vpistage.h"
#include "tests/gpu/vpipipeline.h"

using namespace jetscope;
using namespace jetscope::testing;

namespace {

class NoAnalysis final : public CpuAnalysis {
public:
    CpuAnswer run(CpuWork, const std::byte *, std::size_t, int width, int height) override
    {
        CpuAnswer answer;
        answer.width = width;
        answer.height = height;
        return answer;
    }
};

/// A device whose stages find these points.
class PointsDevice final : public ForwardingDevice {
public:
    PointsDevice(std::unique_ptr<Device> device, std::shared_ptr<StagePoints> points)
        : ForwardingDevice(std::move(device)), m_stages(std::move(points))
    {
    }
    StageHost &stages() override { return m_stages; }

private:
    class Stages final : public StageHost {
    public:
        explicit Stages(std::shared_ptr<StagePoints> points) : m_points(std::move(points)) {}
        std::shared_ptr<StagePoints> points(std::span<const Filter>) override { return m_points; }

    private:
        const std::shared_ptr<StagePoints> m_points;
    };
    Stages m_stages;
};

} // namespace

class TestVpiCorners : public QObject {
    Q_OBJECT

private slots:
    void init() { useFake("3"); }
    void theCpuStageReadsCornersInPlace();
    void waitAndLockAreSpans();
    void aReadWithoutSynchronizationBreaksARule();
};

/// The corners are those of the frame, VPI was waited for before the array was locked, and both are spans.
void TestVpiCorners::theCpuStageReadsCornersInPlace()
{
    const std::string name = "vpi:harris?backend=pva&read=cpu-stage&most=20&strength=12";
    QCOMPARE(reasonOf(name), QString());
    OutputLog log;
    log.keepPixels();
    PipelineSetup setup = stagePipeline(name, 9, log);
    setup.analysis = std::make_unique<NoAnalysis>();
    setup.config.cpuStage = CpuStagePlacement::Pipelined;
    setup.config.framesInFlight = 3;
    const Result<PipelineUpdate> run = runToEnd(std::move(setup));
    JETSCOPE_VERIFY(run);
    const PipelineUpdate &update = run.value();
    QCOMPARE(testing::brokenRule(update), QString());
    const testing::RandomSource same(PixelFormat::Grey8, kWidth, kHeight, 1);
    std::vector<std::byte> grey(same.info().layout.bytes);
    QVERIFY(!update.answers.empty());
    for (const CpuAnswer &answer : update.answers) {
        same.fill(grey.data(), answer.frame);
        const auto at = [&](int x, int y) {
            return static_cast<int>(
                grey[static_cast<std::size_t>(std::clamp(y, 0, kHeight - 1)) * same.info().layout.planes[0].pitch
                     + static_cast<std::size_t>(std::clamp(x, 0, kWidth - 1))]);
        };
        std::vector<Point> expected;
        for (const auto &[score, y, x] : referenceCorners(at))
            expected.push_back({static_cast<std::int16_t>(x / 2), static_cast<std::int16_t>(y / 2)});
        QVERIFY(answer.keypoints == expected);
        QCOMPARE(static_cast<int>(log.pixels()[answer.frame][0]), at(0, 0)); // Without marks.
    }
    std::map<std::uint32_t, std::int64_t> ends; // Of PVA's work: vpiStreamSync has returned.
    std::map<std::uint32_t, std::int64_t> locks;
    for (const Span &span : update.spans) {
        const LaneRole role = update.lanes[span.lane].role;
        if (role == LaneRole::Engine)
            ends[span.frame] = span.startNs + span.durationNs;
        else if (role == LaneRole::CpuStage && spanName(span.name) == "vpiArrayLockData")
            locks.emplace(span.frame, span.startNs);
    }
    QCOMPARE(locks.size(), std::size_t(9));
    for (const auto &[frame, ns] : locks)
        QVERIFY(ends.count(frame) == 1 && ends.at(frame) <= ns);
    QCOMPARE(violations(), QString());
    QCOMPARE(FAKE(fakeVpiLive)(), 0);
}

/// On the threads that wait and read: on a CUDA device those of the pipeline and of the CPU stage.
void TestVpiCorners::waitAndLockAreSpans()
{
    Tracer tracer;
    const ThreadRecorder recorder(tracer, LaneRole::Pipeline, "Pipeline");
    const auto stage = VpiStage::create(addressOf("harris?backend=pva&read=cpu-stage&strength=12"));
    JETSCOPE_VERIFY(stage);
    const auto instance = stage.value()->setUp(deviceOf(true), kWidth, kHeight);
    JETSCOPE_VERIFY(instance);
    Padded input(PixelFormat::Grey8, 1);
    Padded output(PixelFormat::Grey8, 2);
    for (const Padded *each : {&input, &output})
        FAKE(fakeVpiCudaMemory)(each->bytes.data(), each->bytes.size());
    JETSCOPE_VERIFY(instance.value()->run({3, input.image(), output.image(), streamNumber(4)}));
    QVERIFY(instance.value()->points()->isSynchronized(3));
    const Result<std::vector<StagePoint>> read = instance.value()->points()->read(3);
    QVERIFY(read.ok() && !read.value().empty());
    FAKE(fakeVpiCudaMemory)(nullptr, 0);
    std::vector<Span> spans;
    tracer.collect(spans);
    QStringList names;
    for (const Span &span : spans) {
        names.append(QString::fromStdString(std::string(spanName(span.name))));
        QCOMPARE(span.frame, std::uint32_t(3));
        QVERIFY(isWait(spanCategory(span.name)));
    }
    QCOMPARE(names,
             (QStringList{"cuStreamSynchronize before VPI", "vpiStreamSync", "vpiArrayLockData", "vpiArrayLockData"}));
}

void TestVpiCorners::aReadWithoutSynchronizationBreaksARule()
{
    const auto stage =
        VpiStage::create(addressOf("harris?backend=cuda&read=cpu-stage&strength=12&stream=wrapped&wait=no"));
    JETSCOPE_VERIFY(stage);
    const auto instance = stage.value()->setUp(deviceOf(true), kWidth, kHeight);
    JETSCOPE_VERIFY(instance);
    Padded input(PixelFormat::Grey8, 1);
    Padded output(PixelFormat::Grey8, 2);
    for (const Padded *each : {&input, &output})
        FAKE(fakeVpiCudaMemory)(each->bytes.data(), each->bytes.size());
    Result<std::unique_ptr<Device>> soft = openDevice("soft:orin", testing::displayOf("soft:orin"));
    JETSCOPE_VERIFY(soft);
    LedgerDevice device(std::make_unique<PointsDevice>(std::move(soft).value(), instance.value()->points()));
    const std::shared_ptr<StagePoints> points = device.stages().points({});
    QVERIFY(points);
    const auto runFrame = [&](std::uint64_t frame) {
        return instance.value()->run({frame, input.image(), output.image(), streamNumber(9)});
    };
    JETSCOPE_VERIFY(runFrame(0));
    Result<std::vector<StagePoint>> read = points->read(0);
    QVERIFY(read.ok() && read.value().empty()); // VPI has refused the lock.
    std::vector<Hazard> hazards = device.takeHazards();
    QCOMPARE(hazards.size(), std::size_t(1));
    QVERIFY(hazards[0].rule == RuleId::G2);
    JETSCOPE_VERIFY(runFrame(1)); // Waits for the frame before.
    read = points->read(0);
    QVERIFY(read.ok() && !read.value().empty());
    QVERIFY(device.takeHazards().empty());
    read = points->read(0);
    QVERIFY(read.ok() && read.value().empty());        // Once.
    for (std::uint64_t frame = 2; frame < 50; ++frame) // More than are ever read: the arrays are used again.
        JETSCOPE_VERIFY(runFrame(frame));
    QVERIFY(FAKE(fakeVpiLive)() < 50);
    instance.value()->forgetStream(streamNumber(9));
    FAKE(fakeVpiCudaMemory)(nullptr, 0);
    QCOMPARE(violations(), QString());
}

int main(int argc, char **argv)
{
    return runStageTest<TestVpiCorners>(argc, argv);
}
#include "tst_vpicorners.moc"
