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

/// Meaning of an event's category ("cat").
struct ChromeKind {
    enum class Place : std::uint8_t {
        Unknown,
        Cpu,      ///< Only events of CPU threads have this category.
        Gpu,      ///< Only events of GPU streams have this category.
        Profiler, ///< It tells of its own run.
    };
    Category category = Category::CpuStage;
    Place place = Place::Unknown;
    bool isFunction = false; ///< A function that a profiler saw, which is never a frame.
    bool setsMemory = false; ///< Its bytes are not copied.
};

/// What the work of a device is by its name, where the category does not tell: a copy or a kernel.
Category deviceWorkOf(std::string_view name);

/// The categories of known producers: PyTorch (Kineto), whose older versions spell them differently, and Jetscope. Not
/// thread-safe.
class ChromeKinds {
public:
    ChromeKind of(std::string_view category, std::string_view name);

private:
    std::vector<std::pair<std::string, ChromeKind>> m_known; ///< Cache of the first categories seen.
};

} // namespace jetscope
