// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// How a chain's launch gives a stage the source's own buffer, without a GPU: the CUDA runtime and the kernels are
// stand-ins of this file, which note what is launched.
#include "core/recording/tracer.h"
#include "core/settings/filters.h"
#include "gpu/cuda/greencontext.h"
#include "gpu/cuda/kernels/chainlaunch.h"
#include "gpu/cuda/kernels/greykernel.h"
#include "gpu/cuda/kernels/passes.h"
#include "gpu/cuda/kernels/passtable.h"

#include <QTest>

#include <cstdlib>

using namespace jetscope;

namespace {

constexpr int kWidth = 64;
constexpr int kHeight = 36;

struct Launched {
    PassKind kind{};
    bool isGreyKernel = false;
    PixelFormat reads{};
    const void *from = nullptr;
    const void *to = nullptr;
    const void *halfGrey = nullptr;
};
std::vector<Launched> g_launched;

} // namespace

// --- the stand-ins

Result<std::shared_ptr<GreenContext>> jetscope::GreenContext::create(int, GpuShare)
{
    return sentence("the test has no green contexts");
}
Result<cudaStream_t> jetscope::GreenContext::createStream(int)
{
    return sentence("the test has no green contexts");
}

extern "C" {
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned)
{
    *stream = reinterpret_cast<cudaStream_t>(std::uintptr_t{0x57}); // NOLINT
    return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t)
{
    return cudaSuccess;
}
cudaError_t cudaDeviceGetStreamPriorityRange(int *, int *)
{
    return cudaErrorNotSupported; // No stream here has a priority or a share.
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *, unsigned, int)
{
    return cudaErrorNotSupported;
}
cudaError_t cudaStreamDestroy(cudaStream_t)
{
    return cudaSuccess;
}
cudaError_t cudaMalloc(void **memory, std::size_t bytes)
{
    *memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
    return cudaSuccess;
}
cudaError_t cudaFree(void *memory)
{
    std::free(memory);
    return cudaSuccess;
}
cudaError_t cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t, void *)
{
    return cudaErrorNotSupported;
}
cudaError_t cudaGetLastError()
{
    return cudaSuccess;
}
const char *cudaGetErrorString(cudaError_t)
{
    return "a stand-in's error";
}
}

cudaError_t jetscope::launchPass(PassKind kind, const PassInput &input, const PassOutput &output, cudaStream_t)
{
    g_launched.push_back({kind, false, input.format, input.pixels.base, output.rgba.base, output.halfGrey});
    return cudaSuccess;
}

cudaError_t jetscope::cuda::makeGrey(const PixelMemory &rgba, const PixelMemory &grey, int, int, cudaStream_t)
{
    g_launched.push_back({{}, true, PixelFormat::Rgba8, rgba.base, grey.base});
    return cudaSuccess;
}

std::atomic<std::size_t> jetscope::LiveCount::handles{0};
std::atomic<std::size_t> jetscope::LiveCount::bytes{0};

void jetscope::StageSet::forgetStream(void *) {}

namespace {

/// Reads buffers if a test wants that, and notes its runs.
class BufferStage final : public StageInstance {
public:
    BufferStage(PixelFormat reads, PixelFormat makes) : StageInstance(reads, makes) {}

