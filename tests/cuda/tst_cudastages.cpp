// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Own kernels and stages in CUDA memory on a GPU: bytes of a plain reference under every choice, reloads under load,
// kernels that are wrong or never end, and what a stage costs. Needs a GPU and NVIDIA's compiler, no window.
#include "core/settings/filters.h"
#include "core/time/clock.h"
#include "gpu/stages/kernelstage.h"
#include "gpu/stages/nviva/nvivaprocess.h"
#include "gpu/stages/stagehost.h"
#include "gpu/stages/stagetrial.h"
#include "tests/support/changingoption.h"
#include "tests/support/everychoice.h"

#include <QProcess>
#include <QTemporaryDir>

#include <fstream>

using namespace jetscope;

namespace {

constexpr const char *kDevice = "cuda:0";
constexpr std::uint64_t kFrames = 9;
constexpr int kWidth = 117;
constexpr int kHeight = 63;

/// Each inverts, so that the built-in filter is its reference.
constexpr const char *kRgbaInvert = R"(
__global__ void jetscope_filter(const uchar4 *in, size_t inPitch, uchar4 *out, size_t outPitch, int width, int height)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    const uchar4 v = ((const uchar4 *)((const char *)in + y * inPitch))[x];
    ((uchar4 *)((char *)out + y * outPitch))[x] = make_uchar4(255 - v.x, 255 - v.y, 255 - v.z, v.w);
}
)";
constexpr const char *kRgbaSurfaceInvert = R"(
__global__ void jetscope_filter(cudaSurfaceObject_t in, cudaSurfaceObject_t out, int width, int height)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    uchar4 v;
    surf2Dread(&v, in, 4 * x, y);
    surf2Dwrite(make_uchar4(255 - v.x, 255 - v.y, 255 - v.z, v.w), out, 4 * x, y);
}
)";
constexpr const char *kGreyInvert = R"(
__global__ void jetscope_filter(const unsigned char *in, size_t inPitch, unsigned char *out, size_t outPitch, int width,
                                int height)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        out[y * outPitch + x] = 255 - in[y * inPitch + x];
}
)";
constexpr const char *kGreySurfaceInvert = R"(
__global__ void jetscope_grey_filter(cudaSurfaceObject_t in, cudaSurfaceObject_t out, int width, int height)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    unsigned char v;
    surf2Dread(&v, in, x, y);
    surf2Dwrite((unsigned char)(255 - v), out, x, y);
}
)";
constexpr const char *kEndless = R"(
__global__ void jetscope_filter(const uchar4 *in, size_t inPitch, uchar4 *out, size_t outPitch, int width, int height)
{
    for (volatile int i = 0; i >= 0; i = 1)
        out[0] = in[0];
}
)";

struct CudaCase {
    const char *name;
    const char *kernel; ///< Null for the library.
    bool isGrey;
    bool inverts;
};
const CudaCase kCases[] = {
    {"RGBA kernel", kRgbaInvert, false, true}, {"RGBA surface kernel", kRgbaSurfaceInvert, false, true},
    {"grey kernel", kGreyInvert, true, true},  {"grey surface kernel", kGreySurfaceInvert, true, true},
    {"RGBA library", nullptr, false, false},   {"grey library", nullptr, true, false}};

std::vector<std::byte> cudaReference(const CudaCase &stage, const testing::RandomSource &source, std::uint64_t frame,
                                     const std::vector<Filter> &before, const std::vector<Filter> &after)
{
    std::vector<std::byte> bytes(source.info().layout.bytes);
    source.fill(bytes.data(), frame);
    reference::Image image = reference::applyAll(before, reference::convert(source.info().layout, bytes.data()));
    for (reference::Rgba &pixel : image.pixels) {
        if (stage.isGrey) {
            const int grey = reference::luma(pixel);
            pixel = {grey, grey, grey, 255};
        }
        for (std::size_t channel = 0; stage.inverts && channel < 3; ++channel)
            pixel[channel] = 255 - pixel[channel];
    }
    const auto out = reference::bytesOf(reference::applyAll(after, image));
    const auto *first = reinterpret_cast<const std::byte *>(out.data());
    return {first, first + out.size()};
}

