// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// What the hazard ledger says of whole pipelines: every legal choice is silent, and every choice without
// synchronization is not.
#include "gpu/hazards/scenes.h"
#include "tests/support/pipelinefixture.h"
#include "tests/support/testprogram.h"

using namespace jetscope;

class TestHazards : public QObject {
    Q_OBJECT

private slots:
    void init();
    void legalChoicesAreSilent_data() { addChoices(true); }
    void legalChoicesAreSilent();
    void choicesWithoutSynchronizationAreReported_data() { addChoices(false); }
    void choicesWithoutSynchronizationAreReported();
    void switchingIsSilent_data();
    void switchingIsSilent();
    void unifiedMemoryOnTheSameInput_data();
    void unifiedMemoryOnTheSameInput();
    void uncachedInputThatIsReadTwiceCosts_data();
    void uncachedInputThatIsReadTwiceCosts();
    void scenesShowTheirRule_data();
    void scenesShowTheirRule();

private:
    static void addChoices(bool safe);
    /// The hazards of a run: "C1 3: GL commands read …".
    static QStringList hazardsOf(const std::string &device, const PipelineConfig &config,
                                 const DeviceDecorator &decorate = {});
};

void TestHazards::init()
{
#ifdef JETSCOPE_THREADS_SANITIZED
    const QByteArray function = QTest::currentTestFunction();
    if (function != "legalChoicesAreSilent" && function != "switchingIsSilent")
        QSKIP("these pipelines race on purpose, which the thread sanitizer finds, too");
#endif
}

void TestHazards::addChoices(bool safe)
{
    QTest::addColumn<QString>("device");
    QTest::addColumn<int>("memory");
    QTest::addColumn<int>("output");
    QTest::addColumn<int>("sync");
    for (const std::string &device : safe ? testing::usableDevices() : testing::representativeDevices()) {
        int row = 0;
        for (const auto &memory : choices<MemoryKind>())
            for (const auto &output : choices<OutputKind>())
                for (const auto &sync : choices<SyncMode>())
                    if ((sync.value != SyncMode::None) == safe && (!safe || testing::isTurnOf(row++, device)))
                        QTest::addRow("%s %s %s %s", device.c_str(), std::string(memory.name).c_str(),
                                      std::string(output.name).c_str(), std::string(sync.name).c_str())
                            << QString::fromStdString(device) << static_cast<int>(memory.value)
                            << static_cast<int>(output.value) << static_cast<int>(sync.value);
    }
}

QStringList TestHazards::hazardsOf(const std::string &device, const PipelineConfig &config,
                                   const DeviceDecorator &decorate)
{
    PipelineSetup setup;
    setup.display = testing::displayOf(device);
    setup.deviceId = device;
    setup.decorateDevice = decorate;
    setup.source = std::make_unique<testing::RandomSource>(PixelFormat::Nv12, 64, 36, 60);
    setup.config = config;
    setup.hostFiles.clear();
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    if (!pipeline.ok())
        return {QString::fromStdString(pipeline.error().message())};
    pipeline.value()->waitForEnd();
    QStringList found;
    if (pipeline.value()->status().frames != 60)
        found << QString("only %1 frames").arg(pipeline.value()->status().frames);
    for (const PipelineNotice &notice : pipeline.value()->drainUpdates().notices)
        if (notice.kind == PipelineNotice::Kind::Violation)
            found << QString("%1 %2: %3 (%4; %5; %6)")
                         .arg(QString::fromStdString(notice.rule))
                         .arg(notice.frame)
                         .arg(QString::fromStdString(notice.text), QString::fromStdString(notice.memory),
                              notice.first ? QString::fromStdString(accessText(*notice.first)) : QString(),
                              notice.second ? QString::fromStdString(accessText(*notice.second)) : QString());
    return found;
}

void TestHazards::legalChoicesAreSilent()
{
    QFETCH(QString, device);
    QFETCH(int, memory);
    QFETCH(int, output);
    QFETCH(int, sync);
    const DeviceFacts facts = testing::factsOf(device.toStdString());
    int ran = 0;
    for (const auto &placement : choices<CpuStagePlacement>()) {
        PipelineConfig config;
        config.memory = static_cast<MemoryKind>(memory);
        config.output = static_cast<OutputKind>(output);
        config.sync = static_cast<SyncMode>(sync);
        config.cpuStage = placement.value;
        config.filters = {Filter::Gaussian5};
        config.streams = 2;
        if (config.memory == MemoryKind::NvBuf || !availability(config, facts).legal()
            || (placement.value != CpuStagePlacement::Off && !cpuStageCapability().available))
            continue;
        ++ran;
        QStringList hazards = hazardsOf(device.toStdString(), config);
        if (config.memory == MemoryKind::Pageable)
            hazards.removeIf([](const QString &hazard) { return hazard.startsWith("A17 "); }); // A legal cost.
        QVERIFY2(hazards.isEmpty(),
                 qPrintable(QString::fromUtf8(placement.name.data(), qsizetype(placement.name.size())) + "\n"
                            + hazards.join('\n').left(2000)));
    }
    if (ran == 0)
        QSKIP("no legal choice here");
}

