// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/fleetrow.h"

#include "core/text/jsontext.h"
#include "core/text/shorttext.h"

#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace jetscope {

namespace {

using FleetElement = simdjson::dom::element;

constexpr std::size_t kMaxFleetText = 8000;
/// Those before it are equal in the rows of a run.
constexpr std::string_view kFirstOwnField = "metric";

constexpr std::string_view sqlTypeOf(const std::string &)
{
    return "VARCHAR";
}
constexpr std::string_view sqlTypeOf(const double &)
{
    return "DOUBLE";
}
constexpr std::string_view sqlTypeOf(const std::optional<double> &)
{
    return "DOUBLE";
}
constexpr std::string_view sqlTypeOf(const bool &)
{
    return "BOOLEAN";
}
constexpr std::string_view sqlTypeOf(const std::optional<bool> &)
{
    return "BOOLEAN";
}

void appendFleetValue(std::string &to, const std::string &text)
{
    appendJsonText(to, text);
}

void appendFleetValue(std::string &to, double number)
{
    if (std::isfinite(number))
        appendNumber(to, number);
    else
        to += "null";
}

void appendFleetValue(std::string &to, bool value)
{
    to += value ? "true" : "false";
}

template <class T>
void appendFleetValue(std::string &to, const std::optional<T> &value)
{
    if (value)
        appendFleetValue(to, *value);
    else
        to += "null";
}

bool takeFleetValue(const FleetElement &from, std::string &to)
{
    std::string_view text;
    if (from.get(text) != simdjson::SUCCESS || text.size() > kMaxFleetText)
        return false;
    to.assign(text);
    return true;
}

bool takeFleetValue(const FleetElement &from, double &to)
{
    return from.get(to) == simdjson::SUCCESS && std::isfinite(to);
}

bool takeFleetValue(const FleetElement &from, bool &to)
{
    return from.get(to) == simdjson::SUCCESS;
}

template <class T>
bool takeFleetValue(const FleetElement &from, std::optional<T> &to)
{
    to.reset();
    return from.is_null() || takeFleetValue(from, to.emplace());
}

/// A row must be one of which a comparison can be made.
Status checkFleetRow(const FleetRow &row)
{
    if (row.run.empty() || row.board.empty() || row.metric.empty())
        return sentence("run, board or metric is empty");
    if (row.direction != kLowerIsBetter && row.direction != kHigherIsBetter)
        return sentence("\"direction\" is " + quotedWords(row.direction) + ", which is neither lower nor higher");
    if (row.scale != kByRatio && row.scale != kByDifference)
        return sentence("\"scale\" is " + quotedWords(row.scale) + ", which is neither ratio nor difference");
    return {};
}

} // namespace

const std::vector<FleetField> &fleetFields()
{
    static const std::vector<FleetField> kFields = [] {
        std::vector<FleetField> fields;
        const FleetRow row;
        visitFleetRow(row, [&](std::string_view name, const auto &member, std::string_view meaning) {
            fields.push_back({name, sqlTypeOf(member), meaning});
        });
        return fields;
    }();
    return kFields;
}

void appendFleetRow(std::string &to, const FleetRow &row)
{
    char before = '{';
    visitFleetRow(row, [&](std::string_view name, const auto &member, std::string_view) {
        to += before;
        to += '"';
        to += name;
        to += std::string_view("\":");
        before = ',';
        appendFleetValue(to, member);
    });
    to += "}\n";
}

struct FleetRowParser::Parts {
    simdjson::dom::parser parser;
    std::string padded; ///< The line with the room behind it that simdjson reads.
    FleetRow row;
    /// How the last line began, if what the rows of a run have in common stood there: "{…," before the metric. It is
    /// three quarters of a line, and needs not be read again of a line that begins so, too.
    std::string common;

    bool read(simdjson::dom::object object, bool isCommonKnown, std::string_view &wrong);
};

