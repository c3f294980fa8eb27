// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/perfettoarchive.h"

#include "core/exchange/exporters.h"
#include "core/system/regularfile.h"
#include "core/system/temporaryfolder.h"
#include "core/text/jsontext.h"
#include "core/text/shorttext.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <system_error>

namespace jetscope {

namespace {

constexpr std::size_t kTarBlock = 512;
constexpr std::size_t kMaxMemberName = 99;
constexpr std::uint64_t kMaxMemberBytes = (std::uint64_t{1} << 33U) - 1; ///< Eleven octal digits.
constexpr std::size_t kCopiedAtOnce = std::size_t{1} << 20U;
/// The member to whose clock all others are placed. Perfetto reads members in the order of their names, and the clock
/// of the first becomes its time line: what would lie before its begin is dropped. No other name sorts before a '+'.
constexpr std::string_view kBeginMember = "+begin.json";
constexpr std::string_view kBeginTrace = "{\"traceEvents\":[]}";
/// Machines whose times of day are set at all differ by less.
constexpr std::int64_t kMostClockErrorNs = 5'000'000'000;

/// The head of a member in POSIX's ustar format.
struct TarHead {
    std::array<char, kTarBlock> bytes{};

    void text(std::size_t at, std::string_view value) { std::memcpy(bytes.data() + at, value.data(), value.size()); }
    void octal(std::size_t at, std::size_t digits, std::uint64_t value)
    {
        for (std::size_t i = digits; i > 0; --i, value /= 8)
            bytes[at + i - 1] = static_cast<char>('0' + value % 8);
    }
    /// The sum is of all bytes, with blanks in its own place.
    void seal()
    {
        constexpr std::size_t kSumAt = 148;
        text(kSumAt, "        ");
        const unsigned sum = std::accumulate(bytes.begin(), bytes.end(), 0U,
                                             [](unsigned s, char c) { return s + static_cast<unsigned char>(c); });
        octal(kSumAt, 6, sum);
        bytes[kSumAt + 6] = '\0';
    }
};

bool isPlainInMember(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' || c == '-'
        || c == '_';
}

} // namespace

Result<PerfettoArchive> PerfettoArchive::create(const std::string &path)
{
    JETSCOPE_TRY_ASSIGN(OutputFile file, OutputFile::create(path));
    return PerfettoArchive(std::move(file));
}

void PerfettoArchive::beginMember(const std::string &name, std::uint64_t bytes)
{
    TarHead head;
    head.text(0, name);
    head.octal(100, 7, 0644);
    head.octal(108, 7, 0);
    head.octal(116, 7, 0);
    head.octal(124, 11, bytes);
    head.octal(136, 11, 0); // No time, so that the same traces give the same bytes.
    head.text(156, "0");
    head.text(257,
              std::string_view("ustar\0"
                               "00",
                               8));
    head.seal();
    m_file.write({head.bytes.data(), head.bytes.size()});
}

void PerfettoArchive::endMember(std::uint64_t bytes)
{
    m_file.write(std::string((kTarBlock - bytes % kTarBlock) % kTarBlock, '\0'));
}

Status PerfettoArchive::add(const Trace &trace, std::string_view file, const std::string &machine, Progress &progress)
{
    const auto offset = trace.unixOffsetNs();
    if (!offset)
        return sentence(std::string(file)
                        + " does not say at which time of day it was recorded, and so has no place among others");
    std::string name;
    for (const char c : file.substr(0, kMaxMemberName - std::string_view("-1234.json").size()))
        name += isPlainInMember(c) && !(c == '.' && name.empty()) ? c : '_'; // A dot in front would hide it.
    if (name.empty())
        name = "trace";
    const auto isTaken = [&](const std::string &wanted) {
        return std::any_of(m_members.begin(), m_members.end(), [&](const Member &each) { return each.name == wanted; });
    };
    std::string unique = name + ".json";
    for (int i = 2; isTaken(unique); ++i)
        unique = name + "-" + std::to_string(i) + ".json";
    // A member's size stands before it.
    JETSCOPE_TRY_ASSIGN(const TemporaryFolder place, TemporaryFolder::create());
    const std::string written = place.path() + "/trace.json";
    const int processesBefore = static_cast<int>(m_members.size()) * kChromeProcesses;
    JETSCOPE_TRY(exportChromeBeside(trace, written, processesBefore, progress));
    std::error_code unknown;
    const std::uint64_t bytes = std::filesystem::file_size(written, unknown);
    if (bytes > kMaxMemberBytes)
        return sentence(std::string(file)
                        + " becomes larger than the 8 GB that a tar of Perfetto may hold of a file: record less");
    beginMember(unique, bytes);
    JETSCOPE_TRY_ASSIGN(const FileStream from, openRegularFile(written));
    std::string piece(kCopiedAtOnce, '\0');
    std::uint64_t copied = 0;
    while (const std::size_t got = std::fread(piece.data(), 1, piece.size(), from.get())) {
        m_file.write({piece.data(), got});
        copied += got;
    }
    if (copied != bytes)
        return sentence(written + " cannot be read to its end");
    endMember(bytes);
    const std::int64_t beginNs = chromeBaseNs(trace);
    Member member{unique, machine, beginNs + *offset, {}};
    for (const ClockMeeting &meeting : trace.origin().clocks) {
        const std::pair found{beginNs - meeting.offsetNs, meeting.boundNs};
        const auto [known, isNew] = member.met.try_emplace(meeting.clock, found);
        if (!isNew && meeting.boundNs < known->second.second)
            known->second = found;
    }
    m_members.push_back(std::move(member));
    return {};
}

void PerfettoArchive::placeByMeetings()
{
    std::map<std::string, const Member *> firsts; // The member that stands for each clock.
    for (Member &member : m_members)
        for (const auto &[clock, found] : member.met) {
            const auto [known, isNew] = firsts.try_emplace(clock, &member);
            if (isNew)
                continue;
            const Member &first = *known->second;
            const std::int64_t unixNs = first.unixNs + found.first - first.met.at(clock).first;
            if (std::abs(unixNs - member.unixNs) > kMostClockErrorNs)
                continue;
            member.unixNs = unixNs;
            break;
        }
}

/// Perfetto knows it by its first bytes. A Chrome trace has a clock of its own, which is placed against the begin of
/// the earliest one.
std::string PerfettoArchive::manifest() const
{
    const Member &first = *std::min_element(m_members.begin(), m_members.end(),
                                            [](const Member &a, const Member &b) { return a.unixNs < b.unixNs; });
    std::string json = "{\"perfetto_manifest\":{\"version\":1,\"files\":[";
    const auto begin = [&json](std::string_view name, const std::string &machine) {
        json += json.ends_with('[') ? "\n{\"path\":" : ",\n{\"path\":";
        appendJsonText(json, name);
        json += ",\"machine\":{\"name\":";
        appendJsonText(json, machine);
        json += '}';
    };
    begin(kBeginMember, first.machine);
    json += '}';
    for (const Member &member : m_members) {
        begin(member.name, member.machine);
        json += ",\"clocks\":{\"sync_to\":{\"file\":";
        appendJsonText(json, kBeginMember);
        json += "},\"offset_ns\":" + std::to_string(member.unixNs - first.unixNs) + "}}";
    }
    return json + "\n]}}\n";
}

void PerfettoArchive::addText(const std::string &name, std::string_view text)
{
    beginMember(name, text.size());
    m_file.write(text);
    endMember(text.size());
}

Status PerfettoArchive::finish()
{
    placeByMeetings();
    addText("perfetto_manifest.json", manifest());
    addText(std::string(kBeginMember), kBeginTrace);
    m_file.write(std::string(2 * kTarBlock, '\0'));
    return m_file.finish();
}

} // namespace jetscope
