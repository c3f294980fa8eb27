// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/attach/callsites.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string_view>

namespace jetscope {

namespace {

/// Libraries that call CUDA, EGL or GL for the program.
constexpr std::string_view kRuntimes[] = {
    "libcudart",   "libcuda.so", "libcublas",  "libcudnn",  "libcufft",      "libcurand",          "libcusolver",
    "libcusparse", "libnpp",     "libnvinfer", "libnvjpeg", "libnvrtc",      "libnvonnxparser.so", "libnvvpi",
    "libEGL",      "libGLESv2",  "libGLX",     "libGL.so",  "libGLdispatch", "libnvbufsurf",       "libcupti",
};
/// Of a runtime that is linked statically.
constexpr std::string_view kRuntimeFunctions[] = {"__cudart", "__cuda", "cudart::"};

bool isRuntimeFunction(std::string_view name)
{
    constexpr std::string_view kCuda = "cuda"; // cudaLaunchKernel
    if (name.starts_with(kCuda) && name.size() > kCuda.size())
        return std::isupper(static_cast<unsigned char>(name[kCuda.size()])) != 0;
    return std::any_of(std::begin(kRuntimeFunctions), std::end(kRuntimeFunctions),
                       [&](std::string_view begin) { return name.starts_with(begin); });
}

} // namespace

bool CallSites::isOfRuntime(const CodePlace &place)
{
    const auto [known, isNew] = m_ofRuntime.try_emplace({place.file, place.offset});
    if (!isNew)
        return known->second;
    const std::string file = std::filesystem::path(place.file).filename().string();
    known->second = std::any_of(std::begin(kRuntimes), std::end(kRuntimes),
                                [&](std::string_view begin) { return file.starts_with(begin); })
        || isRuntimeFunction(symbolOf(place));
    return known->second;
}

std::string CallSites::describe(const CallSite &site)
{
    constexpr std::size_t kMostCallers = 3;
    const std::string direct = describe(site.place);
    if (site.place.file.empty() || site.stacks.empty() || !site.mappings || !isOfRuntime(site.place))
        return direct;
    std::vector<std::pair<std::string, std::size_t>> callers; // With the number of stacks.
    for (const CallStack &stack : site.stacks) {
        const std::vector<CodePlace> returns = unwind(stack, *site.mappings);
        const auto runtime = std::find(returns.begin(), returns.end(), site.place);
        const auto own = std::find_if(runtime, returns.end(), [this](const CodePlace &at) { return !isOfRuntime(at); });
        if (own == returns.end())
            continue;
        const std::string &name = describe(*own);
        const auto known =
            std::find_if(callers.begin(), callers.end(), [&](const auto &it) { return it.first == name; });
        if (known == callers.end())
            callers.emplace_back(name, 1);
        else
            ++known->second;
    }
    if (callers.empty())
        return direct;
    std::stable_sort(callers.begin(), callers.end(), [](const auto &a, const auto &b) { return a.second > b.second; });
    std::string text = callers.front().first;
    for (std::size_t i = 1; i < std::min(callers.size(), kMostCallers); ++i)
        text += ", also " + callers[i].first;
    return text + ", through " + direct;
}

const std::string &CallSites::describe(const CodePlace &place)
{
    static const std::string nothing;
    if (place.file.empty())
        return nothing;
    const auto [known, isNew] = m_known.try_emplace({place.file, place.offset});
    if (isNew)
        known->second = look(place);
    return known->second;
}

std::string sitesText(const WasteFinding &finding, CallSites &names)
{
    std::string text;
    for (const CallSite &site : finding.sites) {
        const std::string name = names.describe(site);
        if (name.empty())
            continue;
        text += (text.empty() ? "" : "; ") + name;
        if (finding.sites.size() > 1)
            text += ", " + std::to_string(site.calls) + " of " + std::to_string(finding.calls) + " calls";
    }
    return text;
}

} // namespace jetscope
