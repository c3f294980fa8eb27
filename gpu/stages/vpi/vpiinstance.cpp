// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/stages/vpi/vpiinstance.h"

#include "core/recording/tracer.h"
#include "core/time/clock.h"

namespace jetscope {

namespace {

constexpr std::size_t kMaxWorkKept = 256; ///< In a trial it is never taken.

std::uint64_t bytesOf(const StageImage &image)
{
    return static_cast<std::uint64_t>(image.width) * static_cast<std::uint64_t>(image.height)
        * (image.format == PixelFormat::Grey8 ? 1 : 4);
}

const char *engineOf(std::uint64_t backend)
{
    switch (backend) {
    case vpi::kPva:
        return "PVA";
    case vpi::kVic:
        return "VIC";
    case vpi::kCuda:
        return "VPI on CUDA";
    default:
        return "VPI on CPU";
    }
}

} // namespace

VpiInstance::VpiInstance(const VpiLibrary &library, const VpiPlan &plan, std::optional<KernelDriver> cuda, int width,
                         int height)
    : StageInstance(plan.reads, plan.makes),
      m_library(library),
      m_plan(plan),
      m_cuda(cuda),
      m_corners(plan.algorithm == VpiAlgorithm::Harris ? std::make_shared<VpiCorners>(library, plan.backend, plan.most)
                                                       : nullptr),
      m_parts{m_library, m_plan, m_corners.get(),           m_cuda ? &*m_cuda : nullptr,
              width,     height, backendsFor(plan, library)},
      m_buffers(std::make_shared<VpiBuffers>(library, plan))
{
}

void VpiInstance::forgetStream(void *stream)
{
    const std::lock_guard lock(m_lanesMutex);
    m_lanes.erase(stream);
}

Result<std::unique_ptr<StageInstance>> VpiInstance::create(const VpiLibrary &library, const VpiPlan &plan,
                                                           const StageDevice &device, int width, int height,
                                                           const std::string &driver)
{
    if (const std::string limit = plan.limit(width, height); !limit.empty())
        return sentence(limit);
    std::optional<KernelDriver> cuda;
    if (device.memory == StageDevice::Memory::Cuda) {
        JETSCOPE_TRY_ASSIGN(cuda, KernelDriver::load(driver));
    } else if (plan.isWrapped) {
        return sentence("stream=wrapped needs a CUDA device, and frames are in host memory here");
    }
    return std::unique_ptr<StageInstance>(new VpiInstance(library, plan, cuda, width, height));
}

Result<VpiInstance::Lane> VpiInstance::makeLane(const StageFrame &frame)
{
    const vpi::Functions &f = m_library.functions();
    Lane lane;
    void *stream = nullptr;
    if (m_plan.isWrapped)
        JETSCOPE_TRY(
            m_library.check("vpiStreamCreateWrapperCUDA", f.wrapCudaStream(frame.stream, m_parts.backends, &stream)));
    else
        JETSCOPE_TRY(m_library.check("vpiStreamCreate", f.createStream(m_parts.backends, &stream)));
    lane.stream = VpiHandle(stream, f.destroyStream);
    JETSCOPE_TRY_ASSIGN(lane.work, VpiWork::create(m_parts));
    return lane;
}

/// Wraps the picture where it lies: managed memory as CUDA memory, like all memory of a CUDA device (rule G1).
Status VpiInstance::point(VpiHandle &image, const StageImage &picture)
{
    const vpi::Functions &f = m_library.functions();
    const vpi::ImageData data =
        m_library.describe(vpiFormatOf(m_plan, picture.format), picture.width, picture.height,
                           m_cuda ? vpi::kCudaPitchLinear : vpi::kHostPitchLinear, picture.pixels, picture.pitch);
    if (image.get())
        return m_library.check("vpiImageSetWrapper", f.setWrapper(image.get(), &data));
    void *made = nullptr;
    JETSCOPE_TRY(m_library.check("vpiImageCreateWrapper", f.wrapImage(&data, nullptr, m_parts.backends, &made)));
    image = VpiHandle(made, f.destroyImage);
    return {};
}

/// VPI's own stream knows nothing of the stream that makes the input.
Status VpiInstance::waitForFrame(const StageFrame &frame)
{
    static const NameId kWait = internName("cuStreamSynchronize before VPI", Category::WaitSync, Purpose::DeviceStream);
    if (!m_cuda || m_plan.isWrapped)
        return {};
    const SpanScope span(kWait, static_cast<std::uint32_t>(frame.number));
    return m_cuda->check("cuStreamSynchronize", m_cuda->synchronizeStream(frame.stream));
}

Status VpiInstance::waitForVpi(const Lane &lane, std::uint64_t frame)
{
    static const NameId kWait = internName("vpiStreamSync", Category::WaitSync, Purpose::EngineFrame);
    const SpanScope span(kWait, static_cast<std::uint32_t>(frame));
    JETSCOPE_TRY(m_library.check("vpiStreamSync", m_library.functions().syncStream(lane.stream.get())));
    if (m_corners && lane.submitted)
        m_corners->synchronized(*lane.submitted);
    return {};
}

Result<VpiInstance::Lane *> VpiInstance::laneOf(const StageFrame &frame)
{
    const auto found = m_lanes.find(frame.stream);
    if (found != m_lanes.end())
        return &found->second;
    JETSCOPE_TRY_ASSIGN(Lane made, makeLane(frame));
    return &m_lanes.emplace(frame.stream, std::move(made)).first->second;
}

Status VpiInstance::runFrame(const StageFrame &frame)
{
    const std::lock_guard lock(m_lanesMutex);
    JETSCOPE_TRY_ASSIGN(Lane *const found, laneOf(frame));
    Lane &lane = *found;
    if (!m_plan.waits) // The run before may still use the pictures.
        JETSCOPE_TRY(waitForVpi(lane, frame.number));
    JETSCOPE_TRY(lane.work->prepare(frame));
    JETSCOPE_TRY(waitForFrame(frame));
    JETSCOPE_TRY(point(lane.input, frame.input));
    JETSCOPE_TRY(point(lane.output, frame.output));
    const std::int64_t startNs = nowNs();
    lane.submitted = frame.number;
    JETSCOPE_TRY(lane.work->submit(frame.number, lane.stream.get(), lane.input.get(), lane.output.get()));
    if (!m_plan.waits)
        return {};
    JETSCOPE_TRY(waitForVpi(lane, frame.number));
    note(frame, startNs);
    return lane.work->finish(frame);
}

/// What VPI refuses of a buffer is said once, and frames then go on through memory: neither the wrappers nor what VIC
/// makes of them were verified on hardware.
Result<bool> VpiInstance::runFrameOn(SourceBuffer &buffer, const StageFrame &frame)
{
    if (m_plan.wrapping == VpiWrapping::Memory)
        return false; // As the user wants it.
    const std::lock_guard lock(m_lanesMutex);
    const std::string reason = m_failure.empty() ? reasonAgainstInPlace(m_plan, buffer) : m_failure;
    if (reason.empty()) {
        const Status status = readBuffer(buffer, frame);
        if (status.ok()) {
            tell("VPI " + m_plan.name + ": " + m_plan.backendName
                 + " reads the camera's buffers where they lie, by their "
                 + (m_plan.wrapping == VpiWrapping::Descriptor ? "descriptors" : "EGLImages"));
            return true;
        }
        m_failure = status.error().message();
        m_lanes.erase(frame.stream); // With what was submitted of the work; VPI waits for it.
    }
    tell("VPI " + m_plan.name
         + " does not read the camera's buffers themselves, but what CUDA makes of them in memory: "
         + (reason.empty() ? m_failure : reason) + ".");
    return false;
}

Status VpiInstance::readBuffer(SourceBuffer &buffer, const StageFrame &frame)
{
    JETSCOPE_TRY_ASSIGN(Lane *const lane, laneOf(frame));
    JETSCOPE_TRY_ASSIGN(vpi::Image const input, m_buffers->imageOf(buffer, frame.number));
    JETSCOPE_TRY(waitForFrame(frame)); // Work before may use the memory of the output.
    JETSCOPE_TRY(point(lane->output, frame.output));
    const std::int64_t startNs = nowNs();
    lane->submitted = frame.number;
    JETSCOPE_TRY(lane->work->submit(frame.number, lane->stream.get(), input, lane->output.get()));
    JETSCOPE_TRY(waitForVpi(*lane, frame.number));
    note(frame, startNs);
    return {};
}

/// A reason that stays is said once.
void VpiInstance::tell(const std::string &text)
{
    const std::lock_guard lock(m_workMutex);
    if (text == m_told)
        return;
    m_told = text;
    m_news.push_back({StageNews::Kind::Told, text});
}

std::vector<StageNews> VpiInstance::takeNews()
{
    const std::lock_guard lock(m_workMutex);
    return std::exchange(m_news, {});
}

/// VPI copies what lies in memory that the backend does not use.
std::uint64_t VpiInstance::bytesCopied(const StageFrame &frame) const
{
    const std::uint64_t helper = m_parts.backends & ~m_plan.backend;
    const bool isHostMemory = !m_cuda;
    const bool isReadByCpu = (helper != 0 ? helper : m_plan.backend) == vpi::kCpu;
    if (isHostMemory == isReadByCpu)
        return 0;
    return bytesOf(frame.input) + (m_plan.algorithm == VpiAlgorithm::Harris ? 0 : bytesOf(frame.output));
}

void VpiInstance::note(const StageFrame &frame, std::int64_t startNs)
{
    if (!m_cuda && m_plan.backend == vpi::kCpu)
        return; // It is the work of the frame's own queue.
    StageWork work;
    work.engine = engineOf(m_plan.backend);
    work.name = boundedName(name());
    work.frame = frame.number;
    work.startNs = startNs;
    work.endNs = nowNs();
    work.bytes = bytesCopied(frame);
    const std::lock_guard lock(m_workMutex);
    if (m_work.size() < kMaxWorkKept)
        m_work.push_back(work);
}

std::vector<StageWork> VpiInstance::takeWork()
{
    const std::lock_guard lock(m_workMutex);
    return std::exchange(m_work, {});
}

} // namespace jetscope
