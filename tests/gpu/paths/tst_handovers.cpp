// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The cost of the hand-overs for the pipeline thread, and the memory use of long runs. Only ratios are checked:
// machines are shared and noisy.
#include "tests/support/pipelinefixture.h"

#include "core/figures/statistics.h"
#include "tests/support/testprogram.h"

#include <QFile>

#include <algorithm>
#include <optional>

using namespace jetscope;

class TestHandOvers : public QObject {
    Q_OBJECT

private slots:
    void initTestCase_data() { testing::addDeviceRows(testing::representativeDevices()); }
    void init();
    void theBestHandOverDoesNotBlockThePipelineThread_data();
    void theBestHandOverDoesNotBlockThePipelineThread();
    void whatUnifiedMemoryDemandsIsWaitMemory();
    void framesInFlightRunAtTheSameTime();
    void aLongRunDoesNotGrow();

private:
    struct Run {
        RunFigures figures;
        std::vector<PipelineNotice> notices;
        double mostInFlight = 0; ///< Frames at the same time, as the pipeline counts them.
    };
    Run run(PipelineConfig config, std::uint64_t frames);
    /// The output path and the hand-over that block no thread on this device; none if it has none.
    std::optional<PipelineConfig> unblocked() const;

    std::string m_device;
    DeviceFacts m_facts;
};

void TestHandOvers::init()
{
    QFETCH_GLOBAL(QString, device);
    m_device = device.toStdString();
    m_facts = testing::factsOf(m_device);
}

std::optional<PipelineConfig> TestHandOvers::unblocked() const
{
    PipelineConfig config;
    for (const OutputKind output : {OutputKind::EglImage, OutputKind::GlInterop}) {
        config.output = output;
        config.sync = bestSyncMode(output, m_facts);
        if (config.sync != SyncMode::Event && availability(config, m_facts).legal())
            return config;
    }
    return std::nullopt;
}

namespace {

// Sanitizers make the filters, but not the hand-overs, many times slower.
#ifdef JETSCOPE_SANITIZED
constexpr const char *kSource = "synthetic:?format=nv12&size=96x64";
#else
constexpr const char *kSource = "synthetic:?format=nv12&size=640x480";
#endif

} // namespace

TestHandOvers::Run TestHandOvers::run(PipelineConfig config, std::uint64_t frames)
{
    PipelineSetup setup;
    setup.display = testing::displayOf(m_device);
    setup.deviceId = m_device;
    setup.source = std::move(openSource(kSource, Pacing::Unpaced)).value();
    setup.config = std::move(config);
    setup.frameLimit = frames;
    Run out;
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    if (!pipeline.ok())
        return out;
    pipeline.value()->waitForEnd();
    const PipelineUpdate update = pipeline.value()->drainUpdates();
    out.figures = summariseFrames(update.figures);
    out.notices = update.notices;
    for (const CounterInfo &counter : update.counters)
        for (const CounterSample &sample : update.samples)
            if (counter.name == "frames in flight" && sample.counter == counter.id)
                out.mostInFlight = std::max(out.mostInFlight, sample.value);
    return out;
}

void TestHandOvers::theBestHandOverDoesNotBlockThePipelineThread_data()
{
    QTest::addColumn<QString>("output");
    QTest::newRow("shared texture") << "";
    QTest::newRow("copy-back") << "copy-back";
}

void TestHandOvers::theBestHandOverDoesNotBlockThePipelineThread()
{
    QFETCH(QString, output);
    std::optional<PipelineConfig> config = unblocked();
    if (!config)
        QSKIP(m_facts.eglSync.reason.c_str());
    if (!output.isEmpty()) {
        if (!m_facts.software)
            QSKIP("on a real GPU the pipeline thread itself uploads what was copied back");
        config->output = *choiceByName<OutputKind>(output.toStdString());
    }
    config->filters = {Filter::Gaussian15, Filter::Gaussian15, Filter::Gaussian15};
    const Run best = run(*config, 60);
    config->sync = SyncMode::Finish;
    const Run finish = run(*config, 60);
    QVERIFY(finish.figures.frames > 0 && best.figures.frames > 0);
    QVERIFY2(finish.figures[Figure::WaitSync] > (m_facts.software ? 0.5 : 0.05),
             qPrintable(QString::number(finish.figures[Figure::WaitSync])));
    // The rest is the time of the calls themselves.
    QVERIFY2(
        best.figures[Figure::WaitSync] < 0.2 * finish.figures[Figure::WaitSync],
        qPrintable(
            QString("%1 ms against %2 ms").arg(best.figures[Figure::WaitSync]).arg(finish.figures[Figure::WaitSync])));
}

