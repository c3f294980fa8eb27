// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/externalbuffer.h"

namespace jetscope {

DeviceFacts factsWith(DeviceFacts facts, const Result<ExternalBufferView> &externalBuffers)
{
    // The device can read EGLImages, so the source is the reason.
    if (!externalBuffers.ok() && (facts.nvBuf.available || facts.eglImage.available))
        facts.nvBuf = Capability::no(externalBuffers.error().text);
    else if (!externalBuffers.ok())
        return facts;
    else if (externalBuffers.value() == ExternalBufferView::Bytes)
        facts.nvBuf = facts.eglImage;
    else if (externalBuffers.value() == ExternalBufferView::Stream)
        facts.nvBuf = facts.eglStreamInput;
    return facts;
}

} // namespace jetscope
