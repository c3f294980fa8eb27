// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/gate/baseline.h"

#include "core/system/newfile.h"
#include "core/system/regularfile.h"
#include "core/text/jsontext.h"
#include "core/text/sha256.h"
#include "core/text/shorttext.h"

#include <simdjson.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <span>
#include <system_error>
#include <utility>

namespace jetscope {

namespace {

constexpr std::string_view kBaselineFormat = "jetscope-baseline-1";
constexpr const char *kBaselineFile = "/baseline.json";
constexpr std::size_t kMaxBaselineBytes = std::size_t{1} << 20U;
constexpr std::size_t kMaxBaselineName = 100;
constexpr std::size_t kSumDigitsInName = 12;

/// A copy of a capture in the folder of a baseline.
struct KeptCapture {
    std::string file; ///< Its name in that folder.
    std::string sum;
};

Status checkBaselineName(std::string_view name)
{
    const bool isPlain = !name.empty() && name.size() <= kMaxBaselineName && name.front() != '.'
        && std::all_of(name.begin(), name.end(), [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_'
                   || c == '.';
           });
    return isPlain
        ? Status()
        : sentence(quotedWords(name) + " cannot be the name of a baseline: take letters, digits, -, _ and .");
}

/// Reads the file piece by piece; its SHA-256.
template <class Take>
Result<std::string> readThrough(const std::string &path, Take take)
{
    JETSCOPE_TRY_ASSIGN(const FileStream file, openRegularFile(path));
    Sha256 sum;
    std::string piece(std::size_t{1} << 18U, '\0');
    while (const std::size_t got = std::fread(piece.data(), 1, piece.size(), file.get())) {
        const std::string_view bytes = std::string_view(piece).substr(0, got);
        sum.add(std::as_bytes(std::span(bytes)));
        take(bytes);
    }
    if (std::ferror(file.get()) != 0)
        return sentence(path + " cannot be read to its end");
    return sum.hex();
}

Result<KeptCapture> keepCapture(const std::string &capture, const std::string &folder)
{
    JETSCOPE_TRY_ASSIGN(const std::string sum, readThrough(capture, [](std::string_view) {}));
    KeptCapture kept{sum.substr(0, kSumDigitsInName) + ".jscope", sum};
    const std::string path = folder + "/" + kept.file;
    std::error_code unknown;
    if (std::filesystem::exists(path, unknown))
        return kept;
    JETSCOPE_TRY_ASSIGN(OutputFile copy, OutputFile::create(path));
    JETSCOPE_TRY_ASSIGN(const std::string again,
                        readThrough(capture, [&](std::string_view bytes) { copy.write(bytes); }));
    if (again != sum)
        return sentence(capture + " changed while it was copied: wait until its recording has ended");
    JETSCOPE_TRY(copy.finish());
    return kept;
}

std::string baselineJson(const std::vector<KeptCapture> &captures, const std::vector<std::string> &reasons)
{
    std::string text = "{\"format\":";
    appendJsonText(text, kBaselineFormat);
    text += ",\"captures\":[";
    for (const KeptCapture &capture : captures) {
        text += text.ends_with('[') ? "{\"file\":" : ",{\"file\":";
        appendJsonText(text, capture.file);
        text += ",\"sha256\":";
        appendJsonText(text, capture.sum);
        text += "}";
    }
    text += "],\"reasons\":[";
    for (const std::string &reason : reasons) {
        text += text.ends_with('[') ? "" : ",";
        appendJsonText(text, reason);
    }
    return text + "]}\n";
}

struct BaselineFile {
    std::vector<KeptCapture> captures;
    std::vector<std::string> reasons;
};

Result<BaselineFile> readBaselineFile(const std::string &path)
{
    const Error wrong = sentence(path + " is no baseline of this version: set it anew with \"jetscope baseline set\"");
    JETSCOPE_TRY_ASSIGN(const std::string text, readRegularFile(path, kMaxBaselineBytes));
    simdjson::dom::parser parser;
    simdjson::dom::element root;
    std::string_view format;
    simdjson::dom::array captures;
    simdjson::dom::array reasons;
    if (parser.parse(text).get(root) != simdjson::SUCCESS || root["format"].get(format) != simdjson::SUCCESS
        || format != kBaselineFormat || root["captures"].get(captures) != simdjson::SUCCESS
        || root["reasons"].get(reasons) != simdjson::SUCCESS)
        return wrong;
    BaselineFile file;
    for (const simdjson::dom::element capture : captures) {
        std::string_view name;
        std::string_view sum;
        if (capture["file"].get(name) != simdjson::SUCCESS || capture["sha256"].get(sum) != simdjson::SUCCESS
            || name.find('/') != std::string_view::npos)
            return wrong;
        file.captures.push_back({std::string(name), std::string(sum)});
    }
    for (const simdjson::dom::element reason : reasons) {
        std::string_view words;
        if (reason.get(words) != simdjson::SUCCESS)
            return wrong;
        file.reasons.emplace_back(words);
    }
    return file.captures.empty() ? Result<BaselineFile>(wrong) : Result<BaselineFile>(std::move(file));
}

/// Copies that the baseline does not name.
void removeOthers(const std::string &folder, const std::vector<KeptCapture> &kept)
{
    std::set<std::string> names;
    for (const KeptCapture &capture : kept)
        names.insert(capture.file);
    std::error_code unknown;
    std::vector<std::filesystem::path> others;
    for (const auto &entry : std::filesystem::directory_iterator(folder, unknown))
        if (entry.path().extension() == ".jscope" && !names.contains(entry.path().filename().string()))
            others.push_back(entry.path());
    for (const std::filesystem::path &other : others)
        std::filesystem::remove(other, unknown);
}

} // namespace

std::string Baselines::folderOfThisUser()
{
    if (const char *data = std::getenv("XDG_DATA_HOME"); data && *data == '/')
        return std::string(data) + "/jetscope/baselines";
    if (const char *home = std::getenv("HOME"); home && *home == '/')
        return std::string(home) + "/.local/share/jetscope/baselines";
    return {};
}

Status Baselines::set(const std::string &name, const std::vector<std::string> &captures,
                      const std::string &reason) const
{
    JETSCOPE_TRY(checkBaselineName(name));
    const std::string folder = folderOf(name);
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        return cannotCreate(folder, error.value());
    std::vector<KeptCapture> kept;
    for (const std::string &capture : captures) {
        JETSCOPE_TRY_ASSIGN(KeptCapture one, keepCapture(capture, folder));
        kept.push_back(std::move(one));
    }
    std::vector<std::string> reasons;
    if (Result<BaselineFile> earlier = readBaselineFile(folder + kBaselineFile); earlier.ok())
        reasons = std::move(earlier).value().reasons;
    if (!reason.empty())
        reasons.push_back(reason);
    JETSCOPE_TRY(replaceFile(folder + kBaselineFile, [&](const std::string &place) -> Status {
        JETSCOPE_TRY_ASSIGN(OutputFile file, OutputFile::create(place));
        file.write(baselineJson(kept, reasons));
        return file.finish();
    }));
    removeOthers(folder, kept);
    return {};
}

Result<Baseline> Baselines::find(const std::string &name) const
{
    JETSCOPE_TRY(checkBaselineName(name));
    std::error_code unknown;
    if (!std::filesystem::exists(folderOf(name) + kBaselineFile, unknown))
        return sentence("there is no baseline " + quotedWords(name) + " in " + m_folder
                        + ": make it with \"jetscope baseline set " + name + " CAPTURE\"");
    JETSCOPE_TRY_ASSIGN(BaselineFile file, readBaselineFile(folderOf(name) + kBaselineFile));
    Baseline baseline{name, {}, std::move(file.reasons)};
    for (const KeptCapture &capture : file.captures) {
        const std::string path = folderOf(name) + "/" + capture.file;
        JETSCOPE_TRY_ASSIGN(const std::string sum, readThrough(path, [](std::string_view) {}));
        if (sum != capture.sum)
            return sentence(path + " was changed since it became the baseline: set it anew");
        baseline.captures.push_back(path);
    }
    return baseline;
}

std::vector<std::string> Baselines::names() const
{
    std::vector<std::string> names;
    std::error_code unknown;
    for (const auto &entry : std::filesystem::directory_iterator(m_folder, unknown))
        if (std::filesystem::exists(entry.path().string() + kBaselineFile, unknown))
            names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

} // namespace jetscope
