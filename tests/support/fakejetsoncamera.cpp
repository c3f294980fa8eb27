// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fakejetsoncamera.h"

#include "gpu/sources/gstreamer/csisource.h"
#include "tests/support/fakeboardstreams.h"
#include "tests/support/fakecsicamera.h"

#include <optional>
#include <vector>

namespace jetscope::testing {

namespace {

/// Frames that the camera presents come into the board's EGLStream, which the elements of the fake do not know.
class PresentingCamera final : public FrameSource {
public:
    PresentingCamera(std::unique_ptr<FrameSource> camera, Device &device, bool repeats)
        : m_camera(std::move(camera)), m_device(device), m_repeats(repeats)
    {
    }

    const SourceInfo &info() const override { return m_camera->info(); }
    Result<std::optional<CapturedFrame>> read(std::byte *into) override { return m_camera->read(into); }
    void cancel() override { m_camera->cancel(); }
    Result<ExternalBufferView> externalBuffers() const override { return m_camera->externalBuffers(); }
    Status presentTo(void *display, void *stream) override
    {
        m_presents = stream == &fakeBoardStream();
        return m_camera->presentTo(display, stream);
    }
    Result<std::optional<ExternalFrame>> readExternal() override
    {
        JETSCOPE_TRY_ASSIGN(std::optional<ExternalFrame> frame, m_camera->readExternal());
        if (frame && m_presents)
            JETSCOPE_TRY(present(m_repeats ? 0 : frame->captured.index));
        return frame;
    }

private:
    Status present(std::uint64_t number)
    {
        const ImageLayout layout = makeImageLayout(PixelFormat::Rgba8, info().layout.width, info().layout.height);
        JETSCOPE_TRY_ASSIGN(std::unique_ptr<Buffer> memory, m_device.allocate(Allocation::PinnedMapped, layout.bytes));
        for (std::size_t i = 0; i < layout.bytes; ++i)
            memory->host()[i] = static_cast<std::byte>(i + 31 * number);
        m_frames.push_back(std::make_unique<MemoryImage>(std::move(memory), layout.width, layout.height));
        fakeBoardStream().repeatsForDevice = false;
        fakeBoardStream().waiting.push_back(m_frames.back().get());
        return {};
    }

    const std::unique_ptr<FrameSource> m_camera;
    Device &m_device;
    const bool m_repeats;
    bool m_presents = false;
    std::vector<std::unique_ptr<MemoryImage>> m_frames;
};

} // namespace

class FakeJetsonCamera::Parts {
public:
    FakeCsiCamera camera;
    std::unique_ptr<Device> reader = camera.device();
    Device *board = nullptr;
};

FakeJetsonCamera::FakeJetsonCamera() : m_parts(std::make_unique<Parts>()) {}
FakeJetsonCamera::~FakeJetsonCamera() = default;

bool FakeJetsonCamera::exists()
{
    return true;
}

Result<std::unique_ptr<FrameSource>> FakeJetsonCamera::open(const std::string &uri, bool repeats)
{
    JETSCOPE_TRY_ASSIGN(std::unique_ptr<FrameSource> camera,
                        openCsi(m_parts->camera.table(), parseSourceUri(uri).value()));
    return std::unique_ptr<FrameSource>(
        std::make_unique<PresentingCamera>(std::move(camera), *m_parts->board, repeats));
}

FakeBoardCamera FakeJetsonCamera::forDevice(Device &device)
{
    m_parts->board = &device;
    return {
        [this](void *image, const ImageLayout &layout) { return m_parts->reader->registerEglPicture(image, layout); },
        [this](const Image &image, const ImageLayout &layout) { return m_parts->camera.readAsDevice(image, layout); }};
}

} // namespace jetscope::testing
