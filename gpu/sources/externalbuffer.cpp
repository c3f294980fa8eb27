// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/externalbuffer.h"

namespace jetscope {

DeviceFacts factsWith(DeviceFacts facts, const Result<ExternalBufferView> &surfaces)
{
    // The device can read EGLImages, so the source is the reason.
    if (!surfaces.ok() && (facts.nvBuf.available || facts.eglImage.available))
        facts.nvBuf = Capability::no(surfaces.error().text);
    else if (!surfaces.ok())
        return facts;
    else if (surfaces.value() == ExternalBufferView::Bytes)
        facts.nvBuf = facts.eglImage;
    else if (surfaces.value() == ExternalBufferView::Stream)
        facts.nvBuf = facts.eglStreamInput;
    return facts;
}

} // namespace jetscope
