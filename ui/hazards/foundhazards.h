// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hazards/rules.h"
#include "core/trace/framenumbers.h"
#include "core/trace/marklist.h"
#include "gpu/pipeline/pipelinecontrol.h"

#include <QHash>
#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace jetscope {

/// The groups of rows, in the order in which they are shown.
enum class HazardGroup : std::uint8_t { Errors, Luck, Costs, Unknown };
inline constexpr int kHazardGroups = 4;
HazardGroup groupOf(std::optional<HazardLevel> level);
/// "Errors", and one line with its meaning.
QString groupTitle(HazardGroup group);
QString groupMeaning(HazardGroup group);

/// One access of a hazard, as shown.
struct FoundAccess {
    QString what;  ///< "kernels", "CPU access, byte 17, in jetscope+0x1234"
    QString queue; ///< "CUDA stream 1", "the CPU stage thread"
    bool writes = false;
    std::optional<quint64> frame; ///< The source's number.

    QString kind() const; ///< "write, frame 3"
    QString text() const; ///< "kernels on CUDA stream 1, a write, frame 3"
    /// `what` without its details.
    QString brief() const { return what.section(QStringLiteral(", "), 0, 0); }
};

/// The same hazard in the same memory, however often. Texts may come from a file; they contain no line breaks.
struct FoundHazard {
    HazardGroup group = HazardGroup::Errors;
    QString ruleName;
    const Rule *rule = nullptr; ///< Null for a name that is not in the table of rules.
    QString text;
    QString memory; ///< Empty if unknown, or if no memory is concerned.
    QString fix;    ///< Empty if unknown.
    bool fromFile = false;

    quint64 count = 0;
    std::optional<quint64> firstFrame; ///< The source's numbers.
    std::optional<quint64> lastFrame;
    std::uint32_t firstKey = kNoFrame; ///< Span::frame of the first occurrence.
    std::int64_t firstNs = 0;
    std::optional<FoundAccess> first; ///< The accesses of the first occurrence.
    std::optional<FoundAccess> second;

    /// Two accesses without an order: the second should have waited for the first.
    bool lacksOrder() const { return first && second && group != HazardGroup::Costs; }
};

/// Collects hazards of a run or a capture. Bounded: further different hazards are only counted.
class FoundHazards {
public:
    static constexpr std::size_t kMax = 200; ///< More rows are not useful to read.

    /// Index of the hazard in all(); none if it was only counted.
    std::optional<std::size_t> add(const PipelineNotice &violation, const FrameNumbers &numbers);
    /// A hazard of a capture. Old captures contain neither memory nor accesses.
    std::optional<std::size_t> add(const TraceMark &mark, const FrameNumbers &numbers);
    void clear();

    const std::vector<FoundHazard> &all() const { return m_all; }
    /// Occurrences of hazards that are not in all().
    quint64 leftOut() const { return m_leftOut; }
    int countOf(HazardGroup group) const;
    /// Hazards that are errors or luck.
    int broken() const { return countOf(HazardGroup::Errors) + countOf(HazardGroup::Luck); }

private:
    std::optional<std::size_t> place(FoundHazard hazard);

    std::vector<FoundHazard> m_all;
    QHash<QString, std::size_t> m_places; ///< By rule, text and memory.
    quint64 m_leftOut = 0;
};

} // namespace jetscope
