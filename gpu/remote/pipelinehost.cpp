// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/pipelinehost.h"

#include "gpu/attach/host/programfile.h"
#include "gpu/hazards/scenes.h"

namespace jetscope {

namespace {

Result<std::unique_ptr<PipelineControl>> openPipeline(PipelineDisplay &pipelineDisplay, HostPictures pictures,
                                                      const SessionRequest &request)
{
    JETSCOPE_TRY_ASSIGN(auto display, pipelineDisplay.open());
    PipelineSetup setup;
    setup.measuresTracing = true;
    setup.display = std::move(display);
    setup.shareContext = pipelineDisplay.share().context;
    setup.deviceId = request.deviceId.empty() ? bestDeviceId() : request.deviceId;
    JETSCOPE_TRY_ASSIGN(setup.device, openDevice(setup.deviceId, setup.display));
    JETSCOPE_TRY_ASSIGN(setup.config, resolveConfig(request, setup.device->facts()));
    if (const Scene *scene = sceneNamed(request.scene); scene && scene->decorate)
        setup.decorateDevice = scene->decorate;
    JETSCOPE_TRY_ASSIGN(setup.source, openSource(request.source, Pacing::Real));
    setup.frameLimit = request.frameLimit;
    setup.forWindow = pictures == HostPictures::ForView;
    JETSCOPE_TRY_ASSIGN(auto pipeline, Pipeline::create(std::move(setup)));
    return std::unique_ptr<PipelineControl>(std::move(pipeline));
}

class LocalHost final : public PipelineHost {
public:
    LocalHost(std::shared_ptr<PipelineDisplay> display, HostPictures pictures)
        : m_display(std::move(display)), m_pictures(pictures)
    {
    }

    Result<std::unique_ptr<PipelineControl>> open(const SessionRequest &request) override
    {
        if (request.program) {
            JETSCOPE_TRY_ASSIGN(const std::string library, findPreloadLibrary());
            return inspectProgram(*request.program, library, planHardwareTimes(findInjectedLibrary()),
                                  askedConfig(request));
        }
        return openPipeline(*m_display, m_pictures, request);
    }
    std::vector<DeviceCandidate> devices() override { return listDevices(); }
    std::vector<CameraInfo> cameras() override { return listCameras(); }
    PlatformFacts platform() override { return readPlatform(); }
    std::unique_ptr<MachineReader> machine() override { return machineReader(); }

private:
    const std::shared_ptr<PipelineDisplay> m_display;
    const HostPictures m_pictures;
};

} // namespace

std::shared_ptr<PipelineHost> localHost(std::shared_ptr<PipelineDisplay> display, HostPictures pictures)
{
    return std::make_shared<LocalHost>(std::move(display), pictures);
}

SourceOpener sourceOpener()
{
    return [](const std::string &uri) { return openSource(uri, Pacing::Real); };
}

ReadbackOpener readbackOpener(std::shared_ptr<PipelineDisplay> display)
{
    return [display = std::move(display)](FramePort &port,
                                          ReadbackView::Sink sink) -> Result<std::unique_ptr<ReadbackView>> {
        JETSCOPE_TRY_ASSIGN(auto opened, display->open());
        return ReadbackView::create(std::move(opened), port.nativeContext(), port.mailbox(), port.tracer(),
                                    std::move(sink));
    };
}

} // namespace jetscope
