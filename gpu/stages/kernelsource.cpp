// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/stages/kernelsource.h"

#include "core/pipelineconfig.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <sys/stat.h>

namespace jetscope {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kLargestSource = 1 << 20;
constexpr std::size_t kMostSources = 256;

constexpr KernelForm kKernelForms[] = {
    {"_Z15jetscope_filterPK6uchar4mPS_mii", PixelFormat::Rgba8, false},
    {"_Z15jetscope_filteryyii", PixelFormat::Rgba8, true},
    {"_Z15jetscope_filterPKhmPhmii", PixelFormat::Grey8, false},
    {"_Z20jetscope_grey_filteryyii", PixelFormat::Grey8, true},
};

/// Machine code has a section for each kernel, ".text.NAME".
bool hasKernel(const std::string &cubin, const std::string &symbol)
{
    return cubin.find(".text." + symbol + '\0') != std::string::npos;
}

bool isWord(const std::string &text, const char *also)
{
    return !text.empty() && std::all_of(text.begin(), text.end(), [also](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string_view(also).find(c) != std::string::npos;
    });
}

/// The names in `#include "…"` and `#include <…>`, also in comments: then a file more decides the identity, which does
/// no harm.
std::vector<std::string> includesOf(const std::string &text)
{
    std::vector<std::string> names;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string word;
        words >> word;
        if (word == "#") {
            words >> word;
            word.insert(0, "#");
        }
        const std::size_t open = line.find_first_of("\"<");
        const std::size_t close = open == std::string::npos ? open : line.find_first_of("\">", open + 1);
        if (word.starts_with("#include") && close != std::string::npos)
            names.push_back(line.substr(open + 1, close - open - 1));
    }
    return names;
}

/// Zeros for a file that is not there.
struct stat stateOf(const std::string &file)
{
    struct stat state = {};
    if (::stat(file.c_str(), &state) != 0)
        state = {};
    return state;
}

/// Adds what changes when a file is saved or exchanged.
void mixStamp(std::uint64_t &stamp, const struct stat &state)
{
    const auto mix = [&stamp](auto value) { stamp = stamp * 1099511628211u + static_cast<std::uint64_t>(value); };
    mix(state.st_mtim.tv_sec);
    mix(state.st_mtim.tv_nsec);
    mix(state.st_size);
    mix(state.st_ino);
}

} // namespace

Result<const KernelForm *> kernelFormIn(const std::string &cubin)
{
    using namespace std::string_literals;
    for (const KernelForm &form : kKernelForms)
        if (hasKernel(cubin, form.symbol))
            return &form;
    const bool hasOther = cubin.find(".text._Z15jetscope_filter"s) != std::string::npos
        || cubin.find(".text._Z20jetscope_grey_filter"s) != std::string::npos || hasKernel(cubin, "jetscope_filter");
    return sentence(std::string(hasOther ? "its kernel jetscope_filter has other parameters than those that Jetscope "
                                           "passes, or extern \"C\" hides them"
                                         : "it has no kernel jetscope_filter")
                    + "; write __global__ void jetscope_filter(const uchar4 *in, size_t inPitch, uchar4 *out, size_t "
                      "outPitch, int width, int height), or one of the other forms of gpu/stages/README.md");
}

Result<KernelSource> KernelSource::read(const StageAddress &address)
{
    KernelSource source;
    std::error_code error;
    const fs::path file = fs::absolute(address.path, error);
    source.m_folder = file.parent_path().string();
    for (const auto &[key, value] : address.options) {
        if (!isWord(key, "_") || std::isdigit(static_cast<unsigned char>(key.front())) != 0 || !isWord(value, "_.-"))
            return sentence("the option " + quotedValue(key + "=" + value)
                            + " is no macro: write NAME=VALUE with letters, digits, '_', '.' and '-'");
        source.m_macros.push_back("-D" + key + "=" + value);
        source.m_identity += source.m_macros.back() + "\n";
    }
    JETSCOPE_TRY(source.add(file.string()));
    return source;
}

Status KernelSource::add(const std::string &file)
{
    const bool isFirst = m_files.empty();
    if (std::find(m_files.begin(), m_files.end(), file) != m_files.end())
        return {};
    std::error_code error;
    if (!fs::is_regular_file(file, error))
        return sentence("there is no file " + quotedValue(file));
    if (m_files.size() >= kMostSources)
        return sentence("it includes more than " + std::to_string(kMostSources) + " files");
    m_files.push_back(file);
    mixStamp(m_stamp, stateOf(file));
    std::ostringstream read;
    read << std::ifstream(file, std::ios::binary).rdbuf();
    const std::string text = read.str();
    if (text.size() > kLargestSource)
        return sentence("the file " + quotedValue(file) + " is larger than 1 MiB");
    m_identity += file + " " + std::to_string(text.size()) + "\n" + text;
    if (isFirst)
        m_text = text;
    const std::string folder = fs::path(file).parent_path().string();
    for (const std::string &name : includesOf(text))
        JETSCOPE_TRY(addIncluded(name, folder));
    return {};
}

/// Where the compiler looks, as far as it can change: beside the file that includes it, then in the kernel's folder. A
/// file that comes to be there later is a change.
Status KernelSource::addIncluded(const std::string &name, const std::string &folder)
{
    for (const std::string &in : {folder, m_folder}) {
        const std::string file = (fs::path(in) / name).lexically_normal().string();
        std::error_code error;
        if (fs::is_regular_file(file, error))
            return add(file);
        addMissing(file);
    }
    return {}; // The compiler says so, or finds it elsewhere.
}

void KernelSource::addMissing(const std::string &file)
{
    if (m_files.size() >= kMostSources || std::find(m_files.begin(), m_files.end(), file) != m_files.end())
        return;
    m_files.push_back(file);
    mixStamp(m_stamp, {}); // Not asked for again: it may be there by now.
}

std::vector<std::string> KernelSource::options(const std::string &includeFolder) const
{
    std::vector<std::string> options = m_macros;
    options.push_back("-I" + m_folder);
    if (!includeFolder.empty())
        options.push_back("-I" + includeFolder);
    return options;
}

bool KernelSource::isOutdated() const
{
    std::uint64_t stamp = KernelSource().m_stamp;
    for (const std::string &file : m_files)
        mixStamp(stamp, stateOf(file));
    return stamp != m_stamp;
}

} // namespace jetscope
