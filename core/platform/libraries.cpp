// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/platform/libraries.h"

#include "core/platform/smallfile.h"
#include "core/system/sysfile.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace jetscope {

namespace {

struct LibraryRow {
    const char *name;
    const char *file; ///< The beginning of the file's name.
    const char *purpose;
    const char *absent;
};

constexpr const char *kWithJetPack = "it comes with JetPack: sudo apt install nvidia-jetpack";
constexpr const char *kWithL4t = "it comes with L4T: there is none on a PC, and a container needs --runtime nvidia";
constexpr std::array<LibraryRow, 14> kLibraries = {{
    {"CUDA driver", "libcuda.so.1", "runs kernels", "no driver of an NVIDIA GPU is installed"},
    {"NVML", "libnvidia-ml.so.1", "state of discrete GPUs and of Thor",
     "boards before Thor do not have it; tegrastats and sysfs take its place"},
    {"CUPTI", "libcupti.so", "exact times of GPU work", "it comes with the CUDA toolkit"},
    {"VPI 2", "libnvvpi.so.2", "vision algorithms on CPU, GPU, PVA and VIC (JetPack 5)", kWithJetPack},
    {"VPI 3", "libnvvpi.so.3", "vision algorithms on CPU, GPU, PVA, VIC and OFA (JetPack 6)", kWithJetPack},
    {"VPI 4", "libnvvpi.so.4", "vision algorithms on CPU, GPU, PVA, VIC and OFA (JetPack 7)", kWithJetPack},
    {"cuDLA", "libcudla.so", "runs networks on the deep-learning accelerators", kWithJetPack},
    {"NvBufSurface", "libnvbufsurface.so", "buffers that cameras, codecs and CUDA share without a copy", kWithL4t},
    {"Argus", "libnvargus_socketclient.so", "CSI cameras with NVIDIA's image processor", kWithL4t},
    {"NvSciBuf", "libnvscibuf.so", "memory that processes and engines share", kWithL4t},
    {"NvSciSync", "libnvscisync.so", "synchronization between processes and engines", kWithL4t},
    {"NvSciStream", "libnvscistream.so", "streams of frames between processes", kWithL4t},
    {"DuckDB", "libduckdb.so", "SQL and Parquet of fleets",
     "without it a fleet may have 1,000,000 rows; it is one file, from DuckDB's site"},
    {"cuSOLVER", "libcusolver.so", "linear algebra on the GPU", "it comes with the CUDA toolkit"},
}};

/// Libraries of L4T first; a PC has none of these folders.
std::vector<std::string> libraryFolders(const std::string &root)
{
    std::vector<std::string> folders = {"usr/lib/aarch64-linux-gnu/nvidia",
                                        "usr/lib/aarch64-linux-gnu/tegra",
                                        "usr/lib/aarch64-linux-gnu",
                                        "usr/lib/x86_64-linux-gnu",
                                        "usr/lib64",
                                        "usr/lib",
                                        "usr/local/lib",
                                        "usr/local/cuda/lib64",
                                        "usr/local/cuda/targets/aarch64-linux/lib",
                                        "usr/local/cuda/targets/sbsa-linux/lib",
                                        "usr/local/cuda/extras/CUPTI/lib64"};
    for (const char *version : {"2", "3", "4"})
        for (const char *machine : {"aarch64-linux-gnu", "x86_64-linux-gnu"})
            folders.push_back(std::string("opt/nvidia/vpi") + version + "/lib/" + machine);
    for (std::string &folder : folders)
        folder = pathBelow(root, folder);
    return folders;
}

/// Whether a file begins like a 64-bit ELF library; the reason if not.
std::string whyNoLibrary(const std::string &path)
{
    struct stat facts = {};
    if (::stat(path.c_str(), &facts) != 0)
        return "the file that it leads to does not exist: install its package again";
    const int file = S_ISREG(facts.st_mode) ? ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
    if (file < 0)
        return S_ISREG(facts.st_mode) ? "the file may not be read" : "it is no file";
    constexpr std::size_t kElfHeader = 64;
    constexpr char kElf64[] = "\x7f"
                              "ELF\x02";
    std::array<char, kElfHeader> header{};
    const ssize_t got = ::read(file, header.data(), header.size());
    ::close(file);
    if (got == 0)
        return "the file is empty: a container's runtime must mount the one of the board";
    if (got < static_cast<ssize_t>(kElfHeader) || std::memcmp(header.data(), kElf64, sizeof kElf64 - 1) != 0)
        return "the file is no 64-bit library: install its package again";
    return {};
}

/// The part behind ".so." of the file that a path leads to within the same folder: "3.2.4". The longest one counts.
std::string versionOf(const std::string &path, std::string_view beginning)
{
    std::error_code error;
    std::filesystem::path target = path;
    constexpr int kMaxHops = 8;
    for (int i = 0; i < kMaxHops && std::filesystem::is_symlink(target, error); ++i) {
        const std::filesystem::path next = std::filesystem::read_symlink(target, error);
        if (error || next.has_parent_path())
            break; // Alternatives of a package manager; their names have no version.
        target = target.parent_path() / next;
    }
    const std::string name = target.filename().native();
    constexpr std::string_view kMark = ".so.";
    const std::size_t at = name.find(kMark);
    if (name == beginning) // "libcuda.so.1": the number of the interface, and not of the driver.
        return {};
    if (at == std::string::npos || !name.starts_with(beginning.substr(0, beginning.find(".so"))))
        return {};
    const std::string version = name.substr(at + kMark.size());
    const bool isVersion =
        std::all_of(version.begin(), version.end(), [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
    return isVersion && version.size() < 32 ? version : std::string();
}

/// "libnvvpi.so.3" also stands for "libnvvpi.so.3.2.4", but not for "libnvvpi.so.30".
bool isFileOf(const std::string &path, std::string_view beginning)
{
    const std::string name = path.substr(path.rfind('/') + 1);
    return name.starts_with(beginning) && (name.size() == beginning.size() || name[beginning.size()] == '.');
}

LibraryFact lookFor(const LibraryRow &row, const std::vector<std::string> &folders, const std::string &root)
{
    LibraryFact fact;
    fact.name = row.name;
    fact.purpose = row.purpose;
    fact.reason = row.absent;
    for (const std::string &folder : folders)
        for (const std::string &path : entriesOf(folder, row.file)) {
            if (!isFileOf(path, row.file))
                continue;
            const std::string why = whyNoLibrary(path);
            if (!why.empty() && fact.state == LibraryFact::State::Broken)
                continue; // The first broken file is reported.
            fact.path = path.substr(pathBelow(root, "").size() - 1);
            fact.version = versionOf(path, row.file);
            fact.state = why.empty() ? LibraryFact::State::Found : LibraryFact::State::Broken;
            fact.reason = !why.empty() ? why : fact.version.empty() ? "the file's name has no version" : std::string();
            if (why.empty())
                return fact;
        }
    return fact;
}

} // namespace

std::vector<LibraryFact> findLibraries(const std::string &root)
{
    const std::vector<std::string> folders = libraryFolders(root);
    std::vector<LibraryFact> facts;
    for (const LibraryRow &row : kLibraries)
        facts.push_back(lookFor(row, folders, root));
    return facts;
}

DlaCount countDlas(const std::string &root)
{
    const std::string tree = pathBelow(root, "proc/device-tree");
    if (entriesOf(tree).empty())
        return {std::nullopt, "there is no device tree, as on most PCs"};
    int count = 0;
    for (const std::string &parent : {tree, tree + "/bus@0"})
        for (const std::string &host : entriesOf(parent, "host1x@"))
            for (const std::string &engine : entriesOf(host, "nvdla")) {
                const std::string status = lineOf(engine + "/status");
                count += status.empty() || status == "okay" ? 1 : 0;
            }
    return {count, "enabled nodes nvdla* of the device tree"};
}

} // namespace jetscope
