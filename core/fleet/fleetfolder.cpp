// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/fleetfolder.h"

#include "core/fleet/fleetreader.h"
#include "core/fleet/gziplines.h"
#include "core/system/newfile.h"
#include "core/text/jsontext.h"
#include "core/text/parsenumber.h"
#include "core/text/sha256.h"
#include "core/text/shorttext.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

namespace jetscope {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kRuns = "runs";
constexpr std::string_view kFrames = "frames";
constexpr std::string_view kRowsSuffix = ".jsonl.gz";
constexpr std::size_t kWrittenAtOnce = std::size_t{1} << 16U;

std::string schemaFolder()
{
    return "schema=" + std::to_string(kFleetSchema);
}

bool isPlainInName(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' || c == '-'
        || c == '_';
}

/// The value of a folder "key=value"; empty if it is another one.
std::optional<std::string> valueOfFolder(std::string_view folder, std::string_view key)
{
    if (!folder.starts_with(key) || folder.size() <= key.size() || folder[key.size()] != '=')
        return std::nullopt;
    folder.remove_prefix(key.size() + 1);
    std::string value;
    const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'A' + 10; };
    for (std::size_t i = 0; i < folder.size(); ++i) {
        if (folder[i] == '%' && i + 2 < folder.size() && std::isxdigit(static_cast<unsigned char>(folder[i + 1]))
            && std::isxdigit(static_cast<unsigned char>(folder[i + 2]))) {
            value += static_cast<char>(digit(folder[i + 1]) * 16 + digit(folder[i + 2]));
            i += 2;
        } else {
            value += folder[i];
        }
    }
    return value;
}

std::string placeOf(const std::string &root, std::string_view kind, const FleetRow &row)
{
    return root + "/" + std::string(kind) + "/" + schemaFolder() + "/soc=" + nameInPath(row.soc)
        + "/jetpack=" + nameInPath(row.jetpack) + "/date=" + nameInPath(row.date);
}

Status makeFolders(const std::string &path)
{
    std::error_code error;
    fs::create_directories(path, error);
    return error ? Status(cannotCreate(path, error.value())) : Status();
}

/// A line of each value. False if another writer has made it meanwhile.
template <class Values, class Append>
Result<bool> writeLines(const std::string &path, const Values &values, Append append)
{
    const auto write = [&]() -> Status {
        JETSCOPE_TRY_ASSIGN(GzipFile file, GzipFile::create(path));
        std::string lines;
        for (const auto &value : values) {
            append(lines, value);
            if (lines.size() < kWrittenAtOnce)
                continue;
            file.write(lines);
            lines.clear();
        }
        file.write(lines);
        return file.finish();
    };
    std::error_code unknown;
    if (fs::exists(path, unknown))
        return false;
    const Status done = write();
    if (done.ok())
        return true;
    if (fs::exists(path, unknown))
        return false;
    return done.error();
}

void appendFrame(std::string &to, const std::string &run, const FrameFigures &frame)
{
    to += "{\"run\":";
    appendJsonText(to, run);
    for (const FrameField &field : frameFields()) {
        to.append(",\"").append(field.name).append("\":");
        appendNumber(to, field.get(frame));
    }
    to += "}\n";
}

/// The folders below one, by name; each must be "key=value" of this key.
Result<std::vector<std::pair<std::string, std::string>>> keyedFolders(const std::string &path, std::string_view key)
{
    std::vector<std::pair<std::string, std::string>> found; // Value and path.
    std::error_code error;
    for (fs::directory_iterator it(path, error), end; !error && it != end; it.increment(error)) {
        const std::string name = it->path().filename().string();
        if (name.starts_with('.') || name.starts_with('_')) // As Hive's readers do.
            continue;
        const auto value = valueOfFolder(name, key);
        if (!value || !it->is_directory(error))
            return sentence(it->path().string() + " does not belong into the folder of a fleet: move it away");
        found.emplace_back(*value, it->path().string());
    }
    if (error)
        return sentence(path + " cannot be read (" + error.message() + ")");
    std::sort(found.begin(), found.end());
    return found;
}

