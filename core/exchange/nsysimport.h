// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/openedtrace.h"

#include <cstdint>
#include <string>

namespace jetscope {

/// Reads an Nsight Systems export ("nsys export --type sqlite"): kernels, copies and memsets by stream, CUDA API calls
/// and NVTX ranges by thread. Frames are NVTX ranges or marks with a frame's name, else the outermost ranges that
/// repeat most often. Any thread.
Result<OpenedTrace> importNsys(const std::string &path, Progress &progress, std::uint64_t mostSpans,
                               const std::string &framesBy = {});

} // namespace jetscope
