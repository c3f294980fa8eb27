// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/sources/framesource.h"
#include "gpu/sources/nvbuf/nvbufapi.h"
#include "gpu/sources/sourceuri.h"

#include <memory>
#include <string>

namespace jetscope {

/// What a csi: URI asks for.
struct CsiOptions {
    enum class Way {
        Buffers, ///< The camera's own buffers where they can be had, else copies.
        Copies,
        Stream, ///< Presented to an EGLStream, whose consumer the device is; else copies.
    };
    int camera = 0;
    std::string caps; ///< ",width=…,height=…,framerate=…" as far as they are given.
    Way way = Way::Buffers;
    bool buffersOnly = false; ///< Whether the way was asked for.
};
Result<CsiOptions> readCsiOptions(const SourceUri &uri);

/// Opens a camera at a Jetson's CSI connector, with its buffers' library or the reason why there is none.
Result<std::unique_ptr<FrameSource>> openCsi(const Result<NvBufApi> &api, const SourceUri &uri);

} // namespace jetscope
