// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Every memory kind, output path and sync mode transfers the same bytes on every device: those of a plain reference.
#include "tests/support/pipelinefixture.h"
#include "tests/support/testprogram.h"

using namespace jetscope;

class TestPipelineFrames : public QObject {
    Q_OBJECT

private slots:
    void initTestCase_data();
    void cleanupTestCase();
    void everyChoiceGivesTheReferencesBytes_data();
    void everyChoiceGivesTheReferencesBytes();
    void everyCpuStageRunsOnEveryMemoryKind_data();
    void everyCpuStageRunsOnEveryMemoryKind();
    void everyFormatAndOddSizeTravels_data();
    void everyFormatAndOddSizeTravels();
    void aDeviceIsOpenedBesideFrames();
    void aDeviceThatIsOpenIsNotOpenedAgain();

private:
    struct Outcome {
        PipelineUpdate update;
        PipelineStatus status;
    };
    /// Runs to the end and compares every output with the reference.
    void runAndCompare(const PipelineConfig &config, PixelFormat format, int width, int height,
                       Outcome *outcome = nullptr);
    PipelineConfig configFor(const QString &memory, const QString &output, const QString &sync);

    struct Rows {
        int all = 0;
        int ran = 0;
    };
    /// The reason why this row does not run on this device; empty if it does. Counts the rows.
    QString reasonAgainst(const PipelineConfig &config);
    std::map<std::pair<QString, QString>, Rows> m_rows; ///< By test function and device.
};

namespace {

QString text(std::string_view name)
{
    return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
}

/// How many rows the rules of a board allow, counted by hand: the random pictures are in no camera's buffer; Nano and
/// TX2 cannot register host memory, in two kinds, and have no pools; only Thor has system memory, prefetches and
/// DMA-BUFs; the software iGPU has the outputs EGLImage and copy back.
int legalRows(const QString &function, const QString &board)
{
    constexpr int kLegalSyncs = 8; // finish stream event poll callback eglsync flag graph, the last not with a pool
    const bool isOld = board == "soft:nano" || board == "soft:tx2";
    const int kinds = isOld ? 6 : board == "soft:thor" ? 12 : 9;
    const int pools = isOld ? 0 : 1;
    if (function == "everyChoiceGivesTheReferencesBytes")
        return (kinds * kLegalSyncs - pools) * 2;
    if (function == "everyCpuStageRunsOnEveryMemoryKind") // Only thor supports unified memory on the same input.
        return (kinds * kLegalSyncs - pools) * 3 - (board == "soft:thor" ? 0 : kLegalSyncs);
    return 8 * 3 * 2;
}

int allRows(const QString &function)
{
    const auto kinds = static_cast<int>(choices<MemoryKind>().size());
    const auto syncs = static_cast<int>(choices<SyncMode>().size());
    return function == "everyChoiceGivesTheReferencesBytes"
        ? kinds * static_cast<int>(choices<OutputKind>().size()) * syncs
        : function == "everyCpuStageRunsOnEveryMemoryKind" ? kinds * 3 * (syncs - 2)
                                                           : 8 * 3 * 2;
}

} // namespace

void TestPipelineFrames::initTestCase_data()
{
    testing::addDeviceRows(testing::usableDevices());
}

/// Rows that a device cannot run are skipped. So that skipping all rows does not count as success, the software iGPU,
/// which always exists, must have run as many as its rules allow; of a third of the rows, which need not be legal for a
/// third, at least a fifth of that.
void TestPipelineFrames::cleanupTestCase()
{
    for (const auto &[where, count] : m_rows) {
        const auto &[function, device] = where;
        const bool isWhole = count.all == allRows(function); // False if only single rows were selected.
        const int legal = device.startsWith("soft:") ? legalRows(function, device) : 1;
        const int least = !isWhole ? 0 : testing::isLongRun() ? legal : legal / 5;
        QVERIFY2(count.ran >= least,
                 qPrintable(QString("%1 on %2: %3 rows ran, not %4").arg(function, device).arg(count.ran).arg(least)));
    }
}

