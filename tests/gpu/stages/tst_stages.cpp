// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Stages of the user: the chain with a stage gives the bytes of a plain reference under every choice, what breaks the
// contract is a row with its reason, and the ledger sees what a stage declares.
#include "core/settings/filters.h"
#include "gpu/stages/stageoptions.h"
#include "tests/gpu/stagefixture.h"
#include "tests/support/changingoption.h"
#include "tests/support/everychoice.h"
#include "tests/support/longrun.h"

#include <QFile>
#include <QTemporaryDir>

#include <dlfcn.h>

using namespace jetscope;
using namespace jetscope::testing;

namespace {

constexpr std::uint64_t kFrames = 9;
constexpr int kMask = 85; // The default of the test stages.

/// What the row of a stage says against its use on the software iGPU; empty if nothing.
QString reasonOf(const std::string &name)
{
    const Status added = addStages(name);
    if (!added.ok())
        return "not added: " + QString::fromStdString(added.error().text);
    const std::optional<Filter> filter = choiceByName<Filter>(name);
    return filter ? QString::fromStdString(filterRow(*filter)->onCpu.reason) : QStringLiteral("there is no row");
}

void turnAround(reference::Image &image, int mask)
{
    for (reference::Rgba &pixel : image.pixels)
        for (std::size_t channel = 0; channel < 3; ++channel)
            pixel[channel] ^= mask;
}

void turnGreyAround(reference::Image &image, int mask)
{
    for (reference::Rgba &pixel : image.pixels) {
        const int grey = reference::luma(pixel) ^ mask;
        pixel = {grey, grey, grey, 255};
    }
}

struct StageCase {
    const char *mode;
    std::vector<Filter> before;
    std::vector<Filter> after;
    void (*stage)(reference::Image &image, int mask);
};

std::vector<std::byte> referenceOf(const StageCase &chain, const testing::RandomSource &source, std::uint64_t frame)
{
    std::vector<std::byte> bytes(source.info().layout.bytes);
    source.fill(bytes.data(), frame);
    reference::Image image = reference::applyAll(chain.before, reference::convert(source.info().layout, bytes.data()));
    chain.stage(image, kMask);
    const auto out = reference::bytesOf(reference::applyAll(chain.after, image));
    const auto *first = reinterpret_cast<const std::byte *>(out.data());
    return {first, first + out.size()};
}

std::vector<Filter> filtersOf(const StageCase &chain)
{
    std::vector<Filter> filters = chain.before;
    const std::vector<Filter> stage = chainOf(stageName(chain.mode));
    filters.insert(filters.end(), stage.begin(), stage.end());
    filters.insert(filters.end(), chain.after.begin(), chain.after.end());
    return filters;
}

} // namespace

class TestStages : public QObject {
    Q_OBJECT

private slots:
    void everyChoiceGivesTheReferencesBytes_data();
    void everyChoiceGivesTheReferencesBytes();
    void stagesWorkAnywhereInTheChain_data();
    void stagesWorkAnywhereInTheChain();
    void theExampleWorks();
    void hostileStagesAreRowsWithAReason_data();
    void hostileStagesAreRowsWithAReason();
    void optionsAreChecked_data();
    void optionsAreChecked();
    void malformedNamesAreRefused_data();
    void malformedNamesAreRefused();
    void nothingIsLoadedUnasked();
    void withoutATrialNothingIsUsed();
    void theLedgerSeesWhatAStageDeclares_data();
    void theLedgerSeesWhatAStageDeclares();
    void aFailingStageIsNotSwitchedTo();
    void whatTheDeviceLacksIsSaid();
    void optionsChangeUnderLoadWithoutLosingAFrame();
    void numbersOfOptionsAreText_data();
    void numbersOfOptionsAreText();
    void aRefusedStageCanBeLoadedOnceItIsCorrected();
};

