// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/stages/stageoptions.h"

#include "core/settings/pipelineconfig.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <locale>
#include <map>
#include <optional>
#include <sstream>

namespace jetscope {

namespace {

constexpr int kMaxDecimals = 9;
constexpr double kUsefulSteps = 1000; ///< Of an option that takes any number.
constexpr std::size_t kMaxKernelOptions = 32;
constexpr std::size_t kMaxHelp = 400;

std::string shortNumber(double value)
{
    std::ostringstream text;
    text.imbue(std::locale::classic());
    text << value;
    return text.str();
}

/// The number of a text that is nothing else.
std::optional<double> numberIn(const std::string &text)
{
    std::istringstream in(text);
    in.imbue(std::locale::classic());
    double value = 0;
    in >> std::noskipws >> value;
    const bool isNumber = !in.fail() && in.peek() == std::istringstream::traits_type::eof();
    return isNumber && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

Result<double> placeOf(const FilterOption &option, const std::string &text)
{
    const auto found = std::find_if(option.choices.begin(), option.choices.end(),
                                    [&](const OptionChoice &each) { return each.name == text; });
    if (found != option.choices.end())
        return static_cast<double>(found - option.choices.begin());
    std::string names;
    for (std::size_t i = 0; i < option.choices.size(); ++i)
        names += (i == 0 ? "" : i + 1 == option.choices.size() ? " or " : ", ") + option.choices[i].name;
    return sentence("the option \"" + option.name + "\" must be " + names + ", not " + quotedValue(text));
}

Result<double> valueOf(const FilterOption &option, const std::string &text)
{
    if (!option.choices.empty())
        return placeOf(option, text);
    const bool hasSuffix = !option.suffix.empty() && text.ends_with(option.suffix);
    const std::optional<double> value = numberIn(hasSuffix ? text.substr(0, text.size() - option.suffix.size()) : text);
    const bool takesWhole = option.step == 1 && option.digits == 0;
    const bool isWhole = !takesWhole || (value && *value == std::floor(*value));
    if (!value || !isWhole || *value < option.least || *value > option.most)
        return sentence("the option \"" + option.name + "\" must be a " + (takesWhole ? "whole " : "") + "number from "
                        + shortNumber(option.least) + " to " + shortNumber(option.most) + ", not " + quotedValue(text));
    return *value;
}

/// What is behind a word in a text, without spaces around it; none if the text does not begin with the word.
std::optional<std::string> behind(const std::string &text, const std::string &word)
{
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string::npos || text.compare(first, word.size(), word) != 0)
        return std::nullopt;
    const std::size_t next = text.find_first_not_of(" \t\r", first + word.size());
    if (next == std::string::npos)
        return std::string();
    return text.substr(next, text.find_last_not_of(" \t\r") - next + 1);
}

std::string takeWord(std::string &text)
{
    const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
    std::string word = text.substr(0, end);
    text = behind(text.substr(end), "").value_or("");
    return word;
}

/// "0 to 1, step 0.05": into least, most and step.
bool readRange(std::string text, FilterOption &option)
{
    std::replace(text.begin(), text.end(), ',', ' ');
    const std::optional<double> least = numberIn(takeWord(text));
    const bool hasTo = takeWord(text) == "to";
    const std::optional<double> most = numberIn(takeWord(text));
    const bool hasStep = !text.empty();
    const bool named = !hasStep || takeWord(text) == "step";
    const std::optional<double> step = hasStep ? numberIn(takeWord(text)) : 0.0;
    if (!least || !hasTo || !most || !named || !step || *step < 0 || !text.empty())
        return false;
    option.least = *least;
    option.most = *most;
    option.step = *step;
    return true;
}

/// The option of a line; none if the line declares none. An error has no place yet.
Result<std::optional<FilterOption>> optionIn(const std::string &line)
{
    const std::size_t mark = line.find("//");
    const auto declared = mark == std::string::npos ? std::nullopt : behind(line.substr(mark + 2), "jetscope:");
    const auto directive = behind(line.substr(0, mark), "#");
    auto definition = directive ? behind(*directive, "define") : std::nullopt;
    if (!declared || !definition)
        return std::optional<FilterOption>();
    FilterOption option;
    option.name = takeWord(*definition);
    const std::string number = *definition;
    const std::size_t digits = std::min(number.find_last_of("0123456789.") + 1, number.size());
    option.suffix = number.substr(digits);
    const std::optional<double> usual = numberIn(number.substr(0, digits));
    const std::size_t colon = declared->find(':');
    option.help = colon == std::string::npos ? "" : behind(declared->substr(colon + 1), "").value_or("");
    if (!usual || option.name.empty() || option.suffix.size() > 3 || option.help.empty()
        || option.help.size() > kMaxHelp || !readRange(declared->substr(0, colon), option)
        || !(option.least <= *usual && *usual <= option.most))
        return sentence("an option is declared as \"#define NAME NUMBER // jetscope: LEAST to MOST, step STEP: one "
                        "sentence\", and its number must be in the range");
    option.usual = *usual;
    option.value = *usual;
    return std::optional(option);
}

} // namespace

FilterOption wordOption(std::string name, std::string help, const std::vector<std::string> &words)
{
    FilterOption option{std::move(name), std::move(help), 0, static_cast<double>(words.size()) - 1, 0, 1, 0, {}};
    for (const std::string &word : words)
        option.choices.push_back({word});
    return option;
}

const std::string &wordOf(const FilterOption &option)
{
    return option.choices.at(static_cast<std::size_t>(option.value)).name;
}

const FilterOption &optionNamed(const std::vector<FilterOption> &options, std::string_view name)
{
    return *std::find_if(options.begin(), options.end(), [name](const auto &each) { return each.name == name; });
}

int decimalsOf(const FilterOption &option)
{
    if (option.step == 1)
        return option.digits;
    const double step = option.step > 0 ? option.step : (option.most - option.least) / kUsefulSteps;
    const auto isShown = [&](int decimals) {
        const double last = step * std::pow(10, decimals); // The step in units of the last digit.
        return last > 1 - 1e-6 && (option.step <= 0 || std::abs(last - std::round(last)) < 1e-6);
    };
    int decimals = option.digits;
    while (decimals < kMaxDecimals && !isShown(decimals))
        ++decimals;
    return decimals;
}

std::string optionText(const FilterOption &option, double value)
{
    if (!option.choices.empty())
        return option.choices.at(static_cast<std::size_t>(value)).name;
    std::ostringstream stream;
    stream.imbue(std::locale::classic());
    const bool isFloat = option.suffix == "f" || option.suffix == "F"; // "1f" is no number in C++.
    stream << std::fixed << std::setprecision(std::max(decimalsOf(option), isFloat ? 1 : 0)) << value;
    std::string text = stream.str();
    if (option.digits > 0) { // More than most values need.
        text.erase(text.find_last_not_of('0') + 1);
        text.erase(text.find_last_not_of('.') + 1);
    }
    return text + option.suffix;
}

Status setOptions(std::vector<FilterOption> &options, const StageAddress &address, bool onlyThese)
{
    for (const auto &[key, text] : address.options) {
        const auto option =
            std::find_if(options.begin(), options.end(), [&key = key](const auto &each) { return each.name == key; });
        if (option != options.end()) {
            JETSCOPE_TRY_ASSIGN(option->value, valueOf(*option, text));
            continue;
        }
        if (!onlyThese)
            continue;
        std::string names;
        for (const FilterOption &each : options)
            names += (names.empty() ? "" : ", ") + each.name;
        return sentence("it has no option " + quotedValue(key) + "; "
                        + (names.empty() ? "it has none" : "its options are " + names));
    }
    return {};
}

std::string stageNameWith(const FilterRow &row, std::size_t option, double value)
{
    const std::size_t mark = std::min(row.name.find('?'), row.name.size());
    std::string text;
    const auto add = [&text](const std::string &key, const std::string &given) {
        text += (text.empty() ? "?" : "&") + key + "=" + given;
    };
    std::map<std::string, std::string> given;
    // Macros that a kernel does not declare as options stay.
    if (const Result<StageAddress> address = StageAddress::parse(row.name); address.ok())
        for (const auto &[key, its] : address.value().options) {
            given[key] = its;
            if (std::none_of(row.options.begin(), row.options.end(),
                             [&key = key](const FilterOption &each) { return each.name == key; }))
                add(key, its);
        }
    for (std::size_t i = 0; i < row.options.size(); ++i) {
        const FilterOption &each = row.options[i];
        const double now = i == option ? value : each.value;
        const auto its = given.find(each.name);
        // What only this machine makes of an option, such as a buffer that cannot be read, is not written down.
        if (now != each.usual && (i == option || its != given.end()))
            add(each.name, i == option ? optionText(each, now) : its->second);
    }
    return row.name.substr(0, mark) + text;
}

Result<std::vector<FilterOption>> kernelOptionsIn(const std::string &text, const std::string &file)
{
    std::vector<FilterOption> options;
    std::istringstream lines(text);
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        Result<std::optional<FilterOption>> found = optionIn(line);
        const auto failure = [&](const std::string &reason) {
            return sentence(file + "(" + std::to_string(number) + "): " + reason);
        };
        if (!found.ok())
            return failure(found.error().text);
        if (!found.value())
            continue;
        if (std::any_of(options.begin(), options.end(),
                        [&](const FilterOption &each) { return each.name == found.value()->name; }))
            return failure("the option " + quotedValue(found.value()->name) + " is declared twice");
        if (options.size() == kMaxKernelOptions)
            return failure("a kernel may declare at most " + std::to_string(kMaxKernelOptions) + " options");
        options.push_back(*std::move(found).value());
    }
    return options;
}

} // namespace jetscope
