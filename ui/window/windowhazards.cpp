// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/windowhazards.h"

#include "gpu/hazards/scenes.h"
#include "ui/files/tracefiles.h"
#include "ui/hazards/hazardlist.h"
#include "ui/hazards/hazardtree.h"
#include "ui/hazards/scenelist.h"
#include "ui/query/queryanswer.h"
#include "ui/session/session.h"
#include "ui/style/messagebar.h"
#include "ui/style/style.h"
#include "ui/style/text.h"
#include "ui/window/tracepanels.h"

#include <QLabel>
#include <QTabBar>
#include <QTabWidget>

#include <utility>

namespace jetscope {

void CheckedFrames::take(const std::string &deviceId, quint64 frames)
{
    if (std::exchange(m_device, deviceId) != deviceId)
        m_before = m_frames;
    m_frames = frames;
}

WindowHazards::WindowHazards(const Parts &parts) : m_parts(parts), m_badge(new QLabel(&parts.tabs))
{
    setStyleKind(m_badge, "badge", "bad");
    m_badge->hide();
    Session &session = m_parts.session;
    HazardList &list = m_parts.list;
    connect(&session, &Session::traceRestarted, this, &WindowHazards::restart);
    connect(&session, &Session::statusChanged, this, &WindowHazards::showChecked);
    connect(&session, &Session::figuresChanged, this, &WindowHazards::showChecked);
    connect(&session, &Session::wantedChanged, this, &WindowHazards::showChecked);
    connect(&session, &Session::opened, this, &WindowHazards::showScene);
    connect(&session, &Session::failed, this, &WindowHazards::showScene);
    connect(&session, &Session::noticed, this, [this](const PipelineNotice &notice) {
        if (notice.kind == PipelineNotice::Kind::Violation)
            m_parts.list.add(notice, m_parts.session.trace().frameNumbers());
    });
    connect(&list, &HazardList::rowsChanged, this, &WindowHazards::showBadge);
    connect(&list, &HazardList::saveWanted, this, &WindowHazards::save);
    connect(&list, &HazardList::scenesWanted, this, &WindowHazards::askForScene);
    connect(&list, &HazardList::sceneStopWanted, &session, &Session::stopScene);
    connect(list.tree(), &HazardTree::remedyWanted, &session, &Session::change);
    connect(list.tree(), &HazardTree::chosen, this, [this](std::size_t hazard) { show(hazard, false); });
    connect(list.tree(), &HazardTree::opened, this, [this](std::size_t hazard) { show(hazard, true); });
    showChecked();
}

void WindowHazards::restart()
{
    m_frames.restart();
    m_parts.list.clear();
    const Trace &trace = m_parts.session.trace();
    if (!m_parts.session.isLive())
        m_parts.list.addMarks(trace.marks(), trace.frameNumbers());
    showChecked();
}

void WindowHazards::showChecked()
{
    const Session &session = m_parts.session;
    const bool isOpen = session.phase() == Session::Phase::Open;
    const PipelineStatus &status = session.status();
    CheckedRun run;
    if (isOpen) {
        m_frames.take(status.facts.id, status.frames);
        run = {CheckedRun::Origin::Pipeline, status.facts, m_frames.present(), m_frames.before()};
    } else if (!session.isLive()) {
        run.origin = CheckedRun::Origin::File;
    }
    m_parts.list.setChecked(run);
    m_parts.list.setSceneRuns(!session.request().scene.empty());
    m_parts.list.tree()->setChoices(isOpen ? std::optional(session.wanted()) : std::nullopt, status.facts);
}

/// Only what breaks a rule is counted; legal costs are not.
void WindowHazards::showBadge()
{
    const int broken = m_parts.list.hazards().broken();
    m_badge->setText(QString::number(broken));
    m_badge->setAccessibleName(tr("%n hazard(s)", nullptr, broken));
    m_badge->setVisible(broken > 0);
    m_badge->adjustSize();
    QTabBar *bar = m_parts.tabs.tabBar();
    const int tab = m_parts.tabs.indexOf(&m_parts.list);
    QWidget *wanted = broken > 0 ? m_badge : nullptr;
    if (bar->tabButton(tab, QTabBar::RightSide) != wanted) // QTabBar hides a button that is set twice.
        bar->setTabButton(tab, QTabBar::RightSide, wanted);
    bar->setTabText(tab, bar->tabText(tab)); // Resizes the tab to fit its badge.
}

void WindowHazards::show(std::size_t hazard, bool zoom)
{
    const FoundHazard &found = m_parts.list.hazards().all()[hazard];
    QueryTarget target;
    if (found.firstKey != kNoFrame)
        target.frame = found.firstKey;
    // Figures of the newest frames are still missing; their time is known.
    QueryTarget time;
    time.startNs = found.firstNs;
    if (!m_parts.panels.showTarget(target, zoom) && !m_parts.panels.showTarget(time, zoom)) {
        if (zoom)
            m_parts.messages.show(
                MessageBar::Kind::Info,
                tr("The first occurrence is not in the trace any more: the oldest frames are discarded."));
        return;
    }
    if (zoom)
        emit m_parts.panels.timelineWanted();
}

void WindowHazards::save()
{
    m_parts.files.askToSaveText(
        tr("Save the hazards"), tr("Texts (*.txt);;JSON (*.json)"), [this](const QString &path) {
            const HazardReport report = m_parts.list.report();
            return path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive) ? hazardReportJson(report)
                                                                              : hazardReportText(report).toUtf8();
        });
}

void WindowHazards::askForScene()
{
    const Session &session = m_parts.session;
    std::optional<SceneChoices> choices;
    if (session.phase() == Session::Phase::Open)
        choices = SceneChoices{session.wanted(), session.status().facts};
    auto *dialog = new SceneList(choices, m_parts.list.window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &SceneList::chosen, this, [this](const QString &name) {
        m_parts.saveSettings();
        m_parts.session.startScene(name.toStdString());
    });
    dialog->open();
}

/// Says which mistake the pipeline makes on purpose.
void WindowHazards::showScene()
{
    const Scene *scene = sceneNamed(m_parts.session.request().scene);
    if (!scene)
        return;
    const bool failed = m_parts.session.phase() == Session::Phase::Failed;
    const QString text =
        tr("A mistake runs: %1 Rule %2. What to look for: %3")
            .arg(toQString(scene->mistake), toQString(ruleOf(scene->rule).name), toQString(scene->looks));
    m_parts.messages.show(failed ? MessageBar::Kind::Warning : MessageBar::Kind::Info,
                          failed ? tr("The mistake \"%1\" could not be shown.").arg(toQString(scene->title)) : text,
                          {tr("Stop"), [this] { m_parts.session.stopScene(); }});
}

} // namespace jetscope