    Result<bool> onBuffer = true;
    std::vector<StageFrame> inPlace;
    std::vector<StageFrame> inMemory;
    SourceBuffer *seen = nullptr;

protected:
    Status runFrame(const StageFrame &frame) override
    {
        inMemory.push_back(frame);
        return {};
    }
    Result<bool> runFrameOn(SourceBuffer &buffer, const StageFrame &frame) override
    {
        seen = &buffer;
        inPlace.push_back(frame);
        return onBuffer;
    }
};

class Memory final : public Buffer {
public:
    explicit Memory(std::size_t bytes) : Memory(std::make_unique<Bytes>(bytes)) {}

private:
    using Bytes = std::vector<std::uint64_t>;
    explicit Memory(std::unique_ptr<Bytes> words)
        : Buffer(Allocation::Device, nullptr, reinterpret_cast<std::byte *>(words->data()), words->size()),
          m_words(std::move(words))
    {
    }
    std::unique_ptr<Bytes> m_words;
};

struct Observer final : KernelObserver {
    void *kernel(NameId name) override
    {
        known.push_back(name);
        return nullptr;
    }
    void copy(NameId name, std::uint64_t) override { known.push_back(name); }
    void unknownKernels(NameId name) override { unknown.push_back(name); }
    std::vector<NameId> known;
    std::vector<NameId> unknown;
};

Filter stageFilter(const char *name)
{
    if (const std::optional<Filter> known = choiceByName<Filter>(name))
        return *known;
    FilterRow row;
    row.name = name;
    row.label = row.help = "A stage of this test.";
    row.isStage = true;
    return addFilter(row).value();
}

/// A launch on NV12 of a camera, with a buffer of its own.
struct Launch {
    Launch()
    {
        const ImageLayout nv12 = makeImageLayout(PixelFormat::Nv12, kWidth, kHeight, YuvColour::Bt601Limited);
        work.inputLayout = nv12;
        work.input = wholeOf(input);
        work.sourceBuffer = &buffer;
        work.filters = {stageFilter("stage:first")};
        work.output = wholeOf(output);
        work.outputPitch = kWidth * 4;
        work.frame = 7;
        work.kernels = &observer;
        g_launched.clear();
    }
    Status launch(std::vector<StageInstance *> stages)
    {
        return launchChain(work, stages, static_cast<CudaStream &>(*stream));
    }
    const void *outputBytes() const { return output.device(); }

    Memory input{std::size_t{kWidth} * kHeight * 2};
    Memory output{std::size_t{kWidth} * kHeight * 4};
    Memory half{std::size_t{kWidth} * kHeight};
    SourceBuffer buffer{makeImageLayout(PixelFormat::Nv12, kWidth, kHeight, YuvColour::Bt601Limited),
                        ExternalBufferView::Picture, nullptr, 3};
    Observer observer;
    ChainLaunch work;
    std::unique_ptr<Stream> stream = CudaStream::create().value();
};

} // namespace

class TestChainLaunch : public QObject {
    Q_OBJECT

private slots:
    void theLastStageWritesTheOutput();
    void passesFollowAStageThatCannot();
    void aStageThatRefusesReadsMemory_data();
    void aStageThatRefusesReadsMemory();
    void onlyTheFirstReadsTheBuffer();
    void anErrorIsTheLaunchs();
};

void TestChainLaunch::theLastStageWritesTheOutput()
{
    Launch launch;
    launch.work.filters.insert(launch.work.filters.begin(), Filter::Identity);
    BufferStage stage(PixelFormat::Rgba8, PixelFormat::Rgba8);
    stage.setName(internName("a stage", Category::Kernel));
    QVERIFY(launch.launch({&stage}).ok());
    QCOMPARE(stage.inPlace.size(), std::size_t(1));
    QVERIFY(stage.inMemory.empty());
    QVERIFY(g_launched.empty());
    const StageFrame &frame = stage.inPlace[0];
    QCOMPARE(stage.seen, &launch.buffer);
    QCOMPARE(frame.number, std::uint64_t(7));
    QCOMPARE(frame.input.pixels, nullptr);
    QCOMPARE(static_cast<const void *>(frame.output.pixels), launch.outputBytes());
    QCOMPARE(frame.output.pitch, std::size_t(kWidth * 4));
    QCOMPARE(frame.output.width, kWidth);
    QCOMPARE(frame.stream, static_cast<void *>(static_cast<CudaStream &>(*launch.stream).native()));
    QVERIFY(launch.observer.known.empty()); // Nothing else tells that there is work.
    QCOMPARE(launch.observer.unknown, std::vector<NameId>{stage.name()});
}

/// What makes grey, and what the CPU stage's grey must be made of, goes on from scratch memory.
void TestChainLaunch::passesFollowAStageThatCannot()
{
    for (const PixelFormat makes : {PixelFormat::Grey8, PixelFormat::Rgba8}) {
        Launch launch;
        if (makes == PixelFormat::Rgba8) {
            launch.work.result = wholeOf(launch.half);
            launch.work.resultPitch = kWidth / 2;
        }
        BufferStage stage(PixelFormat::Rgba8, makes);
        QVERIFY(launch.launch({&stage}).ok());
        QVERIFY(stage.inMemory.empty());
        const void *const made = stage.inPlace.at(0).output.pixels;
        QVERIFY(made && made != launch.outputBytes());
        QVERIFY(!g_launched.empty());
        QCOMPARE(g_launched[0].from, made);
        QCOMPARE(static_cast<int>(g_launched[0].reads), static_cast<int>(makes));
        QCOMPARE(g_launched[0].to, launch.outputBytes());
        if (makes == PixelFormat::Rgba8)
            QCOMPARE(g_launched.back().halfGrey, static_cast<const void *>(launch.half.device()));
        QVERIFY(launch.observer.unknown.empty());
    }
}

