// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/soft/backend.h"

#include "gpu/soft/profile.h"
#include "gpu/soft/softdevice.h"

namespace jetscope {

namespace {

std::string idOf(const SoftProfile &profile)
{
    return "soft:" + std::string(profile.name);
}

std::vector<DeviceCandidate> listProfiles()
{
    std::vector<DeviceCandidate> candidates;
    for (const SoftProfile &profile : softProfiles()) {
        DeviceCandidate candidate{idOf(profile), softDeviceName(profile), Capability::yes()};
        candidate.software = true;
        candidates.push_back(std::move(candidate));
    }
    return candidates;
}

Result<std::unique_ptr<Device>> openProfile(std::string_view id, const std::shared_ptr<EglDisplay> &display)
{
    const SoftProfile *profile = softProfile(id.substr(id.find(':') + 1));
    if (!profile) {
        std::string names;
        for (const SoftProfile &known : softProfiles())
            names += (names.empty() ? "" : ", ") + idOf(known);
        return Error{"--device", 0,
                     "there is no device \"" + std::string(id) + "\"; the software iGPU is one of " + names};
    }
    return std::unique_ptr<Device>(std::make_unique<SoftDevice>(*profile, display));
}

} // namespace

Backend softBackend()
{
    std::vector<std::string> ids;
    for (const SoftProfile &profile : softProfiles())
        ids.push_back(idOf(profile));
    return {"soft", std::move(ids), listProfiles, openProfile};
}

} // namespace jetscope
