// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// What the device and GL share: output paths, EGLStreams, and EGLSync both ways with work that is late on purpose.
#include "gpu/gl/texture.h"
#include "gpu/paths/outputpath.h"
#include "gpu/paths/streaminput.h"
#include "gpu/paths/streamloop.h"
#include "gpu/verify/verifychecks.h"
#include "gpu/verify/workbench.h"

#include <chrono>
#include <thread>

namespace jetscope {

namespace {

constexpr int kSharedWidth = 128;
constexpr int kSharedHeight = 96;
constexpr std::uint32_t kSharedFrames = 8;
constexpr std::size_t kSlots = 2;
constexpr int kSyncWidth = 64;
constexpr int kSyncHeight = 48;
constexpr std::uint32_t kSyncRounds = 6;
constexpr std::chrono::milliseconds kLate{15};
constexpr int kBurdenSide = 2048; ///< Of the texture that keeps a GPU's GL busy …
constexpr int kBurdenUploads = 6; ///< … for some milliseconds.

/// Absent where documents promise it: a failure. They promise nothing of a software iGPU, or without a display.
VerifyResult absent(const Workbench &bench, bool isPromised, const Capability &capability)
{
    if (bench.facts().integrated && !bench.facts().software && bench.display() && isPromised)
        return failed("a board should have it, and its trial failed: " + capability.reason);
    return notPossible(capability.reason);
}

Result<PixelBytes> readTexture(GlQueue &queue, const GlFramebuffer &framebuffer)
{
    const std::size_t pitch = static_cast<std::size_t>(framebuffer.width()) * 4;
    PixelBytes pixels(pitch * static_cast<std::size_t>(framebuffer.height()));
    JETSCOPE_TRY(queue.run([&] { return framebuffer.read(pixels.data(), pitch); }));
    return pixels;
}

Result<std::unique_ptr<OutputPath>> makeOutput(OutputKind kind, const VerifyWorld &world,
                                               const TransferContext &context)
{
    if (kind == OutputKind::EglStream)
        return OutputPath::complete(newEglStreamOutput(kSharedWidth, kSharedHeight, context, *world.streams), kSlots);
    return OutputPath::create(kind, kSharedWidth, kSharedHeight, kSlots, context);
}

/// Sends pictures by turns through the slots of an output path. What GL then reads wrongly, or nothing.
Result<std::string> runOutput(Workbench &bench, OutputPath &path, const TransferContext &context)
{
    for (std::uint32_t frame = 0; frame < kSharedFrames; ++frame) {
        const std::size_t slot = frame % kSlots;
        const PixelBytes picture = patternOf(std::size_t{4} * kSharedWidth * kSharedHeight, frame + 7);
        JETSCOPE_TRY_ASSIGN(ChainLaunch launch, bench.pictureLaunch(picture, kSharedWidth, kSharedHeight));
        JETSCOPE_TRY(path.beginDevice(slot, frame, bench.stream(), launch));
        JETSCOPE_TRY(bench.device().launch(launch, bench.stream()));
        JETSCOPE_TRY(path.endDevice(slot, frame, bench.stream()));
        JETSCOPE_TRY(bench.device().synchronize());
        path.feedGl(slot, frame);
        JETSCOPE_TRY(context.queue.finish(bench.device()));
        if (const std::optional<Error> error = context.queue.takeError())
            return *error;
        JETSCOPE_TRY_ASSIGN(const PixelBytes seen, readTexture(context.queue, path.framebuffer(slot)));
        if (const std::string wrong = differenceOf(seen, picture); !wrong.empty())
            return "frame " + std::to_string(frame + 1) + " as GL reads it: " + wrong;
    }
    return std::string();
}

} // namespace

Result<VerifyResult> checkOutput(VerifyWorld &world, std::string_view key)
{
    const std::optional<OutputKind> kind = choiceByName<OutputKind>(key);
    if (!kind)
        return sentence("there is no output path of this name");
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Workbench> bench, Workbench::open(world));
    const DeviceFacts &facts = bench->facts();
    const Capability &capability = *kind == OutputKind::EglImage ? facts.eglImage
        : *kind == OutputKind::GlInterop                         ? facts.glInterop
                                                                 : facts.eglStream;
    if (!capability.available)
        return absent(*bench, *kind != OutputKind::GlInterop, capability);
    JETSCOPE_TRY_ASSIGN(const TransferContext context, bench->context());
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<OutputPath> path, makeOutput(*kind, world, context));
    JETSCOPE_TRY_ASSIGN(const std::string wrong, runOutput(*bench, *path, context));
    return wrong.empty() ? passed() : failed(wrong);
}

