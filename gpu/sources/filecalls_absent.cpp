// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/sourcefamilies.h"

namespace jetscope {

Result<SourceCalls> fileCalls()
{
    return sentence("this build reads no files: use synthetic: for the test card, or build with OpenCV's imgcodecs and "
                    "FFmpeg (-DJETSCOPE_FILES=ON)");
}

} // namespace jetscope
