// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/backend.h"

namespace jetscope {

namespace {

constexpr const char *kAbsent = "this build has no CUDA; install the CUDA Toolkit (JetPack brings it) and build again";

std::vector<DeviceCandidate> listNone()
{
    return {{"cuda:0", "CUDA", Capability::no(kAbsent)}};
}

Result<std::unique_ptr<Device>> openNone(std::string_view, const std::shared_ptr<EglDisplay> &)
{
    return Error{"--device", 0, kAbsent};
}

} // namespace

Backend cudaBackend()
{
    return {"cuda", {"cuda:N"}, listNone, openNone};
}

} // namespace jetscope
