// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Costs of hand-overs between GL and the device.
#include "gpu/measure/probesteps.h"

#include "core/recording/tracer.h"
#include "gpu/gl/api.h"
#include "gpu/gl/texture.h"
#include "gpu/glqueue/glqueue.h"

#include <array>

namespace jetscope {

namespace {

constexpr int kTurnSide = 64; ///< Small, so that the hand-over costs more than the work.
constexpr int kTurns = 5;
constexpr int kImageRegistrations = 3;
constexpr double kGlNsPerUs = 1000;

/// A texture that GL clears and reads, and that the device reads and writes.
class GlBench {
public:
    explicit GlBench(ProbeBench &bench) : m_bench(bench), m_tracer(Tracer::Recording::Off) {}
    ~GlBench()
    {
        m_image.reset();
        m_interop.reset();
        if (m_queue)
            static_cast<void>(m_queue->run([this] {
                m_eglImage.reset();
                m_framebuffer.reset();
                m_texture.reset();
                return Status();
            }));
    }
    GlBench(const GlBench &) = delete;
    GlBench &operator=(const GlBench &) = delete;

    Status open()
    {
        if (!m_bench.display())
            return sentence("there is no EGL display");
        const bool threaded = m_bench.device().facts().software || m_bench.display()->isSoftwareRasteriser();
        JETSCOPE_TRY_ASSIGN(m_queue,
                            GlQueue::create(m_bench.display(),
                                            threaded ? GlQueue::Execution::Threaded : GlQueue::Execution::Inline,
                                            nullptr, m_tracer));
        JETSCOPE_TRY(m_queue->run([this]() -> Status {
            JETSCOPE_TRY_ASSIGN(m_texture, GlTexture::create(kTurnSide, kTurnSide));
            JETSCOPE_TRY_ASSIGN(m_framebuffer, GlFramebuffer::create(m_texture->id(), kTurnSide, kTurnSide));
            return {};
        }));
        JETSCOPE_TRY_ASSIGN(m_buffer, m_bench.device().allocate(Allocation::Device, m_layout.bytes));
        return {};
    }

    /// Shares the texture as an EGLImage.
    Status shareByImage()
    {
        if (m_image)
            return {};
        JETSCOPE_TRY(m_queue->run([this]() -> Status {
            JETSCOPE_TRY_ASSIGN(m_eglImage,
                                EglImage::create(m_bench.display(), m_queue->nativeContext(), m_texture->id()));
            return {};
        }));
        JETSCOPE_TRY_ASSIGN(m_image, m_bench.device().registerEglImage(m_eglImage->native(), kTurnSide, kTurnSide));
        return {};
    }

    Status shareByInterop()
    {
        if (!m_interop) {
            JETSCOPE_TRY_ASSIGN(m_interop, m_bench.device().registerGlTexture(m_texture->id(), kTurnSide, kTurnSide));
        }
        return {};
    }

    void clear()
    {
        m_queue->submit([this] {
            m_framebuffer->bind();
            glClearColor(0.5F, 0.25F, 0, 1);
            glClear(GL_COLOR_BUFFER_BIT);
            return Status();
        });
    }

    Status fenceAndWait()
    {
        clear();
        return m_bench.device().clientWait(m_queue->fence(m_bench.device()));
    }

    /// GL writes, the device reads and writes, GL reads; the CPU waits between them.
    Status turnByImage()
    {
        JETSCOPE_TRY(fenceAndWait());
        JETSCOPE_TRY(work(*m_image));
        JETSCOPE_TRY(m_bench.synchronize());
        return readBack();
    }

    Status turnByInterop()
    {
        clear();
        JETSCOPE_TRY(m_bench.device().map(*m_interop, m_bench.stream()));
        JETSCOPE_TRY(work(*m_interop));
        JETSCOPE_TRY(m_bench.device().unmap(*m_interop, m_bench.stream()));
        return readBack();
    }

    /// The same as turnByImage, but GL and the device wait for each other without the CPU.
    Status turnBySync()
    {
        Device &device = m_bench.device();
        clear();
        JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Event> cleared, device.eventFromFence(m_queue->fence(device)));
        JETSCOPE_TRY(device.wait(m_bench.stream(), *cleared));
        JETSCOPE_TRY(work(*m_image));
        JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Event> done, device.createEvent(Device::Timing::Off));
        JETSCOPE_TRY(device.record(*done, m_bench.stream()));
        JETSCOPE_TRY_ASSIGN(std::unique_ptr<GlWait> wait, device.glWaitFor(*done));
        m_queue->wait(device, std::move(wait), 0);
        return readBack();
    }

