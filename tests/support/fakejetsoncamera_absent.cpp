// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fakejetsoncamera.h"

namespace jetscope::testing {

class FakeJetsonCamera::Parts {};

FakeJetsonCamera::FakeJetsonCamera() = default;
FakeJetsonCamera::~FakeJetsonCamera() = default;

bool FakeJetsonCamera::exists()
{
    return false;
}

Result<std::unique_ptr<FrameSource>> FakeJetsonCamera::open(const std::string &, bool)
{
    return sentence("this build has no GStreamer");
}

FakeBoardCamera FakeJetsonCamera::forDevice(Device &)
{
    return {};
}

} // namespace jetscope::testing
