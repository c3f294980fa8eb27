// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/gate/gateoutput.h"

#include "app/commandline/help.h"
#include "core/system/newfile.h"

#include <functional>

namespace jetscope {

Status writeGateFiles(const GateOptions &options, const GateReport &report)
{
    const struct {
        const std::optional<std::string> &path;
        std::function<std::string()> text;
    } files[] = {
        {options.summaryPath, [&] { return gateSummary(report); }},
        {options.junitPath, [&] { return gateJunit(report); }},
        {options.benchmarkPath, [&] { return gateBenchmark(report); }},
        {options.prometheusPath, [&] { return gatePrometheus(report); }},
        {options.sarifPath, [&] { return gateSarif(report, versionNumber()); }},
    };
    for (const auto &file : files) {
        if (!file.path)
            continue;
        JETSCOPE_TRY(replaceFile(*file.path, [&](const std::string &place) -> Status {
            JETSCOPE_TRY_ASSIGN(OutputFile out, OutputFile::create(place));
            out.write(file.text());
            return out.finish();
        }));
    }
    return {};
}

int finishGate(const GateOptions &options, const GateReport &report, std::string_view text)
{
    if (const Status written = writeGateFiles(options, report); !written.ok())
        return complain(written.error(), Failed);
    const int code = report.exitCode();
    if (code != Good)
        complain(report.line());
    return finishWith(text, static_cast<ExitCode>(code));
}

int finishWithoutVerdict(const GateOptions &options, const std::string &nameA, const std::string &nameB,
                         const Error &error)
{
    GateReport report;
    report.nameA = nameA;
    report.nameB = nameB;
    report.noVerdict = error.message();
    report.words = "There is no verdict: " + report.noVerdict;
    return finishGate(options, report, {});
}

} // namespace jetscope