void TestStages::everyChoiceGivesTheReferencesBytes_data()
{
    QTest::addColumn<QString>("device");
    QTest::addColumn<int>("memory");
    for (const std::string &device : testing::usableDevices()) {
        int row = 0;
        for (const auto &memory : choices<MemoryKind>())
            if (device.starts_with("soft:") && testing::isTurnOf(row++, device))
                QTest::addRow("%s %s", device.c_str(), std::string(memory.name).c_str())
                    << QString::fromStdString(device) << static_cast<int>(memory.value);
    }
}

void TestStages::everyChoiceGivesTheReferencesBytes()
{
    QFETCH(QString, device);
    QFETCH(int, memory);
    const StageCase chain{"good", {Filter::Gaussian5}, {Filter::Sobel}, turnAround};
    testing::EveryChoice{device.toStdString(),
                         static_cast<MemoryKind>(memory),
                         PixelFormat::Nv12,
                         53,
                         31,
                         kFrames,
                         [&](int) { return filtersOf(chain); },
                         [&](const testing::RandomSource &source, std::uint64_t frame, int) {
                             return referenceOf(chain, source, frame);
                         }}
        .run();
}

void TestStages::stagesWorkAnywhereInTheChain_data()
{
    QTest::addColumn<QString>("mode");
    QTest::addColumn<int>("format");
    QTest::addColumn<bool>("before");
    QTest::addColumn<bool>("after");
    for (const char *mode : {"good", "grey"})
        for (const PixelFormat format : {PixelFormat::Rgba8, PixelFormat::Grey8, PixelFormat::Yuyv})
            for (const bool before : {false, true})
                for (const bool after : {false, true})
                    QTest::addRow("%s %s %d %d", mode, std::string(pixelFormatName(format)).c_str(), before, after)
                        << QString(mode) << static_cast<int>(format) << before << after;
}

void TestStages::stagesWorkAnywhereInTheChain()
{
    QFETCH(QString, mode);
    QFETCH(int, format);
    QFETCH(bool, before);
    QFETCH(bool, after);
    StageCase chain{mode == "good" ? "good" : "grey", {}, {}, mode == "good" ? turnAround : turnGreyAround};
    if (before)
        chain.before = {Filter::Sharpen};
    if (after)
        chain.after = {Filter::Invert, Filter::Gaussian15};
    PipelineConfig config;
    config.filters = filtersOf(chain);
    const testing::RandomSource same(static_cast<PixelFormat>(format), 53, 31, kFrames);
    testing::OutputLog log;
    log.keepPixels();
    PipelineSetup setup = stageSetup("soft:orin", static_cast<PixelFormat>(format), config, kFrames);
    setup.outputTap = log.tap();
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    JETSCOPE_VERIFY(pipeline);
    pipeline.value()->waitForEnd();
    pipeline.value().reset();
    QCOMPARE(log.numbers().size(), std::size_t(kFrames));
    for (std::uint32_t frame = 0; frame < kFrames; ++frame)
        QVERIFY2(log.pixels()[frame] == referenceOf(chain, same, frame), qPrintable(QString("frame %1").arg(frame)));
}

void TestStages::theExampleWorks()
{
    const std::string name = std::string("stage:") + JETSCOPE_EXAMPLE_STAGE + "?levels=2";
    QCOMPARE(reasonOf(name), QString());
    const FilterRow *row = filterRow(*choiceByName<Filter>(name));
    QCOMPARE(row->label, std::string("posterize"));
    QVERIFY(row->isStage && row->onCpu.available && !row->onCuda.available);
    PipelineConfig config;
    QVERIFY(applySetting(config, "filters", "identity+" + name).ok());
    QCOMPARE(filterNames(config.filters), "identity," + name);

    testing::OutputLog log;
    log.keepPixels();
    PipelineSetup setup = stageSetup("soft:orin", PixelFormat::Rgba8, config, kFrames);
    setup.outputTap = log.tap();
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    JETSCOPE_VERIFY(pipeline);
    pipeline.value()->waitForEnd();
    pipeline.value().reset();
    const testing::RandomSource same(PixelFormat::Rgba8, 53, 31, kFrames);
    const std::vector<std::byte> input = same.expected(3, {});
    const std::vector<std::byte> &output = log.pixels()[3];
    QCOMPARE(output.size(), input.size());
    for (std::size_t i = 0; i < input.size(); ++i) {
        const int wanted = i % 4 == 3 ? static_cast<int>(input[i]) : static_cast<int>(input[i]) < 128 ? 0 : 255;
        QCOMPARE(static_cast<int>(output[i]), wanted);
    }
}

