// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/settings/devicefacts.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace jetscope {

/// How serious it is to break a rule.
enum class HazardLevel : std::uint8_t {
    Error, ///< Illegal: documented to fail or to give wrong pictures.
    Luck,  ///< Works on some devices and drivers, but no document promises it.
    Cost,  ///< Legal but slow.
    Note,  ///< Explains a property of the device; nothing can break it.
};
/// "error", "luck", "cost" or "note".
std::string_view nameOf(HazardLevel level);

/// The documented rules for memory that CPU, CUDA and GL share. A: memory. B: streams and waits. C: EGLImage. D:
/// EGLSync. E: EGLStream. F: cuDLA. G: VPI. H: readings. O: the general rule of ordering.
// clang-format off
enum class RuleId : std::uint8_t {
    O1,
    A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13, A14, A15, A16, A17, A18, A19, A20, A21, A22,
    A23, A24, A25,
    B1, B2, B3, B4, B5, B6, B7, B8,
    C1, C2, C3, C4, C5, C6, C7,
    D1, D2, D3, D4, D5, D6, D7, D8,
    E1, E2, E3, E4, E5, E6, E7, E8,
    F1, F2,
    G1, G2,
    H1, H2, H3, H4, H5,
};
// clang-format on

/// Whether Jetscope checks a rule on a device.
struct RuleCoverage {
    enum class State : std::uint8_t {
        Checked,      ///< Every access that can break the rule is checked.
        CannotCheck,  ///< The rule applies, but nothing here sees when it is broken.
        DoesNotApply, ///< The device's attributes rule it out, or Jetscope never makes the call in question.
    };
    State state = State::Checked;
    std::string_view why; ///< Empty when checked.
};

/// The same on all devices, or what a function says of one.
class CoverageAnswer {
public:
    constexpr CoverageAnswer(RuleCoverage onAll) : m_onAll(onAll) {}
    constexpr CoverageAnswer(RuleCoverage (*on)(const DeviceFacts &facts)) : m_on(on) {}
    RuleCoverage operator()(const DeviceFacts &facts) const { return m_on ? m_on(facts) : m_onAll; }

private:
    RuleCoverage m_onAll;
    RuleCoverage (*m_on)(const DeviceFacts &facts) = nullptr;
};

/// One documented rule. All texts are plain sentences for users, without a full stop at the end of `title`, `condition`
/// and `fix`.
struct Rule {
    RuleId id;
    std::string_view name; ///< "A1"
    HazardLevel level;
    std::string_view title;     ///< "CPU access to managed memory while a kernel runs"
    std::string_view condition; ///< The device attributes that turn it on: "concurrentManagedAccess = 0"; or "".
    std::string_view sentence;  ///< What is required and what happens otherwise.
    std::string_view fix;       ///< The smallest change that makes it legal.
    std::string_view source;    ///< The document that states it, by title and section.
    CoverageAnswer coverage;
};

/// In the order of RuleId.
std::span<const Rule> rules();
const Rule &ruleOf(RuleId id);
/// By name, in any case: "a1"; none if there is no such rule.
std::optional<RuleId> ruleNamed(std::string_view name);

/// How many rules are checked on a device, and how many cannot be.
struct CoverageCounts {
    int checked = 0;
    int cannotCheck = 0;
    int doesNotApply = 0;
};
CoverageCounts coverageOf(const DeviceFacts &facts);

} // namespace jetscope
