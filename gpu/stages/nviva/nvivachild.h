// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace jetscope {

/// What the process of an nvivafilter library is started with.
struct NvivaWords {
    std::string library;
    std::string standIns;      ///< libjetscope-nviva.so
    std::string driver;        ///< libcuda.so.1 except in tests.
    int ordinal = 0;           ///< Of the CUDA device.
    std::string surfaces;      ///< libnvbufsurface.so; empty except in tests: where a Jetson has it.
    std::string parts = "gbp"; ///< Which functions are called: g(pu), b(efore it), p(ost).
};

/// The descriptor of the shared memory in that process.
inline constexpr int kNvivaDescriptor = 3;

/// The process of an nvivafilter library: loads it, makes the device's context, and works off the requests of its
/// board until Jetscope ends. Its exit code. May crash or hang.
int nvivaMain(const NvivaWords &words);

/// The trial of a library as a child makes it: loads it and asks for its functions, without a device. Returns the
/// reason for which it is refused, or nothing. May crash or hang.
std::string trialOfNviva(const std::string &library, const std::string &standIns);

} // namespace jetscope
