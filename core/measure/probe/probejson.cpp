// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/probe/probejson.h"

#include "core/settings/pipelineconfig.h"
#include "core/system/newfile.h"
#include "core/system/regularfile.h"
#include "core/text/jsontext.h"
#include "core/text/parsenumber.h"

#include <simdjson.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace jetscope {

namespace {

using Element = simdjson::dom::element;

constexpr std::string_view kProbeFormat = "jetscope-probe-1";
constexpr std::size_t kMaxProbeBytes = std::size_t{1} << 20U;
constexpr std::size_t kMaxProbeTextBytes = 4000;
constexpr double kLargestFigure = 1e9;
constexpr int kMaxSide = 16384;

Error notAProbe(const std::string &why)
{
    return sentence("this is no table of a probe: " + why);
}

void appendMember(std::string &to, std::string_view name, std::string_view text)
{
    appendJsonText(to, name);
    to += ':';
    appendJsonText(to, text);
    to += ',';
}

void appendFlag(std::string &to, std::string_view name, bool value)
{
    appendJsonText(to, name);
    to += value ? ":true," : ":false,";
}

void appendFigure(std::string &to, const std::string &key, const ProbeFigure &figure)
{
    to += "\n{";
    appendMember(to, "key", key);
    if (!figure.known()) {
        appendMember(to, "unavailable", figure.unavailable);
        to.back() = '}';
        return;
    }
    appendMember(to, "unit", isRate(key) ? "GB/s" : "us");
    to += "\"value\":";
    appendNumber(to, figure.estimate.value);
    if (std::isfinite(figure.estimate.atLeast) && std::isfinite(figure.estimate.atMost)) {
        to += ",\"at_least\":";
        appendNumber(to, figure.estimate.atLeast);
        to += ",\"at_most\":";
        appendNumber(to, figure.estimate.atMost);
    }
    to += ",\"rounds\":";
    appendNumber(to, figure.rounds);
    to += '}';
}

Status takeProbeText(const Element &object, const char *name, std::string &to)
{
    Element member;
    if (object[name].get(member) != simdjson::SUCCESS)
        return {};
    std::string_view text;
    if (member.get(text) != simdjson::SUCCESS)
        return notAProbe("\"" + std::string(name) + "\" is not a text");
    if (text.size() > kMaxProbeTextBytes)
        return notAProbe("\"" + std::string(name) + "\" is longer than a description");
    to = text;
    return {};
}

Status takeFlag(const Element &object, const char *name, bool &to)
{
    if (object[name].get(to) != simdjson::SUCCESS)
        return notAProbe("\"device\" needs \"" + std::string(name) + "\", true or false");
    return {};
}

/// "8.7"
Status takeCapability(const Element &object, DeviceFacts &to)
{
    std::string text;
    JETSCOPE_TRY(takeProbeText(object, "compute_capability", text));
    const std::size_t point = std::min(text.find('.'), text.size());
    const auto major = parseNumber<int>(text.substr(0, point), 1, 99);
    const auto minor = parseNumber<int>(text.substr(std::min(point + 1, text.size())), 0, 9);
    if (!major || !minor)
        return notAProbe("\"compute_capability\" must be as in \"8.7\"");
    to.computeMajor = *major;
    to.computeMinor = *minor;
    return {};
}

Status takeDevice(const Element &object, DeviceFacts &to)
{
    Element device;
    if (object["device"].get(device) != simdjson::SUCCESS || !device.is_object())
        return notAProbe("it does not say which device it is from (\"device\")");
    JETSCOPE_TRY(takeProbeText(device, "id", to.id));
    JETSCOPE_TRY(takeProbeText(device, "name", to.name));
    if (to.name.empty())
        return notAProbe("\"device\" needs a \"name\"");
    JETSCOPE_TRY(takeCapability(device, to));
    JETSCOPE_TRY(takeFlag(device, "software", to.software));
    JETSCOPE_TRY(takeFlag(device, "integrated", to.integrated));
    JETSCOPE_TRY(takeFlag(device, "concurrent_managed_access", to.concurrentManagedAccess));
    return takeFlag(device, "pageable_memory_access", to.pageableMemoryAccess);
}

Status takeSide(const Element &object, const char *name, int &to)
{
    std::int64_t side = 0;
    if (object["frame"][name].get(side) != simdjson::SUCCESS || side < 1 || side > kMaxSide)
        return notAProbe("\"frame\" needs \"width\" and \"height\" from 1 to " + std::to_string(kMaxSide));
    to = static_cast<int>(side);
    return {};
}

bool isPlausible(double value)
{
    return value > 0 && value <= kLargestFigure;
}

Status takeEstimate(const Element &row, const std::string &key, ProbeFigure &figure)
{
    std::string unit;
    JETSCOPE_TRY(takeProbeText(row, "unit", unit));
    const std::string_view wanted = isRate(key) ? "GB/s" : "us";
    if (unit != wanted)
        return notAProbe(key + " must have the unit " + std::string(wanted));
    if (row["value"].get(figure.estimate.value) != simdjson::SUCCESS || !isPlausible(figure.estimate.value))
        return notAProbe(key + " needs a positive \"value\", or \"unavailable\" with the reason");
    const bool hasLeast = row["at_least"].error() != simdjson::NO_SUCH_FIELD;
    const bool hasMost = row["at_most"].error() != simdjson::NO_SUCH_FIELD;
    if (hasLeast || hasMost) {
        Estimate &bounds = figure.estimate;
        const bool read = row["at_least"].get(bounds.atLeast) == simdjson::SUCCESS
            && row["at_most"].get(bounds.atMost) == simdjson::SUCCESS;
        if (!read || !(bounds.atLeast <= bounds.value && bounds.value <= bounds.atMost)
            || std::max(std::abs(bounds.atLeast), bounds.atMost) > kLargestFigure)
            return notAProbe(key + " must lie between its \"at_least\" and \"at_most\"");
    }
    std::uint64_t rounds = 0;
    if (row["rounds"].error() != simdjson::NO_SUCH_FIELD
        && (row["rounds"].get(rounds) != simdjson::SUCCESS || rounds > 1'000'000))
        return notAProbe(key + " has no number of \"rounds\"");
    figure.rounds = static_cast<std::size_t>(rounds);
    return {};
}

Status takeRow(const Element &row, ProbeTable &table)
{
    if (!row.is_object())
        return notAProbe("\"figures\" must be a list of objects");
    std::string key;
    JETSCOPE_TRY(takeProbeText(row, "key", key));
    const std::vector<std::string> &keys = probeKeys();
    if (std::find(keys.begin(), keys.end(), key) == keys.end())
        return notAProbe("there is no figure " + quotedValue(key));
    if (table.figures.count(key) > 0)
        return notAProbe(key + " is there twice");
    ProbeFigure figure;
    JETSCOPE_TRY(takeProbeText(row, "unavailable", figure.unavailable));
    if (figure.known())
        JETSCOPE_TRY(takeEstimate(row, key, figure));
    table.figures.emplace(std::move(key), std::move(figure));
    return {};
}

Status takeTable(const Element &object, ProbeTable &table)
{
    std::string format;
    if (!object.is_object())
        return notAProbe("it must be one JSON object");
    JETSCOPE_TRY(takeProbeText(object, "format", format));
    if (format != kProbeFormat)
        return notAProbe("\"format\" must be \"" + std::string(kProbeFormat) + "\"");
    JETSCOPE_TRY(takeDevice(object, table.device));
    for (const auto &[name, to] : {std::pair{"driver", &table.driver},
                                   {"date", &table.date},
                                   {"made_by", &table.madeBy},
                                   {"method", &table.method},
                                   {"origin", &table.origin}})
        JETSCOPE_TRY(takeProbeText(object, name, *to));
    JETSCOPE_TRY(takeSide(object, "width", table.width));
    JETSCOPE_TRY(takeSide(object, "height", table.height));
    simdjson::dom::array rows;
    if (object["figures"].get(rows) != simdjson::SUCCESS)
        return notAProbe("it has no \"figures\"");
    for (const Element &row : rows)
        JETSCOPE_TRY(takeRow(row, table));
    return {};
}

} // namespace

