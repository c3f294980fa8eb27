// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.h"
#include "gpu/gl/streamconsumer.h"
#include "gpu/stages/nviva/nvivasurface.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace jetscope::testing {

/// What the device asks of a camera whose buffers it registers.
struct FakeBoardCamera {
    std::function<Result<std::unique_ptr<Image>>(void *eglImage, const ImageLayout &layout)> registerPicture;
    std::function<std::vector<std::byte>(const Image &image, const ImageLayout &layout)> read;
};

/// The software iGPU as the GPU of a board: EGLStreams, GL interop and NvBufSurface move bytes, too. It breaks the fact
/// of the row named `fault`. One at a time uses EGLStreams.
std::unique_ptr<Device> makeFakeBoardDevice(std::unique_ptr<Device> soft, std::shared_ptr<EglDisplay> display,
                                            std::string fault, FakeBoardCamera camera);
/// Its EGLStreams.
const EglStreamApi &fakeBoardStreams();
/// The functions of the library for buffers, between which and the device bytes move when the documents say so.
NvivaSurfaceApi fakeBoardSurfaces(const NvivaSurfaceApi &library, const std::string &fault);

} // namespace jetscope::testing
