// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/hazards/hazardlist.h"

#include "ui/hazards/hazardtree.h"
#include "ui/style/layouts.h"
#include "ui/style/text.h"

#include <QAction>
#include <QClipboard>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QVBoxLayout>

namespace jetscope {

namespace {

QString reportWords(const char *text)
{
    return QCoreApplication::translate("jetscope::HazardReport", text);
}

QString framesText(const FoundHazard &hazard)
{
    if (!hazard.firstFrame)
        return reportWords("not known");
    if (hazard.firstFrame == hazard.lastFrame)
        return QString::number(*hazard.firstFrame);
    return reportWords("%1 to %2").arg(*hazard.firstFrame).arg(*hazard.lastFrame);
}

QString hazardParagraph(const FoundHazard &hazard)
{
    QString text =
        QStringLiteral("%1  %2\n").arg(hazard.ruleName.isEmpty() ? QStringLiteral("?") : hazard.ruleName, hazard.text);
    const auto line = [&text](const char *name, const QString &value) {
        if (!value.isEmpty())
            text += QStringLiteral("  %1 %2\n").arg(reportWords(name) + u':', value);
    };
    line("Count", QString::number(hazard.count));
    line("Frames", framesText(hazard));
    line("Memory", hazard.memory);
    line("First access", hazard.first ? hazard.first->text() : QString());
    line("Second access", hazard.second ? hazard.second->text() : QString());
    line("Rule", hazard.rule ? toQString(hazard.rule->sentence) : QString());
    line("Fix", hazard.fix);
    line("Source", hazard.rule ? toQString(hazard.rule->source) : QString());
    return text;
}

QJsonValue textOrNull(const QString &text)
{
    return text.isEmpty() ? QJsonValue() : QJsonValue(text);
}

QJsonValue numberOrNull(const std::optional<quint64> &number)
{
    return number ? QJsonValue(static_cast<qint64>(*number)) : QJsonValue();
}

QJsonObject hazardObject(const FoundHazard &hazard)
{
    const auto access = [](const std::optional<FoundAccess> &one) {
        return one ? QJsonValue(one->text()) : QJsonValue();
    };
    return {{QStringLiteral("rule"), hazard.ruleName},
            {QStringLiteral("level"), hazard.rule ? QJsonValue(toQString(nameOf(hazard.rule->level))) : QJsonValue()},
            {QStringLiteral("first_frame"), numberOrNull(hazard.firstFrame)},
            {QStringLiteral("last_frame"), numberOrNull(hazard.lastFrame)},
            {QStringLiteral("count"), static_cast<qint64>(hazard.count)},
            {QStringLiteral("buffer"), textOrNull(hazard.memory)},
            {QStringLiteral("text"), hazard.text},
            {QStringLiteral("a"), access(hazard.first)},
            {QStringLiteral("b"), access(hazard.second)},
            {QStringLiteral("fix"), textOrNull(hazard.fix)}};
}

} // namespace

HazardList::HazardList(QWidget *parent)
    : QWidget(parent),
      m_coverage(new CoverageLine),
      m_tree(new HazardTree(m_hazards)),
      m_empty(new QLabel),
      m_leftOut(new QLabel),
      m_export(new QPushButton(tr("Export"))),
      m_scenes(new QPushButton)
{
    m_empty->setObjectName(QStringLiteral("noHazard"));
    m_leftOut->setObjectName(QStringLiteral("leftOut"));
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setProperty("muted", true);
    m_empty->setWordWrap(true);
    m_leftOut->setProperty("muted", true);
    m_leftOut->setContentsMargins(12, 2, 12, 4);
    m_leftOut->setWordWrap(true);
    auto *column = makeInnerLayout<QVBoxLayout>(this, 0);
    column->addWidget(makeHead());
    column->addWidget(m_empty, 1);
    column->addWidget(m_tree, 1);
    column->addWidget(m_leftOut);
    setSceneRuns(false);
    setChecked({});
    clear();
}

QWidget *HazardList::makeHead()
{
    auto *copyText = new QAction(tr("Copy as text"), this);
    copyText->setShortcut(QKeySequence::Copy);
    copyText->setShortcutContext(Qt::WidgetShortcut);
    auto *save = new QAction(tr("Save…"), this);
    connect(copyText, &QAction::triggered, this, &HazardList::copy);
    connect(save, &QAction::triggered, this, &HazardList::saveWanted);
    auto *menu = new QMenu(m_export);
    menu->addActions({copyText, save});
    m_export->setMenu(menu);
    m_export->setToolTip(tr("Copies or saves all rows with their accesses; a name that ends in .json gives JSON"));
    m_tree->addActions({copyText, save});
    m_tree->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_scenes->setObjectName(QStringLiteral("scenes"));
    for (QPushButton *button : {m_export, m_scenes})
        button->setProperty("flat", true); // Buttons with borders would take room from the sentence.
    connect(m_scenes, &QPushButton::clicked, this,
            [this] { m_sceneRuns ? emit sceneStopWanted() : emit scenesWanted(); });
    auto *head = new QWidget;
    auto *row = new QHBoxLayout(head);
    row->setContentsMargins(12, 4, 8, 4);
    row->setSpacing(2);
    row->addWidget(m_coverage, 1);
    row->addWidget(m_export);
    row->addWidget(m_scenes);
    return head;
}

void HazardList::add(const PipelineNotice &violation, const FrameNumbers &numbers)
{
    const std::size_t before = m_hazards.all().size();
    if (const auto index = m_hazards.add(violation, numbers))
        m_tree->showHazard(*index);
    if (m_hazards.all().size() != before || m_hazards.leftOut() > 0)
        showCount();
}

void HazardList::addMarks(const MarkList &marks, const FrameNumbers &numbers)
{
    for (const TraceMark &mark : marks.all())
        if (mark.kind == TraceMark::Kind::Hazard)
            m_hazards.add(mark, numbers);
    for (std::size_t i = 0; i < m_hazards.all().size(); ++i)
        m_tree->showHazard(i);
    showCount();
}

void HazardList::clear()
{
    m_tree->restart();
    m_hazards.clear();
    showCount();
}

void HazardList::showCount()
{
    m_tree->setVisible(rows() > 0);
    m_empty->setVisible(rows() == 0);
    m_leftOut->setVisible(m_hazards.leftOut() > 0);
    m_leftOut->setText(tr("%L1 occurrences of further hazards have no row.").arg(m_hazards.leftOut()));
    m_export->setEnabled(rows() > 0);
    emit rowsChanged();
}

void HazardList::setChecked(const CheckedRun &run)
{
    m_coverage->show(run);
    switch (run.origin) {
    case CheckedRun::Origin::None:
        m_empty->setText(tr("Hazards appear here while a pipeline runs: choose a source above. \"Show me…\" runs a "
                            "classic mistake."));
        break;
    case CheckedRun::Origin::Pipeline:
        m_empty->setText(tr("No hazard found."));
        break;
    case CheckedRun::Origin::File:
        m_empty->setText(tr("The file contains no hazard."));
        break;
    }
}

void HazardList::setScenesOffered(bool offered)
{
    m_scenes->setVisible(offered);
}

void HazardList::setSceneRuns(bool runs)
{
    m_sceneRuns = runs;
    m_scenes->setText(runs ? tr("Stop the mistake") : tr("Show me…"));
    m_scenes->setToolTip(runs ? tr("Opens the pipeline again with the choices before the mistake")
                              : tr("Shows a classic mistake with shared memory: how it looks, and what is found"));
}

HazardReport HazardList::report() const
{
    return {m_hazards, m_coverage->text(), m_coverage->run().rules()};
}

void HazardList::copy() const
{
    QGuiApplication::clipboard()->setText(hazardReportText(report()));
}

QString hazardReportText(const HazardReport &report)
{
    QString text = report.coverage + u'\n';
    if (report.hazards.all().empty())
        text += reportWords("No hazard found.") + u'\n';
    for (int i = 0; i < kHazardGroups; ++i) {
        const auto group = static_cast<HazardGroup>(i);
        if (report.hazards.countOf(group) == 0)
            continue;
        text += QStringLiteral("\n%1: %2\n").arg(groupTitle(group), groupMeaning(group));
        for (const FoundHazard &hazard : report.hazards.all())
            if (hazard.group == group)
                text += u'\n' + hazardParagraph(hazard);
    }
    return text;
}

QByteArray hazardReportJson(const HazardReport &report)
{
    QJsonArray rows;
    for (const FoundHazard &hazard : report.hazards.all())
        rows.append(hazardObject(hazard));
    QJsonObject object{{QStringLiteral("coverage"), report.coverage},
                       {QStringLiteral("hazards"), rows},
                       {QStringLiteral("occurrences_left_out"), static_cast<qint64>(report.hazards.leftOut())},
                       {QStringLiteral("hazard_rules"), QJsonValue()}};
    if (report.rules)
        object[QStringLiteral("hazard_rules")] =
            QJsonObject{{QStringLiteral("checked"), report.rules->checked},
                        {QStringLiteral("cannot_check"), report.rules->cannotCheck},
                        {QStringLiteral("does_not_apply"), report.rules->doesNotApply}};
    return QJsonDocument(object).toJson();
}

} // namespace jetscope
