// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/chromekinds.h"

#include "core/text/shorttext.h"
#include "core/tracefile/tracefileschema.h"

#include <algorithm>

namespace jetscope {

namespace {

using Place = ChromeKind::Place;

struct KnownKind {
    std::string_view category; ///< In lower case.
    ChromeKind kind;
};

// GPU annotations repeat CPU annotations, ranges of the CUPTI range profiler have counters but no times of their own,
// and the profiler's own events describe the profiler: neither is work.
constexpr KnownKind kKnownKinds[] = {
    {"kernel", {Category::Kernel, Place::Gpu}},
    {"gpu_memcpy", {Category::Copy, Place::Gpu}},
    {"memcpy", {Category::Copy, Place::Gpu}},
    {"gpu_memset", {Category::Copy, Place::Gpu, false, true}},
    {"memset", {Category::Copy, Place::Gpu, false, true}},
    {"cuda_profiler_range", {Category::Tool, Place::Gpu}},
    {"gpu_user_annotation", {Category::Tool, Place::Gpu}},
    {"cuda_sync", {Category::Tool, Place::Unknown}},
    {"cuda_runtime", {Category::Submit, Place::Cpu}},
    {"cuda_driver", {Category::Submit, Place::Cpu}},
    {"runtime", {Category::Submit, Place::Cpu}},
    {"cpu_op", {Category::CpuStage, Place::Cpu, true}},
    {"operator", {Category::CpuStage, Place::Cpu, true}},
    {"python_function", {Category::CpuStage, Place::Cpu, true}},
    {"fee", {Category::CpuStage, Place::Cpu, true}}, // viztracer's functions, from entry to exit.
    {"user_annotation", {Category::CpuStage, Place::Cpu}},
    {"overhead", {Category::Tool, Place::Unknown}},
    {"trace", {Category::Tool, Place::Profiler}},
};

std::string inLowerCase(std::string_view text)
{
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return lower;
}

ChromeKind kindByCategory(std::string_view category)
{
    const std::string lower = inLowerCase(shortText(category));
    const auto *const known = std::find_if(std::begin(kKnownKinds), std::end(kKnownKinds),
                                           [&](const KnownKind &kind) { return kind.category == lower; });
    if (known != std::end(kKnownKinds))
        return known->kind;
    return {categoryByName(category).value_or(Category::CpuStage), Place::Unknown};
}

} // namespace

Category deviceWorkOf(std::string_view name)
{
    constexpr std::string_view kCopies[] = {
        "Memcpy",           "memcpy",           "[CUDA memcpy",       "CUDA memcpy", "hipMemcpy",
        "CopyHostToDevice", "CopyDeviceToHost", "CopyDeviceToDevice", "MEMORY_COPY", "MEMCPY"};
    const bool isCopy = std::any_of(std::begin(kCopies), std::end(kCopies),
                                    [name](std::string_view copy) { return name.starts_with(copy); });
    return isCopy ? Category::Copy : Category::Kernel;
}

ChromeKind ChromeKinds::of(std::string_view category, std::string_view name)
{
    constexpr std::size_t kSettings = 32;
    const auto known =
        std::find_if(m_known.begin(), m_known.end(), [&](const auto &entry) { return entry.first == category; });
    const ChromeKind kind = known != m_known.end() ? known->second : kindByCategory(category);
    if (known == m_known.end() && m_known.size() < kSettings)
        m_known.emplace_back(shortText(category), kind);
    if (kind.place == Place::Gpu && kind.category == Category::Kernel)
        return {deviceWorkOf(name), Place::Gpu};
    const bool waits = kind.place == Place::Cpu && kind.category == Category::Submit
        && name.find("Synchronize") != std::string_view::npos;
    return waits ? ChromeKind{Category::WaitSync, Place::Cpu} : kind;
}

} // namespace jetscope
