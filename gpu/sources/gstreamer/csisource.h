// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/sources/framesource.h"
#include "gpu/sources/nvbuf/nvbufapi.h"
#include "gpu/sources/sourceuri.h"

#include <memory>
#include <string>

namespace jetscope {

/// The options of a csi: URI.
struct CsiOptions {
    enum class Way {
        Buffers, ///< The camera's own buffers if available, otherwise copies.
        Copies,
        Stream, ///< Presented to an EGLStream whose consumer is the device, otherwise copies.
    };
    int camera = 0;
    std::string caps; ///< ",width=…,height=…,framerate=…" for the values that are given.
    Way way = Way::Buffers;
    bool buffersOnly = false; ///< Whether the URI requested the way explicitly.
};
Result<CsiOptions> readCsiOptions(const SourceUri &uri);

/// Opens a camera at a Jetson's CSI connector. `api` is the library for its buffers, or the reason why it is missing.
Result<std::unique_ptr<FrameSource>> openCsi(const Result<NvBufApi> &api, const SourceUri &uri);

} // namespace jetscope
