// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/hazards/hazardlist.h"

#include "ui/hazards/hazardtree.h"
#include "ui/style/layouts.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QVBoxLayout>

namespace jetscope {

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

} // namespace jetscope
