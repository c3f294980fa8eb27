// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "core/verify/verifyreport.h"
#include "gpu/verify/verifyworld.h"

#include <chrono>
#include <span>
#include <string_view>

namespace jetscope {

/// One row of the verification. An error of `run` is a failure of the row.
struct VerifyCheck {
    std::string_view id;       ///< "sync.cuda-to-gl": what is before the point is its group.
    std::string_view proves;   ///< What holds if it passes: a sentence without a full stop.
    std::string_view document; ///< What it follows.
    std::string_view says;     ///< The sentence of the document, in short.
    std::string_view fails;    ///< How it can fail.
    Result<VerifyResult> (*run)(VerifyWorld &world, std::string_view key);
    std::string_view key = {};      ///< Which one of its kind `run` checks.
    std::chrono::seconds limit{40}; ///< Opening a device may take some seconds of it.
};

/// In the order in which they run and are shown.
std::span<const VerifyCheck> verifyChecks();
/// Null if there is none with this id.
const VerifyCheck *verifyCheck(std::string_view id);

/// Runs a check in this process, which it may end.
VerifyResult runCheck(const VerifyCheck &check, VerifyWorld &world);

/// What the world's device and files say of the machine.
VerifiedMachine describeMachine(const VerifyWorld &world);

// The kinds of checks; `key` as in the table.

Result<VerifyResult> checkDevice(VerifyWorld &world, std::string_view key);
Result<VerifyResult> checkAttribute(VerifyWorld &world, std::string_view key);
Result<VerifyResult> checkCapability(VerifyWorld &world, std::string_view key);
Result<VerifyResult> checkMemory(VerifyWorld &world, std::string_view key);
Result<VerifyResult> checkLargeRegistration(VerifyWorld &world, std::string_view key);
Result<VerifyResult> checkCaching(VerifyWorld &world, std::string_view key);
Result<VerifyResult> checkAttachment(VerifyWorld &world, std::string_view key);
Result<VerifyResult> checkManagedWhileBusy(VerifyWorld &world, std::string_view key);
Result<VerifyResult> checkOutput(VerifyWorld &world, std::string_view key);
Result<VerifyResult> checkStreamInput(VerifyWorld &world, std::string_view key);
Result<VerifyResult> checkGlToDevice(VerifyWorld &world, std::string_view key);
Result<VerifyResult> checkDeviceToGl(VerifyWorld &world, std::string_view key);
Result<VerifyResult> checkSurface(VerifyWorld &world, std::string_view key);
Result<VerifyResult> checkCamera(VerifyWorld &world, std::string_view key);
Result<VerifyResult> checkCameraStream(VerifyWorld &world, std::string_view key);
Result<VerifyResult> checkCupti(VerifyWorld &world, std::string_view key);
Result<VerifyResult> checkVpi(VerifyWorld &world, std::string_view key);
Result<VerifyResult> checkDlaCount(VerifyWorld &world, std::string_view key);
Result<VerifyResult> checkDlaTask(VerifyWorld &world, std::string_view key);
Result<VerifyResult> checkDlaModes(VerifyWorld &world, std::string_view key);
Result<VerifyResult> checkNviva(VerifyWorld &world, std::string_view key);
Result<VerifyResult> checkIdentity(VerifyWorld &world, std::string_view key);
Result<VerifyResult> checkBoardValues(VerifyWorld &world, std::string_view key);
Result<VerifyResult> checkRails(VerifyWorld &world, std::string_view key);
Result<VerifyResult> checkScheduler(VerifyWorld &world, std::string_view key);
Result<VerifyResult> checkFilters(VerifyWorld &world, std::string_view key);
Result<VerifyResult> checkFormats(VerifyWorld &world, std::string_view key);
Result<VerifyResult> checkWaitPolicy(VerifyWorld &world, std::string_view key);
Result<VerifyResult> checkEventTimes(VerifyWorld &world, std::string_view key);

} // namespace jetscope
