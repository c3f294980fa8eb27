// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cupti/cuptilibrary.h"

#include <link.h>

namespace jetscope {

namespace {

struct Release {
    std::uint32_t version; ///< CUPTI_API_VERSION, from the list in cupti_version.h.
    const char *cuda;
};

/// A counter before CUDA 13, then the digits of the release. Includes older releases that only refusals name.
constexpr Release kReleases[] = {
    {12, "10"},   {13, "11.0"}, {14, "11.1"}, {15, "11.2 to 11.4"}, {16, "11.5"}, {17, "11.6"},
    {18, "11.8"}, {19, "12.0"}, {20, "12.2"}, {21, "12.3"},         {22, "12.4"}, {23, "12.5"},
    {24, "12.6"}, {26, "12.8"}, {27, "12.9"}, {28, "12.9"},
};
constexpr std::uint32_t kFirstOf122 = JSC_FIRST_OF_12_2;
constexpr std::uint32_t kLastOf12 = JSC_LAST_OF_12;
constexpr std::uint32_t kFirstOf13 = JSC_FIRST_OF_13;
constexpr std::uint32_t kEndOf13 = JSC_END_OF_13;

/// "12.4"; empty for an unknown number.
std::string cudaRelease(std::uint32_t version)
{
    if (version >= kFirstOf13 && version / 10'000 < 100)
        return std::to_string(version / 10'000) + "." + std::to_string(version / 100 % 100);
    for (const Release &release : kReleases)
        if (release.version == version)
            return release.cuda;
    return version > kFirstOf122 && version <= kLastOf12 ? "12" : "";
}

std::string pathOf(void *library, const std::string &asked)
{
    link_map *map = nullptr;
    if (dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map && map->l_name && *map->l_name)
        return map->l_name;
    return asked;
}

/// The dynamic linker's message and the remedy.
Error loadFailure(const std::string &path)
{
    const char *const text = dlerror();
    return Error{"dlopen", 0,
                 (text ? std::string(text) : path + " cannot be loaded")
                     + "; install the CUPTI of the driver's CUDA release"};
}

} // namespace

std::string cuptiVersionText(std::uint32_t version)
{
    const bool known =
        (version >= kFirstOf122 && version <= kLastOf12) || (version >= kFirstOf13 && version < kEndOf13);
    return known ? cudaRelease(version) + " (" + std::to_string(version) + ")" : std::string();
}

CuptiLibrary::CuptiLibrary(const cupti::Api &api, std::string path, std::uint32_t version)
    : m_api(api), m_path(std::move(path)), m_version(version)
{
}

Result<CuptiLibrary> CuptiLibrary::load(const std::string &path)
{
    void *const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return loadFailure(path);
    const std::string found = pathOf(library, path);
    const cupti::Api api(library);
    std::uint32_t version = 0;
    if (api.getVersion)
        if (const auto code = api.getVersion(&version); code != cupti::kSuccess)
            return sentence(found + " does not report its version (code " + std::to_string(code)
                            + "); install it again");
    // An old release lacks functions; its version is the better reason.
    if (api.getVersion && cuptiVersionText(version).empty()) {
        const std::string release = cudaRelease(version);
        return sentence(found + " is CUPTI's version " + std::to_string(version)
                        + (release.empty() ? std::string() : ", of CUDA " + release)
                        + "; Jetscope reads the records of CUDA 12.2 to 13: install the CUPTI of one of these");
    }
    if (!api.missing().empty())
        return sentence(found + " has no function " + api.missing()
                        + ", so it is damaged or not CUPTI; install it again");
    return CuptiLibrary(api, found, version);
}

} // namespace jetscope
