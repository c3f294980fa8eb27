// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// The report of a CuptiTrial's child to its parent: lines of a keyword and a text.
struct TrialReport {
    enum class Verdict : std::uint8_t {
        Usable,
        Absent, ///< The library does not exist.
        Failed, ///< Failed with this library; another one may work.
        Final,  ///< Failed with any library.
    };
    Verdict verdict = Verdict::Failed;
    std::string reason;  ///< One sentence; empty if usable.
    std::string library; ///< The file that the dynamic linker found.
    std::string version;
    std::vector<std::string> remarks;
    std::optional<bool> concurrentManagedAccess{}; ///< Of the device; empty if it is not known.

    std::string text() const;
    /// None without a verdict. The text may contain anything: control characters become spaces, texts are cut after
    /// 2,000 bytes.
    static std::optional<TrialReport> parse(std::string_view text);
};

} // namespace jetscope