/// In a process of its own: the pipeline runs an endless kernel that was not tried.
int endlessProgram(const std::string &name)
{
    kernelTools().isTried = false;
    kernelTools().cache = KernelCache("");
    kernelTools().timeout = std::chrono::milliseconds(1500);
    PipelineConfig config;
    config.output = OutputKind::CopyBack;
    config.sync = SyncMode::Event;
    if (!addStages(name).ok() || !applySetting(config, "filters", name).ok())
        return 3;
    PipelineSetup setup;
    setup.display = testing::displayOf(kDevice);
    setup.deviceId = kDevice;
    setup.source = std::make_unique<testing::RandomSource>(PixelFormat::Rgba8, kWidth, kHeight, 100);
    setup.config = config;
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    if (!pipeline.ok())
        return 4;
    pipeline.value()->waitForEnd();
    return 5;
}

} // namespace

class TestCudaStages : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void everyChoiceGivesTheReferencesBytes_data();
    void everyChoiceGivesTheReferencesBytes();
    void savingUnderLoadLosesNoFrame();
    void optionsChangeUnderLoadWithoutLosingAFrame();
    void compileErrorsAreSaid();
    void wrongKernelsFailTheirTrial_data();
    void wrongKernelsFailTheirTrial();
    void anEndlessKernelEndsTheProgram();
    void nvivafilterLibrariesRun_data();
    void nvivafilterLibrariesRun();
    void whatAStageCosts();

private:
    std::string write(const QString &name, const std::string &text);
    std::string stageNameOf(const CudaCase &stage);
    Result<std::unique_ptr<Pipeline>> start(const PipelineConfig &config, PixelFormat format, std::uint64_t frames,
                                            const OutputTap &tap);
    QString answerToSaving(Pipeline &pipeline);
    double microsecondsOf(Device &device, const std::vector<Filter> &filters);

    QTemporaryDir m_folder;
};

void TestCudaStages::initTestCase()
{
    const std::vector<std::string> devices = testing::usableDevices();
    if (std::find(devices.begin(), devices.end(), kDevice) == devices.end())
        QSKIP("there is no CUDA device");
    if (const Result<NvrtcFile> nvrtc = findNvrtc(); !nvrtc.ok())
        QSKIP(nvrtc.error().text.c_str());
    kernelTools().cache = KernelCache(m_folder.filePath("cache").toStdString());
    setStageTrialTimeout(std::chrono::seconds(60));
    nvivaTools().standIns = JETSCOPE_NVIVA_STANDINS;
    nvivaTools().timeout = std::chrono::seconds(60);
}

std::string TestCudaStages::write(const QString &name, const std::string &text)
{
    const std::string path = m_folder.filePath(name).toStdString();
    std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
    return path;
}

std::string TestCudaStages::stageNameOf(const CudaCase &stage)
{
    if (!stage.kernel)
        return std::string("stage:") + (stage.isGrey ? JETSCOPE_GREY_COPY : JETSCOPE_RGBA_COPY);
    return "cu:" + write(QString(stage.name).replace(' ', '_') + ".cu", stage.kernel);
}

Result<std::unique_ptr<Pipeline>> TestCudaStages::start(const PipelineConfig &config, PixelFormat format,
                                                        std::uint64_t frames, const OutputTap &tap)
{
    PipelineSetup setup;
    setup.display = testing::displayOf(kDevice);
    setup.deviceId = kDevice;
    setup.source = std::make_unique<testing::RandomSource>(format, kWidth, kHeight, frames);
    setup.config = config;
    setup.outputTap = tap;
    setup.hostFiles.clear();
    return Pipeline::create(std::move(setup));
}

