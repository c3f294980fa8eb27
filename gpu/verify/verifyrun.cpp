// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/verify/verifyrun.h"

#include "core/board/boardidentity.h"
#include "core/text/shorttext.h"
#include "core/verify/verifyjson.h"
#include "core/verify/withoutnames.h"
#include "gpu/cupti/childprocess.h"
#include "gpu/verify/verifywords.h"

#include <array>
#include <cstring>
#include <ctime>
#include <sys/utsname.h>
#include <thread>

namespace jetscope {

namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::milliseconds;

constexpr Milliseconds kChildPoll{2};
constexpr Milliseconds kMachineLimit{60'000};

/// What the child printed; an error says how it ended instead.
Result<std::string> outputOfChild(const VerifyPlan &plan, std::string_view what, Milliseconds limit,
                                  const std::stop_token &stop)
{
    std::vector<std::string> command = plan.command.empty() ? ownVerifyCommand() : plan.command;
    if (command.empty())
        return sentence("this program makes no checks");
    command.insert(command.end(), {std::string(what), plan.deviceId, plan.root, plan.loadable});
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<ChildProcess> child, ChildProcess::start(command));
    const auto deadline = Clock::now() + limit;
    while (!child->hasEnded()) {
        if (stop.stop_requested())
            return sentence("it was stopped");
        if (Clock::now() >= deadline)
            return sentence("it did not end within " + counted(static_cast<std::uint64_t>(limit.count()), "ms"));
        std::this_thread::sleep_for(kChildPoll);
    }
    if (!child->exited())
        return sentence("it crashed (" + std::string(strsignal(child->signal())) + ")");
    if (child->exitCode() != 0)
        return sentence("it ended without an answer (exit code " + std::to_string(child->exitCode()) + ")");
    return child->output();
}

std::string today()
{
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    std::array<char, 16> text{};
    std::strftime(text.data(), text.size(), "%Y-%m-%d", &parts);
    return text.data();
}

VerifiedMachine machineOf(const VerifyPlan &plan, const std::stop_token &stop)
{
    VerifiedMachine machine;
    if (const Result<std::string> text = outputOfChild(plan, kVerifyMachineWord, kMachineLimit, stop); text.ok())
        if (Result<VerifiedMachine> described = verifiedMachineOf(text.value()); described.ok())
            machine = std::move(described).value();
    if (machine.device.empty())
        machine.device = plan.deviceId + ", which cannot be described";
    machine.date = today();
    utsname system{};
    if (uname(&system) == 0)
        machine.architecture = system.machine;
    const BoardIdentity board = readBoardIdentity(plan.root);
    machine.board = board.model.value.value_or("");
    machine.module = board.module.value.value_or("");
    machine.chip = board.chip.value.value_or("");
    machine.l4t = board.l4t.known() ? board.l4t.value->text() : "";
    machine.jetpack = board.jetpack.value.value_or("");
    machine.kernel = board.kernel.value.value_or("");
    return machine;
}

} // namespace

std::vector<std::string> &ownVerifyCommand()
{
    static std::vector<std::string> command;
    return command;
}

VerifyRow verifyOne(const VerifyPlan &plan, const VerifyCheck &check, const std::stop_token &stop)
{
    VerifyRow row{
        std::string(check.id), std::string(check.proves), std::string(check.document), std::string(check.says), {}, 0};
    const auto begin = Clock::now();
    const Milliseconds limit = plan.limit.value_or(check.limit);
    const Result<std::string> text = outputOfChild(plan, check.id, limit, stop);
    if (text.ok()) {
        Result<VerifyResult> result = verifyResultOf(text.value());
        row.result = result.ok() ? std::move(result).value()
                                 : failed("its process gave no result, but " + quotedWords(text.value()));
    } else {
        row.result = failed("in its process: " + text.error().text);
    }
    row.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    return row;
}

VerifyReport verifyMachine(const VerifyPlan &plan, const std::stop_token &stop, const VerifyProgress &progress)
{
    VerifyReport report;
    const PrivateWords words = PrivateWords::ofMachine(plan.root);
    report.machine = machineOf(plan, stop);
    removeNames(report.machine, words);
    const std::span<const VerifyCheck> checks = verifyChecks();
    for (std::size_t i = 0; i < checks.size() && !stop.stop_requested(); ++i) {
        if (progress.begins)
            progress.begins(checks[i], i, checks.size());
        VerifyRow row = verifyOne(plan, checks[i], stop);
        if (stop.stop_requested())
            break;
        removeNames(row, words);
        if (progress.ended)
            progress.ended(row, i, checks.size());
        report.rows.push_back(std::move(row));
    }
    return report;
}

} // namespace jetscope
