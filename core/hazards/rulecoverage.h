// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hazards/rules.h"

/// Whether Jetscope checks a rule on a device: the answers of the table of rules. Rules with the same answer share a
/// function.
namespace jetscope::ruletable {

// Checked by the hazard ledger.
RuleCoverage checked(const DeviceFacts &facts);
RuleCoverage managedMemory(const DeviceFacts &facts);       ///< Where concurrentManagedAccess = 0.
RuleCoverage managedMemoryCopies(const DeviceFacts &facts); ///< Wherever there is managed memory.
RuleCoverage eglImages(const DeviceFacts &facts);
RuleCoverage eglSyncs(const DeviceFacts &facts);
RuleCoverage eglStreams(const DeviceFacts &facts);
RuleCoverage uncachedPinnedMemory(const DeviceFacts &facts);
RuleCoverage largeRegistrations(const DeviceFacts &facts);
RuleCoverage firstLaunches(const DeviceFacts &facts);

// Applies, but is not checked.
RuleCoverage managedMemoryLatency(const DeviceFacts &facts);
RuleCoverage managedMemoryOwners(const DeviceFacts &facts);
RuleCoverage eventHandles(const DeviceFacts &facts);
RuleCoverage cuDla(const DeviceFacts &facts);
RuleCoverage vpi(const DeviceFacts &facts);
RuleCoverage changedClocks(const DeviceFacts &facts);

// Ruled out by what Jetscope calls.
RuleCoverage wholeAttachments(const DeviceFacts &facts);
RuleCoverage noPrefetches(const DeviceFacts &facts);
RuleCoverage managedMemoryTried(const DeviceFacts &facts);
RuleCoverage registrationTried(const DeviceFacts &facts);
RuleCoverage noMemoryPools(const DeviceFacts &facts);
RuleCoverage noMemoryEstimates(const DeviceFacts &facts);
RuleCoverage onlyHostFunctions(const DeviceFacts &facts);
RuleCoverage waitPolicyReadBack(const DeviceFacts &facts);
RuleCoverage imagesTried(const DeviceFacts &facts);
RuleCoverage imageFlagsZero(const DeviceFacts &facts);
RuleCoverage imagesNotMapped(const DeviceFacts &facts);
RuleCoverage wholeTextures(const DeviceFacts &facts);
RuleCoverage eglSyncTried(const DeviceFacts &facts);
RuleCoverage fencesFlushed(const DeviceFacts &facts);
RuleCoverage syncsOwned(const DeviceFacts &facts);
RuleCoverage oneFrameMore(const DeviceFacts &facts);
RuleCoverage timeoutsRepeated(const DeviceFacts &facts);
RuleCoverage oneGpu(const DeviceFacts &facts);
RuleCoverage cuptiTried(const DeviceFacts &facts);
RuleCoverage anchorsRenewed(const DeviceFacts &facts);
RuleCoverage overlapHatched(const DeviceFacts &facts);
RuleCoverage ownPipelineThread(const DeviceFacts &facts);

} // namespace jetscope::ruletable
