// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/backends.h"

#include "gpu/cuda/backend.h"
#include "gpu/soft/backend.h"

#include <charconv>

namespace jetscope {

const std::vector<Backend> &backends()
{
    static const std::vector<Backend> all = {cudaBackend(), softBackend()};
    return all;
}

std::string deviceIds()
{
    std::vector<std::string> ids;
    for (const Backend &backend : backends())
        ids.insert(ids.end(), backend.ids.begin(), backend.ids.end());
    std::string text;
    for (std::size_t i = 0; i < ids.size(); ++i)
        text += (i == 0 ? "" : i + 1 == ids.size() ? " or " : ", ") + ids[i];
    return text;
}

std::vector<DeviceCandidate> listDevices()
{
    std::vector<DeviceCandidate> candidates;
    for (const Backend &backend : backends())
        for (DeviceCandidate &candidate : backend.list())
            candidates.push_back(std::move(candidate));
    return candidates;
}

std::string bestDeviceId(const std::vector<DeviceCandidate> &candidates)
{
    std::string best = "soft:orin";
    for (const DeviceCandidate &candidate : candidates) {
        if (!candidate.usable.available || candidate.software)
            continue;
        if (candidate.integrated)
            return candidate.id;
        if (best == "soft:orin")
            best = candidate.id;
    }
    return best;
}

std::string bestDeviceId()
{
    return bestDeviceId(listDevices());
}

Result<std::shared_ptr<EglDisplay>> openHeadlessDisplay(std::string_view deviceId)
{
    constexpr std::string_view kCuda = "cuda:";
    int number = 0;
    if (deviceId.rfind(kCuda, 0) != 0
        || std::from_chars(deviceId.data() + kCuda.size(), deviceId.data() + deviceId.size(), number).ec != std::errc())
        return EglDisplay::openHeadless();
    return EglDisplay::openHeadless(number);
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
