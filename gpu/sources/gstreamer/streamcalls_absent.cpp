// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/sourcefamilies.h"

namespace jetscope {

Result<SourceCalls> streamCalls()
{
    return sentence("this build has no network, CSI and pipeline sources: build with GStreamer "
                    "(libgstreamer-plugins-base1.0-dev)");
}

Result<SourceCalls> csiCalls()
{
    return streamCalls();
}

} // namespace jetscope