/// The files of one day.
Status listDay(const std::string &path, const FleetFile &day, FleetListing &to)
{
    std::error_code error;
    for (fs::directory_iterator it(path, error), end; !error && it != end; it.increment(error)) {
        FleetFile file = day;
        file.path = it->path().string();
        const std::string name = it->path().filename().string();
        if (name.find(std::string(kRowsSuffix) + ".part") != std::string::npos)
            ++to.unfinished;
        else if (name.ends_with(kRowsSuffix))
            to.files.push_back(std::move(file));
        else if (!name.starts_with('.') && !name.starts_with('_'))
            return sentence(file.path + " does not belong into the folder of a fleet: move it away");
    }
    return error ? Status(sentence(path + " cannot be read (" + error.message() + ")")) : Status();
}

/// Days are dealt out in turn.
void keepPart(FleetListing &listing, const FleetPart &part)
{
    std::map<std::string, std::size_t> days;
    for (const FleetFile &file : listing.files)
        days.try_emplace(fs::path(file.path).parent_path().string(), days.size());
    std::erase_if(listing.files, [&](const FleetFile &file) {
        return days.at(fs::path(file.path).parent_path().string()) % part.count != part.index;
    });
}

/// A compacted file has the name of what it was made of: two compactions at once make the same one.
std::string compactedName(const std::vector<FleetFile> &files)
{
    Sha256 sum;
    for (const FleetFile &file : files) {
        const std::string name = fs::path(file.path).filename().string() + "\n";
        sum.add(std::as_bytes(std::span(name)));
    }
    return fs::path(files.front().path).parent_path().string() + "/" + std::string(kFleetDayPrefix)
        + sum.hex().substr(0, 16) + std::string(kRowsSuffix);
}

Status compactDay(const std::vector<FleetFile> &files, FleetCompaction &done, Progress &progress)
{
    const std::string name = compactedName(files);
    JETSCOPE_TRY_ASSIGN(GzipFile packed, GzipFile::create(name));
    std::string lines;
    FleetReader reader(FleetReader::kNoLimit);
    for (const FleetFile &file : files) {
        JETSCOPE_TRY(reader.read(file, [&](const FleetRow &, std::string_view line) -> Status {
            lines.append(line).append("\n");
            if (lines.size() >= kWrittenAtOnce) {
                packed.write(lines);
                lines.clear();
            }
            return progress.advance(0) ? Status() : cancelledError();
        }));
    }
    packed.write(lines);
    JETSCOPE_TRY(packed.finish());
    for (const FleetFile &file : files) {
        std::error_code unknown;
        fs::remove(file.path, unknown); // One that stays is read once: its runs are in the new file, too.
    }
    ++done.folders;
    done.filesBefore += files.size();
    done.rows += reader.rows();
    done.repeated += reader.repeated();
    return {};
}

} // namespace

std::string nameInPath(std::string_view value)
{
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    std::string name;
    for (const char c : value.empty() ? std::string_view("unknown") : value) {
        const auto byte = static_cast<unsigned char>(c);
        if (isPlainInName(c) && !(name.empty() && c == '.'))
            name += c;
        else
            name += {'%', kDigits[byte >> 4U], kDigits[byte & 15U]};
    }
    return name;
}

std::string fleetOfPath(const std::string &path)
{
    std::error_code unknown;
    const std::string runs = "/" + std::string(kRuns);
    if (fs::is_directory(path, unknown))
        return fs::is_directory(path + runs, unknown) ? path : std::string();
    const std::size_t inner = path.rfind(runs + "/" + schemaFolder() + "/");
    return inner != std::string::npos && path.ends_with(kRowsSuffix) && fs::is_regular_file(path, unknown)
        ? path.substr(0, inner)
        : std::string();
}

Result<FleetPart> FleetPart::parse(std::string_view text)
{
    constexpr std::size_t kMostParts = 10'000;
    const std::size_t slash = text.find('/');
    const auto index = parseNumber<std::size_t>(text.substr(0, slash));
    const auto count = slash == std::string_view::npos
        ? std::nullopt
        : parseNumber<std::size_t>(text.substr(slash + 1), 1, kMostParts);
    if (!index || !count || *index >= *count)
        return sentence(quotedWords(text) + " is no part: write 0/4 for the first of four");
    return FleetPart{*index, *count};
}

