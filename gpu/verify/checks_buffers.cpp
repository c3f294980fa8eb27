// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// A Jetson's own buffers (NvBufSurface), of Jetscope and of a camera.
#include "core/board/boardidentity.h"
#include "core/system/sysfile.h"
#include "core/time/clock.h"
#include "gpu/paths/externalbufferregistry.h"
#include "gpu/paths/streaminput.h"
#include "gpu/verify/verifychecks.h"
#include "gpu/verify/workbench.h"

#include <algorithm>
#include <cstdlib>

namespace jetscope {

namespace {

constexpr int kSurfaceWidth = 100; ///< Rows have padding behind them.
constexpr int kSurfaceHeight = 48;
constexpr std::uint32_t kSurfaceRounds = 8;
constexpr int kCameraFrames = 10;
constexpr int kQueuedFrames = 4;
constexpr std::int64_t kClockSlackNs = 1'000'000'000;

/// A buffer that the device has registered; in this order, so that the registration goes first.
struct RegisteredSurface {
    std::unique_ptr<NvivaSurface> surface;
    std::unique_ptr<Image> image;
};

Result<RegisteredSurface> makeSurface(Workbench &bench, const NvivaSurfaceApi &api)
{
    RegisteredSurface made;
    JETSCOPE_TRY_ASSIGN(made.surface, NvivaSurface::create(api, kSurfaceWidth, kSurfaceHeight));
    JETSCOPE_TRY_ASSIGN(made.image,
                        bench.device().registerEglImage(made.surface->image(), kSurfaceWidth, kSurfaceHeight));
    return made;
}

/// What the device reads of what the CPU wrote.
Result<PixelBytes> throughToDevice(Workbench &bench, RegisteredSurface &made, const PixelBytes &picture)
{
    JETSCOPE_TRY(made.surface->write(picture.data()));
    ChainLaunch launch;
    launch.inputLayout = makeImageLayout(PixelFormat::Rgba8, kSurfaceWidth, kSurfaceHeight);
    launch.inputImage = made.image.get();
    return bench.run(launch);
}

/// What the CPU reads of what the device wrote.
Result<PixelBytes> throughToCpu(Workbench &bench, RegisteredSurface &made, const PixelBytes &picture)
{
    JETSCOPE_TRY_ASSIGN(ChainLaunch launch, bench.pictureLaunch(picture, kSurfaceWidth, kSurfaceHeight));
    launch.outputImage = made.image.get();
    JETSCOPE_TRY(bench.device().launch(launch, bench.stream()));
    JETSCOPE_TRY(bench.device().synchronize(bench.stream()));
    PixelBytes seen(picture.size());
    JETSCOPE_TRY(made.surface->read(seen.data()));
    return seen;
}

} // namespace

Result<VerifyResult> checkSurface(VerifyWorld &world, std::string_view key)
{
    const Result<NvivaSurfaceApi> api = world.loadSurfaces();
    if (!api.ok())
        return notPossible(api.error().text);
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Workbench> bench, Workbench::open(world));
    JETSCOPE_TRY_ASSIGN(RegisteredSurface made, makeSurface(*bench, api.value()));
    for (std::uint32_t round = 0; round < kSurfaceRounds; ++round) {
        const PixelBytes picture = patternOf(std::size_t{4} * kSurfaceWidth * kSurfaceHeight, round + 500);
        JETSCOPE_TRY_ASSIGN(const PixelBytes seen,
                            key == "to-device" ? throughToDevice(*bench, made, picture)
                                               : throughToCpu(*bench, made, picture));
        if (const std::string wrong = differenceOf(seen, picture); !wrong.empty())
            return failed("round " + std::to_string(round + 1) + ": " + wrong);
    }
    return passed();
}

namespace {

/// Whether NVIDIA's driver for the board's connector (VI) has a camera; others, such as webcams, are no CSI cameras.
bool hasCsiCamera(const std::string &root)
{
    const std::vector<std::string> devices = entriesOf(root + "/sys/class/video4linux", "video");
    return std::any_of(devices.begin(), devices.end(), [](const std::string &device) {
        return lineOf(device + "/name").find("vi-output") != std::string::npos;
    });
}

/// Reads frames of a camera without a copy. What is wrong with them, or nothing.
class CameraTrial {
public:
    explicit CameraTrial(FrameSource &source) : m_source(source) {}
    virtual ~CameraTrial() = default;
    CameraTrial(const CameraTrial &) = delete;
    CameraTrial &operator=(const CameraTrial &) = delete;