    Status measureRegistration(RoundFigures &to)
    {
        std::unique_ptr<GlTexture> texture;
        std::unique_ptr<EglImage> eglImage;
        JETSCOPE_TRY(m_queue->run([&]() -> Status {
            JETSCOPE_TRY_ASSIGN(texture, GlTexture::create(m_bench.width(), m_bench.height()));
            JETSCOPE_TRY_ASSIGN(eglImage, EglImage::create(m_bench.display(), m_queue->nativeContext(), texture->id()));
            return {};
        }));
        const Status measured = registerOften(*eglImage, to);
        JETSCOPE_TRY(m_queue->run([&] {
            eglImage.reset();
            texture.reset();
            return Status();
        }));
        return measured;
    }

private:
    Status registerOften(const EglImage &eglImage, RoundFigures &to)
    {
        double registering = 0;
        double ending = 0;
        for (int i = 0; i < kImageRegistrations; ++i) {
            const std::int64_t begin = nowNs();
            JETSCOPE_TRY_ASSIGN(
                std::unique_ptr<Image> image,
                m_bench.device().registerEglImage(eglImage.native(), m_bench.width(), m_bench.height()));
            const std::int64_t registered = nowNs();
            image.reset();
            registering += static_cast<double>(registered - begin);
            ending += static_cast<double>(nowNs() - registered);
        }
        to.emplace_back("register_image", registering / kImageRegistrations / kGlNsPerUs);
        to.emplace_back("unregister_image", ending / kImageRegistrations / kGlNsPerUs);
        return {};
    }

    Status work(Image &image)
    {
        ChainLaunch read;
        read.inputLayout = m_layout;
        read.inputImage = &image;
        read.output = wholeOf(*m_buffer);
        read.outputPitch = m_layout.planes[0].pitch;
        JETSCOPE_TRY(m_bench.device().launch(read, m_bench.stream()));
        ChainLaunch write;
        write.inputLayout = m_layout;
        write.input = wholeOf(*m_buffer);
        write.outputImage = &image;
        return m_bench.device().launch(write, m_bench.stream());
    }

    Status readBack()
    {
        m_queue->submit([this] { return m_framebuffer->read(m_pixels.data(), std::size_t{kTurnSide} * 4); });
        JETSCOPE_TRY(m_queue->finish(m_bench.device()));
        if (const auto error = m_queue->takeError())
            return *error;
        return {};
    }

    ProbeBench &m_bench;
    const ImageLayout m_layout = makeImageLayout(PixelFormat::Rgba8, kTurnSide, kTurnSide);
    Tracer m_tracer;
    std::unique_ptr<GlQueue> m_queue;
    std::unique_ptr<GlTexture> m_texture;
    std::unique_ptr<GlFramebuffer> m_framebuffer;
    std::unique_ptr<EglImage> m_eglImage;
    std::unique_ptr<Image> m_image;
    std::unique_ptr<Image> m_interop;
    std::unique_ptr<Buffer> m_buffer;
    std::array<std::byte, std::size_t{kTurnSide} * kTurnSide * 4> m_pixels{};
};

/// A turn that is measured if the device has it and the texture can be shared.
void addTurn(std::vector<RoundStep> &steps, const std::shared_ptr<GlBench> &gl, const std::string &key,
             const Capability &needed, Status (GlBench::*share)(), Status (GlBench::*turn)())
{
    const Status shared = needed.available ? (gl.get()->*share)() : Status(sentence(needed.reason));
    if (!shared.ok()) {
        steps.push_back(unavailableStep({key}, shared.error()));
        return;
    }
    steps.push_back(
        costStep(key, [gl, turn] { return medianNanoseconds(kTurns, [&] { return (gl.get()->*turn)(); }); }));
}

} // namespace

std::vector<RoundStep> glSteps(ProbeBench &bench)
{
    const std::vector<std::string> keys{"fence",        "eglimage_turn",  "gl_interop_turn",
                                        "eglsync_turn", "register_image", "unregister_image"};
    const auto gl = std::make_shared<GlBench>(bench);
    if (const Status opened = gl->open(); !opened.ok())
        return {unavailableStep(keys, opened.error())};
    const DeviceFacts &facts = bench.device().facts();
    std::vector<RoundStep> steps;
    steps.push_back(costStep("fence", [gl] { return medianNanoseconds(kTurns, [&] { return gl->fenceAndWait(); }); }));
    addTurn(steps, gl, "eglimage_turn", facts.eglImage, &GlBench::shareByImage, &GlBench::turnByImage);
    addTurn(steps, gl, "gl_interop_turn", facts.glInterop, &GlBench::shareByInterop, &GlBench::turnByInterop);
    addTurn(steps, gl, "eglsync_turn", facts.eglImage.available ? facts.eglSync : facts.eglImage,
            &GlBench::shareByImage, &GlBench::turnBySync);
    if (facts.eglImage.available)
        steps.push_back(
            {{"register_image", "unregister_image"}, [gl](RoundFigures &to) { return gl->measureRegistration(to); }});
    else
        steps.push_back(unavailableStep({"register_image", "unregister_image"}, sentence(facts.eglImage.reason)));
    return steps;
}

} // namespace jetscope
