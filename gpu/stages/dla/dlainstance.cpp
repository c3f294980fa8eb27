// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/stages/dla/dlainstance.h"

#include "core/pipelineconfig.h"
#include "core/time/clock.h"
#include "gpu/stages/dla/dlastage.h"

#include <filesystem>

namespace jetscope {

namespace {

constexpr std::uint32_t kMostTensors = 64;

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

} // namespace

DlaInstance::DlaInstance(const CudlaLibrary &library, DlaPlan plan, const TensorKernels &kernels,
                         const KernelDriver &driver)
    : StageInstance(PixelFormat::Rgba8, PixelFormat::Rgba8),
      m_library(library),
      m_plan(std::move(plan)),
      m_kernels(kernels),
      m_driver(driver)
{
}

Result<std::unique_ptr<StageInstance>> DlaInstance::create(const CudlaLibrary &library, const DlaPlan &plan,
                                                           const TensorKernels &kernels, const std::string &driver)
{
    JETSCOPE_TRY_ASSIGN(const KernelDriver cuda, KernelDriver::load(driver));
    std::unique_ptr<DlaInstance> instance(new DlaInstance(library, plan, kernels, cuda));
    JETSCOPE_TRY(instance->open());
    return std::unique_ptr<StageInstance>(std::move(instance));
}

Status DlaInstance::open()
{
    const cudla::Functions &f = m_library.functions();
    JETSCOPE_TRY_ASSIGN(const std::vector<std::uint8_t> loadable, readLoadable(m_plan.file));
    JETSCOPE_TRY(m_library.check("cudlaCreateDevice",
                                 f.createDevice(static_cast<std::uint64_t>(m_plan.dla), &m_device, cudla::kHybrid)));
    JETSCOPE_TRY(m_library.check("cudlaModuleLoadFromMemory",
                                 f.loadModule(m_device, loadable.data(), loadable.size(), &m_module, 0)));
    JETSCOPE_TRY(readTensors());
    m_watch = std::make_unique<DlaWatch>(m_library, m_driver, m_device, m_plan.dla,
                                         std::filesystem::path(m_plan.file).filename().string(), dlaTools().timeout);
    return {};
}

Result<std::vector<cudla::TensorDescriptor>> DlaInstance::descriptorsOf(int count, int tensors) const
{
    const cudla::Functions &f = m_library.functions();
    cudla::Attribute attribute{};
    JETSCOPE_TRY(m_library.check("cudlaModuleGetAttributes", f.moduleAttribute(m_module, count, &attribute)));
    const std::uint32_t number = attribute.count;
    if (number == 0 || number > kMostTensors)
        return sentence("the loadable has " + std::to_string(number) + " tensors on one side");
    std::vector<cudla::TensorDescriptor> all(number);
    attribute.tensors = all.data();
    JETSCOPE_TRY(m_library.check("cudlaModuleGetAttributes", f.moduleAttribute(m_module, tensors, &attribute)));
    return all;
}

Status DlaInstance::readTensors()
{
    JETSCOPE_TRY_ASSIGN(const auto inputs, descriptorsOf(cudla::kInputCount, cudla::kInputTensors));
    JETSCOPE_TRY_ASSIGN(const auto outputs, descriptorsOf(cudla::kOutputCount, cudla::kOutputTensors));
    m_description = std::filesystem::path(m_plan.file).filename().string() + " on DLA " + std::to_string(m_plan.dla);
    for (const cudla::TensorDescriptor &each : inputs)
        m_description += "; " + describe("input", each);
    for (const cudla::TensorDescriptor &each : outputs)
        m_description += "; " + describe("output", each);
    if (inputs.size() != 1)
        return sentence("the loadable has " + std::to_string(inputs.size()) + " inputs, and a frame fills one");
    JETSCOPE_TRY_ASSIGN(m_input, shapeOf(inputs[0]));
    JETSCOPE_TRY_ASSIGN(m_output, shapeOf(outputs[0]));
    if (m_input.channels != 1 && m_input.channels != 3 && m_input.channels != 4)
        return sentence("the input has " + std::to_string(m_input.channels) + " channels, and a frame has 1, 3 or 4");
    if (m_output.width * m_output.height > 1 && m_plan.drawing.channel >= m_output.channels)
        return sentence("the output has " + std::to_string(m_output.channels)
                        + " channels, counted from 0, and not "
                          "channel "
                        + std::to_string(m_plan.drawing.channel));
    for (const cudla::TensorDescriptor &each : outputs)
        m_outputBytes.push_back(each.size);
    return {};
}

DlaInstance::~DlaInstance()
{
    if (m_watch)
        m_watch->drain(); // Else it can crash the process (rule F1).
    m_watch.reset();
    for (auto &[stream, lane] : m_lanes)
        close(lane);
    if (m_module)
        static_cast<void>(m_library.functions().unloadModule(m_module, 0));
    if (m_device)
        static_cast<void>(m_library.functions().destroyDevice(m_device));
}

void DlaInstance::forgetStream(void *stream)
{
    const std::lock_guard lock(m_lanesMutex);
    const auto found = m_lanes.find(stream);
    if (found == m_lanes.end())
        return;
    m_watch->drain();
    close(found->second);
    m_lanes.erase(found);
}

Status DlaInstance::makeTensor(Tensor &tensor, std::size_t bytes) const
{
    JETSCOPE_TRY(m_driver.check("cuMemAlloc", m_driver.allocate(&tensor.memory, bytes)));
    return m_library.check(
        "cudlaMemRegister",
        m_library.functions().registerMemory(m_device, static_cast<const std::uint64_t *>(address(tensor.memory)),
                                             bytes, &tensor.registered, 0));
}

Status DlaInstance::makeLane(Lane &lane) const
{
    JETSCOPE_TRY(makeTensor(lane.input, m_input.bytes));
    lane.outputs.resize(m_outputBytes.size());
    for (std::size_t i = 0; i < m_outputBytes.size(); ++i)
        JETSCOPE_TRY(makeTensor(lane.outputs[i], m_outputBytes[i]));
    return m_driver.check("cuMemAlloc", m_driver.allocate(&lane.top, sizeof(tensor::Top)));
}

/// No task of the lane is pending.
void DlaInstance::close(Lane &lane) const
{
    const auto remove = [this](const Tensor &tensor) {
        if (tensor.registered)
            static_cast<void>(m_library.functions().unregisterMemory(m_device, tensor.registered));
        if (tensor.memory != 0)
            static_cast<void>(m_driver.free(tensor.memory));
    };
    remove(lane.input);
    for (const Tensor &each : lane.outputs)
        remove(each);
    if (lane.top != 0)
        static_cast<void>(m_driver.free(lane.top));
    lane = {};
}

Status DlaInstance::submit(const Lane &lane, void *stream) const
{
    std::vector<std::uint64_t *> outputs;
    for (const Tensor &each : lane.outputs)
        outputs.push_back(each.registered);
    const std::uint64_t *const input = lane.input.registered;
    cudla::Task task;
    task.module = m_module;
    task.outputs = outputs.data();
    task.outputCount = static_cast<std::uint32_t>(outputs.size());
    task.inputs = &input;
    task.inputCount = 1;
    return m_library.check("cudlaSubmitTask", m_library.functions().submitTask(m_device, &task, 1, stream, 0));
}

Status DlaInstance::runFrame(const StageFrame &frame)
{
    if (isDefaultStream(frame.stream))
        return sentence("cuDLA takes no default stream (rule F1)");
    JETSCOPE_TRY(m_watch->state());
    const std::lock_guard lock(m_lanesMutex);
    const auto [found, isNew] = m_lanes.try_emplace(frame.stream);
    Lane &lane = found->second;
    if (isNew) {
        if (const Status made = makeLane(lane); !made.ok()) {
            close(lane);
            m_lanes.erase(found);
            return made;
        }
    }
    JETSCOPE_TRY(m_kernels.pack(pixelsOf(frame.input), m_plan.packing(m_input.element), m_input,
                                address(lane.input.memory), frame.stream));
    const std::int64_t startNs = nowNs();
    JETSCOPE_TRY(submit(lane, frame.stream));
    JETSCOPE_TRY(m_watch->submitted(frame.number, name(), frame.stream, startNs));
    return m_kernels.draw(pixelsOf(frame.input), pixelsOf(frame.output), m_plan.drawing, m_output,
                          address(lane.outputs[0].memory), static_cast<tensor::Top *>(address(lane.top)), frame.stream);
}

std::vector<StageNews> DlaInstance::takeNews()
{
    std::vector<StageNews> news = m_watch->takeNews();
    const std::lock_guard lock(m_lanesMutex);
    if (!std::exchange(m_isDescribed, true))
        news.push_back({true, m_description});
    return news;
}

} // namespace jetscope
