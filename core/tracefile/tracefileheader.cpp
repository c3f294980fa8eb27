// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/settings/capabilitytable.h"
#include "core/tracefile/tracefilewriter.h"

namespace jetscope {

namespace {

std::string saidOf(const Capability &capability)
{
    return capability.available ? "yes" : "no: " + capability.reason;
}

std::string saidOf(bool value)
{
    return value ? "yes" : "no";
}

} // namespace

TraceFileHeader traceFileHeader(TraceOrigin origin, const DeviceFacts &facts, const PipelineConfig &config)
{
    const std::string compute = std::to_string(facts.computeMajor) + "." + std::to_string(facts.computeMinor);
    origin.config = config;
    TraceFileHeader header{std::move(origin),
                           {
                               {"device_id", facts.id},
                               {"software", saidOf(facts.software)},
                               {"integrated", saidOf(facts.integrated)},
                               {"compute_capability", compute},
                               {"concurrent_managed_access", saidOf(facts.concurrentManagedAccess)},
                               {"pageable_memory_access", saidOf(facts.pageableMemoryAccess)},
                           }};
    for (const CapabilityRow &row : capabilityTable())
        header.facts.emplace_back(row.key, saidOf(facts.*row.value));
    return header;
}

} // namespace jetscope
