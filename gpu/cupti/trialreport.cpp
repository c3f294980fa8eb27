// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cupti/trialreport.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace jetscope {

namespace {

constexpr std::size_t kMaxText = 2'000;
constexpr std::size_t kMaxRemarks = 16;
constexpr std::string_view kManagedWord = "concurrent-managed-access";

constexpr std::pair<TrialReport::Verdict, std::string_view> kVerdictWords[] = {
    {TrialReport::Verdict::Usable, "usable"},
    {TrialReport::Verdict::Absent, "absent"},
    {TrialReport::Verdict::Failed, "failed"},
    {TrialReport::Verdict::Final, "final"},
};

std::string oneLine(std::string_view text)
{
    std::string line(text.substr(0, kMaxText));
    std::replace_if(
        line.begin(), line.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
    return line;
}

} // namespace

std::string TrialReport::text() const
{
    std::string all;
    const auto add = [&](std::string_view word, std::string_view value) {
        all += std::string(word) + " " + oneLine(value) + "\n";
    };
    add("library", library);
    add("version", version);
    for (const std::string &remark : remarks)
        add("remark", remark);
    if (concurrentManagedAccess)
        add(kManagedWord, *concurrentManagedAccess ? "1" : "0");
    for (const auto &[known, word] : kVerdictWords)
        if (known == verdict)
            add(word, reason);
    return all;
}

std::optional<TrialReport> TrialReport::parse(std::string_view text)
{
    TrialReport report;
    bool judged = false;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos)
            break; // The child ended while it was writing.
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(end + 1);
        const std::size_t gap = std::min(line.find(' '), line.size());
        const std::string_view word = line.substr(0, gap);
        std::string value = oneLine(line.substr(std::min(gap + 1, line.size())));
        if (word == "library")
            report.library = std::move(value);
        else if (word == "version")
            report.version = std::move(value);
        else if (word == kManagedWord && (value == "0" || value == "1"))
            report.concurrentManagedAccess = value == "1";
        else if (word == "remark" && report.remarks.size() < kMaxRemarks)
            report.remarks.push_back(std::move(value));
        else if (const auto verdict = std::find_if(std::begin(kVerdictWords), std::end(kVerdictWords),
                                                   [word](const auto &entry) { return entry.second == word; });
                 verdict != std::end(kVerdictWords)) {
            judged = true;
            report.verdict = verdict->first;
            report.reason = std::move(value);
        }
    }
    return judged ? std::optional(std::move(report)) : std::nullopt;
}

} // namespace jetscope
