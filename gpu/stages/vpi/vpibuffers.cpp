// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/stages/vpi/vpibuffers.h"

#include "core/recording/tracer.h"

namespace jetscope {

namespace {

/// Why VIC does not read a frame of this layout; empty if it does.
std::string reasonAgainstVic(const ImageLayout &layout)
{
    if (layout.format == PixelFormat::Rgba8)
        return {};
    if (layout.format != PixelFormat::Nv12)
        return "VIC is given RGBA and NV12 only, and the camera's buffers hold "
            + std::string(pixelFormatName(layout.format));
    if (layout.colour != YuvColour::Bt601Limited && layout.colour != YuvColour::Bt601Full)
        return "VPI's tables for VIC have NV12 of BT.601 only, and the camera's is of "
            + std::string(yuvColourName(layout.colour));
    if (layout.width % 2 != 0 || layout.height % 2 != 0)
        return "VIC takes NV12 with an even width and height only";
    return {};
}

} // namespace

std::string reasonAgainstInPlace(const VpiPlan &plan)
{
    if (!plan.whyMemory.empty())
        return plan.whyMemory;
    if (plan.reads == PixelFormat::Grey8)
        return plan.name + " reads grey, and VPI has no image of one plane of a camera's buffer";
    if (plan.backend != vpi::kVic)
        return "of VPI's backends only VIC reads what cameras have in their buffers, and this is " + plan.backendName;
    if (!plan.waits) // The buffer is the camera's again when the work in the frame's stream is done.
        return "with wait=no, VIC might still read when the camera has its buffer back";
    return {};
}

std::string reasonAgainstInPlace(const VpiPlan &plan, const SourceBuffer &buffer)
{
    if (std::string reason = reasonAgainstInPlace(plan); !reason.empty())
        return reason;
    if (plan.wrapping == VpiWrapping::Descriptor && !buffer.descriptor().ok())
        return buffer.descriptor().error().text + ", and VPI wraps no others by a descriptor";
    if (plan.wrapping == VpiWrapping::EglImage && buffer.view() != ExternalBufferView::Picture)
        return "the EGLImages of the source's buffers show bytes, not pictures";
    return reasonAgainstVic(buffer.layout());
}

/// Only the plan's backend is enabled: others could make VPI copy.
Result<vpi::Image> VpiBuffers::imageOf(SourceBuffer &buffer, std::uint64_t frame)
{
    static const NameId kWrap = internName("vpiImageCreateWrapper", Category::Submit);
    const std::lock_guard lock(m_mutex);
    if (const auto known = m_images.find(&buffer); known != m_images.end())
        return known->second.get();
    const SpanScope span(kWrap, static_cast<std::uint32_t>(frame));
    const vpi::ImageData data = m_plan.wrapping == VpiWrapping::Descriptor
        ? VpiLibrary::describeNvBuffer(buffer.descriptor().value())
        : VpiLibrary::describeEglImage(buffer.eglImage());
    void *made = nullptr;
    JETSCOPE_TRY(m_library.check("vpiImageCreateWrapper",
                                 m_library.functions().wrapImage(&data, nullptr, m_plan.backend, &made)));
    m_images.emplace(&buffer, VpiHandle(made, m_library.functions().destroyImage));
    buffer.watch(shared_from_this());
    return made;
}

void VpiBuffers::destroyed(const void *buffer)
{
    const std::lock_guard lock(m_mutex);
    m_images.erase(buffer);
}

} // namespace jetscope