void TestCudaStages::everyChoiceGivesTheReferencesBytes_data()
{
    QTest::addColumn<int>("stage");
    QTest::addColumn<int>("memory");
    QTest::addColumn<int>("format");
    for (int stage = 0; stage < static_cast<int>(std::size(kCases)); ++stage)
        for (const auto &memory : choices<MemoryKind>())
            for (const PixelFormat format :
                 {PixelFormat::Nv12, kCases[stage].isGrey ? PixelFormat::Grey8 : PixelFormat::Rgba8})
                QTest::addRow("%s %s %s", kCases[stage].name, std::string(memory.name).c_str(),
                              std::string(pixelFormatName(format)).c_str())
                    << stage << static_cast<int>(memory.value) << static_cast<int>(format);
}

void TestCudaStages::everyChoiceGivesTheReferencesBytes()
{
    QFETCH(int, stage);
    QFETCH(int, memory);
    QFETCH(int, format);
    const CudaCase &tried = kCases[stage];
    const std::string name = stageNameOf(tried);
    QVERIFY(addStages(name).ok());
    const Filter filter = *choiceByName<Filter>(name);
    // By turns first, last, alone and between others.
    const auto before = [](int run) {
        return run % 2 == 0 ? std::vector<Filter>() : std::vector{Filter::Gaussian5, Filter::Gaussian15};
    };
    const auto after = [](int run) { return run % 4 < 2 ? std::vector<Filter>() : std::vector{Filter::Sobel}; };
    testing::EveryChoice{kDevice,
                         static_cast<MemoryKind>(memory),
                         static_cast<PixelFormat>(format),
                         kWidth,
                         kHeight,
                         kFrames,
                         [&](int run) {
                             std::vector<Filter> filters = before(run);
                             filters.push_back(filter);
                             const std::vector<Filter> rest = after(run);
                             filters.insert(filters.end(), rest.begin(), rest.end());
                             return filters;
                         },
                         [&](const testing::RandomSource &source, std::uint64_t frame, int run) {
                             return cudaReference(tried, source, frame, before(run), after(run));
                         }}
        .run();
}

/// The first answer to a saved kernel, whatever it is; if there is none, whether frames still come.
QString TestCudaStages::answerToSaving(Pipeline &pipeline)
{
    const std::uint64_t before = pipeline.status().frames;
    for (const std::int64_t began = nowNs(); nowNs() - began < 60'000'000'000; QTest::qWait(5)) {
        const PipelineUpdate update = pipeline.drainUpdates();
        for (const PipelineNotice &notice : update.notices)
            if (notice.kind == PipelineNotice::Kind::Switched || notice.kind == PipelineNotice::Kind::Refused
                || notice.kind == PipelineNotice::Kind::Failed || notice.kind == PipelineNotice::Kind::Ended)
                return QString::fromStdString(notice.text);
    }
    return QString("no answer within 60 s; %1 frames before, %2 after").arg(before).arg(pipeline.status().frames);
}

void TestCudaStages::savingUnderLoadLosesNoFrame()
{
    constexpr int kReloads = 100;
    const QString file = "saved.cu";
    const std::string name = "cu:" + write(file, kRgbaInvert);
    PipelineConfig config;
    config.output = OutputKind::CopyBack;
    config.sync = SyncMode::Event;
    config.streams = 2;
    QVERIFY(addStages(name).ok() && applySetting(config, "filters", name).ok());
    testing::OutputLog log;
    Result<std::unique_ptr<Pipeline>> pipeline = start(config, PixelFormat::Rgba8, std::uint64_t(1) << 40, log.tap());
    JETSCOPE_VERIFY(pipeline);
    // Without a display: where this thread tried GL beside the frames, the pipeline was seen to wait in eglCreateSync
    // for a mutex of NVIDIA's driver 580.159 that this thread had left locked.
    Result<std::unique_ptr<Device>> device = openDevice(kDevice, nullptr);
    JETSCOPE_VERIFY(device);
    std::size_t freeAfterTen = 0;
    for (int saved = 1; saved <= kReloads; ++saved) {
        kernelTools().isTried = saved <= 10; // A trial takes as long as a CUDA context, every time.
        write(file, kRgbaInvert + ("// " + std::to_string(saved) + "\n"));
        const QString said = answerToSaving(*pipeline.value());
        QVERIFY2(said.endsWith("compiled anew"), qPrintable(QString("save %1: %2").arg(saved).arg(said)));
        if (saved % 25 == 0)
            qInfo("%d reloads", saved);
        if (saved == 10)
            freeAfterTen = device.value()->memoryInfo().value().freeBytes;
    }
    kernelTools().isTried = true;
    QVERIFY(device.value()->memoryInfo().value().freeBytes + (8 << 20) >= freeAfterTen);
    const std::uint64_t dropped = pipeline.value()->status().droppedBySource;
    pipeline.value().reset();
    QCOMPARE(dropped, std::uint64_t(0));
    for (std::size_t i = 0; i < log.numbers().size(); ++i)
        QCOMPARE(log.numbers()[i], static_cast<std::uint32_t>(i));
    QVERIFY(log.numbers().size() > std::size_t(kReloads));
}