Result<VerifyResult> checkStreamInput(VerifyWorld &world, std::string_view)
{
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Workbench> bench, Workbench::open(world));
    if (!bench->facts().eglStreamInput.available)
        return absent(*bench, true, bench->facts().eglStreamInput);
    JETSCOPE_TRY_ASSIGN(const TransferContext context, bench->context());
    JETSCOPE_TRY_ASSIGN(const auto loop, StreamLoop::create(kSharedWidth, kSharedHeight, context, *world.streams));
    for (std::uint32_t frame = 0; frame < kSharedFrames; ++frame) {
        const PixelBytes picture = patternOf(std::size_t{4} * kSharedWidth * kSharedHeight, frame + 70);
        JETSCOPE_TRY_ASSIGN(const ChainLaunch sent, bench->pictureLaunch(picture, kSharedWidth, kSharedHeight));
        ChainLaunch launch;
        JETSCOPE_TRY(loop->send(sent, frame, bench->stream(), launch));
        const Result<PixelBytes> seen = bench->run(launch);
        JETSCOPE_TRY(loop->release(bench->stream()));
        if (!seen.ok())
            return seen.error();
        if (const std::string wrong = differenceOf(seen.value(), picture); !wrong.empty())
            return failed("frame " + std::to_string(frame + 1) + " behind the EGLStream: " + wrong);
    }
    return passed();
}

namespace {

/// A texture that GL and the device share through an EGLImage.
class SharedTexture {
public:
    static Result<std::unique_ptr<SharedTexture>> create(Workbench &bench, GlQueue &queue)
    {
        std::unique_ptr<SharedTexture> shared(new SharedTexture(queue));
        JETSCOPE_TRY(queue.run([&]() -> Status {
            JETSCOPE_TRY_ASSIGN(shared->m_texture, GlTexture::create(kSyncWidth, kSyncHeight));
            JETSCOPE_TRY_ASSIGN(shared->m_framebuffer,
                                GlFramebuffer::create(shared->m_texture->id(), kSyncWidth, kSyncHeight));
            JETSCOPE_TRY_ASSIGN(shared->m_burden, GlTexture::create(kBurdenSide, kBurdenSide));
            JETSCOPE_TRY_ASSIGN(shared->m_eglImage,
                                EglImage::create(queue.display(), queue.nativeContext(), shared->m_texture->id()));
            return {};
        }));
        JETSCOPE_TRY_ASSIGN(shared->m_image,
                            bench.device().registerEglImage(shared->m_eglImage->native(), kSyncWidth, kSyncHeight));
        return shared;
    }
    ~SharedTexture()
    {
        m_image.reset();
        static_cast<void>(m_queue.run([this] {
            m_eglImage.reset();
            m_burden.reset();
            m_framebuffer.reset();
            m_texture.reset();
            return Status();
        }));
    }
    SharedTexture(const SharedTexture &) = delete;
    SharedTexture &operator=(const SharedTexture &) = delete;

    Image *image() const { return m_image.get(); }
    const GlFramebuffer &framebuffer() const { return *m_framebuffer; }
    GlUse use(Access access) const { return {m_texture->id(), m_image.get(), access}; }

    /// Appends the upload of a picture behind other work of GL, so that it comes late.
    void uploadLate(Device &device, const PixelBytes &picture)
    {
        m_queue.submit(GlUses(device, use(Access::Write)), [this, &picture]() -> Status {
            if (m_queue.isThreaded())
                std::this_thread::sleep_for(kLate);
            else
                for (int i = 0; i < kBurdenUploads; ++i)
                    JETSCOPE_TRY(m_burden->upload(m_burdenBytes.data(), std::size_t{4} * kBurdenSide));
            return m_texture->upload(picture.data(), std::size_t{4} * kSyncWidth);
        });
    }

private:
    explicit SharedTexture(GlQueue &queue) : m_queue(queue), m_burdenBytes(std::size_t{4} * kBurdenSide * kBurdenSide)
    {
    }

