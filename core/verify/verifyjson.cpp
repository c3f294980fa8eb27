// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/verify/verifyjson.h"

#include "core/system/regularfile.h"
#include "core/text/jsontext.h"

#include <simdjson.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

namespace jetscope {

namespace {

using VerifyElement = simdjson::dom::element;

constexpr std::string_view kVerifyFormat = "jetscope-verify-1";
constexpr std::size_t kMaxVerifyBytes = std::size_t{1} << 20U;
constexpr std::size_t kMaxVerifyTextBytes = 2000;
constexpr std::size_t kMaxVerifyRows = 1000;
constexpr std::size_t kMaxVerifyFacts = 200;
constexpr double kMostVerifySeconds = 1e6;

Error notAVerification(const std::string &why)
{
    return sentence("this is no file of \"jetscope verify\": " + why);
}

/// The members of an object, one after another.
class ObjectWriter {
public:
    explicit ObjectWriter(std::string &to) : m_to(to) { m_to += '{'; }
    ~ObjectWriter() { m_to += '}'; }
    ObjectWriter(const ObjectWriter &) = delete;
    ObjectWriter &operator=(const ObjectWriter &) = delete;

    std::string &member(std::string_view name)
    {
        m_to += m_isFirst ? "" : ",";
        m_isFirst = false;
        appendJsonText(m_to, name);
        return m_to += ':';
    }
    void text(std::string_view name, std::string_view value) { appendJsonText(member(name), value); }

private:
    std::string &m_to;
    bool m_isFirst = true;
};

/// Calls `visit` with the name and the text of each member.
template <class Machine, class Visit>
void visitMachine(Machine &machine, Visit visit)
{
    visit("made_by", machine.madeBy);
    visit("date", machine.date);
    visit("architecture", machine.architecture);
    visit("board", machine.board);
    visit("module", machine.module);
    visit("chip", machine.chip);
    visit("l4t", machine.l4t);
    visit("jetpack", machine.jetpack);
    visit("kernel", machine.kernel);
    visit("device", machine.device);
    visit("compute_capability", machine.capability);
    visit("driver", machine.driver);
    visit("runtime", machine.runtime);
    visit("display", machine.display);
}

void appendMachine(std::string &to, const VerifiedMachine &machine)
{
    ObjectWriter object(to);
    visitMachine(machine, [&](const char *name, const std::string &text) { object.text(name, text); });
}

/// Into the object of a row, or of a result alone.
void writeResult(ObjectWriter &object, const VerifyResult &result)
{
    object.text("outcome", nameOf(result.outcome));
    object.text("reason", result.reason);
    std::string &to = object.member("facts");
    to += '[';
    for (std::size_t i = 0; i < result.facts.size(); ++i) {
        const VerifyFact &fact = result.facts[i];
        to += i > 0 ? "," : "";
        ObjectWriter row(to);
        row.text("what", fact.what);
        row.text("documented", fact.documented);
        row.text("found", fact.found);
        row.text("agrees", nameOf(fact.agrees));
    }
    to += ']';
}

void appendVerifyRow(std::string &to, const VerifyRow &row)
{
    ObjectWriter object(to);
    object.text("id", row.id);
    object.text("proves", row.proves);
    object.text("document", row.document);
    object.text("says", row.says);
    appendNumber(object.member("seconds"), row.seconds);
    writeResult(object, row.result);
}

Status takeVerifyText(const VerifyElement &object, const char *name, std::string &to)
{
    std::string_view text;
    if (object[name].get(text) != simdjson::SUCCESS)
        return notAVerification("\"" + std::string(name) + "\" must be a text");
    if (text.size() > kMaxVerifyTextBytes)
        return notAVerification("\"" + std::string(name) + "\" is too long");
    to = text;
    return {};
}

Status takeMachine(const VerifyElement &object, VerifiedMachine &to)
{
    if (!object.is_object())
        return notAVerification("\"machine\" must be an object");
    Status taken;
    visitMachine(to, [&](const char *name, std::string &text) {
        if (taken.ok())
            taken = takeVerifyText(object, name, text);
    });
    return taken;
}

Status takeFact(const VerifyElement &object, VerifyFact &to)
{
    if (!object.is_object())
        return notAVerification("\"facts\" must be objects");
    std::string agrees;
    JETSCOPE_TRY(takeVerifyText(object, "what", to.what));
    JETSCOPE_TRY(takeVerifyText(object, "documented", to.documented));
    JETSCOPE_TRY(takeVerifyText(object, "found", to.found));
    JETSCOPE_TRY(takeVerifyText(object, "agrees", agrees));
    const std::optional<Agreement> agreement = agreementOf(agrees);
    if (!agreement)
        return notAVerification("\"agrees\" must be \"yes\", \"no\" or \"open\"");
    to.agrees = *agreement;
    return {};
}

/// Outcome and facts must fit: what failed has a reason, and what passed has no fact that disagrees.
Status checkResult(const VerifyResult &result)
{
    if (result.reason.empty() != (result.outcome == VerifyOutcome::Passed))
        return notAVerification("what passed has no \"reason\", and everything else has one");
    for (const VerifyFact &fact : result.facts)
        if (fact.agrees == Agreement::No && result.outcome == VerifyOutcome::Passed)
            return notAVerification("a row passed with a fact that disagrees");
    return {};
}

Status takeResult(const VerifyElement &object, VerifyResult &to)
{
    std::string name;
    JETSCOPE_TRY(takeVerifyText(object, "outcome", name));
    const std::optional<VerifyOutcome> outcome = verifyOutcomeOf(name);
    if (!outcome)
        return notAVerification("\"outcome\" must be \"passed\", \"failed\" or \"not possible\"");
    to.outcome = *outcome;
    JETSCOPE_TRY(takeVerifyText(object, "reason", to.reason));
    simdjson::dom::array facts;
    if (object["facts"].get(facts) != simdjson::SUCCESS || facts.size() > kMaxVerifyFacts)
        return notAVerification("\"facts\" must be a list of at most " + std::to_string(kMaxVerifyFacts));
    for (const VerifyElement fact : facts)
        JETSCOPE_TRY(takeFact(fact, to.facts.emplace_back()));
    return checkResult(to);
}

Status takeVerifyRow(const VerifyElement &object, VerifyRow &to)
{
    if (!object.is_object())
        return notAVerification("\"rows\" must be objects");
    JETSCOPE_TRY(takeVerifyText(object, "id", to.id));
    if (to.id.empty())
        return notAVerification("a row has no \"id\"");
    JETSCOPE_TRY(takeVerifyText(object, "proves", to.proves));
    JETSCOPE_TRY(takeVerifyText(object, "document", to.document));
    JETSCOPE_TRY(takeVerifyText(object, "says", to.says));
    if (object["seconds"].get(to.seconds) != simdjson::SUCCESS
        || !(to.seconds >= 0 && to.seconds <= kMostVerifySeconds))
        return notAVerification("\"seconds\" must be a duration");
    return takeResult(object, to.result);
}

Status takeReport(const VerifyElement &object, VerifyReport &report)
{
    std::string format;
    JETSCOPE_TRY(takeVerifyText(object, "format", format));
    if (format != kVerifyFormat)
        return notAVerification("\"format\" must be \"" + std::string(kVerifyFormat) + "\"");
    VerifyElement machine;
    if (object["machine"].get(machine) != simdjson::SUCCESS)
        return notAVerification("it has no \"machine\"");
    JETSCOPE_TRY(takeMachine(machine, report.machine));
    simdjson::dom::array rows;
    if (object["rows"].get(rows) != simdjson::SUCCESS || rows.size() > kMaxVerifyRows)
        return notAVerification("\"rows\" must be a list of at most " + std::to_string(kMaxVerifyRows));
    for (const VerifyElement row : rows)
        JETSCOPE_TRY(takeVerifyRow(row, report.rows.emplace_back()));
    return {};
}

/// Parses one object and takes it by `take`.
template <class T>
Result<T> parsedBy(std::string_view json, Status (*take)(const VerifyElement &, T &))
{
    simdjson::dom::parser parser(kMaxVerifyBytes);
    VerifyElement object;
    if (const auto code = parser.parse(simdjson::padded_string(json)).get(object); code != simdjson::SUCCESS)
        return notAVerification(std::string("the JSON cannot be read (") + simdjson::error_message(code) + ")");
    if (!object.is_object())
        return notAVerification("it must be one JSON object");
    T value;
    JETSCOPE_TRY(take(object, value));
    return value;
}

} // namespace

std::string verifyJson(const VerifyReport &report)
{
    std::string json;
    {
        ObjectWriter object(json);
        object.text("format", kVerifyFormat);
        appendMachine(object.member("machine"), report.machine);
        for (const auto &[name, outcome] : {std::pair{"passed", VerifyOutcome::Passed},
                                            {"failed", VerifyOutcome::Failed},
                                            {"not_possible", VerifyOutcome::NotPossible}})
            appendNumber(object.member(name), report.count(outcome));
        std::string &to = object.member("rows");
        to += '[';
        for (std::size_t i = 0; i < report.rows.size(); ++i) {
            to += i > 0 ? ",\n" : "\n";
            appendVerifyRow(to, report.rows[i]);
        }
        to += ']';
    }
    return json + "\n";
}

Result<VerifyReport> verifyReportOf(std::string_view json)
{
    return parsedBy<VerifyReport>(json, takeReport);
}

bool isVerifyFile(const std::string &path)
{
    const Result<FileStream> file = openRegularFile(path);
    if (!file.ok())
        return false;
    const std::string wanted = std::string(R"({"format":")") + kVerifyFormat.data() + '"';
    std::string begin(wanted.size(), '\0');
    begin.resize(std::fread(begin.data(), 1, begin.size(), file.value().get()));
    return begin == wanted;
}

Result<VerifyReport> readVerifyReport(const std::string &path)
{
    JETSCOPE_TRY_ASSIGN(const FileStream file, openRegularFile(path));
    errno = 0;
    std::string text(kMaxVerifyBytes + 1, '\0');
    text.resize(std::fread(text.data(), 1, text.size(), file.get()));
    if (std::ferror(file.get()) != 0)
        return sentence(path + " cannot be read: " + std::strerror(errno));
    if (text.size() > kMaxVerifyBytes)
        return sentence(path + ": " + notAVerification("it is larger than a megabyte").text);
    Result<VerifyReport> report = verifyReportOf(text);
    return report.ok() ? std::move(report) : sentence(path + ": " + report.error().text);
}

std::string verifyRowJson(const VerifyRow &row)
{
    std::string json;
    appendVerifyRow(json, row);
    return json;
}

Result<VerifyRow> verifyRowOf(std::string_view json)
{
    return parsedBy<VerifyRow>(json, takeVerifyRow);
}

std::string verifyResultJson(const VerifyResult &result)
{
    std::string json;
    {
        ObjectWriter object(json);
        writeResult(object, result);
    }
    return json;
}

Result<VerifyResult> verifyResultOf(std::string_view json)
{
    return parsedBy<VerifyResult>(json, takeResult);
}

std::string verifiedMachineJson(const VerifiedMachine &machine)
{
    std::string json;
    appendMachine(json, machine);
    return json;
}

Result<VerifiedMachine> verifiedMachineOf(std::string_view json)
{
    return parsedBy<VerifiedMachine>(json, takeMachine);
}

} // namespace jetscope
