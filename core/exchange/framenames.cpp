// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/framenames.h"

#include "core/exchange/jsontoken.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace jetscope {

namespace {

constexpr std::string_view kNumberDigits = "0123456789";

/// Whether the text ends with the word "frame" in any case: matches "frame 3", "process_frame" and "processFrame", but
/// not "wireframe".
bool endsWithFrame(std::string_view text)
{
    constexpr std::string_view kWord = "frame";
    const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    const auto isSame = [](char wanted, char found) { return (found | 0x20) == wanted; };
    const std::string_view word = withoutNumber(text);
    if (word.size() < kWord.size() || !std::equal(kWord.begin(), kWord.end(), word.end() - kWord.size(), isSame))
        return false;
    const std::size_t first = word.size() - kWord.size();
    return first == 0 || word[first] == 'F' || !isLetter(word[first - 1]);
}

bool isProfilerStep(std::string_view text)
{
    constexpr std::string_view kStep = "ProfilerStep#";
    return text.starts_with(kStep) && text.size() > kStep.size()
        && text.find_first_not_of(kNumberDigits, kStep.size()) == std::string_view::npos;
}

} // namespace

std::optional<unsigned> loopNumber(std::string_view framesBy)
{
    constexpr std::string_view prefix = "site:";
    if (!framesBy.starts_with(prefix))
        return std::nullopt;
    framesBy = framesBy.substr(prefix.size());
    const auto number = countOf(framesBy.substr(0, framesBy.find(' ')));
    return number && *number > 0 && *number < 1000 ? std::optional(static_cast<unsigned>(*number)) : std::nullopt;
}

bool isFunctionName(std::string_view text)
{
    constexpr std::string_view kWithin[] = {".py(", ".py:", ".pyx(", ".pyx:"};
    constexpr std::string_view kBefore[] = {"<built-in", "aten::", "torch::", "autograd::", "nn.Module:"};
    return std::any_of(std::begin(kWithin), std::end(kWithin),
                       [text](std::string_view part) { return text.find(part) != std::string_view::npos; })
        || std::any_of(std::begin(kBefore), std::end(kBefore),
                       [text](std::string_view part) { return text.starts_with(part); });
}

FrameNames::FrameNames(std::string asked) : m_asked(std::move(asked)) {}

std::optional<FrameSign> FrameNames::signOf(std::string_view text) const
{
    const auto sign = [](bool holds, FrameSign which) { return holds ? std::optional(which) : std::nullopt; };
    if (m_asked.empty())
        return isProfilerStep(text) ? FrameSign::ProfilerStep
                                    : sign(endsWithFrame(text) && !isFunctionName(text), FrameSign::SaysFrame);
    if (text == m_asked)
        return FrameSign::Asked;
    const bool asksForOne = kNumberDigits.find(m_asked.back()) != std::string_view::npos; // "conv2" is not "conv3".
    return sign(!asksForOne && text.size() > m_asked.size() && text.starts_with(m_asked)
                    && withoutNumber(text) == withoutNumber(m_asked),
                FrameSign::Asked);
}

void FrameChoices::add(std::string_view text, std::uint64_t count, std::int64_t durationNs)
{
    const std::string_view name = withoutNumber(text);
    if (name.empty())
        return;
    Sum &sum = m_sums[std::string(name)];
    sum.count += count;
    sum.durationNs += static_cast<double>(durationNs);
}

std::vector<std::string> FrameChoices::names() const
{
    constexpr std::size_t kMax = 30;
    std::vector<std::pair<double, std::string>> repeated;
    for (const auto &[name, sum] : m_sums)
        if (sum.count > 1)
            repeated.emplace_back(sum.durationNs, name);
    const auto last = repeated.begin() + static_cast<std::ptrdiff_t>(std::min(kMax, repeated.size()));
    std::partial_sort(repeated.begin(), last, repeated.end(), [](const auto &a, const auto &b) {
        return std::tie(b.first, a.second) < std::tie(a.first, b.second);
    });
    std::vector<std::string> names;
    for (auto at = repeated.begin(); at != last; ++at)
        names.push_back(std::move(at->second));
    return names;
}

} // namespace jetscope
