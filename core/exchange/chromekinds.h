// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recording/span.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jetscope {

/// What the category of an event ("cat") says of it.
struct ChromeKind {
    enum class Place : std::uint8_t {
        Unknown,
        Cpu, ///< Only threads of the CPU have such events.
        Gpu, ///< Only streams of a GPU have such events.
    };
    Category category = Category::CpuStage;
    Place place = Place::Unknown;
};

/// Categories of the producers that are known: PyTorch (Kineto), whose older versions write them otherwise, and
/// Jetscope. One thread.
class ChromeKinds {
public:
    ChromeKind of(std::string_view category, std::string_view name);

private:
    std::vector<std::pair<std::string, ChromeKind>> m_known; ///< The first that came.
};

} // namespace jetscope
