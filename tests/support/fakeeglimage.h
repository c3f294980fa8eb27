// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// What the made-up library for buffers gives the made-up driver as an EGLImage.
struct FakeEglImage {
    static constexpr std::uint64_t kMagic = 0x6567'6c69'6d61'6765;
    std::uint64_t magic = kMagic;
    unsigned char *pixels = nullptr;
    unsigned width = 0;
    unsigned height = 0;
    unsigned pitch = 0;
    int frameType = 1;       ///< 0: arrays, as of a block-linear buffer.
    bool isForDevice = true; ///< The CPU's writes are on the device.
    int registrations = 0;

    /// What the pixels are; NV12 has its chroma in lines of the same pitch behind the luma.
    enum class Format : int { Rgba, Nv12, Nv12FullRange, Nv12Of709 };
    Format format = Format::Rgba;
    bool isBlockLinear = false;     ///< Only engines read it; the bytes lie as in a pitch-linear one.
    bool isOfDefaultDisplay = true; ///< As an EGLImage.
    int readers = 0;                ///< Work that is pending and reads it.
    int wrappers = 0;               ///< That were ever made of it.
};
