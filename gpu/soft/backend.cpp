// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/soft/backend.h"

#include "gpu/soft/profile.h"
#include "gpu/soft/softdevice.h"

namespace jetscope {

namespace {

std::vector<DeviceCandidate> listProfiles()
{
    std::vector<DeviceCandidate> candidates;
    for (const SoftProfile &profile : softProfiles())
        candidates.push_back({"soft:" + std::string(profile.name), softDeviceName(profile), Capability::yes()});
    return candidates;
}

Result<std::unique_ptr<Device>> openProfile(std::string_view id, const std::shared_ptr<EglDisplay> &display)
{
    const SoftProfile *profile = softProfile(id.substr(id.find(':') + 1));
    if (!profile) {
        std::string names;
        for (const SoftProfile &known : softProfiles())
            names += (names.empty() ? "soft:" : ", soft:") + std::string(known.name);
        return Error{"--device", 0,
                     "there is no device \"" + std::string(id) + "\"; the software iGPU is one of " + names};
    }
    return std::unique_ptr<Device>(std::make_unique<SoftDevice>(*profile, display));
}

} // namespace

Backend softBackend()
{
    return {"soft", listProfiles, openProfile};
}

} // namespace jetscope