void TestPipelineFrames::runAndCompare(const PipelineConfig &config, PixelFormat format, int width, int height,
                                       Outcome *outcome)
{
    constexpr std::uint64_t kFrames = 9;
    QFETCH_GLOBAL(QString, device);
    const testing::RandomSource same(format, width, height, kFrames);
    testing::OutputLog log;
    log.keepPixels();
    PipelineSetup setup;
    QString why;
    setup.display = testing::displayOf(device.toStdString(), &why);
    QVERIFY2(setup.display, qPrintable(why));
    setup.deviceId = device.toStdString();
    setup.source = std::make_unique<testing::RandomSource>(format, width, height, kFrames);
    setup.config = config;
    setup.outputTap = log.tap();
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    JETSCOPE_VERIFY(pipeline);
    pipeline.value()->waitForEnd();
    const PipelineUpdate update = pipeline.value()->drainUpdates();
    const PipelineStatus status = pipeline.value()->status();
    pipeline.value().reset();
    QCOMPARE(testing::noticeText(update, PipelineNotice::Kind::Failed), QString());
    QCOMPARE(testing::brokenRule(update), QString());
    QCOMPARE(log.numbers().size(), std::size_t(kFrames));
    for (std::uint32_t frame = 0; frame < kFrames; ++frame) {
        QCOMPARE(log.numbers()[frame], frame);
        QVERIFY2(log.pixels()[frame] == same.expected(frame, config.filters),
                 qPrintable(QString("frame %1").arg(frame)));
    }
    if (outcome)
        *outcome = {update, status};
}

PipelineConfig TestPipelineFrames::configFor(const QString &memory, const QString &output, const QString &sync)
{
    PipelineConfig config;
    config.memory = *choiceByName<MemoryKind>(memory.toStdString());
    config.output = *choiceByName<OutputKind>(output.toStdString());
    config.sync = *choiceByName<SyncMode>(sync.toStdString());
    config.framesInFlight = 3;
    config.streams = 2;
    return config;
}

QString TestPipelineFrames::reasonAgainst(const PipelineConfig &config)
{
    QFETCH_GLOBAL(QString, device);
    Rows &rows = m_rows[{QTest::currentTestFunction(), device}];
    if (!testing::isTurnOf(rows.all++, device.toStdString()))
        return QStringLiteral("runs on another device, and on this one with the label `long`");
    const Result<std::unique_ptr<Device>> opened =
        openDevice(device.toStdString(), testing::displayOf(device.toStdString()));
    if (!opened.ok())
        return QString::fromStdString(opened.error().message());
    const Availability whole = availability(config, opened.value()->facts());
    rows.ran += whole.legal() ? 1 : 0;
    return whole.legal() ? QString() : QString::fromStdString(whole.reason);
}

void TestPipelineFrames::everyChoiceGivesTheReferencesBytes_data()
{
    QTest::addColumn<QString>("memory");
    QTest::addColumn<QString>("output");
    QTest::addColumn<QString>("sync");
    for (const auto &memory : choices<MemoryKind>())
        for (const auto &output : choices<OutputKind>())
            for (const auto &sync : choices<SyncMode>())
                QTest::newRow(qPrintable(text(memory.name) + " " + text(output.name) + " " + text(sync.name)))
                    << text(memory.name) << text(output.name) << text(sync.name);
}

void TestPipelineFrames::everyChoiceGivesTheReferencesBytes()
{
    QFETCH(QString, memory);
    QFETCH(QString, output);
    QFETCH(QString, sync);
    const PipelineConfig config = configFor(memory, output, sync);
    if (const QString reason = reasonAgainst(config); !reason.isEmpty())
        QSKIP(qPrintable(reason)); // tst_availability checks that it is refused.
    runAndCompare(config, PixelFormat::Nv12, 66, 34);
}

void TestPipelineFrames::everyCpuStageRunsOnEveryMemoryKind_data()
{
    QTest::addColumn<QString>("memory");
    QTest::addColumn<QString>("placement");
    QTest::addColumn<QString>("sync");
    QTest::addColumn<QString>("work");
    const auto works = choices<CpuWork>();
    for (const auto &memory : choices<MemoryKind>())
        for (const auto &placement : choices<CpuStagePlacement>()) {
            if (placement.value == CpuStagePlacement::Off)
                continue;
            std::size_t turn = 0; // Every work with every memory kind and placement, with alternating sync modes.
            for (const auto &sync : choices<SyncMode>()) {
                if (sync.value == SyncMode::None || sync.value == SyncMode::Implicit) // Of the output gl-interop only.
                    continue;
                const QString work = text(works[turn++ % works.size()].name);
                QTest::newRow(
                    qPrintable(text(memory.name) + " " + text(placement.name) + " " + text(sync.name) + " " + work))
                    << text(memory.name) << text(placement.name) << text(sync.name) << work;
            }
        }
}

