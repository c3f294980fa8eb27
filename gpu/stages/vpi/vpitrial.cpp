// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The work of the child processes that try a stage of VPI: with pictures in memory, and with a Jetson's own buffers.
#include "gpu/stages/devicetrial.h"
#include "gpu/stages/nviva/nvivasurface.h"
#include "gpu/stages/stagetrial.h"
#include "gpu/stages/vpi/vpistage.h"

#include <vector>

namespace jetscope {

namespace {

/// What a camera may have in its buffers. CUDA and VPI tell the layouts apart, and no source says which one it has.
struct BufferShape {
    std::uint32_t colorFormat;
    std::uint32_t layout;
    PixelFormat format;
};
constexpr BufferShape kBufferShapes[] = {{nvbuf::kNv12, nvbuf::kBlockLinear, PixelFormat::Nv12},
                                         {nvbuf::kNv12, nvbuf::kPitchLinear, PixelFormat::Nv12},
                                         {nvbuf::kRgba, nvbuf::kPitchLinear, PixelFormat::Rgba8}};

struct BufferSize {
    int width;
    int height;
};
/// The second one is for scales whose smaller picture would be less than VIC takes.
constexpr BufferSize kBufferSizes[] = {{64, 36}, {1280, 720}};

Status checkCall(const char *call, int code)
{
    return code == 0 ? Status() : Error{call, code, "the Jetson's library for buffers gives no reason"};
}

/// A Jetson's buffer with an EGLImage, whose bytes nobody has written. Unverified on hardware.
class TrialBuffer {
public:
    explicit TrialBuffer(const NvivaSurfaceApi &api) : m_api(api) {}
    TrialBuffer(const TrialBuffer &) = delete;
    TrialBuffer &operator=(const TrialBuffer &) = delete;
    ~TrialBuffer()
    {
        if (m_hasImage)
            m_api.unMapEglImage(m_surface, 0);
        if (m_surface)
            m_api.destroy(m_surface);
    }

    Status make(const BufferShape &shape, const BufferSize &size)
    {
        nvbuf::CreateParams params{};
        params.width = static_cast<std::uint32_t>(size.width);
        params.height = static_cast<std::uint32_t>(size.height);
        params.colorFormat = shape.colorFormat;
        params.layout = shape.layout;
        params.memory = nvbuf::kSurfaceArray;
        JETSCOPE_TRY(checkCall("NvBufSurfaceCreate", m_api.create(&m_surface, 1, &params)));
        m_surface->filled = 1;
        JETSCOPE_TRY(checkCall("NvBufSurfaceMapEglImage", m_api.mapEglImage(m_surface, 0)));
        m_hasImage = true;
        return {};
    }
    void *image() const { return m_surface->list[0].eglImage; }
    int descriptor() const { return static_cast<int>(m_surface->list[0].descriptor); }

private:
    const NvivaSurfaceApi m_api;
    nvbuf::Surface *m_surface = nullptr;
    bool m_hasImage = false;
};

/// Runs the stage on the buffer, in memory of the first CUDA device if there is one. What VPI itself refuses is no
/// reason: it says so of a camera's buffer, too, and frames then go on through memory.
Result<std::string> judgeOnBuffer(StageInstance &instance, SourceBuffer &buffer, const DeviceTrial *device)
{
    const int width = buffer.layout().width;
    const int height = buffer.layout().height;
    bool isRefused = false;
    const auto run = [&](const StageFrame &frame) -> Status {
        JETSCOPE_TRY_ASSIGN(const bool isDone, instance.runOn(buffer, frame));
        isRefused = !isDone;
        return isRefused ? sentence("VPI refuses the buffer") : Status();
    };
    Result<std::string> judged = std::string();
    if (device) {
        judged = device->judge({instance.reads(), instance.makes(), width, height, false, run});
    } else {
        const ImageLayout layout = makeImageLayout(instance.makes(), width, height);
        std::vector<std::byte> pixels(layout.bytes);
        StageFrame frame;
        frame.output = {layout.format, width, height, pixels.data(), layout.planes[0].pitch};
        if (const Status ran = run(frame); !ran.ok())
            judged = ran.error();
    }
    return isRefused ? Result<std::string>(std::string()) : judged;
}

} // namespace

std::string trialOfVpi(const StageAddress &address, const std::string &library, int major)
{
    vpiTools().library = library;
    vpiTools().major = major;
    const Result<std::unique_ptr<VpiStage>> stage = VpiStage::create(address);
    if (!stage.ok())
        return stage.error().message();
    return trialOfStage(*stage.value(), !stage.value()->plan().isWrapped, true);
}

std::string trialOfVpiBuffers(const StageAddress &address, const VpiTools &tools, const std::string &surfaces)
{
    vpiTools() = tools;
    const Result<NvivaSurfaceApi> api = NvivaSurfaceApi::load(surfaces);
    if (!api.ok())
        return {}; // No camera here has such buffers.
    const Result<std::unique_ptr<VpiStage>> stage = VpiStage::create(address);
    if (!stage.ok())
        return stage.error().message();
    const Result<std::unique_ptr<DeviceTrial>> device = DeviceTrial::open(vpiTools().driver, 0);
    const auto memory = device.ok() ? StageDevice::Memory::Cuda : StageDevice::Memory::Host;
    const BufferSize &size = stage.value()->plan().limit(kBufferSizes[0].width, kBufferSizes[0].height).empty()
        ? kBufferSizes[0]
        : kBufferSizes[1];
    std::string unmade;
    bool isTried = false;
    for (const BufferShape &shape : kBufferShapes) {
        TrialBuffer made(api.value());
        if (const Status status = made.make(shape, size); !status.ok()) {
            unmade = "no buffer can be made for its trial: " + status.error().message();
            continue;
        }
        isTried = true;
        const Result<std::unique_ptr<StageInstance>> instance =
            stage.value()->setUp({memory, 0, 0, 0}, size.width, size.height);
        if (!instance.ok())
            return instance.error().message();
        SourceBuffer buffer(makeImageLayout(shape.format, size.width, size.height, YuvColour::Bt601Limited),
                            ExternalBufferView::Picture, made.image(), made.descriptor());
        const Result<std::string> judged =
            judgeOnBuffer(*instance.value(), buffer, device.ok() ? device.value().get() : nullptr);
        if (!judged.ok() || !judged.value().empty())
            return judged.ok() ? judged.value() : judged.error().message();
    }
    return isTried ? std::string() : unmade;
}

} // namespace jetscope
