// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/system/module.h"

#include <dlfcn.h>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace jetscope {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kProgramVersion = JETSCOPE_VERSION;

/// The reason of the last failed dlopen or dlsym on this thread.
std::string loaderReason()
{
    const char *const reason = dlerror();
    return reason ? reason : "no reason is known";
}

} // namespace

std::string programFolder()
{
    std::error_code unknown;
    return fs::read_symlink("/proc/self/exe", unknown).parent_path().string();
}

std::string findOwnLibrary(const std::string &fileName)
{
    const fs::path folder = programFolder();
    for (const fs::path &place : {folder, folder / ".." / JETSCOPE_LIBRARY_FOLDER}) {
        const fs::path path = (place / fileName).lexically_normal();
        std::error_code unknown;
        if (fs::is_regular_file(path, unknown))
            return path.string();
    }
    return {};
}

Result<const ModuleHead *> loadModule(const Module &module)
{
    const std::string what = module.what;
    const std::string file = std::string("libjetscope-") + module.name + ".so";
    const std::string path = findOwnLibrary(file);
    if (path.empty())
        return sentence(what + " is not installed (" + file + " is missing): " + module.remedy);
    // Every function is looked up at once: a module that does not fit fails here, and not in the middle of a run. The
    // handle is never closed, so a module that is asked for again is not loaded again.
    void *const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        return sentence(what + " cannot be loaded (" + loaderReason()
                        + "): install what is missing, or Jetscope again");
    const auto *head = static_cast<const ModuleHead *>(dlsym(handle, "jetscopeModule"));
    if (!head)
        return sentence(what + " cannot be loaded (" + loaderReason() + "): install Jetscope again");
    if (head->version != kProgramVersion)
        return sentence(what + " is of version " + head->version + ", and this program is of version "
                        + std::string(kProgramVersion) + ": install both of the same version");
    return head;
}

} // namespace jetscope
