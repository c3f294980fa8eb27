// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/kernels/kernelbinaries.h"

#include "core/text/parsenumber.h"

namespace jetscope {

namespace {

/// Whether machine code for `architecture` ("87", "90a-real") runs on the device.
bool runsOn(const DeviceFacts &facts, std::string_view architecture)
{
    const std::optional<int> capability = takeNumber<int>(architecture);
    if (!capability || architecture.ends_with("-virtual"))
        return false;
    const int device = facts.computeMajor * 10 + facts.computeMinor;
    // Code for an architecture-specific target ("90a") runs nowhere else.
    if (facts.integrated || architecture.starts_with('a'))
        return *capability == device;
    return *capability / 10 == facts.computeMajor && *capability <= device;
}

} // namespace

Capability kernelBinaries(std::string_view architectures, const DeviceFacts &facts)
{
    for (std::string_view rest = architectures; !rest.empty();) {
        const std::size_t comma = rest.find(',');
        if (runsOn(facts, rest.substr(0, comma)))
            return Capability::yes();
        rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
    }
    return Capability::no("this build of Jetscope has no machine code for compute capability "
                          + std::to_string(facts.computeMajor) + "." + std::to_string(facts.computeMinor)
                          + ", only for " + std::string(architectures));
}

} // namespace jetscope
