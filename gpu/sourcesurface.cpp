// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sourcesurface.h"

namespace jetscope {

DeviceFacts factsWith(DeviceFacts facts, const Result<SurfaceView> &surfaces)
{
    if (!surfaces.ok())
        facts.nvBuf = facts.nvBuf.available ? Capability::no(surfaces.error().text) : facts.nvBuf;
    else if (surfaces.value() == SurfaceView::Bytes)
        facts.nvBuf = facts.eglImage;
    else if (surfaces.value() == SurfaceView::Stream)
        facts.nvBuf = facts.eglStreamInput;
    return facts;
}

} // namespace jetscope
