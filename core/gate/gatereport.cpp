// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/gate/gatereport.h"

#include "core/measure/report/reporttext.h"
#include "core/text/jsontext.h"
#include "core/text/parsenumber.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace jetscope {

namespace {

constexpr std::string_view kGateWords[] = {"better", "worse", "unchanged", "no verdict"};

std::string nameOfRow(const GateRow &row)
{
    return row.group.empty() ? row.label : row.label + " of " + row.group;
}

/// "|" in a cell would begin another one; markdownText takes care of it.
std::string markdownRow(const std::vector<std::string> &cells)
{
    std::string row = "|";
    for (const std::string &cell : cells)
        row += " " + markdownText(cell) + " |";
    return row + "\n";
}

std::size_t countOf(const GateReport &report, GateVerdict verdict)
{
    return static_cast<std::size_t>(std::count_if(report.rows.begin(), report.rows.end(),
                                                  [&](const GateRow &row) { return row.verdict == verdict; }));
}

/// Escaped for a label's value.
std::string prometheusText(std::string_view text)
{
    std::string escaped;
    for (const char c : cleanText(text)) {
        if (c == '\\' || c == '"')
            escaped += '\\';
        escaped += c;
    }
    return escaped;
}

/// The XML of cleanText is that of HTML.
std::string attribute(std::string_view name, std::string_view text)
{
    return " " + std::string(name) + "=\"" + htmlText(text) + "\"";
}

void appendMember(std::string &to, std::string_view name, std::string_view text)
{
    to += to.ends_with('{') ? "" : ",";
    appendJsonText(to, name);
    to += ':';
    appendJsonText(to, text);
}

std::string_view sarifLevel(std::string_view level)
{
    return level == "error" ? "error" : level == "luck" ? "warning" : "note";
}

std::string sarifResult(const GateHazard &hazard)
{
    std::string result = "{";
    appendMember(result, "ruleId", hazard.rule);
    appendMember(result, "level", sarifLevel(hazard.level));
    std::string text = hazard.text;
    if (hazard.count > 1)
        text += " (" + std::to_string(hazard.count) + " times)";
    if (!hazard.fix.empty())
        text += ". Smallest fix: " + hazard.fix;
    result += ",\"message\":{";
    appendMember(result, "text", text);
    result += "},\"locations\":[{\"physicalLocation\":{\"artifactLocation\":{";
    appendMember(result, "uri", hazard.file.empty() ? hazard.capture : hazard.file);
    result += "}";
    if (!hazard.file.empty())
        result += ",\"region\":{\"startLine\":" + std::to_string(std::max<std::uint64_t>(1, hazard.line)) + "}";
    return result + "}}]}";
}

} // namespace

std::string_view gateWord(GateVerdict verdict)
{
    return kGateWords[static_cast<std::size_t>(verdict)];
}

int GateReport::exitCode() const
{
    if (!worse.empty())
        return accepted.empty() ? 1 : 0;
    return noVerdict.empty() ? 0 : kNoVerdictCode;
}

std::string GateReport::line() const
{
    if (!worse.empty())
        return (accepted.empty() ? "worse: " : "worse, and accepted (" + accepted + "): ") + worse;
    if (!noVerdict.empty())
        return "no verdict: " + noVerdict;
    const std::size_t none = countOf(*this, GateVerdict::None);
    return "not worse: " + counted(rows.size() - none, "figure") + " compared, "
        + std::to_string(countOf(*this, GateVerdict::Better)) + " better"
        + (none > 0 ? ", " + std::to_string(none) + " without a verdict" : "");
}

std::string gateSummary(const GateReport &report)
{
    std::string text = "### Jetscope: " + markdownText(report.line()) + "\n\n" + markdownText(report.words) + "\n\n";
    text += "A: " + markdownText(report.nameA) + " · B: " + markdownText(report.nameB) + "\n";
    if (!report.rows.empty()) {
        text += "\n| figure | A | B | change | interval | B is |\n|---|---:|---:|---:|---|---|\n";
        for (const GateRow &row : report.rows)
            text += markdownRow({nameOfRow(row), row.texts[0], row.texts[1], row.change, row.range,
                                 std::string(gateWord(row.verdict)) + (row.reason.empty() ? "" : ": " + row.reason)});
    }
    if (!report.hazards.empty()) {
        text += "\n| rule | seen | what | fix |\n|---|---:|---|---|\n";
        for (const GateHazard &hazard : report.hazards)
            text += markdownRow({hazard.rule, std::to_string(hazard.count), hazard.text, hazard.fix});
    }
    for (const std::string &note : report.notes)
        text += "\nNote: " + markdownText(note) + "\n";
    return text;
}

