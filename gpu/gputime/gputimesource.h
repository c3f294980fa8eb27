// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/choices.h"
#include "core/result.h"
#include "gpu/device/device.h"
#include "gpu/gputime/gpuitem.h"

#include <cstdint>
#include <memory>
#include <string>

namespace jetscope {

/// One way to find out when device work ran. Items stay valid until their state is Timed or Untimed; what happens to
/// the work itself is not the source's business, so a source that fails gives its items up and never a frame.
/// Pipeline thread.
class GpuTimeSource {
public:
    virtual ~GpuTimeSource() = default;

    virtual GpuTime kind() const = 0;
    /// Whether it times every kernel by itself. Otherwise a piece of work, however many kernels it has, is one item.
    virtual bool timesKernels() const = 0;

    virtual void addStream(Stream &) {}
    /// Nothing of the stream is pending.
    virtual void removeStream(const Stream &) {}

    /// Around the submission of an item.
    virtual Status begin(Stream &, GpuItem &) { return {}; }
    virtual Status end(Stream &, GpuItem &) { return {}; }
    /// Right before a kernel is submitted; where it shall write its times (KernelStamps::slot), or null.
    virtual void *kernel(Stream &, GpuItem &) { return nullptr; }

    /// Sets the state of items about which something new is known. Never waits for the device.
    virtual Status collect() = 0;
    /// Everything submitted is complete: sets the state of every item. May wait for the times themselves.
    virtual Status finish() = 0;
    /// Off: what costs time even where nothing is submitted stops, until it is on again.
    virtual void setRecording(bool) {}

    /// How far its times may be off on the host's clock.
    virtual std::int64_t uncertaintyNs() const { return 0; }
    /// Why it no longer times anything; empty while it does.
    virtual std::string trouble() const { return {}; }
};

/// `facts` says which of them a device has (facts.cupti, facts.kernelStamps).
Result<std::unique_ptr<GpuTimeSource>> createGpuTimeSource(GpuTime kind, Device &device);

} // namespace jetscope
