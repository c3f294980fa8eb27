// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/stages/kernelsource.h"

#include "core/settings/pipelineconfig.h"
#include "core/system/regularfile.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include <sys/stat.h>

namespace jetscope {

namespace {

namespace fs = std::filesystem;

constexpr int kLargestSource = 1 << 20;
constexpr std::size_t kMaxSources = 256;
constexpr std::size_t kMaxPlaces = 1024;

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

/// What an `#include` names.
struct Include {
    std::string name; ///< Empty: a macro does, or another directive is meant.
    bool isAngled = false;
};

/// Behind blanks and comments.
std::string_view skipBlanks(std::string_view text)
{
    for (;;) {
        text.remove_prefix(std::min(text.find_first_not_of(" \t\r"), text.size()));
        if (!text.starts_with("/*"))
            return text;
        const std::size_t end = text.find("*/", 2);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 2);
    }
}

/// `directive`: from behind its '#' to the end of its line.
std::optional<Include> includeIn(std::string_view directive)
{
    constexpr std::string_view kWord = "include";
    std::string_view rest = skipBlanks(directive);
    if (!rest.starts_with(kWord))
        return std::nullopt;
    rest = skipBlanks(rest.substr(kWord.size()));
    const bool isAngled = rest.starts_with('<');
    const std::size_t end = isAngled || rest.starts_with('"') ? rest.find(isAngled ? '>' : '"', 1) : std::string::npos;
    if (end == std::string_view::npos)
        return Include{};
    return Include{std::string(rest.substr(1, end - 1)), isAngled};
}

/// As the preprocessor joins lines that end with a backslash.
std::string joined(const std::string &text)
{
    std::string lines;
    for (std::size_t at = 0; at < text.size();) {
        const std::string_view rest = std::string_view(text).substr(at);
        if (const std::size_t end = rest.starts_with("\\\n") ? 2 : rest.starts_with("\\\r\n") ? 3 : 0; end > 0)
            at += end;
        else
            lines += text[at++];
    }
    return lines;
}

/// Also those in comments: then a file more decides the identity, which does no harm. "%:" is another way to write '#'.
std::vector<Include> includesOf(const std::string &text)
{
    std::vector<Include> includes;
    std::istringstream lines(joined(text));
    for (std::string line; std::getline(lines, line);)
        for (const std::string_view sign : {"#", "%:"})
            for (std::size_t at = line.find(sign); at != std::string::npos; at = line.find(sign, at + 1))
                if (std::optional<Include> include = includeIn(std::string_view(line).substr(at + sign.size())))
                    includes.push_back(*std::move(include));
    return includes;
}

/// Zeros where no file is; what else has the name does not matter to the compiler.
struct stat stateOf(const std::string &file)
{
    struct stat state = {};
    if (::stat(file.c_str(), &state) != 0 || !S_ISREG(state.st_mode))
        state = {};
    return state;
}

bool isThere(const struct stat &state)
{
    return state.st_mode != 0;
}

Result<std::string> textOf(const std::string &file, const struct stat &state)
{
    const auto tooLarge = [&] { return sentence("the file " + quotedValue(file) + " is larger than 1 MiB"); };
    if (state.st_size > kLargestSource)
        return tooLarge();
    const Result<FileStream> in = openRegularFile(file); // What has the name may have changed.
    std::string text(kLargestSource + 1, '\0');
    if (in.ok())
        text.resize(std::fread(text.data(), 1, text.size(), in.value().get()));
    if (!in.ok() || std::ferror(in.value().get()) != 0)
        return sentence("the file " + quotedValue(file) + " cannot be read; allow it, or copy it anew");
    if (text.size() > kLargestSource)
        return tooLarge();
    return text;
}

/// Adds what changes when a file is saved or exchanged.
void mixStamp(std::uint64_t &stamp, const struct stat &state)
{
    const auto mix = [&stamp](auto value) { stamp = stamp * 1099511628211u + static_cast<std::uint64_t>(value); };
    mix(state.st_mtim.tv_sec);
    mix(state.st_mtim.tv_nsec);
    mix(state.st_size);
    mix(state.st_ino);
    mix(state.st_mode); // It may be allowed to be read only later.
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
                      "outPitch, int width, int height), or one of the other forms of stages.md in the documentation");
}

