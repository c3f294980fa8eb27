// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// What the child of a CuptiTrial tells its parent: lines of a word and a text.
struct TrialReport {
    enum class Verdict : std::uint8_t {
        Usable,
        Absent, ///< There is no such library.
        Failed, ///< With this library; another one may do.
        Final,  ///< With any.
    };
    Verdict verdict = Verdict::Failed;
    std::string reason;  ///< One sentence, unless usable.
    std::string library; ///< The file, as the linker found it.
    std::string version;
    std::vector<std::string> remarks;

    std::string text() const;
    /// None if it lacks a verdict. Anything may stand in it: control characters become spaces, texts end after 2,000
    /// bytes.
    static std::optional<TrialReport> parse(std::string_view text);
};

} // namespace jetscope
