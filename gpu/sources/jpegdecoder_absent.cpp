// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/jpegdecoder.h"

namespace jetscope {

Result<std::unique_ptr<JpegDecoder>> JpegDecoder::create()
{
    return Error{"MJPEG", 0,
                 "this build decodes no JPEG: choose another format=, or build with libturbojpeg0-dev installed"};
}

} // namespace jetscope