void TestStages::hostileStagesAreRowsWithAReason_data()
{
    QTest::addColumn<QString>("mode");
    QTest::addColumn<QString>("reason");
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    constexpr const char *kSegmentationFault = "ended without an answer"; // The sanitizer handles the signal.
#else
    constexpr const char *kSegmentationFault = "crashed (Segmentation fault)";
#endif
    const std::pair<const char *, const char *> rows[] = {
        {"crash_load", "crashed (Aborted)"},
        {"crash_run", "crashed (Aborted)"},
        {"hang_load", "did not return within 2000 ms"},
        {"hang_run", "did not return within 2000 ms"},
        {"wrong_version", "was made for version 2 of jetscope_stage.h"},
        {"refused_version", "does not have version 1 of jetscope_stage.h"},
        {"no_symbol", "exports no function jetscope_stage_get"},
        {"wrong_size", "makes pictures of 640x720 pixels of frames of 1280x720"},
        {"outside", kSegmentationFault},
        {"padding", "wrote outside of its output"},
        {"unwritten", "did not write every pixel"},
        {"changes_input", "changed its input without declaring"},
        {"fails", "failed: the lamp is broken"},
        {"refuses", "cannot be used: it works at night only"},
        {"bad_option", "the option in row 0 has a malformed name, no help or no range"},
        {"ends_process", "ended without an answer (exit code 0)"},
    };
    for (const auto &[mode, reason] : rows)
        QTest::newRow(mode) << QString(mode) << QString(reason);
}

