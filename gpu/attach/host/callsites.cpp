// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/attach/host/callsites.h"

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
/// Of a runtime that is linked statically; the last are the functions in NVIDIA's own one.
constexpr std::string_view kRuntimeFunctions[] = {"__cudart", "__cuda", "cudart::", "libcudart_static_"};

/// "upload, also show": the most frequent first.
std::string namesByCount(const std::map<std::string, std::size_t> &counts, std::size_t most)
{
    std::vector<std::pair<std::string, std::size_t>> sorted(counts.begin(), counts.end());
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto &a, const auto &b) { return a.second > b.second; });
    std::string text = sorted.front().first;
    for (std::size_t i = 1; i < std::min(sorted.size(), most); ++i)
        text += ", also " + sorted[i].first;
    return text;
}

} // namespace

bool CallSites::isRuntimeFunction(std::string_view name)
{
    constexpr std::string_view kCuda = "cuda"; // cudaLaunchKernel
    if (name.starts_with(kCuda) && name.size() > kCuda.size())
        return std::isupper(static_cast<unsigned char>(name[kCuda.size()])) != 0;
    return std::any_of(std::begin(kRuntimeFunctions), std::end(kRuntimeFunctions),
                       [&](std::string_view begin) { return name.starts_with(begin); });
}

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

/// The function that the program called is the outermost one of the runtime.
std::string CallSites::describeRuntime(const CodePlace &place)
{
    const std::string name = symbolOf(place);
    return name.empty() ? describe(place) : name + " (" + std::filesystem::path(place.file).filename().string() + ")";
}

std::string CallSites::describe(const CallSite &site)
{
    constexpr std::size_t kMaxCallers = 3;
    const std::string direct = describe(site.place);
    if (site.place.file.empty() || site.stacks.empty() || !site.mappings || !isOfRuntime(site.place))
        return direct;
    std::map<std::string, std::size_t> callers; // With the number of stacks.
    std::map<std::string, std::size_t> functions;
    for (const CallStack &stack : site.stacks) {
        const std::vector<CodePlace> returns = unwind(stack, *site.mappings);
        const auto runtime = std::find(returns.begin(), returns.end(), site.place);
        const auto own = std::find_if(runtime, returns.end(), [this](const CodePlace &at) { return !isOfRuntime(at); });
        if (own == returns.end())
            continue;
        ++callers[describe(*own)];
        ++functions[describeRuntime(*(own - 1))];
    }
    if (callers.empty())
        return direct;
    return namesByCount(callers, kMaxCallers) + ", through " + namesByCount(functions, kMaxCallers);
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

void addSites(WasteFinding &finding, CallSites &names)
{
    const char *const words = finding.what == kCpuReadFinding ? "; in " : "; called by ";
    bool first = true;
    for (const CallSite &site : finding.sites) {
        const std::string name = names.describe(site);
        if (name.empty())
            continue;
        finding.text += (std::exchange(first, false) ? words : "; ") + name;
        if (finding.sites.size() > 1)
            finding.text += ", " + std::to_string(site.calls) + " of " + std::to_string(finding.calls) + " calls";
    }
}

} // namespace jetscope
