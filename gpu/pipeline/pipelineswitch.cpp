// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/pipeline/pipelineswitch.h"

#include "core/recording/tracer.h"
#include "gpu/paths/externalbuffertrial.h"
#include "gpu/stages/stagehost.h"

#include <utility>

namespace jetscope {

namespace {

PipelineSwitch::Outcome refused(const std::string &change, const std::string &reason)
{
    return {PipelineSwitch::Outcome::Kind::Refused, change.empty() ? reason : change + ": " + reason, {}};
}

PipelineSwitch::Outcome made(std::string change, std::string refusal = {})
{
    return {PipelineSwitch::Outcome::Kind::Made, std::move(change), std::move(refusal)};
}

NameId switchName()
{
    static const NameId kSwitch = internName("switch", Category::Tool);
    return kSwitch;
}

} // namespace

void PipelineSwitch::tryExternalBuffers(FrameSource &source, Device &device)
{
    source.tryExternalBuffers([&](ExternalBuffer &buffer, const std::byte *bytes) {
        return tryExternalBuffer(buffer, bytes, source.info().layout, m_stage.queue, device);
    });
}

PipelineSwitch::SourceNeeds PipelineSwitch::needsOfCurrent() const
{
    const CaptureThread &capture = m_stage.source.capture();
    return needsOf(capture, capture.buffers());
}

Result<std::unique_ptr<PipelineResources>> PipelineSwitch::build(const PipelineConfig &config,
                                                                 const SourceNeeds &source,
                                                                 std::shared_ptr<DeviceContext> deviceContext)
{
    return PipelineResources::create({config, source.layout, source.externalBuffers, source.throughStream,
                                      std::move(deviceContext), m_stage.queue, m_stage.setup.forWindow, source.buffers,
                                      ++m_generation, [this] { m_stage.wakeEvent.wake(); }});
}

std::string PipelineSwitch::reasonAgainst(const PipelineConfig &config, const DeviceFacts &facts) const
{
    if (const Availability whole = availability(config, facts); whole.unavailable())
        return whole.reason;
    return config.cpuStage != CpuStagePlacement::Off && !m_stage.cpuStage ? cpuStageCapability().reason : std::string();
}

Status PipelineSwitch::start(std::unique_ptr<FrameSource> source, std::shared_ptr<DeviceContext> deviceContext,
                             bool paused)
{
    const PipelineConfig &config = m_stage.setup.config;
    Device &device = *deviceContext->device;
    tryExternalBuffers(*source, device);
    const SourceNeeds needs = needsOf(*source, CaptureThread::buffersFor(*source));
    if (const std::string reason = reasonAgainst(config, factsWith(device.facts(), needs.externalBuffers));
        !reason.empty())
        return Error{"", 0, reason};
    JETSCOPE_TRY(device.setWaitPolicy(config.wait));
    if (m_stage.tracer.canRecord())
        JETSCOPE_TRY(deviceContext->timer->use(config.gpuTime));
    m_stage.queue.timeBy(config.gpuTime);
    JETSCOPE_TRY(m_stage.sink.resize(needs.layout.width, needs.layout.height));
    JETSCOPE_TRY_ASSIGN(std::unique_ptr<PipelineResources> resources, build(config, needs, std::move(deviceContext)));
    if (const std::string reason = runBeside(config.beside, device.facts()); !reason.empty())
        return Error{"--beside", 0, reason};
    m_stage.runner.exchangeResources(std::move(resources), config);
    m_stage.source.start(std::move(source), m_stage.runner.resources().pool(), paused);
    return {};
}

Result<PipelineSwitch::Outcome> PipelineSwitch::to(PipelineConfig config, std::optional<std::string> deviceId,
                                                   bool failed)
{
    FrameRunner &runner = m_stage.runner;
    const PipelineConfig before = runner.config();
    std::shared_ptr<DeviceContext> context = runner.resources().deviceContext();
    if (deviceId && *deviceId == context->device->facts().id)
        deviceId.reset();
    if (!deviceId && config == before && !failed)
        return Outcome();
    const std::string change = deviceId ? "device: " + *deviceId : describeChange(before, config);
    const SpanScope span(switchName());
    if (deviceId) {
        Result<std::shared_ptr<DeviceContext>> opened = DeviceContext::open(*deviceId, m_stage.setup, m_stage.tracer);
        if (!opened.ok())
            return refused(change, opened.error().message());
        context = std::move(opened).value();
    }
    const DeviceFacts facts = factsWith(context->device->facts(), m_stage.source.capture().externalBuffers());
    if (deviceId)
        config = nearestLegal(std::move(config), facts);
    if (const std::string reason = reasonAgainst(config, facts); !reason.empty())
        return refused(change, reason);
    if (deviceId || failed || config.beside != before.beside)
        if (const std::string reason = runBeside(config.beside, facts); !reason.empty())
            return refused(change, reason);
    const bool isAnew = deviceId || needsNewResources(before, config) || failed;
    if (isAnew) {
        JETSCOPE_TRY_ASSIGN(const std::string reason, replaceResources(config, context, failed));
        if (!reason.empty())
            return refused(change, reason);
    } else {
        const ImageLayout &input = runner.resources().pool()->layout();
        if (const Status ready = context->device->stages().prepare(config.filters, input.width, input.height);
            !ready.ok())
            return refused(change, ready.error().message());
        runner.setConfig(config);
    }
    JETSCOPE_TRY(context->device->setWaitPolicy(config.wait));
    if (!deviceId && config.gpuTime == before.gpuTime)
        return made(change);
    if (!isAnew) // On new resources nothing is in flight.
        JETSCOPE_TRY(runner.drain());
    return made(change, timeBy(config.gpuTime));
}

std::string PipelineSwitch::runBeside(Beside load, const DeviceFacts &facts)
{
    m_beside.reset(); // Before the next one begins, and before a device goes.
    Result<std::unique_ptr<BesideLoad>> made = BesideLoad::create(load, facts);
    if (!made.ok())
        return made.error().message();
    m_beside = std::move(made).value();
    return {};
}

/// The reason why the resources cannot be built; empty when they are in use now.
Result<std::string> PipelineSwitch::replaceResources(const PipelineConfig &config,
                                                     const std::shared_ptr<DeviceContext> &context, bool failed)
{
    if (failed)
        endFailed(context);
    else
        JETSCOPE_TRY(m_stage.runner.drain());
    Result<std::unique_ptr<PipelineResources>> resources = build(config, needsOfCurrent(), context);
    if (!resources.ok())
        return resources.error().message();
    adopt(std::move(resources).value(), config, failed);
    return std::string();
}

/// In place of a drain after a failure, before resources are built on `next`. When this returns, nothing of the former
/// ones runs on the device that is used from now on or in GL, their stages are gone, since one of them may have failed,
/// and nothing waits for the times of their work. The failure was told; what fails again says so when the resources are
/// built.
void PipelineSwitch::endFailed(const std::shared_ptr<DeviceContext> &next)
{
    const std::shared_ptr<DeviceContext> former = m_stage.runner.resources().deviceContext();
    Device &device = *former->device;
    // Another device is not held up by work that may never end, unless the CPU stage or GL waits for it: both do their
    // work in order. A lost device ends all.
    const bool ends = former == next || device.isLost();
    if (former == next) {
        static_cast<void>(device.synchronize());
        static_cast<void>(device.stages().prepare({}, 0, 0));
    }
    if (m_stage.cpuStage) {
        if (ends)
            m_stage.cpuStage->waitIdle();
        m_stage.cpuStage->forgetErrors();
    }
    // The first call tells an error of the commands before it in place of its own outcome.
    if (!m_stage.queue.finish(device).ok())
        static_cast<void>(m_stage.queue.finish(device));
    static_cast<void>(m_stage.queue.takeError());
    static_cast<void>(former->timer->finish());
}

/// The reason where the device cannot.
std::string PipelineSwitch::timeBy(GpuTime source)
{
    m_stage.queue.timeBy(source);
    const Status taken = m_stage.tracer.canRecord() ? m_stage.runner.resources().timer().use(source) : Status();
    return taken.ok() ? std::string() : "gpu-time: " + std::string(nameOf(source)) + ": " + taken.error().message();
}

void PipelineSwitch::adopt(std::unique_ptr<PipelineResources> resources, const PipelineConfig &config, bool failed)
{
    FrameRunner &runner = m_stage.runner;
    m_stage.sink.mailbox().retract();
    m_stage.sink.service(runner.resources());
    m_stage.source.capture().setPool(resources->pool());
    // CUPTI has one user at a time, and retired resources need no times any more.
    if (resources->deviceContext() != runner.resources().deviceContext() && !failed)
        static_cast<void>(runner.resources().timer().use(GpuTime::Bounds));
    m_retired.push_back(runner.exchangeResources(std::move(resources), config));
    pruneRetired();
}

void PipelineSwitch::pruneRetired()
{
    std::erase_if(m_retired, [this](const std::unique_ptr<PipelineResources> &resources) {
        m_stage.sink.returnOutputsTo(*resources);
        // One owner of the pool is the resources themselves; others are frames that were captured before the switch.
        return resources->outputs().withView() == 0 && resources->pool().use_count() == 1;
    });
}

Result<PipelineSwitch::Outcome> PipelineSwitch::toSource(std::unique_ptr<FrameSource> source, bool failed, bool paused)
{
    FrameRunner &runner = m_stage.runner;
    FrameSink &sink = m_stage.sink;
    tryExternalBuffers(*source, runner.resources().device());
    const SourceNeeds needs = needsOf(*source, CaptureThread::buffersFor(*source));
    std::string change = "source: " + source->info().uri;
    const SpanScope span(switchName());
    if (failed)
        endFailed(runner.resources().deviceContext());
    else
        JETSCOPE_TRY(runner.drain());
    if (const Status resized = sink.resize(needs.layout.width, needs.layout.height); !resized.ok())
        return refused(change, resized.error().message());
    // Another source may have no buffers of its own.
    const std::shared_ptr<DeviceContext> context = runner.resources().deviceContext();
    const DeviceFacts facts = factsWith(context->device->facts(), needs.externalBuffers);
    PipelineConfig config = runner.config();
    if (availability(config.memory, config, facts).unavailable()) {
        config.memory = nearestLegal(config, facts).memory;
        change += ", " + describeChange(runner.config(), config);
    }
    Result<std::unique_ptr<PipelineResources>> resources = build(config, needs, context);
    if (!resources.ok()) {
        const ImageLayout &former = runner.resources().pool()->layout();
        JETSCOPE_TRY(sink.resize(former.width, former.height));
        return refused(change, resources.error().message());
    }
    adopt(std::move(resources).value(), config, failed);
    m_stage.source.start(std::move(source), runner.resources().pool(), paused);
    Outcome outcome = made(change);
    outcome.ofSource = true;
    return outcome;
}

} // namespace jetscope
