// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace jetscope {

/// Where an instruction stands: "cv::Canny(...)+0x12 (libopencv_imgproc.so.406)", "jetscope+0x1234" where the symbol is
/// not exported, or "code that is not known" for 0.
std::string codePlace(std::uintptr_t address);

} // namespace jetscope