FleetFolder FleetFolder::part(const FleetPart &part) const
{
    FleetFolder share = *this;
    share.m_part = part;
    return share;
}

Result<FleetFolder> FleetFolder::create(const std::string &path)
{
    std::error_code unknown;
    const bool isFleet = fs::is_directory(path + "/" + std::string(kRuns), unknown);
    if (!isFleet && fs::exists(path, unknown) && !fs::is_empty(path, unknown))
        return sentence(path + " has other things in it and is no folder of a fleet: take a new folder");
    JETSCOPE_TRY(makeFolders(path + "/" + std::string(kRuns)));
    return FleetFolder(path);
}

Result<FleetFolder> FleetFolder::open(const std::string &path)
{
    std::error_code unknown;
    if (!fs::is_directory(path + "/" + std::string(kRuns), unknown))
        return sentence(path + " is no folder of a fleet: \"jetscope fleet add " + path + " CAPTURE\" makes one");
    return FleetFolder(path);
}

Result<bool> FleetFolder::add(const FleetRun &run) const
{
    const FleetRow &first = run.rows.front();
    const std::string name = "/" + nameInPath(first.board) + "-" + nameInPath(first.run) + std::string(kRowsSuffix);
    // The frames first: a run that can be seen has them.
    if (!run.frames.empty()) {
        const std::string frames = placeOf(m_path, kFrames, first);
        JETSCOPE_TRY(makeFolders(frames));
        JETSCOPE_TRY_ASSIGN(const bool isNew,
                            writeLines(frames + name, run.frames, [&first](std::string &to, const FrameFigures &frame) {
                                appendFrame(to, first.run, frame);
                            }));
        static_cast<void>(isNew);
    }
    const std::string runs = placeOf(m_path, kRuns, first);
    JETSCOPE_TRY(makeFolders(runs));
    return writeLines(runs + name, run.rows, appendFleetRow);
}

std::string FleetFolder::parquetOf(const FleetFile &file) const
{
    std::string path = m_path + "/parquet" + file.path.substr(m_path.size() + 1 + kRuns.size());
    path.resize(path.size() - kRowsSuffix.size());
    return path + ".parquet";
}

Result<FleetListing> FleetFolder::list() const
{
    FleetListing listing;
    const std::string runs = m_path + "/" + std::string(kRuns);
    JETSCOPE_TRY_ASSIGN(const auto schemas, keyedFolders(runs, "schema"));
    for (const auto &[schema, schemaPath] : schemas) {
        if (schema != std::to_string(kFleetSchema))
            return sentence(schemaPath + " has rows of schema " + quotedWords(schema)
                            + ", and this program reads schema " + std::to_string(kFleetSchema)
                            + ": use the version that wrote them, or move them away");
        JETSCOPE_TRY_ASSIGN(const auto socs, keyedFolders(schemaPath, "soc"));
        for (const auto &[soc, socPath] : socs) {
            JETSCOPE_TRY_ASSIGN(const auto jetpacks, keyedFolders(socPath, "jetpack"));
            for (const auto &[jetpack, jetpackPath] : jetpacks) {
                JETSCOPE_TRY_ASSIGN(const auto dates, keyedFolders(jetpackPath, "date"));
                for (const auto &[date, datePath] : dates)
                    JETSCOPE_TRY(listDay(datePath, {{}, soc, jetpack, date}, listing));
            }
        }
    }
    std::sort(listing.files.begin(), listing.files.end(),
              [](const FleetFile &a, const FleetFile &b) { return a.path < b.path; });
    if (m_part.count > 1)
        keepPart(listing, m_part);
    return listing;
}

Result<FleetCompaction> FleetFolder::compact(Progress &progress) const
{
    JETSCOPE_TRY_ASSIGN(const FleetListing listing, list());
    std::map<std::string, std::vector<FleetFile>> days;
    for (const FleetFile &file : listing.files)
        days[fs::path(file.path).parent_path().string()].push_back(file);
    FleetCompaction done;
    for (const auto &[path, files] : days)
        if (files.size() > 1)
            JETSCOPE_TRY(compactDay(files, done, progress));
    return done;
}

} // namespace jetscope