std::string gateJunit(const GateReport &report)
{
    std::string cases;
    std::size_t failures = 0;
    std::size_t skipped = 0;
    const auto add = [&](const std::string &group, const std::string &name, const std::string &inside) {
        cases += "    <testcase" + attribute("classname", group.empty() ? "jetscope" : "jetscope." + group)
            + attribute("name", name) + (inside.empty() ? "/>\n" : ">" + inside + "</testcase>\n");
    };
    for (const GateRow &row : report.rows) {
        std::string inside;
        if (row.verdict == GateVerdict::Worse && report.accepted.empty()) {
            ++failures;
            inside =
                "<failure" + attribute("message", "worse: " + row.change) + ">" + htmlText(row.range) + "</failure>";
        } else if (row.verdict == GateVerdict::None) {
            ++skipped;
            inside = "<skipped" + attribute("message", row.reason) + "/>";
        }
        add(row.group, row.label, inside);
    }
    if (!report.noVerdict.empty()) { // A report without rows would look as if all were well.
        ++skipped;
        add({}, "verdict", "<skipped" + attribute("message", "no verdict: " + report.noVerdict) + "/>");
    }
    const std::string counts = " tests=\"" + std::to_string(report.rows.size() + (report.noVerdict.empty() ? 0 : 1))
        + "\" failures=\"" + std::to_string(failures) + "\" errors=\"0\" skipped=\"" + std::to_string(skipped) + "\"";
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" + counts + ">\n  <testsuite name=\"jetscope\""
        + counts + ">\n" + cases + "  </testsuite>\n</testsuites>\n";
}

std::string gateBenchmark(const GateReport &report)
{
    std::string list = "[";
    for (const GateRow &row : report.rows) {
        if (row.higherIsBetter || !row.b || !std::isfinite(*row.b))
            continue;
        list += list.size() > 1 ? ",\n{" : "\n{";
        appendMember(list, "name", nameOfRow(row));
        appendMember(list, "unit", row.unit.empty() ? "1" : row.unit);
        list += ",\"value\":";
        appendNumber(list, *row.b);
        appendMember(list, "range", row.range);
        list += "}";
    }
    return list + "\n]\n";
}

std::string gatePrometheus(const GateReport &report)
{
    std::string text = "# HELP jetscope_gate_code Exit code of the comparison: 0 not worse, 1 worse, 3 no verdict.\n"
                       "# TYPE jetscope_gate_code gauge\njetscope_gate_code "
        + std::to_string(report.exitCode())
        + "\n# HELP jetscope_figure A figure of side a (old) or b (new).\n# TYPE jetscope_figure gauge\n";
    std::string verdicts =
        "# HELP jetscope_verdict Whether a figure has this verdict.\n# TYPE jetscope_verdict gauge\n";
    for (const GateRow &row : report.rows) {
        const std::string labels =
            "metric=\"" + prometheusText(row.metric) + "\",group=\"" + prometheusText(row.group) + "\"";
        for (const auto &[side, value] : {std::pair{"a", row.a}, std::pair{"b", row.b}}) {
            if (!value || !std::isfinite(*value))
                continue;
            text += "jetscope_figure{" + labels + ",unit=\"" + prometheusText(row.unit) + "\",side=\"" + side + "\"} ";
            appendNumber(text, *value);
            text += "\n";
        }
        verdicts += "jetscope_verdict{" + labels + ",verdict=\"" + std::string(gateWord(row.verdict)) + "\"} 1\n";
    }
    return text + verdicts;
}

std::string gateSarif(const GateReport &report, std::string_view version)
{
    std::string text = "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":["
                       "{\"tool\":{\"driver\":{";
    appendMember(text, "name", "Jetscope");
    appendMember(text, "version", version);
    text += ",\"rules\":[";
    std::vector<std::string> named;
    for (const GateHazard &hazard : report.hazards) {
        if (std::find(named.begin(), named.end(), hazard.rule) != named.end())
            continue;
        text += named.empty() ? "{" : ",{";
        named.push_back(hazard.rule);
        appendMember(text, "id", hazard.rule);
        text += ",\"shortDescription\":{";
        appendMember(text, "text", hazard.title);
        text += "}}";
    }
    text += "]}},\"results\":[";
    for (std::size_t i = 0; i < report.hazards.size(); ++i)
        text += (i > 0 ? ",\n" : "\n") + sarifResult(report.hazards[i]);
    return text + "\n]}]}\n";
}

void findPlace(GateHazard &hazard, std::string_view text)
{
    constexpr std::array<std::string_view, 8> kEndings{
        ".c:", ".cc:", ".cpp:", ".cxx:", ".cu:", ".h:", ".hpp:", ".cuh:"};
    for (const std::string_view ending : kEndings) {
        const std::size_t at = text.find(ending);
        if (at == std::string_view::npos)
            continue;
        std::string_view behind = text.substr(at + ending.size());
        const auto line = takeNumber<std::uint64_t>(behind);
        const std::size_t before = text.find_last_of(" (\"", at);
        if (!line)
            continue;
        const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
        hazard.file = text.substr(begin, at + ending.size() - 1 - begin);
        hazard.line = *line;
        return;
    }
}

} // namespace jetscope
