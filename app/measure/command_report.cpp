// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/commands.h"

#include "app/commandline/console.h"
#include "app/commandline/jsonvalues.h"
#include "core/measure/report/report.h"
#include "core/system/newfile.h"

#include <filesystem>
#include <string>

namespace jetscope {

namespace {

/// The name of the file with another ending, in the same folder.
std::string defaultReportPath(const std::string &file)
{
    return std::filesystem::path(file).replace_extension(".html").string();
}

/// Before a long file is read for nothing.
Status checkNew(const std::string &path)
{
    std::error_code unknown;
    if (std::filesystem::exists(std::filesystem::symlink_status(path, unknown)))
        return sentence(path + " exists already: remove it, or take another name with --out");
    return {};
}

Status writeReport(const std::string &path, const std::string &text)
{
    JETSCOPE_TRY_ASSIGN(OutputFile file, OutputFile::create(path));
    file.write(text);
    return file.finish();
}

} // namespace

int reportCommand(const Options &options)
{
    const std::string &from = options.operands[0];
    const std::string to = options.reportPath.value_or(defaultReportPath(from));
    const Result<ReportFormat> format = reportFormatOf(to);
    if (!format.ok())
        return complain(format.error(), WrongUsage);
    if (const Status isNew = checkNew(to); !isNew.ok())
        return complain(isNew.error(), Failed);
    const Result<std::string> report = reportOf(from, format.value(), options.metric);
    if (!report.ok())
        return complain(report.error(), Failed);
    if (const Status written = writeReport(to, report.value()); !written.ok())
        return complain(written.error(), Failed);
    return finishWith(options.json ? jsonLine({{"in", from}, {"out", to}}) : to + "\n", Good);
}

} // namespace jetscope
