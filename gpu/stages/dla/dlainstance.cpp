// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/stages/dla/dlainstance.h"

#include <filesystem>
#include <utility>

namespace jetscope {

namespace {

constexpr std::uint32_t kMaxTensors = 64;

tensor::Pixels pixelsOf(const StageImage &image)
{
    return {reinterpret_cast<std::uint8_t *>(image.pixels), image.pitch, image.width, image.height};
}

void *address(std::uint64_t memory)
{
    return reinterpret_cast<void *>(static_cast<std::uintptr_t>(memory)); // NOLINT
}

/// The default streams are no handles but the numbers 0, 1 and 2, and cuDLA does not take the one of a thread.
bool isDefaultStream(const void *stream)
{
    return reinterpret_cast<std::uintptr_t>(stream) <= 2;
}

Error endsUnknown()
{
    return sentence("CUDA failed while the DLA had tasks, and nothing says whether they have ended; start again");
}

/// What a DLA may still use, until the program ends.
struct DlaRemains {
    std::unique_ptr<DlaParts> parts;
    std::map<void *, std::unique_ptr<DlaLane>> lanes;
};
std::vector<DlaRemains> &dlaRemains()
{
    static auto *const remains = new std::vector<DlaRemains>;
    return *remains;
}
std::mutex g_dlaRemainsMutex;

} // namespace

DlaInstance::DlaInstance(const DlaRuntime &runtime, DlaPlan plan, const KernelDriver &driver)
    : StageInstance(PixelFormat::Rgba8, PixelFormat::Rgba8),
      m_runtime(runtime),
      m_plan(std::move(plan)),
      m_parts(new DlaParts{runtime.library, driver, nullptr, nullptr, {}, nullptr})
{
}

Result<std::unique_ptr<StageInstance>> DlaInstance::create(const DlaRuntime &runtime, const DlaPlan &plan)
{
    JETSCOPE_TRY_ASSIGN(const KernelDriver driver, KernelDriver::load(runtime.cudaLibrary));
    std::unique_ptr<DlaInstance> instance(new DlaInstance(runtime, plan, driver));
    JETSCOPE_TRY(instance->open());
    return std::unique_ptr<StageInstance>(std::move(instance));
}

Status DlaInstance::open()
{
    const CudlaLibrary &library = m_parts->library;
    const cudla::Functions &f = library.functions();
    const bool isStandalone = m_plan.mode == DlaMode::Standalone;
    JETSCOPE_TRY_ASSIGN(const std::vector<std::uint8_t> loadable, readLoadable(m_plan.file));
    JETSCOPE_TRY(library.check("cudlaCreateDevice",
                               f.createDevice(static_cast<std::uint64_t>(m_plan.dla), &m_parts->device,
                                              isStandalone ? cudla::kStandalone : cudla::kHybrid)));
    JETSCOPE_TRY(library.check("cudlaModuleLoadFromMemory",
                               f.loadModule(m_parts->device, loadable.data(), loadable.size(), &m_parts->module, 0)));
    JETSCOPE_TRY(readTensors());
    if (isStandalone) {
        JETSCOPE_TRY_ASSIGN(m_parts->exchange,
                            DlaExchange::open(*m_runtime.sci, m_parts->driver, m_runtime.cudaLibrary));
    }
    m_watch = std::make_unique<DlaWatch>(library, m_parts->driver,
                                         DlaWatched{m_parts->device, m_plan.dla,
                                                    std::filesystem::path(m_plan.file).filename().string(), m_plan.mode,
                                                    m_runtime.timeout});
    return {};
}

Result<std::vector<cudla::TensorDescriptor>> DlaInstance::descriptorsOf(int count, int tensors) const
{
    const CudlaLibrary &library = m_parts->library;
    const cudla::Functions &f = library.functions();
    cudla::Attribute attribute{};
    JETSCOPE_TRY(library.check("cudlaModuleGetAttributes", f.moduleAttribute(m_parts->module, count, &attribute)));
    const std::uint32_t number = attribute.count;
    if (number == 0 || number > kMaxTensors)
        return sentence("the loadable has " + std::to_string(number) + " tensors on one side");
    std::vector<cudla::TensorDescriptor> all(number);
    attribute.tensors = all.data();
    JETSCOPE_TRY(library.check("cudlaModuleGetAttributes", f.moduleAttribute(m_parts->module, tensors, &attribute)));
    return all;
}

Status DlaInstance::readTensors()
{
    JETSCOPE_TRY_ASSIGN(const auto inputs, descriptorsOf(cudla::kInputCount, cudla::kInputTensors));
    JETSCOPE_TRY_ASSIGN(const auto outputs, descriptorsOf(cudla::kOutputCount, cudla::kOutputTensors));
    m_description = std::filesystem::path(m_plan.file).filename().string() + " on DLA " + std::to_string(m_plan.dla);
    if (m_plan.mode == DlaMode::Standalone)
        m_description += " in standalone mode";
    for (const cudla::TensorDescriptor &each : inputs)
        m_description += "; " + describe("input", each);
    for (const cudla::TensorDescriptor &each : outputs)
        m_description += "; " + describe("output", each);
    return checkTensors(inputs, outputs);
}

Status DlaInstance::checkTensors(const std::vector<cudla::TensorDescriptor> &inputs,
                                 const std::vector<cudla::TensorDescriptor> &outputs)
{
    if (inputs.size() != 1)
        return sentence("the loadable has " + std::to_string(inputs.size()) + " inputs, and a frame fills one");
    JETSCOPE_TRY_ASSIGN(m_input, shapeOf(inputs[0]));
    JETSCOPE_TRY_ASSIGN(m_output, shapeOf(outputs[0]));
    if (m_input.channels != 1 && m_input.channels != 3 && m_input.channels != 4)
        return sentence("the input has " + std::to_string(m_input.channels) + " channels, and a frame has 1, 3 or 4");
    if (m_output.width * m_output.height > 1 && m_plan.drawing.channel >= m_output.channels)
        return sentence("the output has " + std::to_string(m_output.channels)
                        + " channels, counted from 0, and not channel " + std::to_string(m_plan.drawing.channel));
    m_parts->tensorBytes = {m_input.bytes};
    for (const cudla::TensorDescriptor &each : outputs)
        m_parts->tensorBytes.push_back(each.size);
    return {};
}

DlaInstance::~DlaInstance()
{
    if (m_watch && !m_watch->drain()) // Else it can crash the process (rule F1).
        abandon(endsUnknown());
    m_watch.reset();
    m_lanes.clear();
    if (!m_parts)
        return;
    const cudla::Functions &f = m_parts->library.functions();
    if (m_parts->module)
        static_cast<void>(f.unloadModule(m_parts->module, 0));
    if (m_parts->device)
        static_cast<void>(f.destroyDevice(m_parts->device));
}

void DlaInstance::forgetStream(void *stream)
{
    const std::lock_guard lock(m_lanesMutex);
    if (m_lanes.count(stream) == 0)
        return;
    if (m_watch->drain())
        m_lanes.erase(stream);
    else
        abandon(endsUnknown());
}

/// Nothing says when the DLA is done with its memory, so nothing of it is given back.
void DlaInstance::abandon(const Error &why)
{
    m_watch->refuse(why);
    const std::lock_guard lock(g_dlaRemainsMutex);
    dlaRemains().push_back({std::move(m_parts), std::exchange(m_lanes, {})});
}

/// cuDLA does not recover from errors: later frames get the same one.
Status DlaInstance::refuse(const Error &error)
{
    if (error.call.rfind("cudla", 0) == 0)
        m_watch->refuse(error);
    return error;
}

Result<DlaLane *> DlaInstance::laneOf(void *stream)
{
    std::unique_ptr<DlaLane> &lane = m_lanes[stream];
    if (!lane) {
        Result<std::unique_ptr<DlaLane>> made = DlaLane::create(*m_parts);
        if (!made.ok()) {
            m_lanes.erase(stream);
            return made.error();
        }
        lane = std::move(made).value();
    }
    return lane.get();
}

Status DlaInstance::submit(const StageFrame &frame, DlaLane &lane)
{
    JETSCOPE_TRY(m_watch->begin(frame.stream));
    if (const Status submitted = lane.submit(frame.stream); !submitted.ok()) {
        m_watch->cancel();
        if (lane.isLoose())
            abandon(submitted.error());
        return submitted;
    }
    const Status marked = m_watch->submitted(frame.number, name(), frame.stream);
    if (!marked.ok())
        abandon(marked.error());
    return marked;
}

Status DlaInstance::runFrame(const StageFrame &frame)
{
    if (isDefaultStream(frame.stream))
        return sentence("cuDLA takes no default stream (rule F1)");
    JETSCOPE_TRY(m_watch->state());
    const std::lock_guard lock(m_lanesMutex);
    const Result<DlaLane *> found = laneOf(frame.stream);
    if (!found.ok())
        return refuse(found.error());
    DlaLane &lane = *found.value();
    const TensorKernels &kernels = *m_runtime.kernels;
    const TensorQueue queue{frame.stream, frame.kernels};
    JETSCOPE_TRY(
        kernels.pack(pixelsOf(frame.input), m_plan.packing(m_input.element), m_input, address(lane.input()), queue));
    if (frame.kernels)
        frame.kernels->unknownKernels(name()); // The DLA's task.
    if (const Status submitted = submit(frame, lane); !submitted.ok())
        return refuse(submitted.error());
    return kernels.draw(pixelsOf(frame.input), pixelsOf(frame.output), m_plan.drawing, m_output, address(lane.output()),
                        static_cast<tensor::Top *>(address(lane.top())), queue);
}

std::vector<StageNews> DlaInstance::takeNews()
{
    std::vector<StageNews> news = m_watch->takeNews();
    const std::lock_guard lock(m_lanesMutex);
    if (!std::exchange(m_isDescribed, true))
        news.push_back({StageNews::Kind::Told, m_description});
    return news;
}

} // namespace jetscope
