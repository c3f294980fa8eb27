// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/board/topscreen.h"

#include "app/commandline/jsonvalues.h"
#include "app/commandline/textlayout.h"
#include "core/board/boardwords.h"
#include "core/enumtable.h"
#include "core/text/utf8.h"

#include <algorithm>
#include <cmath>

namespace jetscope {

namespace {

constexpr std::size_t kCellWidth = 40; ///< Of one value with its bar.
constexpr std::size_t kReadingNameWidth = 16;
constexpr std::size_t kReadingWidth = 11;
constexpr std::size_t kReadingBarWidth = kCellWidth - kReadingNameWidth - kReadingWidth - 2;
constexpr double kHighLoad = 0.9;

constexpr const char *kPlain = "\x1b[0m";
constexpr const char *kBold = "\x1b[1m";
constexpr const char *kGreen = "\x1b[32m";
constexpr const char *kYellow = "\x1b[33m";
constexpr const char *kRed = "\x1b[31m";

/// The first characters of a text, at most `width` columns.
std::string cut(std::string_view text, std::size_t width)
{
    std::string head;
    for (std::size_t columns = 0; !text.empty() && columns < width; ++columns) {
        const std::size_t length = std::max<std::size_t>(1, characterLength(text));
        head += text.substr(0, length);
        text.remove_prefix(length);
    }
    return head;
}

/// Exactly `width` columns.
std::string fitted(std::string_view text, std::size_t width)
{
    std::string head = cut(text, width);
    head.append(width - std::min(width, textWidth(head)), ' ');
    return head;
}

/// The name without what its group says already: "AO-therm" of "temperature AO-therm".
std::string_view shortName(const BoardItem &item)
{
    std::string_view name = item.name;
    for (const std::string_view group : {"temperature ", "power "})
        if (name.starts_with(group) && item.quantity != BoardQuantity::PowerMode)
            name.remove_prefix(group.size());
    return name;
}

std::string bar(double part, std::size_t width)
{
    const auto filled = static_cast<std::size_t>(std::lround(part * static_cast<double>(width)));
    return std::string(filled, '|') + std::string(width - filled, ' ');
}

/// One value in a cell of kCellWidth columns.
std::string cell(const BoardItem &item, const Reading<double> &reading, const PowerModes &modes, bool colour)
{
    const std::string value = readingText(item, reading, modes);
    std::string text = fitted(shortName(item), kReadingNameWidth) + " ";
    const std::optional<double> part = barOf(item, reading);
    if (!part)
        return text + fitted(value, kCellWidth - kReadingNameWidth - 1);
    const char *paint = *part < kHighLoad ? kGreen : item.quantity == BoardQuantity::Temperature ? kRed : kYellow;
    text += (colour ? paint : "") + bar(*part, kReadingBarWidth) + (colour ? kPlain : "") + " ";
    return text + rightAligned(cut(value, kReadingWidth - 1), kReadingWidth - 1) + " ";
}

class Screen {
public:
    Screen(TerminalSize size, bool colour) : m_size(size), m_colour(colour) {}

    void add(std::string_view text, const char *paint = nullptr)
    {
        const std::string head = cut(text, m_size.columns);
        m_lines.push_back(paint && m_colour ? paint + head + kPlain : head);
    }
    /// A group of values in as many columns as there is room for.
    void addGroup(BoardPart group, const BoardLayout &layout, const BoardState &state, bool details)
    {
        std::vector<std::string> cells;
        for (std::size_t i = 0; i < layout.items.size(); ++i) {
            const BoardItem &item = layout.items[i];
            const bool isShown = item.part == group && (details || !item.detail)
                && (state.values[i].known() || (item.unavailable.empty() && !item.detail));
            if (isShown)
                cells.push_back(cell(item, state.values[i], layout.modes, m_colour));
        }
        if (cells.empty())
            return;
        add(partName(group), kBold);
        const std::size_t columns = std::max<std::size_t>(1, m_size.columns / kCellWidth);
        for (std::size_t at = 0; at < cells.size(); at += columns) {
            std::string line;
            for (std::size_t i = at; i < std::min(at + columns, cells.size()); ++i)
                line += cells[i];
            // Cells are of equal width, so only a narrow terminal cuts them; then they have no colours.
            m_lines.push_back(m_size.columns < kCellWidth ? cut(line, m_size.columns) : line);
        }
    }
    std::size_t lines() const { return m_lines.size(); }
    std::vector<std::string> take()
    {
        if (m_lines.size() > m_size.rows && m_size.rows > 0) {
            const std::size_t left = m_lines.size() - m_size.rows + 1;
            m_lines.resize(m_size.rows - 1);
            add(counted(left, "more line") + ": enlarge the terminal");
        }
        return std::move(m_lines);
    }

private:
    TerminalSize m_size;
    bool m_colour;
    std::vector<std::string> m_lines;
};

std::string limitsText(const BoardState &state)
{
    std::string text;
    for (const std::string &limit : state.limits)
        text += (text.empty() ? "Clocks are limited: " : ", ") + limit;
    return text;
}

Screen drawn(const std::string &title, const BoardLayout &layout, const BoardState &state, TerminalSize size,
             bool colour, bool details)
{
    Screen screen(size, colour && size.columns >= kCellWidth);
    screen.add(title, kBold);
    if (!state.limits.empty())
        screen.add(limitsText(state), kRed);
    for (std::size_t part = 0; part < enumCount<BoardPart>(); ++part)
        screen.addGroup(static_cast<BoardPart>(part), layout, state, details);
    screen.add("q ends");
    return screen;
}

} // namespace

std::vector<std::string> topScreen(const std::string &title, const BoardLayout &layout, const BoardState &state,
                                   TerminalSize size, bool colour)
{
    Screen whole = drawn(title, layout, state, size, colour, true);
    return whole.lines() <= size.rows ? whole.take() : drawn(title, layout, state, size, colour, false).take();
}

std::string topLine(const BoardLayout &layout, const BoardState &state)
{
    std::string line;
    for (std::size_t i = 0; i < layout.items.size(); ++i)
        if (const BoardItem &item = layout.items[i]; !item.detail && state.values[i].known())
            line += (line.empty() ? "" : ", ") + item.name + " " + readingText(item, state.values[i], layout.modes);
    const std::string limits = limitsText(state);
    return (line.empty() ? "nothing is known" : line) + (limits.empty() ? "" : "; " + limits);
}

JsonObject topJson(const BoardIdentity &identity, const BoardLayout &layout, const BoardState &state,
                   std::int64_t unixNs)
{
    JsonObject values;
    for (std::size_t i = 0; i < layout.items.size(); ++i) {
        const BoardItem &item = layout.items[i];
        const Reading<double> &reading = state.values[i];
        JsonObject value{{"part", partName(item.part)}, {"unit", jsonTextOrNull(item.unit)}};
        value["value"] = reading.known() ? JsonValue(*reading.value) : JsonValue();
        if (!reading.known())
            value["reason"] = reading.reason;
        values[std::string(item.name)] = value;
    }
    const auto text = [](const Reading<std::string> &reading) { return jsonTextOrNull(reading.value.value_or("")); };
    return {
        {"time", static_cast<double>(unixNs) / 1e9},
        {"model", text(identity.model)},
        {"module", text(identity.module)},
        {"l4t", jsonTextOrNull(identity.l4t.known() ? identity.l4t.value->text() : std::string())},
        {"jetpack", text(identity.jetpack)},
        {"power_mode", jsonTextOrNull(state.powerMode)},
        {"limits", state.limits},
        {"values", values},
    };
}

} // namespace jetscope
