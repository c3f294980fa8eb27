// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hazards/rules.h"

/// Whether Jetscope checks a rule on a device: the answers of the table of rules that depend on the device.
namespace jetscope::ruletable {

inline constexpr RuleCoverage kChecked{RuleCoverage::State::Checked, {}};

inline constexpr RuleCoverage cannotCheck(std::string_view why)
{
    return {RuleCoverage::State::CannotCheck, why};
}

inline constexpr RuleCoverage doesNotApply(std::string_view why)
{
    return {RuleCoverage::State::DoesNotApply, why};
}

// Checked by the hazard ledger.
RuleCoverage managedMemory(const DeviceFacts &facts);       ///< Where concurrentManagedAccess = 0.
RuleCoverage managedMemoryCopies(const DeviceFacts &facts); ///< Wherever there is managed memory.
RuleCoverage eglImages(const DeviceFacts &facts);
RuleCoverage eglSyncs(const DeviceFacts &facts);
RuleCoverage eglStreams(const DeviceFacts &facts);
RuleCoverage streamFlags(const DeviceFacts &facts);
RuleCoverage semaphores(const DeviceFacts &facts);
RuleCoverage graphs(const DeviceFacts &facts);
RuleCoverage uncachedPinnedMemory(const DeviceFacts &facts);
RuleCoverage largeRegistrations(const DeviceFacts &facts);
RuleCoverage firstLaunches(const DeviceFacts &facts);
RuleCoverage memoryPools(const DeviceFacts &facts);
RuleCoverage pageableMemory(const DeviceFacts &facts); ///< Where kernels do not reach it.
RuleCoverage prefetches(const DeviceFacts &facts);

// Applies, but is not checked.
RuleCoverage managedMemoryLatency(const DeviceFacts &facts);
RuleCoverage managedMemoryOwners(const DeviceFacts &facts);
RuleCoverage eventHandles(const DeviceFacts &facts);
RuleCoverage vpi(const DeviceFacts &facts);

} // namespace jetscope::ruletable
