// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/verify/verifyreport.h"
#include "gpu/verify/verifychecks.h"

#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace jetscope {

/// What a verification is made with.
struct VerifyPlan {
    std::string deviceId;
    std::string root = "/";
    std::string loadable; ///< For the DLA; may be empty.
    /// A program whose main() calls verifyRowIfAsked, and its first argument; empty: this program.
    std::vector<std::string> command{};
    std::optional<std::chrono::milliseconds> limit{}; ///< In place of each check's own.
};

/// On the thread that verifies. Either may be empty.
struct VerifyProgress {
    std::function<void(const VerifyCheck &check, std::size_t index, std::size_t count)> begins{};
    std::function<void(const VerifyRow &row, std::size_t index, std::size_t count)> ended{};
};

/// Makes one check in a child process. A child that crashes, hangs, or prints something else is a failed row.
VerifyRow verifyOne(const VerifyPlan &plan, const VerifyCheck &check, const std::stop_token &stop = {});

/// Makes all checks, one after the other; takes some minutes on a board. When it is stopped, the rows so far. What
/// names a person, a machine or an address is taken out (withoutnames.h). Any thread.
VerifyReport verifyMachine(const VerifyPlan &plan, const std::stop_token &stop, const VerifyProgress &progress = {});

/// Call first in main(). If the arguments ask for a check ("--verify-row ..."), makes it and returns the exit code of
/// the program; otherwise names this program as the command. `prepare` may change what the check works with; for tests.
std::optional<int> verifyRowIfAsked(int argc, char **argv, void (*prepare)(VerifyWorld &world) = nullptr);

} // namespace jetscope