void TestHazards::choicesWithoutSynchronizationAreReported()
{
    QFETCH(QString, device);
    QFETCH(int, memory);
    QFETCH(int, output);
    const DeviceFacts facts = testing::factsOf(device.toStdString());
    PipelineConfig config;
    config.memory = static_cast<MemoryKind>(memory);
    config.output = static_cast<OutputKind>(output);
    config.sync = SyncMode::None;
    config.filters = {Filter::Gaussian5};
    // Mapping, and the EGLStream itself, order GL behind the kernels.
    const bool ordered = config.output == OutputKind::GlInterop || config.output == OutputKind::EglStream;
    if (config.memory == MemoryKind::NvBuf || ordered || availability(config, facts).unavailable())
        QSKIP("no such choice here");
    const QStringList hazards = hazardsOf(device.toStdString(), config);
    const bool shared = config.output == OutputKind::EglImage;
    // Not in every frame: a completion that the pipeline has seen by chance is an order.
    QVERIFY2(!hazards.filter(QRegularExpression(shared ? "^C1" : "^(O1|A1|A4|E6)")).isEmpty(),
             qPrintable(hazards.join('\n').left(2000)));
}

void TestHazards::switchingIsSilent_data()
{
    QTest::addColumn<QString>("device");
    int row = 0;
    for (const std::string &device : testing::usableDevices())
        if (testing::isTurnOf(row++))
            QTest::newRow(device.c_str()) << QString::fromStdString(device);
}

