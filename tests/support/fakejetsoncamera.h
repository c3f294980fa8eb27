// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/sources/framesource.h"
#include "tests/support/fakeboarddevice.h"

#include <memory>
#include <string>

namespace jetscope::testing {

/// The CSI camera of a fake board; none in a build without GStreamer.
class FakeJetsonCamera {
public:
    FakeJetsonCamera();
    ~FakeJetsonCamera();
    FakeJetsonCamera(const FakeJetsonCamera &) = delete;
    FakeJetsonCamera &operator=(const FakeJetsonCamera &) = delete;

    static bool exists();
    /// What it presents to an EGLStream has other bytes in each frame, unless it `repeats`.
    Result<std::unique_ptr<FrameSource>> open(const std::string &uri, bool repeats);
    /// The device has the memory of frames in an EGLStream; it outlasts the source.
    FakeBoardCamera forDevice(Device &device);

private:
    class Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace jetscope::testing
