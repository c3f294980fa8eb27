// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Stages of VPI with a made-up VPI of each version, which keeps the documented contract: the bytes are those of a plain
// reference, no rule is broken, each failure of a call is an error, and nothing is left behind.
#include "core/settings/filters.h"
#include "gpu/hazards/ledgerdevice.h"
#include "gpu/stages/stageoptions.h"
#include "gpu/stages/stageset.h"
#include "gpu/stages/vpi/vpistage.h"
#include "tests/gpu/vpipipeline.h"

using namespace jetscope;
using namespace jetscope::testing;

namespace {

struct AlgorithmCase {
    const char *address;
    std::vector<const char *> backends;
    void (*reference)(const Padded &in, Padded &out);
};
const std::vector<AlgorithmCase> &algorithms()
{
    static const std::vector<AlgorithmCase> all = {
        {"gaussian?size=5&sigma=1.5", {"cpu", "cuda", "pva"}, referenceGaussian},
        {"rescale?scale=0.25", {"cpu", "cuda", "vic"}, referenceRescale},
        {"convert?wait=yes", {"cpu", "cuda", "vic"}, referenceConvert},
        {"harris?most=20&strength=12", {"cpu", "cuda", "pva"}, referenceHarris},
    };
    return all;
}

} // namespace

class TestVpiStages : public QObject {
    Q_OBJECT

private slots:
    void init();
    void bytesAreTheReferences_data();
    void bytesAreTheReferences();
    void everyFailureIsAnError_data();
    void everyFailureIsAnError();
    void optionsAreChecked_data();
    void optionsAreChecked();
    void optionsAreShown();
    void optionsChangeWhileFramesRun();
    void timesOutliveTheirStage();
    void whatIsMissingIsSaid_data();
    void whatIsMissingIsSaid();
    void aStreamThatGoesTakesItsWrapper();
    void unfinishedWorkBreaksARule();
    void enginesHaveLanes();
};

void TestVpiStages::init()
{
    useFake("3");
}

void TestVpiStages::bytesAreTheReferences_data()
{
    QTest::addColumn<QString>("variant");
    QTest::addColumn<int>("algorithm");
    QTest::addColumn<QString>("backend");
    QTest::addColumn<QString>("memory");
    for (const char *variant : {"2", "3", "4", "4_base_first"})
        for (std::size_t i = 0; i < algorithms().size(); ++i)
            for (const char *backend : algorithms()[i].backends)
                for (const char *memory : {"host", "cuda", "wrapped"})
                    QTest::addRow("VPI %s %s %s %s", variant, algorithms()[i].address, backend, memory)
                        << variant << static_cast<int>(i) << backend << memory;
}

void TestVpiStages::bytesAreTheReferences()
{
    QFETCH(QString, variant);
    QFETCH(int, algorithm);
    QFETCH(QString, backend);
    QFETCH(QString, memory);
    useFake(variant.toStdString());
    const AlgorithmCase &which = algorithms()[static_cast<std::size_t>(algorithm)];
    const bool isCuda = memory != "host";
    Result<std::unique_ptr<VpiStage>> stage = VpiStage::create(addressOf(
        which.address + ("&backend=" + backend.toStdString()) + (memory == "wrapped" ? "&stream=wrapped" : "")));
    QVERIFY2(stage.ok(), stage.ok() ? "" : stage.error().message().c_str());
    Result<std::unique_ptr<StageInstance>> instance = stage.value()->setUp(deviceOf(isCuda), kWidth, kHeight);
    QVERIFY2(instance.ok(), instance.ok() ? "" : instance.error().message().c_str());
    StageInstance &run = *instance.value();
    std::uint64_t bytes = 0;
    static_cast<void>(FAKE(fakeVpiCopied)());
    for (std::uint32_t frame = 0; frame < 5; ++frame) { // Of two streams, with other memory each time.
        Padded input(run.reads(), frame + 1);
        Padded output(run.makes(), frame + 100);
        Padded expected(run.makes(), frame + 100);
        void *const stream = isCuda ? streamNumber(frame % 2 + 1) : nullptr;
        for (const Padded *each : {&input, &output})
            if (isCuda)
                FAKE(fakeVpiCudaMemory)(each->bytes.data(), each->bytes.size());
        if (memory == "cuda")
            FAKE(fakeVpiBusy)(stream);
        const Status ran = run.run({frame, input.image(), output.image(), stream});
        QVERIFY2(ran.ok(), ran.ok() ? "" : ran.error().message().c_str());
        which.reference(input, expected);
        QVERIFY(output.bytes == expected.bytes);
        FAKE(fakeVpiCudaMemory)(nullptr, 0);
        for (const StageWork &work : run.takeWork()) {
            QVERIFY(work.startNs < work.endNs && work.frame == frame);
            QCOMPARE(QString(work.engine).contains(backend.toUpper()), true);
            bytes += work.bytes;
        }
    }
    QVERIFY(!run.leavesVpiWork());
    if (isCuda || backend != "cpu") // On the CPU, nothing is copied and there is no engine.
        QCOMPARE(bytes, FAKE(fakeVpiCopied)());
    instance.value().reset();
    QCOMPARE(violations(), QString());
    QCOMPARE(FAKE(fakeVpiLive)(), 0);
}