void TestHazards::switchingIsSilent()
{
    QFETCH(QString, device);
    const DeviceFacts facts = testing::factsOf(device.toStdString());
    PipelineSetup setup;
    setup.display = testing::displayOf(device.toStdString());
    setup.deviceId = device.toStdString();
    setup.source = std::make_unique<testing::RandomSource>(PixelFormat::Nv12, 64, 36, 100'000'000);
    setup.config.streams = 2;
    setup.config = nearestLegal(setup.config, facts);
    setup.hostFiles.clear();
    PipelineConfig config = setup.config;
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    JETSCOPE_VERIFY(pipeline);
    QStringList found;
    for (const auto &memory : choices<MemoryKind>())
        for (const auto &sync : choices<SyncMode>()) {
            config.memory = memory.value;
            config.sync = sync.value;
            config.framesInFlight = 1 + static_cast<int>(sync.value) % 3;
            if (memory.value == MemoryKind::NvBuf || !availability(config, facts).legal())
                continue;
            const std::uint64_t before = pipeline.value()->status().frames;
            pipeline.value()->change(config);
            QTRY_VERIFY_WITH_TIMEOUT(pipeline.value()->status().frames > before + 5, 10'000);
            for (const PipelineNotice &notice : pipeline.value()->drainUpdates().notices)
                if (notice.kind == PipelineNotice::Kind::Violation && notice.level <= HazardLevel::Luck)
                    found << QString::fromStdString(notice.rule + ": " + notice.text + "; " + notice.memory);
        }
    QVERIFY2(found.isEmpty(), qPrintable(found.join('\n').left(2000)));
}

void TestHazards::unifiedMemoryOnTheSameInput_data()
{
    QTest::addColumn<QString>("device");
    for (const std::string &device : testing::usableDevices())
        QTest::newRow(device.c_str()) << QString::fromStdString(device);
}

/// An error where concurrentManagedAccess is 0, legal where it is 1.
void TestHazards::unifiedMemoryOnTheSameInput()
{
    QFETCH(QString, device);
    const DeviceFacts facts = testing::factsOf(device.toStdString());
    PipelineConfig config;
    config.memory = MemoryKind::Unified;
    config.cpuStage = CpuStagePlacement::SameInput;
    config.filters = {Filter::Gaussian5};
    config = nearestLegal(config, facts);
    config.memory = MemoryKind::Unified;
    config.cpuStage = CpuStagePlacement::SameInput;
    if (availability(config, facts).unavailable() || !cpuStageCapability().available)
        QSKIP("no such choice here");
    const QStringList hazards = hazardsOf(device.toStdString(), config);
    if (facts.concurrentManagedAccess) {
        QVERIFY2(hazards.isEmpty(), qPrintable(hazards.join('\n').left(2000)));
        return;
    }
    QVERIFY2(!hazards.filter(QRegularExpression("^A[12]")).isEmpty(), qPrintable(hazards.join('\n').left(2000)));
    // Every access lies in a scope, so what page protection catches is no hazard of its own; it adds the code.
    QVERIFY2(hazards.filter("Code on the CPU").isEmpty(), qPrintable(hazards.join('\n').left(2000)));
    QVERIFY2(!hazards.filter(QRegularExpression("CPU access, caught at byte [0-9]+, in ")).isEmpty(),
             qPrintable(hazards.join('\n').left(2000)));
}

void TestHazards::uncachedInputThatIsReadTwiceCosts_data()
{
    QTest::addColumn<bool>("pictures");
    QTest::addColumn<QString>("rule");
    QTest::addRow("soft:nano") << true << "A16";
    QTest::addRow("soft:nano without pictures") << false << QString();
    QTest::addRow("soft:orin") << true << QString();
}

/// The CPU stage and the picture for the view both read the frame: legal everywhere, and slow where the CPU does not
/// cache it.
void TestHazards::uncachedInputThatIsReadTwiceCosts()
{
    QFETCH(bool, pictures);
    QFETCH(QString, rule);
    if (!cpuStageCapability().available)
        QSKIP("this build has no CPU stage");
    const std::string device = QString(QTest::currentDataTag()).section(' ', 0, 0).toStdString();
    PipelineSetup setup;
    setup.display = testing::displayOf(device);
    setup.deviceId = device;
    setup.source = std::make_unique<testing::RandomSource>(PixelFormat::Nv12, 64, 36, 100'000'000);
    setup.config = nearestLegal(PipelineConfig{}, testing::factsOf(device));
    setup.config.memory = MemoryKind::ZeroCopy;
    setup.config.cpuStage = CpuStagePlacement::SameInput;
    setup.hostFiles.clear();
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    JETSCOPE_VERIFY(pipeline);
    pipeline.value()->wantInputPictures(pictures);
    const std::uint64_t before = pipeline.value()->status().frames;
    QTRY_VERIFY_WITH_TIMEOUT(pipeline.value()->status().frames > before + 60, 10'000);
    QStringList broken;
    for (const PipelineNotice &notice : pipeline.value()->drainUpdates().notices)
        if (notice.kind == PipelineNotice::Kind::Violation)
            broken << QString::fromStdString(notice.rule);
    broken.removeDuplicates();
    QCOMPARE(broken.join(' '), rule);
}

void TestHazards::scenesShowTheirRule_data()
{
    QTest::addColumn<QString>("device");
    QTest::addColumn<QString>("scene");
    for (const std::string &device : testing::usableDevices()) {
        int row = 0;
        for (const Scene &scene : scenes())
            if (testing::isTurnOf(row++, device))
                QTest::addRow("%s %s", device.c_str(), std::string(scene.name).c_str())
                    << QString::fromStdString(device)
                    << QString::fromUtf8(scene.name.data(), qsizetype(scene.name.size()));
    }
}

/// The scene breaks its rule; its choices without the mistake break none.
void TestHazards::scenesShowTheirRule()
{
    QFETCH(QString, device);
    QFETCH(QString, scene);
    const Scene *shown = sceneNamed(scene.toStdString());
    QVERIFY(shown);
    const DeviceFacts facts = testing::factsOf(device.toStdString());
    PipelineConfig config = nearestLegal(PipelineConfig{}, facts);
    config.filters = {Filter::Gaussian5};
    config.streams = 2;
    const Capability capability = sceneCapability(*shown, config, facts);
    if (!capability.available)
        QSKIP(capability.reason.c_str());
    config = shown->choose(config);
    if (config.cpuStage != CpuStagePlacement::Off && !cpuStageCapability().available)
        QSKIP("this build has no CPU stage");
    const std::string_view rule = ruleOf(shown->rule).name;
    const QStringList hazards =
        hazardsOf(device.toStdString(), config, shown->decorate ? DeviceDecorator(shown->decorate) : DeviceDecorator());
    const QString start = QString::fromUtf8(rule.data(), qsizetype(rule.size())) + ' ';
    QVERIFY2(!hazards.filter(QRegularExpression('^' + start)).isEmpty(), qPrintable(hazards.join('\n').left(2000)));
    if (shown->decorate) {
        const QStringList mended = hazardsOf(device.toStdString(), config);
        QVERIFY2(mended.isEmpty(), qPrintable(mended.join('\n').left(2000)));
    }
}

JETSCOPE_TEST(TestHazards)
#include "tst_hazards.moc"
