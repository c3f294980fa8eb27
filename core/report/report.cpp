// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/report/report.h"

#include "core/exchange/csvexport.h"
#include "core/report/capturereport.h"
#include "core/report/sweepformats.h"
#include "core/tracefile/filekind.h"

namespace jetscope {

namespace {

Result<std::string> sweepReportOf(const std::string &path, ReportFormat format, SweepMetric metric)
{
    JETSCOPE_TRY_ASSIGN(SweepReport report, readSweepReport(path, metric));
    if (format == ReportFormat::Csv)
        return sweepCsv(report);
    if (format == ReportFormat::Markdown)
        return sweepMarkdown(report);
    readSweepSamples(report);
    return sweepHtml(report);
}

Result<std::string> captureReportOf(const std::string &path, ReportFormat format)
{
    JETSCOPE_TRY_ASSIGN(const CaptureReport report, readCaptureReport(path));
    if (format == ReportFormat::Csv)
        return frameTable(report.trace);
    return format == ReportFormat::Markdown ? captureMarkdown(report) : captureHtml(report);
}

} // namespace

Result<std::string> reportOf(const std::string &path, ReportFormat format, SweepMetric metric)
{
    JETSCOPE_TRY_ASSIGN(const FileKind kind, fileKindOf(path));
    if (kind == FileKind::Capture && isSweepFile(path))
        return sweepReportOf(path, format, metric);
    return captureReportOf(path, format);
}

} // namespace jetscope
