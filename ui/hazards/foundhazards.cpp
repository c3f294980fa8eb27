// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/hazards/foundhazards.h"

#include "ui/style/text.h"

#include <QCoreApplication>

#include <algorithm>
#include <utility>

namespace jetscope {

namespace {

constexpr qsizetype kLongestText = 1000; ///< A damaged file may contain texts of any length.

QString hazardWords(const char *text)
{
    return QCoreApplication::translate("jetscope::FoundHazards", text);
}

QString oneLine(const std::string &text)
{
    return toQString(std::string_view(text).substr(0, 4 * kLongestText)).simplified().left(kLongestText);
}

std::optional<quint64> numberOf(std::uint32_t frame, const FrameNumbers &numbers)
{
    return frame == kNoFrame ? std::nullopt : std::optional<quint64>(numbers.of(frame));
}

std::optional<FoundAccess> foundAccess(const std::optional<HazardAccess> &access, const FrameNumbers &numbers)
{
    if (!access)
        return std::nullopt;
    return FoundAccess{oneLine(access->what), oneLine(access->queue), access->access == Access::Write,
                       numberOf(access->frame, numbers)};
}

} // namespace

HazardGroup groupOf(std::optional<HazardLevel> level)
{
    if (!level)
        return HazardGroup::Unknown;
    switch (*level) {
    case HazardLevel::Error:
        return HazardGroup::Errors;
    case HazardLevel::Luck:
        return HazardGroup::Luck;
    case HazardLevel::Cost:
        return HazardGroup::Costs;
    case HazardLevel::Note:
        break;
    }
    return HazardGroup::Unknown;
}

QString groupTitle(HazardGroup group)
{
    switch (group) {
    case HazardGroup::Errors:
        return hazardWords(QT_TRANSLATE_NOOP("jetscope::FoundHazards", "Errors"));
    case HazardGroup::Luck:
        return hazardWords(QT_TRANSLATE_NOOP("jetscope::FoundHazards", "Luck"));
    case HazardGroup::Costs:
        return hazardWords(QT_TRANSLATE_NOOP("jetscope::FoundHazards", "Costs"));
    case HazardGroup::Unknown:
        break;
    }
    return hazardWords(QT_TRANSLATE_NOOP("jetscope::FoundHazards", "Level not known"));
}

QString groupMeaning(HazardGroup group)
{
    switch (group) {
    case HazardGroup::Errors:
        return hazardWords(QT_TRANSLATE_NOOP("jetscope::FoundHazards", "documented to fail or to give wrong pictures"));
    case HazardGroup::Luck:
        return hazardWords(QT_TRANSLATE_NOOP("jetscope::FoundHazards",
                                             "works on some devices and drivers, but no document promises it"));
    case HazardGroup::Costs:
        return hazardWords(QT_TRANSLATE_NOOP("jetscope::FoundHazards", "legal but slow"));
    case HazardGroup::Unknown:
        break;
    }
    return hazardWords(QT_TRANSLATE_NOOP("jetscope::FoundHazards", "this version of Jetscope does not know the rule"));
}

QString FoundAccess::kind() const
{
    const QString access = writes ? hazardWords(QT_TRANSLATE_NOOP("jetscope::FoundHazards", "write"))
                                  : hazardWords(QT_TRANSLATE_NOOP("jetscope::FoundHazards", "read"));
    return frame
        ? hazardWords(QT_TRANSLATE_NOOP("jetscope::FoundHazards", "%1, frame %2")).arg(access, QString::number(*frame))
        : access;
}

QString FoundAccess::text() const
{
    const QString access = writes ? hazardWords(QT_TRANSLATE_NOOP("jetscope::FoundHazards", "a write"))
                                  : hazardWords(QT_TRANSLATE_NOOP("jetscope::FoundHazards", "a read"));
    const QString all = hazardWords(QT_TRANSLATE_NOOP("jetscope::FoundHazards", "%1 on %2, %3"));
    const QString where = all.arg(what, queue, access);
    return frame
        ? hazardWords(QT_TRANSLATE_NOOP("jetscope::FoundHazards", "%1, frame %2")).arg(where, QString::number(*frame))
        : where;
}

std::optional<std::size_t> FoundHazards::add(const PipelineNotice &violation, const FrameNumbers &numbers)
{
    FoundHazard hazard;
    hazard.group = groupOf(violation.level);
    hazard.ruleName = oneLine(violation.rule);
    hazard.text = oneLine(violation.text);
    hazard.memory = oneLine(violation.memory);
    hazard.fix = oneLine(violation.fix);
    hazard.firstKey = violation.frame;
    hazard.firstNs = violation.timeNs;
    hazard.firstFrame = numberOf(violation.frame, numbers);
    hazard.first = foundAccess(violation.first, numbers);
    hazard.second = foundAccess(violation.second, numbers);
    if (const auto rule = ruleNamed(violation.rule))
        hazard.rule = &ruleOf(*rule);
    return place(std::move(hazard));
}

std::optional<std::size_t> FoundHazards::add(const TraceMark &mark, const FrameNumbers &numbers)
{
    FoundHazard hazard;
    hazard.fromFile = true;
    hazard.ruleName = oneLine(mark.rule);
    hazard.text = oneLine(mark.text);
    hazard.memory = oneLine(mark.memory);
    hazard.fix = oneLine(mark.fix);
    hazard.first = foundAccess(mark.first, numbers);
    hazard.second = foundAccess(mark.second, numbers);
    hazard.firstKey = mark.frame;
    hazard.firstNs = mark.timeNs;
    hazard.firstFrame = numberOf(mark.frame, numbers);
    if (const auto rule = ruleNamed(mark.rule))
        hazard.rule = &ruleOf(*rule);
    hazard.group = groupOf(hazard.rule ? std::optional(hazard.rule->level) : std::nullopt);
    return place(std::move(hazard));
}

std::optional<std::size_t> FoundHazards::place(FoundHazard hazard)
{
    const QString key = hazard.ruleName + u'\n' + hazard.text + u'\n' + hazard.memory;
    const auto known = m_places.constFind(key);
    if (known == m_places.constEnd()) {
        if (m_all.size() >= kMax) {
            ++m_leftOut;
            return std::nullopt;
        }
        hazard.count = 1;
        hazard.lastFrame = hazard.firstFrame;
        m_places.insert(key, m_all.size());
        m_all.push_back(std::move(hazard));
        return m_all.size() - 1;
    }
    FoundHazard &same = m_all[*known];
    const quint64 count = same.count + 1;
    const std::optional<quint64> last = std::max(same.lastFrame, hazard.firstFrame);
    // A hazard of an earlier frame can be reported later.
    if (hazard.firstFrame && same.firstFrame && *hazard.firstFrame < *same.firstFrame)
        same = std::move(hazard);
    same.count = count;
    same.lastFrame = last;
    return *known;
}

void FoundHazards::clear()
{
    m_all.clear();
    m_places.clear();
    m_leftOut = 0;
}

int FoundHazards::countOf(HazardGroup group) const
{
    return static_cast<int>(
        std::count_if(m_all.begin(), m_all.end(), [group](const FoundHazard &row) { return row.group == group; }));
}

} // namespace jetscope
