// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// A Jetson's own buffers (NvBufSurface), of Jetscope and of a camera.
#include "core/board/boardidentity.h"
#include "core/system/sysfile.h"
#include "core/time/clock.h"
#include "gpu/paths/externalbufferregistry.h"
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

/// Reads frames of a camera in its own buffers. What is wrong with them, or nothing.
class CameraTrial {
public:
    CameraTrial(Workbench &bench, FrameSource &source)
        : m_bench(bench), m_source(source), m_registry(bench.device(), bench.display())
    {
    }
    ~CameraTrial() { m_registry.prune(); }
    CameraTrial(const CameraTrial &) = delete;
    CameraTrial &operator=(const CameraTrial &) = delete;

    Result<std::string> run(ExternalBufferView view)
    {
        bool everDiffers = false;
        PixelBytes before;
        for (int i = 0; i < kCameraFrames; ++i) {
            JETSCOPE_TRY_ASSIGN(const PixelBytes seen, nextFrame(view));
            if (!m_trouble.empty())
                return m_trouble;
            everDiffers = everDiffers || (i > 0 && seen != before);
            before = seen;
        }
        return everDiffers ? std::string()
                           : "the device sees the same bytes in " + std::to_string(kCameraFrames)
                + " frames, and no sensor is without noise: it reads old ones";
    }

private:
    Result<PixelBytes> nextFrame(ExternalBufferView view)
    {
        JETSCOPE_TRY_ASSIGN(const std::optional<ExternalFrame> frame, m_source.readExternal());
        if (!frame)
            return sentence("the camera ended by itself");
        judge(frame->captured);
        JETSCOPE_TRY_ASSIGN(Image *const image, m_registry.imageOf(frame->buffer, m_source.info().layout, view));
        ChainLaunch launch;
        launch.inputLayout = m_source.info().layout;
        launch.inputImage = image;
        return m_bench.run(launch);
    }

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

    Workbench &m_bench;
    FrameSource &m_source;
    ExternalBufferRegistry m_registry;
    std::optional<CapturedFrame> m_last;
    std::string m_trouble;
};

} // namespace

Result<VerifyResult> checkCamera(VerifyWorld &world, std::string_view key)
{
    if (!readBoardIdentity(world.root).isJetson())
        return notPossible("no Tegra here: the device tree names no chip");
    if (!hasCsiCamera(world.root))
        return notPossible("no camera is connected to the board's connector: the kernel names no video device "
                           "\"vi-output\"");
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Workbench> bench, Workbench::open(world));
    if (!bench->display())
        return notPossible("there is no EGL display");
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<FrameSource> source, world.openCamera(std::string(key)));
    JETSCOPE_TRY_ASSIGN(const ExternalBufferView view, source->externalBuffers());
    JETSCOPE_TRY_ASSIGN(const std::string wrong, CameraTrial(*bench, *source).run(view));
    return wrong.empty() ? passed() : failed(wrong);
}

} // namespace jetscope
