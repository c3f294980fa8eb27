// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.h"

#include <memory>

/// Devices that make one mistake each, on purpose. They stand around a device that the hazard ledger watches.
namespace jetscope::mistakes {

using Wrapped = std::unique_ptr<Device>;

/// The CPU writes new managed memory while kernels run (A3). Only declares the access, so that a GPU survives it.
Wrapped newMemoryWhileKernelsRun(Wrapped device);
/// The CPU does not wait for the event behind an attach (A4).
Wrapped attachWithoutWait(Wrapped device);
/// Memory that kernels are about to use is attached to the host (A5).
Wrapped attachedToTheHost(Wrapped device);
/// Host functions ask for the state of an event (B1).
Wrapped callInHostFunction(Wrapped device);
/// Waits for GL are put into a stream of their own, in place of the stream of the kernels (B5).
Wrapped waitInAnotherStream(Wrapped device);
/// Every frame registers its image once more (C5).
Wrapped registrationPerFrame(Wrapped device);
/// More work is appended between an event's record and its EGLSync (D1).
Wrapped lateSync(Wrapped device);

} // namespace jetscope::mistakes
