// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/attach/attachreport.h"

#include "app/jsonvalues.h"
#include "app/textlayout.h"

#include <QJsonArray>

#include <array>
#include <cmath>
#include <cstdio>

namespace jetscope {

namespace {

const char *const kNoGpuTimes = "GPU times need CUPTI (tier A), which attach does not use yet; and what the program's "
                                "own code does between the calls is not seen";
constexpr std::size_t kFewestForFigures = 2;

QJsonValue number(double value)
{
    constexpr double kSteps = 1e6;
    return std::isfinite(value) ? QJsonValue(std::round(value * kSteps) / kSteps) : QJsonValue(QJsonValue::Null);
}

QJsonValue whole(std::uint64_t value)
{
    return QJsonValue(static_cast<qint64>(value));
}

QJsonArray tiersJson(const AttachReport &report)
{
    QJsonArray tiers;
    if (report.sawCuda)
        tiers.append("B");
    if (report.sawGl)
        tiers.append("C");
    return tiers;
}

QJsonArray refusedJson(const AttachReport &report)
{
    QJsonArray rows;
    const auto refuse = [&](const char *tier, const char *reason) {
        rows.append(QJsonObject{{"tier", tier}, {"reason", reason}});
    };
    refuse("A", "GPU times from CUPTI: attach does not use CUPTI yet");
    if (!report.sawCuda)
        refuse("B", "no call of CUDA was seen");
    if (!report.sawGl)
        refuse("C", "no call of EGL or GL was seen");
    refuse("D", "the kernel's scheduler and context switches: attach does not use them yet");
    return rows;
}

void addFrameFigures(QJsonObject &object, const AttachReport &report)
{
    const bool known = report.figures.frames >= kFewestForFigures;
    object["fps"] = known ? number(report.fps) : QJsonValue(QJsonValue::Null);
    const Percentiles &period = report.figures.periodMs;
    object["period_ms"] = known
        ? QJsonValue(QJsonObject{{"p50", number(period.p50)}, {"p95", number(period.p95)}, {"p99", number(period.p99)}})
        : QJsonValue(QJsonValue::Null);
    if (!known)
        object["fps_reason"] = object["period_reason"] = "there are fewer than two frames";
    for (const char *key : {"overlap", "headroom"})
        object[key] = QJsonValue(QJsonValue::Null);
    for (const char *key : {"overlap_reason", "headroom_reason"})
        object[key] = kNoGpuTimes;
}

void addPath(QJsonObject &object, const PathSummary &path)
{
    if (path.empty()) {
        object["path"] = QJsonValue(QJsonValue::Null);
        object["path_reason"] = "there are no frames with calls";
        return;
    }
    QJsonArray array;
    for (const PathShare &share : path.shares)
        array.append(QJsonObject{{"what", jsonText(share.what)},
                                 {"lane", jsonTextOrNull(share.lane)},
                                 {"ms", number(share.ms)},
                                 {"share", number(share.share)}});
    object["path"] = array;
}

QJsonArray sitesJson(const AttachReport &report, const std::string &what)
{
    QJsonArray array;
    if (const auto sites = report.sites.find(what); sites != report.sites.end())
        for (const auto &[at, calls] : sites->second)
            array.append(QJsonObject{{"at", jsonText(at)}, {"calls", whole(calls)}});
    return array;
}

QJsonArray findingsJson(const AttachReport &report)
{
    QJsonArray array;
    for (const WasteFinding &finding : report.findings)
        array.append(QJsonObject{
            {"what", jsonText(finding.what)},
            {"grade", jsonText(nameOf(finding.grade))},
            {"text", jsonText(finding.text)},
            {"calls", whole(finding.calls)},
            {"frames", whole(finding.frames)},
            {"ms_per_frame", finding.msPerFrame ? number(*finding.msPerFrame) : QJsonValue(QJsonValue::Null)},
            {"most_share", finding.mostShare ? number(*finding.mostShare) : QJsonValue(QJsonValue::Null)},
            {"sites", sitesJson(report, finding.what)}});
    return array;
}

QJsonArray checksJson(const std::vector<WasteCheck> &checks)
{
    QJsonArray array;
    for (const WasteCheck &check : checks)
        array.append(QJsonObject{{"what", jsonText(check.what)},
                                 {"checked", check.reason.empty()},
                                 {"reason", jsonTextOrNull(check.reason)}});
    return array;
}

QJsonValue costJson(const AttachReport &report)
{
    if (report.recordCostNs <= 0)
        return QJsonValue(QJsonValue::Null);
    const double totalMs = report.recordCostNs * static_cast<double>(report.recorded) / 1e6;
    return QJsonObject{
        {"ns_per_call", number(report.recordCostNs)},
        {"total_ms", number(totalMs)},
        {"ms_per_frame",
         report.frames > 0 ? number(totalMs / static_cast<double>(report.frames)) : QJsonValue(QJsonValue::Null)}};
}

std::string figureText(double value, const char *unit)
{
    std::array<char, 48> text{};
    std::snprintf(text.data(), text.size(), "%.2f %s", value, unit);
    return text.data();
}

} // namespace

QJsonObject attachJson(const AttachReport &report)
{
    QJsonObject calls;
    for (const auto &[name, count] : report.calls)
        calls[QString::fromStdString(name)] = whole(count);
    QJsonArray notes;
    for (const std::string &note : report.notes)
        notes.append(jsonText(note));
    QJsonObject object{
        {"program", jsonText(report.program)},
        {"exit", report.end ? QJsonValue(report.end->exitCode) : QJsonValue(QJsonValue::Null)},
        {"exit_signal",
         report.end && report.end->signal != 0 ? QJsonValue(report.end->signal) : QJsonValue(QJsonValue::Null)},
        {"tiers", tiersJson(report)},
        {"refused", refusedJson(report)},
        {"frames", whole(report.frames)},
        {"frame_source", jsonTextOrNull(report.frameSource)},
        {"frame_note", jsonText(report.frameNote)},
        {"calls", calls},
        {"findings", findingsJson(report)},
        {"checks", checksJson(report.checks)},
        {"lost",
         QJsonObject{{"calls", whole(report.lost)},
                     {"damaged", whole(report.damaged)},
                     {"threads", whole(report.threadsRefused)}}},
        {"cost", costJson(report)},
        {"notes", notes},
    };
    addFrameFigures(object, report);
    addPath(object, report.path);
    return object;
}

std::string attachText(const AttachReport &report)
{
    std::string text = report.program + ": " + counted(report.recorded, "call") + " recorded, "
        + counted(report.frames, "frame") + " (" + report.frameNote + ")\n";
    if (report.figures.frames >= kFewestForFigures)
        text += "  " + figureText(report.fps, "frames/s") + ", period " + figureText(report.figures.periodMs.p50, "ms")
            + " (95 %: " + figureText(report.figures.periodMs.p95, "ms")
            + ", 99 %: " + figureText(report.figures.periodMs.p99, "ms") + ")\n";
    for (const PathShare &share : report.path.shares)
        if (constexpr double kLeastShown = 0.02; share.share >= kLeastShown)
            text += "  " + figureText(share.share * 100, "%") + " of the period: " + share.what + "\n";
    for (const WasteFinding &finding : report.findings)
        text += "  " + std::string(nameOf(finding.grade)) + ": " + finding.text + "\n";
    if (report.lost > 0)
        text += "  " + counted(report.lost, "call") + " lost, because a ring was full\n";
    for (const std::string &note : report.notes)
        text += "  " + note + "\n";
    return text;
}

} // namespace jetscope
