// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/sourcefamilies.h"

namespace jetscope {

Status checkStream(const SourceUri &uri)
{
    return Error{
        inQuotes(uri.scheme + ":"), 0,
        "this build has no network, CSI and pipeline sources: build with GStreamer (libgstreamer-plugins-base1.0-dev)"};
}

Result<std::unique_ptr<FrameSource>> openStream(const SourceUri &uri, Pacing)
{
    return checkStream(uri).error();
}

Status checkCsi(const SourceUri &uri)
{
    return checkStream(uri);
}

Result<std::unique_ptr<FrameSource>> openCsi(const SourceUri &uri, Pacing)
{
    return checkStream(uri).error();
}

} // namespace jetscope
