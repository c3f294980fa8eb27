// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/imagelayout.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace jetscope {

class Tracer;
class ViewMailbox;

/// Raw source frames for the "before" side of the view, copied on the capture thread while wanted.
struct InputPicture {
    std::uint64_t sourceIndex = 0;
    std::uint32_t frame = 0;
    ImageLayout layout;
    std::vector<std::byte> bytes;
};

/// The pictures of a pipeline in this process. Valid as long as its PipelineControl.
class FramePort {
public:
    virtual ViewMailbox &mailbox() = 0;
    virtual Tracer &tracer() = 0;
    /// The native GL context of the pipeline's queue, for a view to share with.
    virtual void *nativeContext() const = 0;

    /// Whether the view shows the "before" picture; costs a copy per frame on the capture thread while on.
    virtual void wantInputPictures(bool wanted) = 0;
    /// The raw input of an output frame if it is among the last few; null when not.
    virtual std::shared_ptr<const InputPicture> inputPicture(std::uint32_t frame) = 0;

protected:
    ~FramePort() = default;
};

} // namespace jetscope