void TestStages::hostileStagesAreRowsWithAReason()
{
    QFETCH(QString, mode);
    QFETCH(QString, reason);
    setStageTrialTimeout(std::chrono::milliseconds(mode.startsWith("hang") ? 2000 : 60'000));
    const std::string name = stageName(mode.toUtf8().constData());
    const QString said = reasonOf(name);
    QVERIFY2(said.contains(reason), qPrintable(said));
    QVERIFY2(said.startsWith("The stage \"libjetscope_stage_"), qPrintable(said));
    // Such a filter is listed, but no pipeline takes it.
    const std::vector<Filter> chain = chainOf(name);
    QCOMPARE(chain.size(), std::size_t(1));
    PipelineConfig config;
    config.filters = chain;
    const Result<std::unique_ptr<Pipeline>> pipeline =
        Pipeline::create(stageSetup("soft:orin", PixelFormat::Rgba8, config, kFrames));
    QVERIFY(!pipeline.ok());
    QCOMPARE(QString::fromStdString(pipeline.error().text), said);
}

void TestStages::optionsAreChecked_data()
{
    QTest::addColumn<QString>("options");
    QTest::addColumn<QString>("reason");
    QTest::newRow("least") << "?mask=0"
                           << "";
    QTest::newRow("most") << "?mask=255"
                          << "";
    QTest::newRow("below") << "?mask=-1"
                           << "whole number from 0 to 255, not '-1'";
    QTest::newRow("above") << "?mask=256"
                           << "whole number from 0 to 255, not '256'";
    QTest::newRow("fraction") << "?mask=1.5"
                              << "whole number from 0 to 255, not '1.5'";
    QTest::newRow("nothing") << "?mask="
                             << "whole number from 0 to 255, not ''";
    QTest::newRow("words") << "?mask=12x"
                           << "whole number from 0 to 255, not '12x'";
    QTest::newRow("nan") << "?mask=nan"
                         << "whole number from 0 to 255, not 'nan'";
    QTest::newRow("huge") << "?mask=1e999"
                          << "whole number from 0 to 255, not '1e999'";
    QTest::newRow("unknown") << "?face=1"
                             << "has no option 'face'; its options are mask";
}

void TestStages::optionsAreChecked()
{
    QFETCH(QString, options);
    QFETCH(QString, reason);
    const QString said = reasonOf(stageName("good", options.toStdString()));
    QCOMPARE(said.isEmpty(), reason.isEmpty());
    QVERIFY2(said.contains(reason), qPrintable(said));
}

void TestStages::malformedNamesAreRefused_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("refusal");
    QTest::newRow("no path") << "stage:"
                             << "needs the path of its file";
    QTest::newRow("no path but options") << "stage:?a=1"
                                         << "needs the path of its file";
    QTest::newRow("no value") << "stage:x.so?a"
                              << "written key=value&key=value, not 'a'";
    QTest::newRow("no key") << "stage:x.so?=1"
                            << "written key=value&key=value, not '=1'";
    QTest::newRow("empty") << "stage:x.so?"
                           << "written key=value&key=value, not ''";
    QTest::newRow("twice") << "stage:x.so?a=1&a=2"
                           << "'a' of a stage is given twice";
    QTest::newRow("control") << "stage:x\n.so"
                             << "without commas, plus signs and control characters";
    QTest::newRow("long") << "stage:" + QString(2000, 'x') << "at most 1000 characters";
}

void TestStages::malformedNamesAreRefused()
{
    QFETCH(QString, name);
    QFETCH(QString, refusal);
    const std::size_t before = choices<Filter>().size();
    const Status added = addStages(name.toStdString());
    QVERIFY(!added.ok());
    QVERIFY2(added.error().text.find(refusal.toStdString()) != std::string::npos, added.error().text.c_str());
    QCOMPARE(choices<Filter>().size(), before);
}

void TestStages::nothingIsLoadedUnasked()
{
    const std::size_t before = choices<Filter>().size();
    PipelineConfig config;
    const Status applied = applySetting(config, "filters", "gaussian5+" + stageName("good", "?mask=7"));
    QVERIFY(!applied.ok());
    QVERIFY2(applied.error().text.find("is not loaded") != std::string::npos, applied.error().text.c_str());
    QCOMPARE(choices<Filter>().size(), before);
    // Other chains are not stages.
    QVERIFY(addStages("none").ok() && addStages("").ok() && addStages("gaussian5,sobel").ok());
    for (const char *unknown : {"file:x", ":", "stag:./x.so", "Stage:x.so"})
        QVERIFY(addStages(unknown).error().text.starts_with("There are no stages '"));
    QCOMPARE(choices<Filter>().size(), before);
    QVERIFY(reasonOf("stage:./there-is-no-such.so").contains("there is no file './there-is-no-such.so'"));
    QVERIFY(reasonOf("stage:/dev").contains("there is no file '/dev'"));
    QVERIFY(reasonOf("stage:/proc/self/status").contains("there is no file")
            || reasonOf("stage:/proc/self/status").contains("cannot be loaded"));
}

void TestStages::withoutATrialNothingIsUsed()
{
    StageTrialPlan plan;
    plan.words = {stagePath("good")};
    QCOMPARE(tryStage(plan).reason,
             std::string("this program makes no trial of stages, and untried they are not used"));
    plan.command = {"/there/is/no/program"};
    QVERIFY(tryStage(plan).reason.starts_with("its trial cannot be made: "));
    plan.command = {"/bin/echo"};
    QVERIFY(tryStage(plan).reason.starts_with("its trial ended without an answer"));
}

void TestStages::theLedgerSeesWhatAStageDeclares_data()
{
    QTest::addColumn<QString>("mode");
    QTest::addColumn<int>("streams");
    QTest::addColumn<bool>("found");
    QTest::newRow("own memory, one stream") << "memory" << 1 << false;
    QTest::newRow("own memory, two streams") << "memory" << 2 << true;
    QTest::newRow("nothing declared, two streams") << "good" << 2 << false;
    // The CPU stage reads the same frame.
    QTest::newRow("written input") << "writes_input" << 1 << true;
    QTest::newRow("read input") << "good" << 1 << false;
}

void TestStages::theLedgerSeesWhatAStageDeclares()
{
    QFETCH(QString, mode);
    QFETCH(int, streams);
    QFETCH(bool, found);
    const bool sharesInput = mode == "writes_input" || streams == 1;
    if (sharesInput && !cpuStageCapability().available)
        QSKIP("this build has no CPU stage");
    PipelineConfig config;
    config.memory = MemoryKind::ZeroCopy;
    config.streams = streams;
    config.framesInFlight = 3;
    config.cpuStage = sharesInput ? CpuStagePlacement::SameInput : CpuStagePlacement::Off;
    config.filters = chainOf(stageName(mode.toUtf8().constData()));
    QCOMPARE(config.filters.size(), std::size_t(1));
    Result<std::unique_ptr<Pipeline>> pipeline =
        Pipeline::create(stageSetup("soft:orin", PixelFormat::Rgba8, config, 40));
    JETSCOPE_VERIFY(pipeline);
    pipeline.value()->waitForEnd();
    const PipelineUpdate update = pipeline.value()->drainUpdates();
    QCOMPARE(pipeline.value()->status().frames, std::uint64_t(40));
    const QString broken = testing::brokenRule(update);
    QCOMPARE(!broken.isEmpty(), found);
    if (found)
        QVERIFY2(broken.startsWith("O1: ") || broken.startsWith("B5: "), qPrintable(broken));
}

void TestStages::aFailingStageIsNotSwitchedTo()
{
    PipelineConfig config;
    config.filters = {Filter::Gaussian5};
    PipelineSetup setup = stageSetup("soft:orin", PixelFormat::Rgba8, config, 4000);
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    JETSCOPE_VERIFY(pipeline);
    const std::vector<Filter> good = chainOf(stageName("good"));
    const std::vector<Filter> bad = chainOf(stageName("fails"));
    QCOMPARE(good.size() + bad.size(), std::size_t(2));
    QString refused;
    QString switched;
    const auto collect = [&] {
        const PipelineUpdate update = pipeline.value()->drainUpdates();
        refused += testing::noticeText(update, PipelineNotice::Kind::Refused);
        switched += testing::noticeText(update, PipelineNotice::Kind::Switched);
    };
    config.filters = bad;
    pipeline.value()->change(config);
    QTRY_VERIFY((collect(), !refused.isEmpty()));
    QVERIFY2(refused.contains("the lamp is broken"), qPrintable(refused));
    config.filters = good;
    pipeline.value()->change(config);
    QTRY_VERIFY((collect(), !switched.isEmpty()));
    QVERIFY(pipeline.value()->status().state != PipelineState::Failed);
}

void TestStages::whatTheDeviceLacksIsSaid()
{
    QVERIFY(reasonOf(stageName("cuda_only")).contains("takes CUDA memory only"));
    const FilterRow *row = filterRow(*choiceByName<Filter>(stageName("cuda_only")));
    QVERIFY(row->onCuda.available);
    QVERIFY(filterRow(chainOf(stageName("good")).front())->onCuda.reason.find("takes host memory only")
            != std::string::npos);
}

void TestStages::optionsChangeUnderLoadWithoutLosingAFrame()
{
    testing::changeOptionUnderLoad("soft:orin", stageName("good", "?mask=1"), testing::isLongRun() ? 20 : 6);
    // Those of former values were torn down.
    void *const library = dlopen(stagePath("good").c_str(), RTLD_NOW | RTLD_NOLOAD);
    QVERIFY(library);
    const int *const states = static_cast<const int *>(dlsym(library, "test_stage_states"));
    const int *const most = static_cast<const int *>(dlsym(library, "test_stage_most_states"));
    QVERIFY(states && most);
    QCOMPARE(*states, 0);
    QCOMPARE(*most, 2);
}

void TestStages::numbersOfOptionsAreText_data()
{
    QTest::addColumn<double>("step");
    QTest::addColumn<double>("most");
    QTest::addColumn<QString>("suffix");
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("text");
    QTest::newRow("whole") << 1.0 << 255.0 << "" << 85.0 << "85";
    QTest::newRow("fives") << 5.0 << 100.0 << "" << 85.0 << "85";
    QTest::newRow("tenths") << 0.1 << 1.0 << "" << 0.3 << "0.3";
    QTest::newRow("quarters") << 0.25 << 1.0 << "" << 0.75 << "0.75";
    QTest::newRow("any number") << 0.0 << 1.0 << "" << 0.5 << "0.500";
    QTest::newRow("any large number") << 0.0 << 1e6 << "" << 12345.0 << "12345";
    QTest::newRow("float") << 0.05 << 1.0 << "f" << 0.5 << "0.50f";
    QTest::newRow("whole float") << 1.0 << 9.0 << "f" << 4.0 << "4.0f";
    QTest::newRow("unsigned") << 1.0 << 9.0 << "u" << 4.0 << "4u";
    QTest::newRow("tiny steps") << 1e-30 << 1.0 << "" << 0.5 << "0.500000000";
}

void TestStages::numbersOfOptionsAreText()
{
    QFETCH(double, step);
    QFETCH(double, most);
    QFETCH(QString, suffix);
    QFETCH(double, value);
    QFETCH(QString, text);
    FilterOption option{"strength", "How strong.", 0, most, 0, step, 0, suffix.toStdString()};
    QCOMPARE(QString::fromStdString(optionText(option, value)), text);
    std::vector<FilterOption> read{option};
    QVERIFY(setOptions(read, {"x", {{"strength", text.toStdString()}}}, true).ok());
    QCOMPARE(read[0].value, value);
    FilterRow row;
    row.name = "cu:x.cu?OTHER=2&strength=" + text.toStdString();
    row.options = read;
    QCOMPARE(stageNameWith(row, 0, value), row.name); // Macros that are no options stay.
    QCOMPARE(stageNameWith(row, 0, 0), std::string("cu:x.cu?OTHER=2"));
    row.options.push_back({"buffer", "Changed by this machine.", 0, 2, 0, 1, 2, ""});
    QCOMPARE(stageNameWith(row, 0, value), row.name); // And what the name does not say is not written into it.
}

void TestStages::aRefusedStageCanBeLoadedOnceItIsCorrected()
{
    const QTemporaryDir folder;
    const QString file = folder.filePath("libchanging.so");
    const std::string name = "stage:" + file.toStdString();
    const auto build = [&](const char *mode) {
        QFile::remove(file);
        return QFile::copy(QString::fromStdString(stagePath(mode)), file);
    };
    QVERIFY(build("crash_run"));
    const std::size_t before = choices<Filter>().size();
    const Result<Filter> refused = loadStage(name);
    QVERIFY(!refused.ok());
    QVERIFY2(refused.error().text.find("crashed (Aborted)") != std::string::npos, refused.error().text.c_str());
    QCOMPARE(choices<Filter>().size(), before);
    QVERIFY(addStages(name).ok()); // A row with the reason, as the command line makes it.
    QCOMPARE(choices<Filter>().size(), before + 1);
    QVERIFY(!loadStage(name).ok());
    QVERIFY(build("good"));
    const Result<Filter> loaded = loadStage(name);
    JETSCOPE_VERIFY(loaded);
    QVERIFY(filterRow(loaded.value())->onCpu.available);
    QVERIFY(choiceByName<Filter>(name) == loaded.value());
    QCOMPARE(loadStage(name).value(), loaded.value()); // It is there already.
    QVERIFY(!loadStage("nonsense").ok() && !loadStage("gaussian5").ok() && !loadStage("odd:x.so").ok());
}

int main(int argc, char **argv)
{
    if (const std::optional<int> trial = stageTrialIfAsked(argc, argv))
        return *trial;
    QCoreApplication application(argc, argv);
    setStageTrialTimeout(std::chrono::seconds(60)); // Machines are busy.
    TestStages test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_stages.moc"