    Result<std::string> run()
    {
        bool everDiffers = false;
        PixelBytes before;
        for (int i = 0; i < kCameraFrames; ++i) {
            JETSCOPE_TRY_ASSIGN(const std::optional<ExternalFrame> frame, m_source.readExternal());
            if (!frame)
                return sentence("the camera ended by itself");
            judge(frame->captured);
            JETSCOPE_TRY_ASSIGN(const PixelBytes seen, pictureOf(*frame));
            if (!m_trouble.empty())
                return m_trouble;
            everDiffers = everDiffers || (i > 0 && seen != before);
            before = seen;
        }
        return everDiffers ? std::string()
                           : "the device sees the same bytes in " + std::to_string(kCameraFrames)
                + " frames, and no sensor is without noise: it reads old ones";
    }

protected:
    /// As the device sees it.
    virtual Result<PixelBytes> pictureOf(const ExternalFrame &frame) = 0;
    const SourceInfo &info() const { return m_source.info(); }

private:
    void judge(const CapturedFrame &frame)
    {
        if (m_last && frame.index <= m_last->index)
            m_trouble = "the numbers of frames do not grow";
        else if (m_last && frame.captureNs <= m_last->captureNs)
            m_trouble = "the times of frames do not grow";
        else if (std::abs(nowNs() - frame.captureNs) > kClockSlackNs)
            m_trouble = "the time of a frame is more than a second away from that of the system";
        m_last = frame;
    }

    FrameSource &m_source;
    std::optional<CapturedFrame> m_last;
    std::string m_trouble;
};

/// In the camera's own buffers.
class BufferTrial final : public CameraTrial {
public:
    BufferTrial(Workbench &bench, FrameSource &source, ExternalBufferView view)
        : CameraTrial(source), m_bench(bench), m_registry(bench.device(), bench.display()), m_view(view)
    {
    }
    ~BufferTrial() override { m_registry.prune(); }

protected:
    Result<PixelBytes> pictureOf(const ExternalFrame &frame) override
    {
        ChainLaunch launch;
        launch.inputLayout = info().layout;
        JETSCOPE_TRY_ASSIGN(launch.inputImage, m_registry.imageOf(frame.buffer, info().layout, m_view));
        return m_bench.run(launch);
    }

private:
    Workbench &m_bench;
    ExternalBufferRegistry m_registry;
    const ExternalBufferView m_view;
};

/// Through an EGLStream.
class PresentedTrial final : public CameraTrial {
public:
    PresentedTrial(Workbench &bench, FrameSource &source, StreamInput &stream)
        : CameraTrial(source), m_bench(bench), m_stream(stream)
    {
    }

protected:
    Result<PixelBytes> pictureOf(const ExternalFrame &) override
    {
        JETSCOPE_TRY_ASSIGN(const FrameConsumer::Acquired acquired,
                            m_stream.acquire(m_stream.latest() + 1, m_bench.stream()));
        ChainLaunch launch;
        launch.inputLayout = acquired.layout;
        launch.inputImage = acquired.image;
        Result<PixelBytes> picture = m_bench.run(launch);
        JETSCOPE_TRY(m_stream.release(m_bench.stream()));
        return picture;
    }

private:
    Workbench &m_bench;
    StreamInput &m_stream;
};

/// Why there is no frame of a CSI camera to look at; empty if there may be.
std::string noCameraOn(const VerifyWorld &world)
{
    if (!readBoardIdentity(world.root).isJetson())
        return "no Tegra here: the device tree names no chip";
    if (!hasCsiCamera(world.root))
        return "no camera is connected to the board's connector: the kernel names no video device \"vi-output\"";
    return {};
}

VerifyResult judgedCamera(const std::string &wrong)
{
    return wrong.empty() ? passed() : failed(wrong);
}

} // namespace

Result<VerifyResult> checkCamera(VerifyWorld &world, std::string_view key)
{
    if (const std::string why = noCameraOn(world); !why.empty())
        return notPossible(why);
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Workbench> bench, Workbench::open(world));
    if (!bench->display())
        return notPossible("there is no EGL display");
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<FrameSource> source, world.openCamera(std::string(key)));
    JETSCOPE_TRY_ASSIGN(const ExternalBufferView view, source->externalBuffers());
    JETSCOPE_TRY_ASSIGN(const std::string wrong, BufferTrial(*bench, *source, view).run());
    return judgedCamera(wrong);
}

Result<VerifyResult> checkCameraStream(VerifyWorld &world, std::string_view key)
{
    if (const std::string why = noCameraOn(world); !why.empty())
        return notPossible(why);
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Workbench> bench, Workbench::open(world));
    if (!bench->facts().eglStreamInput.available)
        return notPossible(bench->facts().eglStreamInput.reason);
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<FrameSource> source, world.openCamera(std::string(key)));
    JETSCOPE_TRY_ASSIGN(const auto stream,
                        StreamInput::create(bench->device(), bench->display(), kQueuedFrames, *world.streams));
    JETSCOPE_TRY(source->presentTo(stream->display(), stream->native()));
    const Result<std::string> wrong = PresentedTrial(*bench, *source, *stream).run();
    JETSCOPE_TRY(source->presentTo(nullptr, nullptr)); // The producer goes first.
    return wrong.ok() ? Result<VerifyResult>(judgedCamera(wrong.value())) : wrong.error();
}

} // namespace jetscope
