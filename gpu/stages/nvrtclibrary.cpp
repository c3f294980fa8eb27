// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/stages/nvrtclibrary.h"

#include "gpu/base/symbols.h"
#include "gpu/cupti/cuptilibrary.h"

#include <algorithm>
#include <filesystem>
#include <link.h>
#include <sstream>

namespace jetscope {

namespace {

namespace fs = std::filesystem;

constexpr const char *kNvrtcNames[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};

std::string nvrtcIn(const std::string &folder)
{
    for (const char *name : kNvrtcNames) {
        std::error_code error;
        const fs::path path = fs::canonical(folder + "/" + name, error);
        if (!error && fs::is_regular_file(path, error))
            return path.string();
    }
    return {};
}

/// The first error of a log, and how many there are: "blur.cu(12): error: identifier "x" is undefined".
std::string firstErrorIn(const std::string &log)
{
    std::istringstream lines(log);
    std::string first;
    int count = 0;
    for (std::string line; std::getline(lines, line);) {
        if (line.find("error") == std::string::npos || line.find("): ") == std::string::npos)
            continue;
        if (count++ == 0)
            first = line;
    }
    if (count == 0)
        return log.empty() ? "the compiler gave no reason" : log.substr(0, log.find('\n'));
    return count == 1 ? first : first + " (the first of " + std::to_string(count) + " errors)";
}

} // namespace

Result<NvrtcFile> findNvrtc()
{
    for (const std::string &toolkit : CuptiSurvey::ofThisMachine().toolkits)
        for (const char *folder : {"/lib64", "/lib", "/targets/aarch64-linux/lib", "/targets/x86_64-linux/lib"})
            if (const std::string path = nvrtcIn(toolkit + folder); !path.empty()) {
                std::error_code error;
                const std::string headers = toolkit + "/include";
                return NvrtcFile{path, fs::is_directory(headers, error) ? headers : std::string()};
            }
    for (const char *name : kNvrtcNames)
        if (void *const library = dlopen(name, RTLD_LAZY | RTLD_LOCAL)) {
            link_map *map = nullptr;
            if (dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map && map->l_name && *map->l_name)
                return NvrtcFile{map->l_name, {}};
        }
    return sentence(
        "libnvrtc, NVIDIA's compiler for kernels, was not found in $CUDA_HOME, in /usr/local/cuda* and where "
        "the linker looks; install the package cuda-nvrtc of the driver's CUDA release");
}

Result<NvrtcLibrary> NvrtcLibrary::load(const NvrtcFile &file)
{
    void *const library = dlopen(file.path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char *const text = dlerror();
        return sentence(std::string(text ? text : "libnvrtc cannot be loaded") + "; install libnvrtc again");
    }
    const Api api(library);
    if (!api.missing().empty())
        return sentence(file.path + " has no function " + api.missing()
                        + ", so it is older than CUDA 11.2 or damaged; install a newer one");
    return NvrtcLibrary(api);
}

std::string NvrtcLibrary::version() const
{
    int major = 0;
    int minor = 0;
    if (m_api.version(&major, &minor) != 0)
        return "?";
    return std::to_string(major) + "." + std::to_string(minor);
}

Status NvrtcLibrary::checkArchitecture(int architecture) const
{
    int count = 0;
    if (m_api.archCount(&count) != 0 || count <= 0 || count > 1000)
        return sentence("libnvrtc does not say for which GPUs it compiles; install it again");
    std::vector<int> known(static_cast<std::size_t>(count));
    if (m_api.archs(known.data()) == 0 && std::find(known.begin(), known.end(), architecture) != known.end())
        return {};
    return sentence("libnvrtc of CUDA " + version() + " does not compile for this GPU (sm_"
                    + std::to_string(architecture) + "); install the one of a CUDA release that does");
}

std::string NvrtcLibrary::logOf(Program program) const
{
    std::size_t bytes = 0;
    if (m_api.logSize(program, &bytes) != 0 || bytes <= 1)
        return {};
    std::string log(bytes, '\0');
    if (m_api.log(program, log.data()) != 0)
        return {};
    log.resize(bytes - 1);
    return log;
}

Result<std::string> NvrtcLibrary::compile(const std::string &source, const std::string &name, int architecture,
                                          const std::vector<std::string> &options) const
{
    JETSCOPE_TRY(checkArchitecture(architecture));
    Program program = nullptr;
    if (m_api.create(&program, source.c_str(), name.c_str(), 0, nullptr, nullptr) != 0)
        return sentence("libnvrtc does not take the file " + name);
    std::vector<std::string> all = {"--gpu-architecture=sm_" + std::to_string(architecture), "--std=c++17",
                                    "-lineinfo"};
    all.insert(all.end(), options.begin(), options.end());
    std::vector<const char *> words;
    for (const std::string &option : all)
        words.push_back(option.c_str());
    const int code = m_api.compile(program, static_cast<int>(words.size()), words.data());
    std::size_t bytes = 0;
    std::string cubin;
    if (code == 0 && m_api.cubinSize(program, &bytes) == 0) {
        cubin.resize(bytes);
        if (m_api.cubin(program, cubin.data()) != 0)
            cubin.clear();
    }
    const std::string log = cubin.empty() ? logOf(program) : std::string();
    m_api.destroy(&program);
    if (cubin.empty())
        return sentence(firstErrorIn(log));
    return cubin;
}

} // namespace jetscope
