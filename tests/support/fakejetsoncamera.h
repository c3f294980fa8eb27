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
    Result<std::unique_ptr<FrameSource>> open(const std::string &uri);
    FakeBoardCamera forDevice();

private:
    class Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace jetscope::testing