void TestPipelineFrames::everyCpuStageRunsOnEveryMemoryKind()
{
    if (!cpuStageCapability().available)
        QSKIP("this build has no CPU stage");
    QFETCH(QString, memory);
    QFETCH(QString, placement);
    QFETCH(QString, sync);
    QFETCH(QString, work);
    PipelineConfig config = configFor(memory, "eglimage", sync);
    config.cpuStage = *choiceByName<CpuStagePlacement>(placement.toStdString());
    config.cpuWork = *choiceByName<CpuWork>(work.toStdString());
    if (const QString reason = reasonAgainst(config); !reason.isEmpty())
        QSKIP(qPrintable(reason));
    Outcome outcome;
    runAndCompare(config, PixelFormat::Bgr8, 66, 34, &outcome);
    // The stored answers must match the reference's pictures: no stale, torn or other frame was analysed.
    QVERIFY(!outcome.update.answers.empty());
    const testing::RandomSource same(PixelFormat::Bgr8, 66, 34, 9);
    const bool beforeFilters = config.cpuStage == CpuStagePlacement::SameInput;
    for (const CpuAnswer &answer : outcome.update.answers) {
        const auto picture = same.expectedResult(answer.frame, beforeFilters ? std::vector<Filter>() : config.filters);
        CpuAnswer expected = makeCpuAnalysis()->run(config.cpuWork, picture.data(), 33, 33, 17);
        expected.frame = answer.frame;
        QVERIFY2(answer == expected, qPrintable(QString("frame %1").arg(answer.frame)));
    }
    QCOMPARE(outcome.update.answers.back().frame, 8u);
}

void TestPipelineFrames::everyFormatAndOddSizeTravels_data()
{
    QTest::addColumn<int>("format");
    QTest::addColumn<int>("width");
    QTest::addColumn<int>("height");
    QTest::addColumn<QString>("memory");
    for (const PixelFormat format : {PixelFormat::Bgr8, PixelFormat::Nv12, PixelFormat::Yuyv, PixelFormat::Grey8,
                                     PixelFormat::Rgb8, PixelFormat::Uyvy, PixelFormat::Yu12, PixelFormat::Yu16})
        for (const auto &[width, height] : {std::pair{1, 1}, std::pair{3, 2}, std::pair{65, 31}})
            for (const QString memory : {"pinned", "gl-texture"})
                QTest::addRow("%s %dx%d %s", qPrintable(text(pixelFormatName(format))), width, height,
                              qPrintable(memory))
                    << int(format) << width << height << memory;
}

void TestPipelineFrames::everyFormatAndOddSizeTravels()
{
    QFETCH(int, format);
    QFETCH(int, width);
    QFETCH(int, height);
    QFETCH(QString, memory);
    PipelineConfig config = configFor(memory, "eglimage", "event");
    config.filters = {Filter::Sharpen, Filter::Gaussian15};
    if (const QString reason = reasonAgainst(config); !reason.isEmpty())
        QSKIP(qPrintable(reason));
    runAndCompare(config, static_cast<PixelFormat>(format), width, height);
}

/// Opening a device tries what it shares with GL, on the caller's thread; it must not leave a mutex of the driver
/// locked that another thread's GL needs for its next frame.
void TestPipelineFrames::aDeviceIsOpenedBesideFrames()
{
    QFETCH_GLOBAL(QString, device);
    const std::string id = device.toStdString();
    PipelineSetup setup;
    setup.display = testing::displayOf(id);
    setup.deviceId = id;
    setup.source = std::make_unique<testing::RandomSource>(PixelFormat::Rgba8, 64, 48, std::uint64_t(1) << 40);
    setup.config.sync = SyncMode::Event; // Every device has it.
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    JETSCOPE_VERIFY(pipeline);
    for (int opened = 0; opened < 3; ++opened) {
        const Result<std::unique_ptr<Device>> beside = openDevice(id, testing::displayOf(id));
        JETSCOPE_VERIFY(beside);
        const std::uint64_t before = pipeline.value()->status().frames;
        QTRY_VERIFY_WITH_TIMEOUT(pipeline.value()->status().frames > before + 20, 20'000);
        static_cast<void>(pipeline.value()->drainUpdates());
    }
}

/// Who needs the facts of a device for the configuration hands it on to the pipeline.
void TestPipelineFrames::aDeviceThatIsOpenIsNotOpenedAgain()
{
    QFETCH_GLOBAL(QString, device);
    const std::string id = device.toStdString();
    const Device *decorated = nullptr;
    PipelineSetup setup;
    setup.display = testing::displayOf(id);
    setup.deviceId = id;
    setup.device = openDevice(id, setup.display).value();
    const Device *const opened = setup.device.get();
    setup.checksHazards = false;
    setup.decorateDevice = [&decorated](std::unique_ptr<Device> used) {
        decorated = used.get();
        return used;
    };
    setup.source = std::make_unique<testing::RandomSource>(PixelFormat::Rgba8, 64, 48, 3);
    setup.config.sync = SyncMode::Event; // Every device has it.
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    JETSCOPE_VERIFY(pipeline);
    QCOMPARE(decorated, opened);
    pipeline.value()->waitForEnd();
    QCOMPARE(pipeline.value()->status().frames, std::uint64_t(3));
}

JETSCOPE_TEST(TestPipelineFrames)
#include "tst_pipelineframes.moc"
