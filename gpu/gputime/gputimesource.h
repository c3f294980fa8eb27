// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "core/settings/choices.h"
#include "gpu/device/device.h"
#include "gpu/gputime/gpuitem.h"

#include <cstdint>
#include <memory>
#include <string>

namespace jetscope {

/// One way to determine when device work ran. Items stay valid until their state is Timed or Untimed. A source does not
/// affect the work itself: if it fails, items become untimed, but no frame fails. Pipeline thread.
class GpuTimeSource {
public:
    virtual ~GpuTimeSource() = default;

    virtual GpuTime kind() const = 0;
    /// Whether it times each kernel separately. If not, a piece of work is one item, however many kernels it has.
    virtual bool timesKernels() const = 0;

    virtual void addStream(Stream &) {}
    /// No work of the stream may be pending.
    virtual void removeStream(const Stream &) {}

    /// Called around the submission of an item.
    virtual Status begin(Stream &, GpuItem &) { return {}; }
    virtual Status end(Stream &, GpuItem &) { return {}; }
    /// In place of `end`, where the submission failed: marks the item as untimed and forgets it.
    virtual void abandon(GpuItem &item) { item.state = GpuItem::State::Untimed; }
    /// Called right before a kernel is submitted. Returns where it writes its times (KernelStamps::slot), or null.
    virtual void *kernel(Stream &, GpuItem &) { return nullptr; }

    /// Updates the state of items for which there is new data. Never waits for the device.
    virtual Status collect() = 0;
    /// Call when all submitted work is complete, or will never be: sets the state of every item, also where it returns
    /// an error. May wait for the times themselves.
    virtual Status finish() = 0;
    /// If off, pauses everything that costs time even without submissions.
    virtual void setRecording(bool) {}

    /// The maximum error of its times on the host's clock.
    virtual std::int64_t uncertaintyNs() const { return 0; }
    /// How much longer than its time a kernel may have run, in its launch and its end, which the source does not see.
    virtual std::int64_t unseenNs() const { return 0; }
    /// Why it no longer times anything; empty while it works.
    virtual std::string trouble() const { return {}; }
};

/// `facts` contains which sources a device supports (facts.cupti, facts.kernelStamps).
Result<std::unique_ptr<GpuTimeSource>> createGpuTimeSource(GpuTime kind, Device &device);

} // namespace jetscope
