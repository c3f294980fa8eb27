// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/nvtxspans.h"

#include "core/tracer.h"

#include <nvtx3/nvToolsExt.h>

namespace jetscope {

namespace {

nvtxDomainHandle_t g_domain = nullptr; ///< Set before any range begins.

void beginRange(NameId name, std::uint32_t frame)
{
    nvtxEventAttributes_t attributes{};
    attributes.version = NVTX_VERSION;
    attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    attributes.category = static_cast<std::uint32_t>(spanCategory(name)) + 1; // 0 means none.
    attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
    attributes.message.ascii = spanName(name).c_str();
    if (frame != kNoFrame) {
        attributes.payloadType = NVTX_PAYLOAD_TYPE_UNSIGNED_INT64;
        attributes.payload.ullValue = frame;
    }
    nvtxDomainRangePushEx(g_domain, &attributes);
}

void endRange()
{
    nvtxDomainRangePop(g_domain);
}

bool openDomain()
{
    g_domain = nvtxDomainCreateA("jetscope");
    if (!g_domain) // No tool is there.
        return false;
    for (int category = 0; category < kCategoryCount; ++category)
        nvtxDomainNameCategoryA(g_domain, static_cast<std::uint32_t>(category) + 1,
                                std::string(categoryName(static_cast<Category>(category))).c_str());
    return true;
}

} // namespace

void showSpansToTools()
{
    static constexpr SpanObserver kRanges{beginRange, endRange};
    static const bool attached = openDomain();
    if (attached)
        observeSpans(&kRanges);
}

} // namespace jetscope