void TestChainLaunch::aStageThatRefusesReadsMemory_data()
{
    QTest::addColumn<bool>("readsGrey");
    QTest::addColumn<bool>("makesGrey");
    for (const bool readsGrey : {false, true})
        for (const bool makesGrey : {false, true})
            QTest::addRow("%s to %s", readsGrey ? "grey" : "RGBA", makesGrey ? "grey" : "RGBA")
                << readsGrey << makesGrey;
}

/// The picture that CUDA makes, in other memory than what the stage makes of it; never the frame itself.
void TestChainLaunch::aStageThatRefusesReadsMemory()
{
    QFETCH(bool, readsGrey);
    QFETCH(bool, makesGrey);
    Launch launch;
    BufferStage stage(readsGrey ? PixelFormat::Grey8 : PixelFormat::Rgba8,
                      makesGrey ? PixelFormat::Grey8 : PixelFormat::Rgba8);
    stage.onBuffer = false;
    QVERIFY(launch.launch({&stage}).ok());
    QCOMPARE(stage.inPlace.size(), std::size_t(1));
    QCOMPARE(stage.inMemory.size(), std::size_t(1));
    const StageFrame &frame = stage.inMemory[0];
    QCOMPARE(static_cast<int>(frame.input.format), static_cast<int>(stage.reads()));
    QVERIFY(frame.input.pixels && frame.input.pixels != frame.output.pixels);
    QVERIFY(frame.input.pixels != launch.input.device());
    QCOMPARE(static_cast<const void *>(frame.output.pixels) == launch.outputBytes(), !makesGrey);
    QCOMPARE(static_cast<int>(g_launched.at(0).kind), static_cast<int>(PassKind::Convert));
    QCOMPARE(static_cast<int>(g_launched[0].reads), static_cast<int>(PixelFormat::Nv12));
    QCOMPARE(g_launched[0].from, static_cast<const void *>(launch.input.device()));
    const Launched &before = g_launched[readsGrey ? 1 : 0];
    QCOMPARE(before.isGreyKernel, readsGrey);
    QCOMPARE(before.to, static_cast<const void *>(frame.input.pixels));
    QCOMPARE(g_launched.size(), std::size_t(1 + (readsGrey ? 1 : 0) + (makesGrey ? 1 : 0)));
}

void TestChainLaunch::onlyTheFirstReadsTheBuffer()
{
    {
        Launch launch; // The second one reads what the first one made.
        launch.work.filters.push_back(stageFilter("stage:second"));
        BufferStage first(PixelFormat::Rgba8, PixelFormat::Rgba8);
        BufferStage second(PixelFormat::Rgba8, PixelFormat::Rgba8);
        QVERIFY(launch.launch({&first, &second}).ok());
        QVERIFY(second.inPlace.empty());
        QCOMPARE(second.inMemory.at(0).input.pixels, first.inPlace.at(0).output.pixels);
        QCOMPARE(static_cast<const void *>(second.inMemory[0].output.pixels), launch.outputBytes());
        QVERIFY(g_launched.empty());
    }
    for (const bool hasBuffer : {true, false}) { // Behind a filter, and without a buffer.
        Launch launch;
        if (hasBuffer)
            launch.work.filters.insert(launch.work.filters.begin(), Filter::Sobel);
        else
            launch.work.sourceBuffer = nullptr;
        BufferStage stage(PixelFormat::Rgba8, PixelFormat::Rgba8);
        QVERIFY(launch.launch({&stage}).ok());
        QVERIFY(stage.inPlace.empty());
        QCOMPARE(stage.inMemory.size(), std::size_t(1));
    }
}

void TestChainLaunch::anErrorIsTheLaunchs()
{
    Launch launch;
    BufferStage stage(PixelFormat::Rgba8, PixelFormat::Rgba8);
    stage.onBuffer = Error{"vpiStreamSync", 3, "a failure"};
    const Status status = launch.launch({&stage});
    QVERIFY(!status.ok());
    QCOMPARE(status.error().call, std::string("vpiStreamSync"));
    QVERIFY(stage.inMemory.empty());
}

QTEST_GUILESS_MAIN(TestChainLaunch)
#include "tst_chainlaunch.moc"