    GlQueue &m_queue;
    const PixelBytes m_burdenBytes;
    std::unique_ptr<GlTexture> m_texture;
    std::unique_ptr<GlTexture> m_burden;
    std::unique_ptr<GlFramebuffer> m_framebuffer;
    std::unique_ptr<EglImage> m_eglImage;
    std::unique_ptr<Image> m_image;
};

} // namespace

Result<VerifyResult> checkGlToDevice(VerifyWorld &world, std::string_view)
{
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Workbench> bench, Workbench::open(world));
    if (!bench->facts().eglSync.available)
        return absent(*bench, true, bench->facts().eglSync);
    JETSCOPE_TRY_ASSIGN(GlQueue *const queue, bench->queue());
    JETSCOPE_TRY_ASSIGN(const auto shared, SharedTexture::create(*bench, *queue));
    FrameSync &sync = bench->sync(SyncMode::EglSync);
    for (std::uint32_t round = 0; round < kSyncRounds; ++round) {
        const PixelBytes picture = patternOf(std::size_t{4} * kSyncWidth * kSyncHeight, round + 300);
        shared->uploadLate(bench->device(), picture);
        JETSCOPE_TRY(sync.glToDevice(queue->fence(bench->device()), bench->stream(), round));
        ChainLaunch launch;
        launch.inputLayout = makeImageLayout(PixelFormat::Rgba8, kSyncWidth, kSyncHeight);
        launch.inputImage = shared->image();
        const Result<PixelBytes> seen = bench->run(launch);
        JETSCOPE_TRY(queue->finish(bench->device()));
        if (const std::optional<Error> error = queue->takeError())
            return *error;
        if (!seen.ok())
            return seen.error();
        if (const std::string wrong = differenceOf(seen.value(), picture); !wrong.empty())
            return failed("the device did not wait for GL: " + wrong);
    }
    return passed();
}

Result<VerifyResult> checkDeviceToGl(VerifyWorld &world, std::string_view)
{
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Workbench> bench, Workbench::open(world));
    if (!bench->facts().eglSync.available)
        return absent(*bench, true, bench->facts().eglSync);
    JETSCOPE_TRY_ASSIGN(GlQueue *const queue, bench->queue());
    JETSCOPE_TRY_ASSIGN(const auto shared, SharedTexture::create(*bench, *queue));
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Event> done, bench->device().createEvent(Device::Timing::Off));
    FrameSync &sync = bench->sync(SyncMode::EglSync);
    for (std::uint32_t round = 0; round < kSyncRounds; ++round) {
        const PixelBytes picture = patternOf(std::size_t{4} * kSyncWidth * kSyncHeight, round + 400);
        JETSCOPE_TRY_ASSIGN(ChainLaunch launch, bench->pictureLaunch(picture, kSyncWidth, kSyncHeight));
        launch.outputImage = shared->image();
        JETSCOPE_TRY(bench->device().launchHost(bench->stream(), [] { std::this_thread::sleep_for(kLate); }));
        JETSCOPE_TRY(bench->device().launch(launch, bench->stream()));
        JETSCOPE_TRY(bench->device().record(*done, bench->stream()));
        FrameWork work{round, &bench->stream(), done.get(), nullptr};
        JETSCOPE_TRY(sync.submitted(work));
        JETSCOPE_TRY(sync.deviceToGl(work));
        JETSCOPE_TRY_ASSIGN(const PixelBytes seen, readTexture(*queue, shared->framebuffer()));
        if (const std::optional<Error> error = queue->takeError())
            return *error;
        JETSCOPE_TRY(bench->device().synchronize(bench->stream()));
        if (const std::string wrong = differenceOf(seen, picture); !wrong.empty())
            return failed("GL did not wait for the device: " + wrong);
    }
    return passed();
}

} // namespace jetscope