void TestVpiStages::everyFailureIsAnError_data()
{
    QTest::addColumn<QString>("function");
    for (const char *function : {"vpiContextGetCurrent",
                                 "vpiContextGetFlags",
                                 "vpiStreamCreate",
                                 "vpiStreamCreateWrapperCUDA",
                                 "vpiStreamSync",
                                 "vpiImageCreate",
                                 "vpiImageCreateWrapper",
                                 "vpiImageSetWrapper",
                                 "vpiImageLockData",
                                 "vpiImageUnlock",
                                 "vpiArrayCreate",
                                 "vpiArrayLockData",
                                 "vpiArrayUnlock",
                                 "vpiSubmitGaussianFilter",
                                 "vpiSubmitRescale",
                                 "vpiSubmitConvertImageFormat",
                                 "vpiInitHarrisCornerDetectorParams",
                                 "vpiCreateHarrisCornerDetector",
                                 "vpiSubmitHarrisCornerDetector",
                                 "cuStreamSynchronize",
                                 "cuMemcpy2DAsync",
                                 "cuMemsetD2D8Async"})
        QTest::newRow(function) << QString(function);
}

void TestVpiStages::everyFailureIsAnError()
{
    QFETCH(QString, function);
    const auto tryAll = [&](const char *address, bool isCuda) -> Status {
        JETSCOPE_TRY_ASSIGN(std::unique_ptr<VpiStage> stage, VpiStage::create(addressOf(address)));
        JETSCOPE_TRY_ASSIGN(std::unique_ptr<StageInstance> instance, stage->setUp(deviceOf(isCuda), kWidth, kHeight));
        Padded input(instance->reads(), 1);
        Padded output(instance->makes(), 2);
        for (const Padded *each : {&input, &output})
            if (isCuda)
                FAKE(fakeVpiCudaMemory)(each->bytes.data(), each->bytes.size());
        Status status;
        for (std::uint64_t frame = 0; frame < 2 && status.ok(); ++frame)
            status = instance->run({frame, input.image(), output.image(), isCuda ? streamNumber(7) : nullptr});
        instance.reset();
        FAKE(fakeVpiCudaMemory)(nullptr, 0);
        return status;
    };
    const QByteArray name = function.toUtf8();
    FAKE(fakeVpiFail)(name.constData());
    bool hasFailed = false;
    for (const char *address :
         {"gaussian", "rescale?backend=vic", "convert", "harris?backend=pva", "gaussian?stream=wrapped&backend=cuda"})
        for (const bool isCuda : {false, true}) {
            const Status status = tryAll(address, isCuda);
            if (status.ok() || QString::fromStdString(status.error().text).contains("stream=wrapped"))
                continue;
            hasFailed = true;
            QVERIFY(QString::fromStdString(status.error().call).startsWith(function));
            QVERIFY2(status.error().text.find("a made-up failure") != std::string::npos, status.error().text.c_str());
        }
    FAKE(fakeVpiFail)("");
    QVERIFY(hasFailed);
    if (function == "vpiArrayUnlock" || function == "vpiImageUnlock") // What cannot be unlocked stays locked.
        static_cast<void>(violations());
    QCOMPARE(violations(), QString());
    QCOMPARE(FAKE(fakeVpiLive)(), 0);
}

