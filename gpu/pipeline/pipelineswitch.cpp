// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// How the pipeline loop changes while it runs: drain, build the new resources beside the old ones, swap, go on. What
// cannot be built leaves everything as it was and says why.
#include "gpu/pipeline/pipelineloop.h"

#include "core/recording/tracer.h"
#include "gpu/paths/externalbuffertrial.h"

namespace jetscope {

void PipelineLoop::tryExternalBuffers(FrameSource &source, Device &device)
{
    source.tryExternalBuffers([&](ExternalBuffer &surface, const std::byte *bytes) {
        return tryExternalBuffer(surface, bytes, source.info().layout, *m_queue, device);
    });
}

PipelineLoop::SourceNeeds PipelineLoop::needsOf(const FrameSource &source)
{
    return {source.info().layout, source.surfaces(), source.info().throughStream, CaptureThread::buffersFor(source)};
}

PipelineLoop::SourceNeeds PipelineLoop::needsOfCurrent() const
{
    return {m_capture->info().layout, m_capture->surfaces(), m_capture->info().throughStream, m_capture->buffers()};
}

PartsSetup PipelineLoop::partsSetup(const PipelineConfig &config, const SourceNeeds &source,
                                    std::shared_ptr<DeviceContext> deviceContext)
{
    return PartsSetup{
        config,   source.layout,     source.surfaces, source.throughStream, std::move(deviceContext),
        *m_queue, m_setup.forWindow, source.buffers,  ++m_generation,       [this] { m_wakeEvent.wake(); }};
}

Status PipelineLoop::carryOutCommands()
{
    Commands::Pending pending = m_commands.take();
    m_stopping = pending.stop;
    m_steps += pending.steps;
    const bool pauses = pending.paused && !m_paused;
    if (m_hostSampler && pending.paused != m_paused)
        m_hostSampler->setPaused(pending.paused);
    m_paused = pending.paused;
    m_capture->setPaused(m_paused);
    if (!m_paused)
        m_steps = 0;
    m_capture->setResting(m_paused && m_steps == 0);
    if (pauses && !m_stopping && m_state == PipelineState::Running)
        JETSCOPE_TRY(settle());
    if (pending.config)
        JETSCOPE_TRY(switchTo(std::move(*pending.config), std::move(pending.deviceId)));
    if (pending.source)
        JETSCOPE_TRY(switchSource(std::move(pending.source)));
    return {};
}

Status PipelineLoop::applySchedule()
{
    while (m_nextChange < m_setup.schedule.size() && m_setup.schedule[m_nextChange].frame <= m_runner->nextFrame())
        JETSCOPE_TRY(switchTo(m_setup.schedule[m_nextChange++].config, std::nullopt));
    return {};
}

void PipelineLoop::refuse(const std::string &change, const std::string &reason)
{
    notify(PipelineNotice::Kind::Refused, change.empty() ? reason : change + ": " + reason);
}

Status PipelineLoop::switchTo(PipelineConfig config, std::optional<std::string> deviceId)
{
    const PipelineConfig before = m_runner->config();
    std::shared_ptr<DeviceContext> deviceContext = m_runner->resources().deviceContext();
    if (deviceId && *deviceId == deviceContext->device->facts().id)
        deviceId.reset();
    if (!deviceId && config == before && m_state != PipelineState::Failed)
        return {};
    const std::string change = deviceId ? "device: " + *deviceId : describeChange(before, config);
    static const NameId kSwitch = internName("switch", Category::Tool);
    const SpanScope span(kSwitch);

    if (deviceId) {
        Result<std::shared_ptr<DeviceContext>> opened =
            DeviceContext::open(*deviceId, m_setup.decorateDevice, m_setup.display, m_tracer);
        if (!opened.ok()) {
            refuse(change, opened.error().message());
            return {};
        }
        deviceContext = std::move(opened).value();
    }
    const DeviceFacts facts = factsWith(deviceContext->device->facts(), m_capture->surfaces());
    if (deviceId)
        config = nearestLegal(std::move(config), facts);
    if (const Availability whole = availability(config, facts); whole.unavailable()) {
        refuse(change, whole.reason);
        return {};
    }
    if (config.cpuStage != CpuStagePlacement::Off && !m_cpuStage) {
        refuse(change, cpuStageCapability().reason);
        return {};
    }
    if (deviceId || needsNewParts(before, config) || m_state == PipelineState::Failed) {
        if (m_state != PipelineState::Failed)
            JETSCOPE_TRY(m_runner->drain());
        Result<std::unique_ptr<PipelineResources>> resources =
            PipelineResources::create(partsSetup(config, needsOfCurrent(), deviceContext));
        if (!resources.ok()) {
            refuse(change, resources.error().message());
            return {};
        }
        adopt(std::move(resources).value(), config);
    } else {
        m_runner->setConfig(config);
    }
    JETSCOPE_TRY(deviceContext->device->setWaitPolicy(config.wait));
    if (deviceId || config.gpuTime != before.gpuTime)
        JETSCOPE_TRY(timeBy(config.gpuTime));
    if (m_state == PipelineState::Failed) {
        m_state = PipelineState::Running;
        m_capture->setHeld(false);
    }
    notify(PipelineNotice::Kind::Switched, change);
    report();
    return {};
}

Status PipelineLoop::timeBy(GpuTime source)
{
    JETSCOPE_TRY(m_runner->drain());
    m_queue->timeBy(source);
    const Status taken = m_tracer.canRecord() ? m_runner->resources().timer().use(source) : Status();
    if (!taken.ok())
        refuse("gpu-time: " + std::string(nameOf(source)), taken.error().message());
    return {};
}

void PipelineLoop::adopt(std::unique_ptr<PipelineResources> resources, const PipelineConfig &config)
{
    m_sink->mailbox().retract();
    m_sink->service(m_runner->resources());
    m_capture->setPool(resources->pool());
    // CUPTI knows one user at a time, and what was retired needs no times any more.
    if (resources->deviceContext() != m_runner->resources().deviceContext() && m_state != PipelineState::Failed)
        static_cast<void>(m_runner->resources().timer().use(GpuTime::Bounds));
    std::unique_ptr<PipelineResources> former = m_runner->exchangeParts(std::move(resources), config);
    m_retired.push_back(std::move(former));
    pruneRetired();
}

void PipelineLoop::pruneRetired()
{
    std::erase_if(m_retired, [this](const std::unique_ptr<PipelineResources> &resources) {
        m_sink->giveBackTo(*resources);
        // One owner of the pool is the resources themselves; others are frames that were captured before the switch.
        return resources->outputsWithView == 0 && resources->pool().use_count() == 1;
    });
}

Status PipelineLoop::switchSource(std::unique_ptr<FrameSource> source)
{
    tryExternalBuffers(*source, m_runner->resources().device());
    const SourceNeeds needs = needsOf(*source);
    const ImageLayout &layout = needs.layout;
    std::string change = "source: " + source->info().uri;
    static const NameId kSwitch = internName("switch", Category::Tool);
    const SpanScope span(kSwitch);
    if (m_state != PipelineState::Failed)
        JETSCOPE_TRY(m_runner->drain());
    if (const Status resized = m_sink->resize(layout.width, layout.height); !resized.ok()) {
        refuse(change, resized.error().message());
        return {};
    }
    // Another source may have no buffers of its own.
    const std::shared_ptr<DeviceContext> deviceContext = m_runner->resources().deviceContext();
    const DeviceFacts facts = factsWith(deviceContext->device->facts(), needs.surfaces);
    PipelineConfig config = m_runner->config();
    if (availability(config.memory, config, facts).unavailable()) {
        config.memory = nearestLegal(config, facts).memory;
        change += ", " + describeChange(m_runner->config(), config);
    }
    Result<std::unique_ptr<PipelineResources>> resources =
        PipelineResources::create(partsSetup(config, needs, deviceContext));
    if (!resources.ok()) {
        refuse(change, resources.error().message());
        return m_sink->resize(m_runner->resources().pool()->layout().width,
                              m_runner->resources().pool()->layout().height);
    }
    m_droppedBefore += m_capture->dropped();
    adopt(std::move(resources).value(), config);
    startRecording(std::move(source)); // The former source is closed here.
    m_state = PipelineState::Running;
    notify(PipelineNotice::Kind::Switched, change);
    report();
    return {};
}

} // namespace jetscope
