// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/backends.h"

#include "gpu/cuda/backend.h"
#include "gpu/soft/backend.h"

namespace jetscope {

const std::vector<Backend> &backends()
{
    static const std::vector<Backend> all = {cudaBackend(), softBackend()};
    return all;
}

std::vector<DeviceCandidate> listDevices()
{
    std::vector<DeviceCandidate> candidates;
    for (const Backend &backend : backends())
        for (DeviceCandidate &candidate : backend.list())
            candidates.push_back(std::move(candidate));
    return candidates;
}

std::string bestDeviceId()
{
    for (const DeviceCandidate &candidate : listDevices())
        if (candidate.usable.available && candidate.id.rfind("soft:", 0) != 0)
            return candidate.id;
    return "soft:orin";
}

Result<std::unique_ptr<Device>> openDevice(std::string_view id, const std::shared_ptr<EglDisplay> &display)
{
    const std::string_view family = id.substr(0, id.find(':'));
    std::string families;
    for (const Backend &backend : backends()) {
        if (backend.family == family)
            return backend.open(id, display);
        families += (families.empty() ? "" : ", ") + std::string(backend.family) + ":…";
    }
    return Error{"--device", 0, "there is no device \"" + std::string(id) + "\"; it must be one of " + families};
}

} // namespace jetscope
