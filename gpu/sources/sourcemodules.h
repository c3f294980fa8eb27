// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/system/module.h"
#include "gpu/sources/sourcefamilies.h"

namespace jetscope {

/// Files, which need OpenCV's decoders. Loaded when such a source is first named.
struct FilesModule : ModuleHead {
    SourceCalls file;
};

/// Network streams, CSI cameras and the user's own pipelines, which need GStreamer. Loaded likewise.
struct StreamsModule : ModuleHead {
    SourceCalls stream;
    SourceCalls csi;
};

} // namespace jetscope
