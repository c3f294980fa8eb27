// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/nvtxspans.h"

#include "core/recording/tracer.h"

#include <nvtx3/nvToolsExt.h>

#include <cstdio>

namespace jetscope {

namespace {

nvtxDomainHandle_t g_domain = nullptr; ///< Set before the first range.

thread_local bool t_frameLasts = false;

nvtxEventAttributes_t attributesOf(const char *text, std::uint32_t frame)
{
    nvtxEventAttributes_t attributes{};
    attributes.version = NVTX_VERSION;
    attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
    attributes.message.ascii = text;
    if (frame != kNoFrame) {
        attributes.payloadType = NVTX_PAYLOAD_TYPE_UNSIGNED_INT64;
        attributes.payload.ullValue = frame;
    }
    return attributes;
}

void beginRange(NameId name, std::uint32_t frame)
{
    nvtxEventAttributes_t attributes = attributesOf(spanName(name).c_str(), frame);
    attributes.category = static_cast<std::uint32_t>(spanCategory(name)) + 1; // 0 means no category.
    nvtxDomainRangePushEx(g_domain, &attributes);
}

void endRange()
{
    nvtxDomainRangePop(g_domain);
}

/// A frame lasts from its start on the pipeline thread to the start of the next one, like its period in our figures. No
/// span is open at that time, so frames are pushed and popped like spans. Tools then draw frames as one row above their
/// spans and assign device work to the frame that launched it; start/end ranges do not nest like that.
void beginFrame(std::uint32_t frame)
{
    if (t_frameLasts)
        nvtxDomainRangePop(g_domain);
    t_frameLasts = frame != kNoFrame;
    if (!t_frameLasts)
        return;
    char text[32];
    std::snprintf(text, sizeof text, "frame %u", static_cast<unsigned>(frame));
    const nvtxEventAttributes_t attributes = attributesOf(text, frame);
    nvtxDomainRangePushEx(g_domain, &attributes);
}

bool openDomain()
{
    g_domain = nvtxDomainCreateA("jetscope");
    if (!g_domain) // No tool is attached.
        return false;
    for (int category = 0; category < kCategoryCount; ++category)
        nvtxDomainNameCategoryA(g_domain, static_cast<std::uint32_t>(category) + 1,
                                std::string(categoryName(static_cast<Category>(category))).c_str());
    return true;
}

} // namespace

void showSpansToTools()
{
    static constexpr SpanObserver kRanges{beginRange, endRange, beginFrame};
    static const bool attached = openDomain();
    if (attached)
        observeSpans(&kRanges);
}

} // namespace jetscope
