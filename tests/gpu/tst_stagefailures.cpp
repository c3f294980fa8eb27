// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Stages that fail while frames run: what is said of it, and what a change of the settings brings back. Stages of one
// library that run side by side.
#include "tests/gpu/stagefixture.h"

#include "gpu/device/forwardingdevice.h"

#include <QCoreApplication>

using namespace jetscope;
using namespace jetscope::testing;

namespace {

/// A device with a stage whose thread learns late why the stage failed: once it is asked for its last work.
class LateCauseDevice final : public ForwardingDevice {
public:
    explicit LateCauseDevice(std::unique_ptr<Device> device) : ForwardingDevice(std::move(device)) {}

    Status launch(const ChainLaunch &work, Stream &stream) override
    {
        if (work.frame >= 3)
            return Error{"cuEventRecord", 911, "external device"};
        return ForwardingDevice::launch(work, stream);
    }
    std::vector<StageWork> takeLastStageWork() override
    {
        m_isKnown = true;
        return ForwardingDevice::takeLastStageWork();
    }
    std::vector<StageNews> takeStageNews() override
    {
        std::vector<StageNews> news = ForwardingDevice::takeStageNews();
        if (std::exchange(m_isKnown, false))
            news.push_back({StageNews::Kind::Told, "the engine says why"});
        return news;
    }

private:
    bool m_isKnown = false;
};

} // namespace

class TestStageFailures : public QObject {
    Q_OBJECT

private slots:
    void theCauseIsToldWithTheFailure();
    void aChangeSetsStagesUpAnew();
    void stagesOfOneLibraryTakeTurns();
};

void TestStageFailures::theCauseIsToldWithTheFailure()
{
    PipelineSetup setup = stageSetup("soft:orin", PixelFormat::Rgba8, {}, 100);
    setup.decorateDevice = [](std::unique_ptr<Device> opened) {
        return std::make_unique<LateCauseDevice>(std::move(opened));
    };
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    JETSCOPE_VERIFY(pipeline);
    // Whoever is told of the failure may leave at once, so the cause is there by then.
    QString told;
    QString failed;
    const auto collect = [&] {
        const PipelineUpdate update = pipeline.value()->drainUpdates();
        if (failed.isEmpty())
            told += noticeText(update, PipelineNotice::Kind::Stage);
        failed += noticeText(update, PipelineNotice::Kind::Failed);
    };
    QTRY_VERIFY_WITH_TIMEOUT((collect(), !failed.isEmpty()), 60'000);
    QCOMPARE(told, QString("the engine says why"));
    // After a change it fails again, in the midst of the submission of a frame as before.
    failed.clear();
    PipelineConfig config;
    config.memory = MemoryKind::Pageable;
    pipeline.value()->change(config);
    QTRY_VERIFY_WITH_TIMEOUT((collect(), !failed.isEmpty()), 60'000);
    QVERIFY2(failed.contains("external device"), qPrintable(failed));
}

void TestStageFailures::aChangeSetsStagesUpAnew()
{
    PipelineConfig config;
    config.filters = chainOf(stageName("wears_out"));
    QCOMPARE(config.filters.size(), std::size_t(1));
    PipelineSetup setup = stageSetup("soft:orin", PixelFormat::Rgba8, config, 40);
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    JETSCOPE_VERIFY(pipeline);
    QTRY_VERIFY_WITH_TIMEOUT(pipeline.value()->status().state == PipelineState::Failed, 60'000);
    const QString failed = noticeText(pipeline.value()->drainUpdates(), PipelineNotice::Kind::Failed);
    QVERIFY2(failed.contains("the lamp is worn out"), qPrintable(failed));
    config.memory = config.memory == MemoryKind::Pinned ? MemoryKind::Pageable : MemoryKind::Pinned;
    pipeline.value()->change(config);
    QTRY_VERIFY_WITH_TIMEOUT(pipeline.value()->status().state == PipelineState::Ended, 60'000);
    QCOMPARE(noticeText(pipeline.value()->drainUpdates(), PipelineNotice::Kind::Failed), QString());
}

void TestStageFailures::stagesOfOneLibraryTakeTurns()
{
    PipelineConfig config;
    config.filters = chainOf(stageName("crowded", "?mask=1") + "," + stageName("crowded", "?mask=2"));
    QCOMPARE(config.filters.size(), std::size_t(2));
    config.streams = 2;
    config.framesInFlight = 4;
    PipelineSetup setup = stageSetup("soft:orin", PixelFormat::Rgba8, config, 60);
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    JETSCOPE_VERIFY(pipeline);
    for (const char *mask : {"?mask=3", "?mask=4"}) { // Set up while others run.
        config.filters[1] = chainOf(stageName("crowded", mask)).at(0);
        pipeline.value()->change(config);
    }
    pipeline.value()->waitForEnd();
    const PipelineUpdate update = pipeline.value()->drainUpdates();
    QCOMPARE(noticeText(update, PipelineNotice::Kind::Failed), QString());
    QCOMPARE(noticeText(update, PipelineNotice::Kind::Refused), QString());
    QCOMPARE(pipeline.value()->status().frames, std::uint64_t(60));
}

int main(int argc, char **argv)
{
    if (const std::optional<int> trial = stageTrialIfAsked(argc, argv))
        return *trial;
    QCoreApplication application(argc, argv);
    setStageTrialTimeout(std::chrono::seconds(60)); // Machines are busy.
    TestStageFailures test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_stagefailures.moc"