void TestCudaStages::optionsChangeUnderLoadWithoutLosingAFrame()
{
    const std::string kernel = R"(
#ifndef MASK
#define MASK 1 // jetscope: 1 to 255, step 1: What is turned around.
#endif
__global__ void jetscope_filter(const uchar4 *in, size_t inPitch, uchar4 *out, size_t outPitch, int width, int height)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    const uchar4 v = ((const uchar4 *)((const char *)in + y * inPitch))[x];
    ((uchar4 *)((char *)out + y * outPitch))[x] = make_uchar4(v.x ^ MASK, v.y, v.z, v.w);
}
)";
    testing::changeOptionUnderLoad(kDevice, "cu:" + write("option.cu", kernel), 12);
}

void TestCudaStages::compileErrorsAreSaid()
{
    const std::string path = write("broken.cu", "\n\n__global__ void jetscope_filter(nonsense) {}\n");
    const std::string name = "cu:" + path;
    PipelineConfig config;
    config.output = OutputKind::CopyBack;
    config.sync = SyncMode::Event;
    QVERIFY(addStages(name).ok() && applySetting(config, "filters", name).ok());
    const Result<std::unique_ptr<Pipeline>> pipeline = start(config, PixelFormat::Rgba8, kFrames, {});
    QVERIFY(!pipeline.ok());
    QVERIFY2(pipeline.error().text.starts_with(path + "(3): error: "), pipeline.error().text.c_str());
}

void TestCudaStages::wrongKernelsFailTheirTrial_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("reason");
    const QString head = "__global__ void jetscope_filter(const uchar4 *in, size_t inPitch, uchar4 *out, size_t "
                         "outPitch, int width, int height)";
    QTest::newRow("endless") << kEndless << "did not return within 3000 ms";
    const QString all =
        " for (int y = 0; y < height; ++y) for (int x = 0; x < width; ++x) ((uchar4 *)((char *)out + y * "
        "outPitch))[x] = in[0]; ";
    QTest::newRow("outside") << head + "{" + all + "((uchar4 *)((char *)out + height * outPitch))[0] = in[0]; }"
                             << "it wrote outside of its output";
    QTest::newRow("crashes") << head + "{ *(int *)16 = 1; }"
                             << "in its trial";
    QTest::newRow("unwritten") << head + "{}"
                               << "it did not write every pixel";
    QTest::newRow("input") << head
            + "{ if (threadIdx.x + threadIdx.y + blockIdx.x + blockIdx.y == 0) ((uchar4 *)in)[0].x = 255 - in[0].x; }"
                           << "it changed its input";
}