FleetRowParser::FleetRowParser() : m_parts(std::make_unique<Parts>()) {}
FleetRowParser::~FleetRowParser() = default;
FleetRowParser::FleetRowParser(FleetRowParser &&) noexcept = default;
FleetRowParser &FleetRowParser::operator=(FleetRowParser &&) noexcept = default;

/// Whether what is common came in the order of the table. Another program may write another order.
bool FleetRowParser::Parts::read(simdjson::dom::object object, bool isCommonKnown, std::string_view &wrong)
{
    auto next = object.begin();
    bool isInOrder = true;
    bool isCommon = true;
    visitFleetRow(row, [&](std::string_view name, auto &member, std::string_view) {
        isCommon = isCommon && name != kFirstOwnField;
        if (isCommon && isCommonKnown)
            return;
        FleetElement value;
        bool found = false;
        if (next != object.end() && next.key() == name) {
            value = next.value();
            found = true;
            ++next;
        } else {
            isInOrder = isInOrder && !isCommon && name != kFirstOwnField;
            found = object.at_key(name).get(value) == simdjson::SUCCESS;
        }
        if (wrong.empty() && (!found || !takeFleetValue(value, member)))
            wrong = name;
    });
    return isInOrder;
}

Result<const FleetRow *> FleetRowParser::parse(std::string_view line)
{
    Parts &p = *m_parts;
    const bool isCommonKnown = !p.common.empty() && line.starts_with(p.common);
    if (isCommonKnown)
        p.padded.assign("{").append(line.substr(p.common.size()));
    else
        p.padded.assign(line);
    const std::size_t size = p.padded.size();
    p.padded.reserve(size + simdjson::SIMDJSON_PADDING);
    simdjson::dom::object object;
    const bool isRow = p.parser.parse(p.padded.data(), size, false).get(object) == simdjson::SUCCESS;
    std::string_view wrong;
    const bool isInOrder = isRow && p.read(object, isCommonKnown, wrong);
    if (!isRow || !wrong.empty()) {
        p.common.clear();
        return isRow ? sentence("\"" + std::string(wrong) + "\" is missing, or of a type that it cannot have")
                     : sentence("this is no row of JSON, but " + quotedWords(line));
    }
    JETSCOPE_TRY(checkFleetRow(p.row));
    if (!isCommonKnown) {
        const std::string key = "\"" + std::string(kFirstOwnField) + "\"";
        const std::size_t own = isInOrder ? line.find("," + key + ":") : line.npos;
        const bool isKey = own != line.npos && line.find(key) == own + 1; // And no text before it, or another such key.
        p.common = isKey ? line.substr(0, own + 1) : std::string_view();
    }
    return &p.row;
}

Result<FleetSelection> FleetSelection::parse(std::string_view text)
{
    FleetSelection selection;
    selection.m_text = text;
    const FleetRow row;
    std::string names;
    visitFleetRow(row, [&](std::string_view name, const auto &member, std::string_view) {
        if (sqlTypeOf(member) == "VARCHAR")
            names += (names.empty() ? "" : ", ") + std::string(name);
    });
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        const std::string_view pair = text.substr(at, end - at);
        const std::size_t equals = pair.find('=');
        const std::string name(pair.substr(0, equals));
        const bool isKnown = std::any_of(fleetFields().begin(), fleetFields().end(), [&](const FleetField &field) {
            return field.name == name && field.sqlType == "VARCHAR";
        });
        if (equals == std::string_view::npos || !isKnown)
            return sentence(quotedWords(pair)
                            + " selects no runs: write FIELD=VALUE, such as commit=1.2; the fields are " + names);
        selection.m_wishes.push_back({name, std::string(pair.substr(equals + 1))});
        at = end + 1;
    }
    return selection;
}

bool FleetSelection::matches(const FleetRow &row) const
{
    bool matches = true;
    visitFleetRow(row, [&](std::string_view name, const auto &member, std::string_view) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(member)>, std::string>)
            for (const Wish &wish : m_wishes)
                matches = matches && (wish.field != name || wish.value == member);
    });
    return matches;
}

} // namespace jetscope
