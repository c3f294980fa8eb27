// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/session/pipelinefactory.h"

#include "gpu/device/backends.h"

namespace jetscope {

namespace {

/// Opens the device briefly to get its facts: the configuration must suit the device before the pipeline is built.
Result<DeviceFacts> factsOf(const std::string &deviceId, const std::shared_ptr<EglDisplay> &display)
{
    auto device = openDevice(deviceId, display);
    if (!device.ok())
        return device.error();
    return device.value()->facts();
}

Result<std::unique_ptr<PipelineControl>> openPipeline(PipelineDisplay &pipelineDisplay, const SessionRequest &request)
{
    auto display = pipelineDisplay.open();
    if (!display.ok())
        return display.error();
    PipelineSetup setup;
    setup.measuresTracing = true;
    setup.display = std::move(display).value();
    setup.shareContext = pipelineDisplay.share().context;
    setup.deviceId = request.deviceId.empty() ? bestDeviceId() : request.deviceId;
    const auto facts = factsOf(setup.deviceId, setup.display);
    if (!facts.ok())
        return facts.error();
    const auto config = resolveConfig(request, facts.value());
    if (!config.ok())
        return config.error();
    setup.config = config.value();
    auto source = openSource(request.source, Pacing::Real);
    if (!source.ok())
        return source.error();
    setup.source = std::move(source).value();
    setup.frameLimit = request.frameLimit;
    setup.forWindow = true;
    auto pipeline = Pipeline::create(std::move(setup));
    if (!pipeline.ok())
        return pipeline.error();
    return std::unique_ptr<PipelineControl>(std::move(pipeline).value());
}

} // namespace

PipelineFactory pipelineFactory(std::shared_ptr<PipelineDisplay> display)
{
    return [display = std::move(display)](const SessionRequest &request) { return openPipeline(*display, request); };
}

SourceOpener sourceOpener()
{
    return [](const std::string &uri) { return openSource(uri, Pacing::Real); };
}

ReadbackOpener readbackOpener(std::shared_ptr<PipelineDisplay> display)
{
    return [display = std::move(display)](FramePort &port,
                                          ReadbackView::Sink sink) -> Result<std::unique_ptr<ReadbackView>> {
        auto opened = display->open();
        if (!opened.ok())
            return opened.error();
        return ReadbackView::create(std::move(opened).value(), port.nativeContext(), port.mailbox(), port.tracer(),
                                    std::move(sink));
    };
}

} // namespace jetscope
