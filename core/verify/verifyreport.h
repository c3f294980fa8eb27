// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jetscope {

enum class VerifyOutcome : std::uint8_t { Passed, Failed, NotPossible };
/// "passed", "failed", "not possible"
std::string_view nameOf(VerifyOutcome outcome);
std::optional<VerifyOutcome> verifyOutcomeOf(std::string_view name);

/// Whether what was found is what the document says.
enum class Agreement : std::uint8_t {
    Yes,
    No,
    Open, ///< No document says it, or the figures do not decide.
};
/// "yes", "no", "open"
std::string_view nameOf(Agreement agreement);
std::optional<Agreement> agreementOf(std::string_view name);

struct VerifyFact {
    std::string what;       ///< "concurrentManagedAccess"
    std::string documented; ///< What the document says of it.
    std::string found;      ///< What came.
    Agreement agrees = Agreement::Open;
};

/// What a check found.
struct VerifyResult {
    VerifyOutcome outcome = VerifyOutcome::Failed;
    std::string reason; ///< Why it failed or is not possible: one sentence without a full stop. Empty if it passed.
    std::vector<VerifyFact> facts;
};

VerifyResult passed();
VerifyResult failed(std::string reason);
VerifyResult notPossible(std::string reason);
/// Passed if no fact disagrees; else failed, with the first that does as the reason.
VerifyResult judged(std::vector<VerifyFact> facts);

/// A check and what it found.
struct VerifyRow {
    std::string id;       ///< "sync.cuda-to-gl"
    std::string proves;   ///< A sentence without a full stop: what holds if it passes.
    std::string document; ///< What it follows.
    std::string says;     ///< The sentence of the document, in short.
    VerifyResult result;
    double seconds = 0;
};

/// What was verified. Nothing here names a person, a machine or an address.
struct VerifiedMachine {
    std::string madeBy;       ///< "Jetscope 1.2.0"
    std::string date;         ///< The day in UTC: "2026-01-31".
    std::string architecture; ///< "aarch64"
    std::string board;        ///< "NVIDIA Jetson AGX Orin Developer Kit"; empty if unknown, as are the following.
    std::string module;
    std::string chip; ///< "tegra234"
    std::string l4t;
    std::string jetpack;
    std::string kernel;
    std::string device; ///< "cuda:0", with its name.
    std::string capability;
    std::string driver; ///< "CUDA 12.6"
    std::string runtime;
    std::string display; ///< Version of OpenGL ES and the renderer.
};

/// The machine in labelled parts: {"Board", "NVIDIA Jetson AGX Orin Developer Kit · tegra234"}. Unknown ones are left
/// out.
std::vector<std::pair<std::string, std::string>> describeMachine(const VerifiedMachine &machine);

struct VerifyReport {
    VerifiedMachine machine;
    std::vector<VerifyRow> rows;

    std::size_t count(VerifyOutcome outcome) const;
};

} // namespace jetscope
