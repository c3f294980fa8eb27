// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/commands.h"

#include "app/commandline/console.h"
#include "app/commandline/devicechoice.h"
#include "app/commandline/help.h"
#include "app/commandline/interrupt.h"
#include "app/commandline/progressline.h"
#include "app/verify/verifytext.h"
#include "core/system/newfile.h"
#include "core/text/shorttext.h"
#include "core/time/clock.h"
#include "core/verify/verifyjson.h"
#include "gpu/verify/verifyrun.h"

#include <filesystem>
#include <optional>
#include <thread>

namespace jetscope {

namespace {

/// Between lines of progress, the result is a line, too.
std::string inOneLine(std::string json)
{
    std::erase(json, '\n'); // Those in texts are escaped.
    return json + "\n";
}

int printReport(const Options &options, const VerifyReport &report, ExitCode code)
{
    const std::string json = options.json ? verifyJson(report) : std::string();
    return finishWith(!options.json ? verifyText(report) : options.sweep.progress ? inOneLine(json) : json, code);
}

ExitCode codeOf(const VerifyReport &report)
{
    return report.count(VerifyOutcome::Failed) == 0 ? Good : Failed;
}

int readReport(const Options &options)
{
    if (options.deviceId || options.verify.outPath || options.verify.loadable || options.sysroot)
        return complain(sentence("--read shows a file and checks nothing; leave out --device, --out, --loadable and "
                                 "--sysroot"),
                        WrongUsage);
    const Result<VerifyReport> report = readVerifyReport(*options.verify.readPath);
    return report.ok() ? printReport(options, report.value(), codeOf(report.value()))
                       : complain(report.error(), Failed);
}

void tellBegin(const ProgressJson &lines, const VerifyCheck &check, std::size_t index, std::size_t count)
{
    lines.tell("progress",
               {{"progress", static_cast<double>(index) / static_cast<double>(count)},
                {"check", check.id},
                {"index", index},
                {"count", count}});
}

/// Makes all checks; Ctrl-C ends them.
VerifyReport verifyHere(const VerifyPlan &plan, const Interrupt &interrupt, const ProgressJson &lines)
{
    ProgressLine line;
    std::stop_source stop;
    std::jthread watcher([&](const std::stop_token &ended) {
        while (!ended.stop_requested())
            if (interrupt.waitFor(std::chrono::milliseconds(50))) {
                stop.request_stop();
                return;
            }
    });
    return verifyMachine(plan, stop.get_token(),
                         {[&](const VerifyCheck &check, std::size_t index, std::size_t count) {
                              line.show(static_cast<double>(index) / static_cast<double>(count), check.id, nowNs());
                              tellBegin(lines, check, index, count);
                          },
                          [&](const VerifyRow &row, std::size_t, std::size_t) {
                              lines.tell("row", {{"row", JsonValue::parse(verifyRowJson(row))}});
                          }});
}

int verifyDevice(const Options &options, const std::string &deviceId)
{
    const Interrupt interrupt;
    std::optional<OutputFile> file; // Created first, so that nothing is checked in vain; removed unless complete.
    if (options.verify.outPath) {
        Result<OutputFile> created = OutputFile::create(*options.verify.outPath);
        if (!created.ok())
            return complain(created.error(), Failed);
        file.emplace(std::move(created).value());
    }
    const VerifyPlan plan{deviceId, options.sysroot.value_or("/"), options.verify.loadable.value_or("")};
    VerifyReport report = verifyHere(plan, interrupt, ProgressJson(options.sweep.progress));
    report.machine.madeBy = std::string("Jetscope ") + versionNumber();
    if (interrupt.requested()) {
        complain("interrupted after " + counted(report.rows.size(), "row") + "; no file is written");
        return printReport(options, report, Failed);
    }
    if (file) {
        file->write(verifyJson(report));
        if (const Status written = file->finish(); !written.ok())
            return complain(written.error(), Failed);
    }
    return printReport(options, report, codeOf(report));
}

} // namespace

int verifyCommand(const Options &options)
{
    if (options.verify.readPath)
        return readReport(options);
    std::error_code error;
    if (options.sysroot && !std::filesystem::is_directory(*options.sysroot, error))
        return complain(sentence("--sysroot: there is no folder " + quotedWords(*options.sysroot)), WrongUsage);
    if (options.deviceId)
        if (const Status checked = checkDevice(*options.deviceId, listDevices()); !checked.ok())
            return complain(checked.error(), WrongUsage);
    return verifyDevice(options, options.deviceId.value_or(bestDeviceId()));
}

} // namespace jetscope
