// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/sourcefamilies.h"

namespace jetscope {

Status checkFile(const SourceUri &uri)
{
    return Error{
        inQuotes(uri.text), 0,
        "this build reads no files: use synthetic: for the test card, or build with OpenCV's imgcodecs and videoio "
        "(-DJETSCOPE_FILES=ON)"};
}

Result<std::unique_ptr<FrameSource>> openFile(const SourceUri &uri, Pacing)
{
    return checkFile(uri).error();
}

} // namespace jetscope
