// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cupti/trialcache.h"

#include "core/text/parsenumber.h"
#include "gpu/cupti/cuptilibrary.h"
#include "gpu/cupti/trialreport.h"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace jetscope {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kRefusalSeconds = 24 * 60 * 60;

/// Size and time of a file's last change; empty if there is none.
std::string stampOf(const std::string &path)
{
    struct stat facts {};
    if (path.empty() || stat(path.c_str(), &facts) != 0)
        return {};
    return std::to_string(facts.st_size) + " " + std::to_string(facts.st_mtim.tv_sec) + "."
        + std::to_string(facts.st_mtim.tv_nsec);
}

/// The file that the dynamic linker takes; nothing of it is called.
std::string driverFile()
{
    void *const driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (!driver)
        return {};
    link_map *map = nullptr;
    std::error_code error;
    const bool named = dlinfo(driver, RTLD_DI_LINKMAP, &map) == 0 && map && map->l_name;
    std::string path = named ? fs::canonical(map->l_name, error).string() : std::string();
    dlclose(driver);
    return path;
}

std::string linesOf(const char *path)
{
    std::ifstream file(path);
    std::string text(4096, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
    return text;
}

/// Who may profile: a Jetson's device nodes, and the option of the driver elsewhere.
std::string permissions()
{
    std::string text = std::to_string(geteuid());
    for (const char *node : {"/dev/nvgpu/igpu0/prof", "/dev/nvgpu/igpu0/prof-ctx", "/dev/nvgpu/igpu0/prof-dev",
                             "/dev/nvhost-prof-gpu", "/dev/nvhost-prof-ctx-gpu", "/dev/nvhost-prof-dev-gpu"})
        text += access(node, R_OK | W_OK) == 0 ? " yes" : " no";
    return text + "\n" + linesOf("/proc/driver/nvidia/params");
}

std::string devices()
{
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator entry("/proc/driver/nvidia/gpus", error), end; !error && entry != end;
         entry.increment(error))
        names.push_back(entry->path().filename().string());
    std::sort(names.begin(), names.end());
    std::string text = linesOf("/proc/device-tree/model") + "\n";
    for (const std::string &name : names)
        text += name + "\n";
    return text;
}

std::string variable(const char *name)
{
    const char *const value = std::getenv(name);
    return std::string(name) + "=" + (value ? value : "") + "\n";
}

std::string identityOf(int ordinal)
{
    const std::string driver = driverFile();
    std::string text = "device " + std::to_string(ordinal) + "\nprogram " + stampOf("/proc/self/exe") + "\ndriver "
        + driver + " " + stampOf(driver) + "\n" + linesOf("/proc/driver/nvidia/version") + devices() + permissions();
    for (const char *name : {"CUDA_VISIBLE_DEVICES", "LD_LIBRARY_PATH"})
        text += variable(name);
    for (const std::string &library : cuptiCandidates())
        text += library + " " + stampOf(library) + "\n";
    return text;
}

/// "WORD VALUE", the first line, which is taken away; empty if it is another one.
std::string takeLine(std::string &text, const std::string &word)
{
    const std::size_t end = text.find('\n');
    if (end == std::string::npos || !text.starts_with(word + " "))
        return {};
    std::string value = text.substr(word.size() + 1, end - word.size() - 1);
    text.erase(0, end + 1);
    return value;
}

} // namespace

TrialCache::TrialCache(int ordinal)
    : m_files(FileCache::folderOfThisUser("cupti"), ".trial"), m_identity(identityOf(ordinal))
{
}

std::optional<CuptiOutcome> TrialCache::find() const
{
    std::optional<std::string> text = m_files.find(m_identity);
    if (!text)
        return std::nullopt;
    const std::string when = takeLine(*text, "time");
    const std::string stamp = takeLine(*text, "stamp");
    const std::optional<TrialReport> report = TrialReport::parse(*text);
    const std::int64_t age =
        static_cast<std::int64_t>(std::time(nullptr)) - parseNumber<std::int64_t>(when).value_or(0);
    const bool isUsable = report && report->verdict == TrialReport::Verdict::Usable;
    if (!report || age < 0 || (!isUsable && age > kRefusalSeconds) || stampOf(report->library) != stamp)
        return std::nullopt;
    CuptiOutcome outcome;
    outcome.usable = isUsable ? Capability::yes() : Capability::no(report->reason);
    outcome.library = report->library;
    outcome.version = report->version;
    outcome.remarks = report->remarks;
    outcome.concurrentManagedAccess = report->concurrentManagedAccess;
    return outcome;
}

void TrialCache::store(const CuptiOutcome &outcome, std::int64_t seconds) const
{
    TrialReport report;
    report.verdict = outcome.usable.available ? TrialReport::Verdict::Usable : TrialReport::Verdict::Final;
    report.reason = outcome.usable.reason;
    report.library = outcome.library;
    report.version = outcome.version;
    report.remarks = outcome.remarks;
    report.concurrentManagedAccess = outcome.concurrentManagedAccess;
    m_files.store(m_identity,
                  "time " + std::to_string(seconds) + "\nstamp " + stampOf(outcome.library) + "\n" + report.text());
}

} // namespace jetscope