void TestCudaStages::wrongKernelsFailTheirTrial()
{
    QFETCH(QString, text);
    QFETCH(QString, reason);
    setStageTrialTimeout(std::chrono::milliseconds(reason.contains("return") ? 3000 : 60'000));
    const std::string name = "cu:" + write(QString(QTest::currentDataTag()) + ".cu", text.toStdString());
    PipelineConfig config;
    config.output = OutputKind::CopyBack;
    config.sync = SyncMode::Event;
    QVERIFY(addStages(name).ok() && applySetting(config, "filters", name).ok());
    const Result<std::unique_ptr<Pipeline>> pipeline = start(config, PixelFormat::Rgba8, kFrames, {});
    setStageTrialTimeout(std::chrono::seconds(60));
    QVERIFY(!pipeline.ok());
    QVERIFY2(pipeline.error().text.find(reason.toStdString()) != std::string::npos, pipeline.error().text.c_str());
    // The device goes on.
    config.filters = {Filter::Invert};
    testing::OutputLog log;
    Result<std::unique_ptr<Pipeline>> next = start(config, PixelFormat::Rgba8, kFrames, log.tap());
    JETSCOPE_VERIFY(next);
    next.value()->waitForEnd();
    QCOMPARE(next.value()->status().frames, kFrames);
}

void TestCudaStages::anEndlessKernelEndsTheProgram()
{
    const std::string name = "cu:" + write("endless live.cu", kEndless);
    QProcess program;
    program.start("/proc/self/exe", {"--endless", QString::fromStdString(name)});
    QVERIFY(program.waitForFinished(120'000));
    QCOMPARE(program.exitStatus(), QProcess::NormalExit);
    QCOMPARE(program.exitCode(), 1);
    const QByteArray said = program.readAllStandardError();
    QVERIFY2(said.contains("endless live.cu has not ended within 1500 ms"), said.constData());
}

void TestCudaStages::nvivafilterLibrariesRun_data()
{
    QTest::addColumn<int>("memory");
    for (const auto &memory : choices<MemoryKind>())
        QTest::newRow(std::string(memory.name).c_str()) << static_cast<int>(memory.value);
}

/// Unchanged, in a process of its own, on pitched memory that its calls take for an EGLImage.
void TestCudaStages::nvivafilterLibrariesRun()
{
    QFETCH(int, memory);
    constexpr std::uint64_t kManyFrames = 60;
    const Result<Filter> inverts = loadStage("nviva:" JETSCOPE_NVIVA_INVERT);
    JETSCOPE_VERIFY(inverts);
    PipelineConfig config;
    config.memory = static_cast<MemoryKind>(memory);
    config.output = OutputKind::CopyBack;
    config.sync = SyncMode::Event;
    config.filters = {Filter::Gaussian5, inverts.value(), Filter::Sobel};
    config.streams = 2;
    config.framesInFlight = 3;
    if (!availability(config, testing::factsOf(kDevice)).legal() || config.memory == MemoryKind::NvBuf)
        QSKIP("not a legal choice here");
    testing::OutputLog log;
    log.keepPixels();
    Result<std::unique_ptr<Pipeline>> pipeline = start(config, PixelFormat::Rgba8, kManyFrames, log.tap());
    JETSCOPE_VERIFY(pipeline);
    pipeline.value()->waitForEnd();
    const PipelineUpdate update = pipeline.value()->drainUpdates();
    pipeline.value().reset();
    QCOMPARE(testing::noticeText(update, PipelineNotice::Kind::Failed), QString());
    QCOMPARE(testing::brokenRule(update), QString());
    const testing::RandomSource same(PixelFormat::Rgba8, kWidth, kHeight, kManyFrames);
    QCOMPARE(log.numbers().size(), std::size_t(kManyFrames));
    for (std::uint32_t frame = 0; frame < kManyFrames; ++frame)
        QVERIFY2(log.pixels()[frame] == same.expected(frame, {Filter::Gaussian5, Filter::Invert, Filter::Sobel}),
                 qPrintable(QString("frame %1").arg(frame)));
    std::vector<std::string> wastes;
    for (const PipelineNotice &notice : update.notices)
        if (notice.kind == PipelineNotice::Kind::Violation && notice.rule == "C5")
            wastes.push_back(notice.text);
    QCOMPARE(wastes.size(), std::size_t(1));
    QVERIFY2(wastes[0].find("and waits for all work of the device") != std::string::npos, wastes[0].c_str());
    qInfo("%s", wastes[0].c_str());
}

/// The mean time of a launch of a chain over a frame of 1280x720, in linear memory.
double TestCudaStages::microsecondsOf(Device &device, const std::vector<Filter> &filters)
{
    constexpr int kLaunches = 4000;
    const ImageLayout layout = makeImageLayout(PixelFormat::Rgba8, 1280, 720);
    const std::unique_ptr<Buffer> input = device.allocate(Allocation::Device, layout.bytes).value();
    const std::unique_ptr<Buffer> output = device.allocate(Allocation::Device, layout.bytes).value();
    const std::unique_ptr<Stream> stream = device.createStream().value();
    ChainLaunch launch;
    launch.inputLayout = layout;
    launch.input = wholeOf(*input);
    launch.output = wholeOf(*output);
    launch.outputPitch = layout.planes[0].pitch;
    launch.filters = filters;
    std::int64_t began = 0;
    for (int i = 0; i < 2 * kLaunches; ++i) { // The first half warms up.
        if (i == kLaunches) {
            static_cast<void>(device.synchronize());
            began = nowNs();
        }
        static_cast<void>(device.launch(launch, *stream));
    }
    static_cast<void>(device.synchronize());
    return static_cast<double>(nowNs() - began) / kLaunches / 1000;
}

void TestCudaStages::whatAStageCosts()
{
    Result<std::unique_ptr<Device>> device = openDevice(kDevice, testing::displayOf(kDevice));
    JETSCOPE_VERIFY(device);
    const std::string path = write("cost.cu", kRgbaInvert);
    const std::string name = "cu:" + path;
    QVERIFY(addStages(name).ok());
    const Filter stage = *choiceByName<Filter>(name);
    // In linear memory the own kernel writes the output itself, as the built-in one does.
    const double builtIn = microsecondsOf(*device.value(), {Filter::Gaussian15, Filter::Invert});
    const auto prepareNs = [&](Device &one) {
        const std::int64_t began = nowNs();
        const Status ready = one.stages().prepare(std::vector{stage}, 1280, 720);
        return ready.ok() ? nowNs() - began : -1;
    };
    const std::int64_t coldNs = prepareNs(*device.value());
    QVERIFY(coldNs > 0);
    const double own = microsecondsOf(*device.value(), {Filter::Gaussian15, stage});
    const double alone = microsecondsOf(*device.value(), {Filter::Invert});
    const double ownAlone = microsecondsOf(*device.value(), {stage});
    const Result<Filter> nviva = loadStage("nviva:" JETSCOPE_NVIVA_INVERT);
    JETSCOPE_VERIFY(nviva);
    JETSCOPE_VERIFY(device.value()->stages().prepare(std::vector{stage, nviva.value()}, 1280, 720));
    qInfo("an nvivafilter library that inverts alone: %.1f us", microsecondsOf(*device.value(), {nviva.value()}));
    Result<std::unique_ptr<Device>> another = openDevice(kDevice, testing::displayOf(kDevice));
    JETSCOPE_VERIFY(another);
    const std::int64_t cachedNs = prepareNs(*another.value());
    QVERIFY(cachedNs > 0);
    qInfo("%s: gaussian15 and invert %.2f us, with own kernel %.2f us (%+.2f us); invert alone %.2f us, own %.2f us "
          "(%+.2f us); set up: first %.1f ms, from the cache %.1f ms",
          device.value()->facts().name.c_str(), builtIn, own, own - builtIn, alone, ownAlone, ownAlone - alone,
          static_cast<double>(coldNs) / 1e6, static_cast<double>(cachedNs) / 1e6);
    QVERIFY(own < 3 * builtIn);
    QVERIFY(cachedNs < coldNs);
}

int main(int argc, char **argv)
{
    if (const std::optional<int> trial = stageTrialIfAsked(argc, argv))
        return *trial;
    if (argc == 3 && argv[1] == std::string_view("--endless"))
        return endlessProgram(argv[2]);
    QCoreApplication application(argc, argv);
    TestCudaStages test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_cudastages.moc"
