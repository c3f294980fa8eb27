// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/settings/devicefacts.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// Whether a CUDA feature that the CUDA for Tegra note calls unsupported can be used on a device.
enum class FeatureState : std::uint8_t {
    Supported,   ///< The note's condition does not hold here.
    Unsupported, ///<
    Discouraged, ///< It works, but the note advises against it.
    Unknown,     ///< An attribute that decides could not be read, or documents contradict each other.
};
/// "supported", "not supported", "not recommended", "unknown".
std::string_view nameOf(FeatureState state);

struct TegraFeature {
    std::string_view name; ///< "cudaHostRegister"
    FeatureState state = FeatureState::Unknown;
    std::string why;         ///< The attribute that decides, with its value here.
    std::string alternative; ///< What to use instead, also where the feature is supported.
    std::string_view source;
};

/// The list "CUDA Features Not Supported on Tegra", each entry resolved by the attributes of a device. Later releases
/// that lifted a restriction are taken into account by driver version.
std::vector<TegraFeature> tegraFeatures(const DeviceFacts &facts);

} // namespace jetscope