std::string probeJson(const ProbeTable &table)
{
    const DeviceFacts &device = table.device;
    std::string json = "{";
    appendMember(json, "format", kProbeFormat);
    json += "\"device\":{";
    appendMember(json, "id", device.id);
    appendMember(json, "name", device.name);
    appendMember(json, "compute_capability",
                 std::to_string(device.computeMajor) + "." + std::to_string(device.computeMinor));
    appendFlag(json, "software", device.software);
    appendFlag(json, "integrated", device.integrated);
    appendFlag(json, "concurrent_managed_access", device.concurrentManagedAccess);
    appendFlag(json, "pageable_memory_access", device.pageableMemoryAccess);
    json.back() = '}';
    json += ',';
    appendMember(json, "driver", table.driver);
    appendMember(json, "date", table.date);
    appendMember(json, "made_by", table.madeBy);
    appendMember(json, "method", table.method);
    appendMember(json, "origin", table.origin);
    json += "\"frame\":{\"width\":" + std::to_string(table.width) + ",\"height\":" + std::to_string(table.height)
        + "},\n\"figures\":[";
    bool first = true;
    for (const std::string &key : probeKeys()) {
        const auto found = table.figures.find(key);
        if (found == table.figures.end())
            continue;
        json += first ? "" : ",";
        first = false;
        appendFigure(json, key, found->second);
    }
    return json + "\n]}\n";
}

Result<ProbeTable> probeOf(std::string_view json)
{
    simdjson::dom::parser parser(kMaxProbeBytes);
    Element object;
    if (const auto code = parser.parse(simdjson::padded_string(json)).get(object); code != simdjson::SUCCESS)
        return notAProbe(std::string("the JSON cannot be read (") + simdjson::error_message(code) + ")");
    ProbeTable table;
    JETSCOPE_TRY(takeTable(object, table));
    return table;
}

Result<ProbeTable> readProbe(const std::string &path)
{
    JETSCOPE_TRY_ASSIGN(const FileStream file, openRegularFile(path));
    errno = 0;
    std::string text(kMaxProbeBytes + 1, '\0');
    text.resize(std::fread(text.data(), 1, text.size(), file.get()));
    if (std::ferror(file.get()) != 0)
        return sentence(path + " cannot be read: " + std::strerror(errno));
    if (text.size() > kMaxProbeBytes)
        return sentence(path + ": this is no table of a probe: it is larger than a megabyte");
    Result<ProbeTable> table = probeOf(text);
    return table.ok() ? std::move(table) : sentence(path + ": " + table.error().text);
}

Status writeProbe(const ProbeTable &table, const std::string &path)
{
    JETSCOPE_TRY_ASSIGN(OutputFile file, OutputFile::create(path));
    file.write(probeJson(table));
    return file.finish();
}

} // namespace jetscope
