// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/report/report.h"

#include "core/exchange/exporters.h"
#include "core/exchange/opentrace.h"
#include "core/measure/report/capturereport.h"
#include "core/measure/report/reporttext.h"
#include "core/measure/report/sweepformats.h"

namespace jetscope {

namespace {

constexpr double kSweepRead = 0.3;   ///< Progress after reading the figures of a sweep, …
constexpr double kSamplesRead = 0.8; ///< … and its sample traces.
constexpr std::size_t kShownOfPath = 120;

/// The format that the ending of a file selects.
struct ReportEnding {
    std::string_view ending;
    ReportFormat format{};
};
constexpr ReportEnding kReportEndings[] = {
    {".html", ReportFormat::Html}, {".md", ReportFormat::Markdown}, {".csv", ReportFormat::Csv}};

Result<std::string> sweepReportOf(const std::string &path, ReportFormat format, std::optional<Figure> metric,
                                  OpenProgress &progress)
{
    JETSCOPE_TRY_ASSIGN(SweepReport report, readSweepReport(path, metric));
    if (!progress.advance(kSweepRead))
        return cancelledError();
    if (format == ReportFormat::Csv)
        return sweepCsv(report);
    if (format == ReportFormat::Markdown)
        return sweepMarkdown(report);
    readSweepSamples(report);
    if (!progress.advance(kSamplesRead))
        return cancelledError();
    return sweepHtml(report);
}

Result<std::string> captureReportOf(const std::string &path, ReportFormat format, OpenProgress &progress)
{
    JETSCOPE_TRY_ASSIGN(const CaptureReport report, readCaptureReport(path, progress));
    if (format == ReportFormat::Csv)
        return frameTable(report.trace);
    return format == ReportFormat::Markdown ? captureMarkdown(report) : captureHtml(report);
}

} // namespace

Result<ReportFormat> reportFormatOf(const std::string &path)
{
    for (const ReportEnding &each : kReportEndings)
        if (path.size() > each.ending.size() && path.ends_with(each.ending))
            return each.format;
    return Error{{},
                 0,
                 "the ending of \"" + shortenedText(cleanText(path), kShownOfPath)
                     + "\" is not a supported format: take .html, .md or .csv"};
}

Result<std::string> reportOf(const std::string &path, ReportFormat format, std::optional<Figure> metric)
{
    NoOpenProgress progress;
    return reportOf(path, format, metric, progress);
}

Result<std::string> reportOf(const std::string &path, ReportFormat format, std::optional<Figure> metric,
                             OpenProgress &progress)
{
    JETSCOPE_TRY_ASSIGN(const FileKind kind, fileKindOf(path));
    if (kind == FileKind::Capture && isSweepFile(path))
        return sweepReportOf(path, format, metric, progress);
    return captureReportOf(path, format, progress);
}

} // namespace jetscope
