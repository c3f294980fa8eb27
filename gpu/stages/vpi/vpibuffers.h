// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/base/livecount.h"
#include "gpu/stages/sourcebuffer.h"
#include "gpu/stages/vpi/vpilibrary.h"
#include "gpu/stages/vpi/vpiplan.h"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace jetscope {

/// Why VPI reads no source's own buffers for this plan; empty if it can.
std::string reasonAgainstInPlace(const VpiPlan &plan);
/// Why VPI does not read this buffer for this plan; empty if it can. From the tables of VPI's reference (2.4,
/// 3.0 to 4.0: vpiSubmitRescale, vpiSubmitConvertImageFormat, vpiImageCreateWrapper, vpiImageCreateView).
std::string reasonAgainstInPlace(const VpiPlan &plan, const SourceBuffer &buffer);

/// VPI's images of a source's own buffers: each buffer is wrapped once, with its first frame, since wrapping takes
/// longer than the work on a frame. A wrapper goes before its buffer, or with this. Any thread; work on an image must
/// be complete when its buffer or this goes.
class VpiBuffers final : public HandleObserver, public std::enable_shared_from_this<VpiBuffers> {
public:
    VpiBuffers(VpiLibrary library, const VpiPlan &plan) : m_library(std::move(library)), m_plan(plan) {}

    /// Wraps the buffer by its descriptor or its EGLImage, as the plan says. Errors are VPI's own.
    Result<vpi::Image> imageOf(SourceBuffer &buffer, std::uint64_t frame);

    void destroyed(const void *buffer) override;

private:
    const VpiLibrary m_library;
    const VpiPlan m_plan;
    std::mutex m_mutex;
    std::map<const void *, VpiHandle> m_images;
};

} // namespace jetscope
