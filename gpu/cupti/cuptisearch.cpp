// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cupti/cuptilibrary.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <link.h>

namespace jetscope {

namespace {

namespace fs = std::filesystem;

constexpr const char *kToolkitFolder = "/usr/local";
constexpr std::size_t kMaxCandidates = 8;

/// Compares numbers by value: "12.10" is newer than "12.9".
bool isNewer(const std::string &a, const std::string &b)
{
    return strverscmp(a.c_str(), b.c_str()) > 0;
}

/// The subfolders of `folder` whose names start with `beginning`, the newest first. Empty if it cannot be read.
std::vector<std::string> subfolders(const std::string &folder, std::string_view beginning)
{
    std::vector<std::string> found;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
        if (entry->path().filename().string().rfind(beginning, 0) == 0)
            found.push_back(entry->path().string());
    std::sort(found.begin(), found.end(), isNewer);
    return found;
}

/// The library folders of the toolkits for PCs, servers and Jetsons, and of separate CUPTI packages.
std::vector<std::string> libraryFolders(const std::string &toolkit)
{
    std::vector<std::string> folders = {toolkit + "/extras/CUPTI/lib64", toolkit + "/lib64", toolkit + "/lib"};
    for (const std::string &target : subfolders(toolkit + "/targets", ""))
        folders.push_back(target + "/lib");
    return folders;
}

/// The library in this folder with its links resolved, so that no file is tried twice; empty if there is none.
std::string libraryIn(const std::string &folder)
{
    for (const char *name : {"/libcupti.so", "/libcupti.so.13", "/libcupti.so.12"}) {
        std::error_code error;
        const fs::path path = fs::canonical(folder + name, error);
        if (!error && fs::is_regular_file(path, error))
            return path.string();
    }
    return {};
}

std::string pathIfLoaded(const std::string &name)
{
    void *const library = dlopen(name.c_str(), RTLD_NOW | RTLD_NOLOAD);
    if (!library)
        return {};
    link_map *map = nullptr;
    const bool named = dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map && map->l_name;
    std::string path = named ? map->l_name : name;
    dlclose(library);
    return path;
}

void addOnce(std::vector<std::string> &all, std::string path)
{
    if (!path.empty() && all.size() < kMaxCandidates && std::find(all.begin(), all.end(), path) == all.end())
        all.push_back(std::move(path));
}

} // namespace

CuptiSurvey CuptiSurvey::ofThisMachine()
{
    CuptiSurvey survey;
    for (const char *variable : {"CUDA_HOME", "CUDA_PATH"})
        if (const char *folder = std::getenv(variable); folder && *folder)
            survey.toolkits.emplace_back(folder);
    survey.toolkits.push_back(std::string(kToolkitFolder) + "/cuda");
    for (std::string &folder : subfolders(kToolkitFolder, "cuda-"))
        survey.toolkits.push_back(std::move(folder));
    survey.bareNames = {"libcupti.so.13", "libcupti.so.12", "libcupti.so"};
    return survey;
}

std::vector<std::string> cuptiCandidates(const CuptiSurvey &survey)
{
    std::vector<std::string> candidates;
    for (const std::string &name : survey.bareNames)
        if (std::string path = pathIfLoaded(name); !path.empty())
            return {std::move(path)};
    for (const std::string &toolkit : survey.toolkits)
        for (const std::string &folder : libraryFolders(toolkit))
            addOnce(candidates, libraryIn(folder));
    for (const std::string &name : survey.bareNames)
        addOnce(candidates, name);
    return candidates;
}

} // namespace jetscope