void TestVpiStages::optionsAreChecked_data()
{
    QTest::addColumn<QString>("address");
    QTest::addColumn<QString>("reason");
    const std::pair<const char *, const char *> rows[] = {
        {"gaussian?size=3&sigma=0.1&backend=pva&version=4", ""},
        {"sobel", "no algorithm 'sobel'; there are gaussian"},
        {"gaussian?backend=vic", "must be cpu, cuda or pva, not 'vic'"},
        {"gaussian?backend=dla", "must be cpu, cuda or pva, not 'dla'"},
        {"gaussian?size=4", "must be 3, 5, 7, 9 or 11, not '4'"},
        {"gaussian?size=13", "must be 3, 5, 7, 9 or 11, not '13'"},
        {"gaussian?sigma=nan", "from 0.1 to 10, not 'nan'"},
        {"gaussian?scale=0.5", "has no option 'scale'; its options are backend, size, sigma, stream, wait, version"},
        {"rescale?scale=0", "from 0.0625 to 1, not '0'"},
        {"rescale?scale= 1", "from 0.0625 to 1, not ' 1'"},
        {"rescale?scale=1e999", "from 0.0625 to 1"},
        {"harris?most=1.5", "whole number from 1 to 1024, not '1.5'"},
        {"harris?strength=", "from 0 to 20, not ''"},
        {"convert?stream=mine", "must be own or wrapped, not 'mine'"},
        {"convert?wait=no", "wait=no needs stream=wrapped"},
        {"harris?wait=no&stream=wrapped", "wait=no needs read=cpu-stage"},
        {"harris?wait=no&stream=wrapped&read=cpu-stage", ""},
        {"harris?wait=no&read=cpu-stage", "wait=no needs stream=wrapped"},
        {"convert?version=5", "must be newest, 2, 3 or 4, not '5'"},
        {"convert?version=\xff\x01", "must be newest"},
    };
    for (const auto &[address, reason] : rows)
        QTest::newRow(address) << QString::fromLatin1(address) << QString(reason);
}

void TestVpiStages::optionsAreChecked()
{
    QFETCH(QString, address);
    QFETCH(QString, reason);
    const Result<VpiPlan> plan = VpiPlan::parse(addressOf(address.toLatin1().toStdString()));
    QCOMPARE(plan.ok(), reason.isEmpty());
    if (!plan.ok())
        QVERIFY2(QString::fromStdString(plan.error().text).contains(reason), plan.error().text.c_str());
}

/// What a stage cannot take says why, and the text of options that are not changed stays.
void TestVpiStages::optionsAreShown()
{
    useFake("3_without_engines");
    const std::string name = "vpi:gaussian?size=7&sigma=1.125&stream=wrapped";
    static_cast<void>(reasonOf(name));
    const FilterRow row = *filterRow(*choiceByName<Filter>(name));
    QCOMPARE(row.options.size(), std::size_t(6));
    QCOMPARE(QString::fromStdString(stageNameWith(row, 0, 1)),
             QString("vpi:gaussian?backend=cuda&size=7&sigma=1.125&stream=wrapped"));
    QCOMPARE(QString::fromStdString(stageNameWith(row, 2, 2.5)),
             QString("vpi:gaussian?size=7&sigma=2.5&stream=wrapped"));
    QCOMPARE(QString::fromStdString(stageNameWith(row, 2, 1.2)), QString("vpi:gaussian?size=7&stream=wrapped"));
    QCOMPARE(wordOf(optionNamed(row.options, "size")), std::string("7"));
    const Capability &pva = optionNamed(row.options, "backend").choices.at(2).capability;
    QVERIFY2(pva.reason.find("has no PVA on this machine") != std::string::npos, pva.reason.c_str());
    QVERIFY(optionNamed(row.options, "wait").choices.at(1).capability.available);
    const VpiPlan own = VpiPlan::parse(addressOf("gaussian")).value();
    QVERIFY(!optionNamed(own.options, "wait").choices.at(1).capability.available);
}

