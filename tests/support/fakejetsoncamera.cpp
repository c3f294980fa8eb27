// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fakejetsoncamera.h"

#include "gpu/sources/gstreamer/csisource.h"
#include "tests/support/fakecsicamera.h"

namespace jetscope::testing {

class FakeJetsonCamera::Parts {
public:
    FakeCsiCamera camera;
    std::unique_ptr<Device> reader = camera.device();
};

FakeJetsonCamera::FakeJetsonCamera() : m_parts(std::make_unique<Parts>()) {}
FakeJetsonCamera::~FakeJetsonCamera() = default;

bool FakeJetsonCamera::exists()
{
    return true;
}

Result<std::unique_ptr<FrameSource>> FakeJetsonCamera::open(const std::string &uri)
{
    return openCsi(m_parts->camera.table(), parseSourceUri(uri).value());
}

FakeBoardCamera FakeJetsonCamera::forDevice()
{
    return {
        [this](void *image, const ImageLayout &layout) { return m_parts->reader->registerEglPicture(image, layout); },
        [this](const Image &image, const ImageLayout &layout) { return m_parts->camera.readAsDevice(image, layout); }};
}

} // namespace jetscope::testing
