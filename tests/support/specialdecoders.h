// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/sources/nvbuf/nvbufapi.h"

namespace jetscope::testing {

/// Decoders of JPEG, of white pictures whatever they are given, that leave them in memory which the CPU cannot read, as
/// those of GPUs do; and the elements that fetch them from there. All must be registered before they are used.
struct SpecialDecoders {
    static constexpr int kWidth = 64;
    static constexpr int kHeight = 48;

    /// "fakenvdec", whose pictures are a Jetson's hardware buffers, and "nvvidconv".
    static void registerNvidia();
    /// "fakevadec", which could leave its pictures in the CPU's memory, but does not, and "vapostproc".
    static void registerVa();
    /// "fakeotherdec", whose memory no element fetches.
    static void registerOther();
    /// Makes and destroys EGLImages of those buffers.
    static NvBufApi nvBufApi();
    /// How many EGLImages there are.
    static int eglImages();
};

} // namespace jetscope::testing