void TestHandOvers::whatUnifiedMemoryDemandsIsWaitMemory()
{
    if (m_facts.concurrentManagedAccess)
        QSKIP("on this device the CPU may touch unified memory at any time");
    PipelineConfig config;
    config.filters = {Filter::Gaussian15, Filter::Gaussian15, Filter::Gaussian15, Filter::Gaussian15};
    config.framesInFlight = 4; // More than draining allows, so that no slot is waited for instead.
    config.memory = MemoryKind::Unified;
    const Run draining = run(config, 60);
    config.memory = MemoryKind::UnifiedAttach;
    const Run attached = run(config, 60);
    // Every frame waits for the device work of the previous one.
    QVERIFY2(draining.figures[Figure::WaitMemory] > 0.25 * draining.figures[Figure::GpuBusy],
             qPrintable(QString("%1 ms of %2 ms")
                            .arg(draining.figures[Figure::WaitMemory])
                            .arg(draining.figures[Figure::GpuBusy])));
    QVERIFY2(attached.figures[Figure::WaitMemory] < 0.2 * draining.figures[Figure::WaitMemory],
             qPrintable(QString::number(attached.figures[Figure::WaitMemory])));
}

void TestHandOvers::framesInFlightRunAtTheSameTime()
{
    PipelineConfig config = unblocked().value_or(PipelineConfig{});
    config.filters = {Filter::Gaussian15, Filter::Gaussian15, Filter::Gaussian15};
    const SyncMode best = config.sync;
    config.sync = SyncMode::Finish;
    config.framesInFlight = 1;
    const Run serial = run(config, 80);
    config.sync = best;
    config.framesInFlight = 3;
    const Run overlapped = run(config, 80);
    // With one frame in flight the pipeline thread waits for all of its own device work; with three it is a frame
    // ahead.
    QVERIFY(serial.figures[Figure::WaitSync] > overlapped.figures[Figure::WaitSync]);
    QVERIFY2(serial.mostInFlight <= 1, qPrintable(QString::number(serial.mostInFlight)));
    QVERIFY2(overlapped.mostInFlight <= 3, qPrintable(QString::number(overlapped.mostInFlight)));
    // The software iGPU is slower than its submission; a real GPU may end a frame before the next one comes.
    if (m_facts.software)
        QVERIFY2(overlapped.mostInFlight >= 2, qPrintable(QString::number(overlapped.mostInFlight)));
}

namespace {

qint64 residentBytes()
{
    QFile file("/proc/self/statm");
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    return file.readAll().split(' ').at(1).toLongLong() * 4096;
}

} // namespace

void TestHandOvers::aLongRunDoesNotGrow()
{
#ifdef JETSCOPE_SANITIZED
    QSKIP("sanitizers keep freed memory");
#endif
    PipelineSetup setup;
    setup.display = testing::displayOf(m_device);
    setup.deviceId = m_device;
    setup.config = nearestLegal(setup.config, m_facts);
    setup.source = std::make_unique<testing::RandomSource>(PixelFormat::Grey8, 64, 48, 10'050);
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    JETSCOPE_VERIFY(pipeline);
    qint64 early = 0;
    qint64 late = 0;
    QVERIFY(QTest::qWaitFor(
        [&] {
            static_cast<void>(pipeline.value()->drainUpdates());
            const std::uint64_t frames = pipeline.value()->status().frames;
            if (early == 0 && frames >= 1000)
                early = residentBytes();
            late = residentBytes();
            return frames >= 10'000;
        },
        120'000));
    QVERIFY(early > 0);
    QVERIFY2(late - early < 1 << 20, qPrintable(QString("%1 bytes").arg(late - early)));
}

JETSCOPE_TEST(TestHandOvers)
#include "tst_handovers.moc"