bool FileStamp::has(const std::string &file) const
{
    return std::find(m_files.begin(), m_files.end(), file) != m_files.end();
}

void FileStamp::add(const std::string &file, const struct stat &state)
{
    m_files.push_back(file);
    mixStamp(m_stamp, state);
}

bool FileStamp::isOutdated() const
{
    std::uint64_t stamp = FileStamp().m_stamp;
    for (const std::string &file : m_files)
        mixStamp(stamp, stateOf(file));
    return stamp != m_stamp;
}

Result<KernelSource> KernelSource::read(const StageAddress &address, FileStamp *looked)
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
    const Status added = source.add(file.string(), stateOf(file.string()));
    if (looked)
        *looked = source.m_stamp;
    if (!added.ok())
        return added.error();
    return source;
}

/// At a place that was not looked at before. `state`: of one look, which decides whether it is there and is its stamp.
Status KernelSource::add(const std::string &file, const struct stat &state)
{
    m_stamp.add(file, state);
    if (!isThere(state))
        return sentence("there is no file " + quotedValue(file));
    // Without symbolic links in the folder's name: "link/../name" is not "name". One in the file's own name stays,
    // because the compiler searches what the file includes beside the link.
    std::error_code error;
    const fs::path folder = fs::canonical(fs::path(file).parent_path(), error);
    if (error)
        return sentence("the folder of " + quotedValue(file) + " cannot be read: " + error.message());
    if (!m_read.insert((folder / fs::path(file).filename()).string()).second)
        return {};
    if (m_read.size() > kMaxSources)
        return sentence("it includes more than " + std::to_string(kMaxSources) + " files");
    JETSCOPE_TRY_ASSIGN(const std::string text, textOf(file, state));
    m_identity += file + " " + std::to_string(text.size()) + "\n" + text;
    if (m_read.size() == 1)
        m_text = text;
    return addIncludedBy(text, folder.string());
}

/// Where the compiler looks, as far as it can change: for "…" beside the file that includes it, then in the kernel's
/// folder; for <…> in that folder.
Status KernelSource::addIncludedBy(const std::string &text, const std::string &folder)
{
    if (text.find("__has_include") != std::string::npos)
        m_isIdentified = false;
    for (const Include &include : includesOf(text)) {
        if (include.name.empty()) {
            m_isIdentified = false;
            continue;
        }
        bool isFound = false;
        if (!include.isAngled) {
            JETSCOPE_TRY_ASSIGN(isFound, addCandidate(folder, include.name));
        }
        if (!isFound)
            JETSCOPE_TRY(addCandidate(m_folder, include.name));
    }
    return {};
}

/// Whether it is there. Else it is the compiler's to report, or to find elsewhere; if it comes later, that is a change.
Result<bool> KernelSource::addCandidate(const std::string &folder, const std::string &name)
{
    const std::string file = (fs::path(folder) / name).string();
    const struct stat state = stateOf(file);
    if (m_stamp.has(file))
        return isThere(state);
    if (m_stamp.size() >= kMaxPlaces)
        m_isIdentified = false;
    else if (isThere(state))
        JETSCOPE_TRY(add(file, state));
    else
        m_stamp.add(file, state);
    return isThere(state);
}

std::vector<std::string> KernelSource::options(const std::string &includeFolder) const
{
    std::vector<std::string> options = m_macros;
    options.push_back("-I" + m_folder);
    if (!includeFolder.empty())
        options.push_back("-I" + includeFolder);
    return options;
}

} // namespace jetscope
