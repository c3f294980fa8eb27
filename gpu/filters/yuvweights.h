// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/imagelayout.h"
#include "gpu/filters/arithmetic.h"

namespace jetscope::arithmetic {

/// The standards' factors; of BT.601 in limited range those with the three decimals that OpenCV has.
constexpr YuvWeights yuvWeights(YuvColour colour)
{
    switch (colour) {
    case YuvColour::Bt601Limited:
        break;
    case YuvColour::Bt601Full:
        return {0, 1048576, 1470104, -748826, -360853, 1858077};
    case YuvColour::Bt709Limited:
        return {16, 1220945, 1879825, -558796, -223607, 2215014};
    case YuvColour::Bt709Full:
        return {0, 1048576, 1651297, -490864, -196424, 1945738};
    }
    return {16, 1220542, 1673527, -852492, -409993, 2116026};
}

} // namespace jetscope::arithmetic