namespace {

/// The frames of each engine's spans.
std::map<std::string, std::multiset<std::uint32_t>> framesOfEngines(const PipelineUpdate &update)
{
    std::map<std::string, std::multiset<std::uint32_t>> frames;
    for (const LaneInfo &lane : update.lanes)
        for (const Span &span : update.spans)
            if (lane.role == LaneRole::Engine && span.lane == lane.id)
                frames[lane.name].insert(span.frame);
    return frames;
}

} // namespace

/// As the window does it: another filter, which is tried before; no frame and no time of an engine is lost.
void TestVpiStages::optionsChangeWhileFramesRun()
{
    std::string name = "vpi:gaussian?backend=pva&size=3";
    QCOMPARE(reasonOf(name), QString());
    OutputLog log;
    PipelineSetup setup = stagePipeline(name, std::uint64_t(1) << 40, log);
    PipelineConfig config = setup.config;
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    JETSCOPE_VERIFY(pipeline);
    PipelineUpdate all;
    const auto collect = [&] {
        PipelineUpdate update = pipeline.value()->drainUpdates();
        all.lanes.insert(all.lanes.end(), update.lanes.begin(), update.lanes.end());
        all.spans.insert(all.spans.end(), update.spans.begin(), update.spans.end());
        all.missedSpans += update.missedSpans;
    };
    for (const auto &[option, place] : {std::pair(0, 1.0), std::pair(1, 3.0), std::pair(2, 0.5), std::pair(0, 2.0)}) {
        const std::uint64_t before = pipeline.value()->status().frames;
        QTRY_VERIFY_WITH_TIMEOUT((collect(), pipeline.value()->status().frames >= before + 3), 60'000);
        name = stageNameWith(*filterRow(config.filters[0]), static_cast<std::size_t>(option), place);
        const Result<Filter> next = loadStage(name);
        JETSCOPE_VERIFY(next);
        config.filters = {next.value()};
        pipeline.value()->change(config);
        QTRY_VERIFY_WITH_TIMEOUT((collect(), pipeline.value()->status().config == config), 60'000);
    }
    QCOMPARE(name, std::string("vpi:gaussian?backend=pva&size=9&sigma=0.5"));
    QCOMPARE(pipeline.value()->status().droppedBySource, std::uint64_t(0));
    pipeline.value()->setPaused(true);
    QTRY_VERIFY_WITH_TIMEOUT(pipeline.value()->status().state == PipelineState::Paused, 60'000);
    collect();
    pipeline.value().reset();
    const std::vector<std::uint32_t> numbers = log.numbers();
    for (std::size_t i = 0; i < numbers.size(); ++i)
        QCOMPARE(numbers[i], static_cast<std::uint32_t>(i));
    QCOMPARE(all.missedSpans, std::uint64_t(0));
    auto engines = framesOfEngines(all);
    QVERIFY(!engines["PVA"].empty() && !engines["VPI on CUDA"].empty());
    std::multiset<std::uint32_t> both = engines["PVA"];
    both.merge(engines["VPI on CUDA"]);
    QCOMPARE(std::vector<std::uint32_t>(both.begin(), both.end()), numbers);
    QCOMPARE(violations(), QString());
}

/// The times of an engine are told also when the stage has left the chain, and when frames got another size.
void TestVpiStages::timesOutliveTheirStage()
{
    const std::string name = "vpi:gaussian?backend=pva&size=11";
    QCOMPARE(reasonOf(name), QString());
    const std::vector<Filter> chain = {*choiceByName<Filter>(name)};
    StageSet set(deviceOf(false));
    Padded input(PixelFormat::Grey8, 1);
    Padded output(PixelFormat::Grey8, 2);
    for (const bool leaves : {true, false}) {
        JETSCOPE_VERIFY(set.prepare(chain, kWidth, kHeight));
        const auto stages = set.of(chain, kWidth, kHeight);
        QVERIFY(stages.ok() && stages.value()[0]->run({5, input.image(), output.image(), nullptr}).ok());
        JETSCOPE_VERIFY(leaves ? set.prepare({}, kWidth, kHeight) : set.prepare(chain, kWidth + 2, kHeight));
        const std::vector<StageWork> work = set.takeWork();
        QCOMPARE(work.size(), std::size_t(1));
        QCOMPARE(QString(work[0].engine), QString("PVA"));
        QVERIFY(set.takeWork().empty());
    }
}

void TestVpiStages::whatIsMissingIsSaid_data()
{
    QTest::addColumn<QString>("variant");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("reason");
    const std::tuple<const char *, const char *, const char *> rows[] = {
        {"", "vpi:gaussian?version=2", "no libnvvpi.so.2 was found"},
        {"", "vpi:gaussian", "none of libnvvpi.so.4, .3 and .2 was found"},
        {"3_wrong_version", "vpi:rescale", "should be VPI 3 but says that it is VPI 5.0.1"},
        {"3_without_harris", "vpi:rescale?scale=1", "has no function vpiCreateHarrisCornerDetector"},
        {"3_without_engines", "vpi:gaussian?backend=pva", "has no PVA on this machine; it has CPU and CUDA"},
        {"3", "vpi:nothing", "no algorithm 'nothing'"},
        {"3", "vpi:gaussian?backend=cuda&stream=wrapped", "the software iGPU has none: take stream=own"},
        {"3", "vpi:gaussian?backend=vic&size=7", "must be cpu, cuda or pva"},
        {"4", "vpi:rescale?scale=0.75&backend=vic", ""},
    };
    for (const auto &[variant, name, reason] : rows)
        QTest::addRow("%s with %s", name, variant) << QString(variant) << QString(name) << QString(reason);
}

void TestVpiStages::whatIsMissingIsSaid()
{
    QFETCH(QString, variant);
    QFETCH(QString, name);
    QFETCH(QString, reason);
    if (variant.isEmpty())
        vpiTools() = {};
    else
        useFake(variant.toStdString());
    if (variant.isEmpty() && VpiLibrary::find(0).ok())
        QSKIP("this machine has VPI");
    const QString said = reasonOf(name.toStdString());
    QCOMPARE(said.isEmpty(), reason.isEmpty());
    QVERIFY2(said.contains(reason), qPrintable(said));
    if (reason.isEmpty())
        QVERIFY(filterRow(*choiceByName<Filter>(name.toStdString()))->help.find("not verified on hardware")
                != std::string::npos);
}

/// The address of a CUDA stream may be used again for another one.
void TestVpiStages::aStreamThatGoesTakesItsWrapper()
{
    const auto stage = VpiStage::create(addressOf("gaussian?backend=cuda&stream=wrapped&wait=no"));
    QVERIFY(stage.ok());
    const auto instance = stage.value()->setUp(deviceOf(true), kWidth, kHeight);
    QVERIFY(instance.ok() && instance.value()->leavesVpiWork());
    Padded input(PixelFormat::Grey8, 1);
    Padded output(PixelFormat::Grey8, 2);
    Padded expected(PixelFormat::Grey8, 2);
    const std::vector<std::byte> before = output.bytes;
    for (const Padded *each : {&input, &output})
        FAKE(fakeVpiCudaMemory)(each->bytes.data(), each->bytes.size());
    QVERIFY(instance.value()->run({0, input.image(), output.image(), streamNumber(9)}).ok());
    QVERIFY(output.bytes == before); // The made-up VPI is as late as it may be.
    const int live = FAKE(fakeVpiLive)();
    instance.value()->forgetStream(streamNumber(8));
    QCOMPARE(FAKE(fakeVpiLive)(), live);
    instance.value()->forgetStream(streamNumber(9));
    QCOMPARE(FAKE(fakeVpiLive)(), 0);
    QVERIFY(output.bytes != before);
    QVERIFY(instance.value()->takeWork().empty()); // Its end is not known.
    FAKE(fakeVpiCudaMemory)(nullptr, 0);
    QCOMPARE(violations(), QString());
}

namespace {

/// A device whose chains leave work of VPI.
class LeavingDevice final : public ForwardingDevice {
public:
    explicit LeavingDevice(std::unique_ptr<Device> device) : ForwardingDevice(std::move(device)) {}
    StageHost &stages() override { return m_stages; }

private:
    class Stages final : public StageHost {
        bool leavesVpiWork(std::span<const Filter> filters) override
        {
            return std::ranges::find(filters, Filter::Identity) != filters.end();
        }
    };
    Stages m_stages;
};

} // namespace

void TestVpiStages::unfinishedWorkBreaksARule()
{
    Result<std::unique_ptr<Device>> soft = openDevice("soft:orin", testing::displayOf("soft:orin"));
    JETSCOPE_VERIFY(soft);
    LedgerDevice device(std::make_unique<LeavingDevice>(std::move(soft).value()));
    const auto stream = device.createStream();
    const auto other = device.createStream();
    const auto event = device.createEvent(Device::Timing::Off);
    const ImageLayout layout = makeImageLayout(PixelFormat::Rgba8, 16, 16);
    const auto from = device.allocate(Allocation::Device, layout.bytes);
    const auto to = device.allocate(Allocation::Device, layout.bytes);
    QVERIFY(stream.ok() && other.ok() && event.ok() && from.ok() && to.ok());
    ChainLaunch work;
    work.filters = {Filter::Identity};
    work.inputLayout = layout;
    work.input = wholeOf(*from.value());
    work.output = wholeOf(*to.value());
    work.outputPitch = layout.planes[0].pitch;
    QVERIFY(device.launch(work, *stream.value()).ok());
    QVERIFY(device.takeHazards().empty());
    QVERIFY(device.record(*event.value(), *other.value()).ok()); // Another stream has none of it.
    QVERIFY(device.takeHazards().empty());
    QVERIFY(device.record(*event.value(), *stream.value()).ok());
    QVERIFY(device.launch(work, *stream.value()).ok());
    const std::vector<Hazard> hazards = device.takeHazards();
    QCOMPARE(hazards.size(), std::size_t(2));
    for (const Hazard &hazard : hazards)
        QVERIFY(hazard.rule == RuleId::G1);
    // Once the stage has gone, all work of VPI was waited for.
    QVERIFY(device.stages().prepare(std::vector{Filter::Identity, Filter::Invert}, 16, 16).ok());
    QVERIFY(device.record(*event.value(), *stream.value()).ok());
    QCOMPARE(device.takeHazards().size(), std::size_t(1));
    QVERIFY(device.stages().prepare(std::vector{Filter::Invert}, 16, 16).ok());
    QVERIFY(device.record(*event.value(), *stream.value()).ok());
    QVERIFY(device.takeHazards().empty());
    QVERIFY(device.synchronize().ok());
}

void TestVpiStages::enginesHaveLanes()
{
    const std::string name = "vpi:gaussian?backend=pva&sigma=2"; // No other test has it.
    QCOMPARE(reasonOf(name), QString());
    OutputLog log;
    PipelineSetup setup = stagePipeline(name, 9, log);
    setup.config.framesInFlight = 3;
    const Result<PipelineUpdate> run = runToEnd(std::move(setup));
    JETSCOPE_VERIFY(run);
    const PipelineUpdate &update = run.value();
    QCOMPARE(testing::brokenRule(update), QString());
    const auto lane = std::find_if(update.lanes.begin(), update.lanes.end(),
                                   [](const LaneInfo &each) { return each.role == LaneRole::Engine; });
    QVERIFY(lane != update.lanes.end());
    QCOMPARE(update.missedSpans, std::uint64_t(0));
    QCOMPARE(lane->name, std::string("PVA"));
    std::set<std::uint32_t> frames;
    for (const Span &span : update.spans) {
        if (span.lane != lane->id)
            continue;
        frames.insert(span.frame);
        QVERIFY(spanCertainty(span.name) == Certainty::Bounded && span.durationNs > 0);
        QCOMPARE(span.bytes, std::uint32_t(2 * kWidth * kHeight)); // The frames are in host memory.
    }
    QCOMPARE(frames.size(), std::size_t(9));
    QCOMPARE(log.numbers().size(), std::size_t(9));
    QCOMPARE(violations(), QString());
    QCOMPARE(FAKE(fakeVpiLive)(), 0);
}

int main(int argc, char **argv)
{
    return runStageTest<TestVpiStages>(argc, argv);
}
#include "tst_vpistages.moc"
