// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/pipeline/pipelineresources.h"

#include "core/settings/settingtable.h"
#include "gpu/device/backends.h"
#include "gpu/hazards/ledgerdevice.h"
#include "gpu/pipeline/pipeline.h"
#include "gpu/stages/stagehost.h"

#include <algorithm>

namespace jetscope {

namespace {

bool wantsResults(const PipelineConfig &config)
{
    return config.cpuStage == CpuStagePlacement::Serial || config.cpuStage == CpuStagePlacement::Pipelined;
}

/// The CPU stage uses one frame in addition to those on the device.
std::size_t frameSlotsOf(const PipelineConfig &config)
{
    const std::size_t beside = config.cpuStage == CpuStagePlacement::Off ? 0 : 1;
    return static_cast<std::size_t>(config.framesInFlight) + beside;
}

/// In a window one texture waits in the mailbox, the view holds one, and one is being returned.
std::size_t outputSlotsOf(const PipelineConfig &config, bool forWindow)
{
    return static_cast<std::size_t>(config.framesInFlight) + (forWindow ? 3 : 1);
}

} // namespace

Result<std::shared_ptr<DeviceContext>> DeviceContext::open(const std::string &deviceId, const PipelineSetup &setup,
                                                           Tracer &tracer, std::unique_ptr<Device> device)
{
    auto deviceContext = std::make_shared<DeviceContext>();
    if (!device) {
        JETSCOPE_TRY_ASSIGN(device, openDevice(deviceId, setup.display));
    }
    if (setup.checksHazards)
        device = std::make_unique<LedgerDevice>(std::move(device));
    deviceContext->device = setup.decorateDevice ? setup.decorateDevice(std::move(device)) : std::move(device);
    deviceContext->timer = std::make_unique<GpuTimer>(*deviceContext->device, tracer);
    deviceContext->externalBuffers = std::make_unique<ExternalBufferRegistry>(*deviceContext->device, setup.display);
    return deviceContext;
}

PipelineResources::PipelineResources(const ResourcesSetup &setup)
    : m_deviceContext(setup.deviceContext), m_generation(setup.generation)
{
}

PipelineResources::~PipelineResources()
{
    for (const std::unique_ptr<Stream> &stream : m_streams)
        timer().removeStream(*stream);
}

Result<std::unique_ptr<PipelineResources>> PipelineResources::create(const ResourcesSetup &setup)
{
    std::unique_ptr<PipelineResources> resources(new PipelineResources(setup));
    JETSCOPE_TRY(resources->build(setup));
    return resources;
}

Status PipelineResources::build(const ResourcesSetup &setup)
{
    const PipelineConfig &config = setup.config;
    for (int number = 0; number < config.streams; ++number) {
        JETSCOPE_TRY_ASSIGN(std::unique_ptr<Stream> stream, device().createStreamFor({config.priority, config.share}));
        timer().addStream(*stream, number);
        device().tell(&DeviceObserver::numberStream, *stream, number);
        m_streams.push_back(std::move(stream));
    }
    JETSCOPE_TRY(device().stages().prepare(config.filters, setup.input.width, setup.input.height));
    m_sync = createFrameSync(config.sync, {device(), setup.queue, setup.wake});
    const ExternalInput externalInput = setup.externalBuffers.ok()
        ? ExternalInput{m_deviceContext->externalBuffers.get(), setup.externalBuffers.value()}
        : ExternalInput();
    const TransferContext context{device(),
                                  setup.queue,
                                  m_sync.get(),
                                  timer(),
                                  *m_streams.front(),
                                  externalInput,
                                  config.cpuStage == CpuStagePlacement::SameInput};

    const std::size_t inputs = setup.captureBuffers + frameSlotsOf(config);
    JETSCOPE_TRY_ASSIGN(m_pool, FramePool::create(config.memory, setup.input, inputs, context, setup.throughStream));

    JETSCOPE_TRY_ASSIGN(m_output,
                        OutputPath::create(config.output, setup.input.width, setup.input.height,
                                           outputSlotsOf(config, setup.forWindow), context));
    for (std::size_t slot = 0; slot < m_output->slotCount(); ++slot)
        m_outputs.add(slot);
    return buildSlots(setup, context);
}

Status PipelineResources::buildSlots(const ResourcesSetup &setup, const TransferContext &context)
{
    const ImageLayout half =
        makeImageLayout(PixelFormat::Grey8, (setup.input.width + 1) / 2, (setup.input.height + 1) / 2);
    for (std::size_t i = 0; i < frameSlotsOf(setup.config); ++i) {
        auto slot = std::make_unique<FrameSlot>();
        JETSCOPE_TRY_ASSIGN(slot->done, device().createEvent(Device::Timing::Off));
        if (wantsResults(setup.config)) {
            JETSCOPE_TRY_ASSIGN(
                slot->result,
                createTransferBuffer(setup.config.memory, TransferBuffer::Direction::Result, half, context));
        }
        m_frameSlots.push_back(std::move(slot));
    }
    return {};
}

bool needsNewResources(const PipelineConfig &from, const PipelineConfig &to)
{
    return std::ranges::any_of(
        settingTable(), [&](const SettingRow &row) { return !row.keepsResources && row.text(from) != row.text(to); });
}

} // namespace jetscope
