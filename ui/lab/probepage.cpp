// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/lab/probepage.h"

#include "core/measure/probe/keptprobes.h"
#include "core/measure/probe/probefindings.h"
#include "ui/measure/probehtml.h"
#include "ui/session/session.h"
#include "ui/style/layouts.h"
#include "ui/style/text.h"
#include "ui/style/titleline.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QTextBrowser>
#include <QVBoxLayout>

#include <utility>

namespace jetscope {

ProbePage::ProbePage(Session &session, QWidget *parent)
    : QWidget(parent),
      m_session(session),
      m_head(new TitleLine),
      m_text(new QTextBrowser),
      m_run(new QPushButton(tr("Probe…")))
{
    setObjectName(QStringLiteral("probePage"));
    auto *column = makeInnerLayout<QVBoxLayout>(this, 8);
    m_head->setNotes({}, false);
    column->addWidget(m_head);
    auto *tools = new QWidget;
    auto *row = makeInnerLayout<QHBoxLayout>(tools, 8);
    row->setContentsMargins(10, 0, 10, 0);
    m_run->setToolTip(tr("Measures the memory kinds, copies, waits and hand-overs of the pipeline's device"));
    row->addWidget(m_run);
    row->addStretch(1);
    column->addWidget(tools);
    m_text->setAccessibleName(tr("What the probe says"));
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->document()->setDocumentMargin(12);
    column->addWidget(m_text, 1);
    connect(m_run, &QPushButton::clicked, this, &ProbePage::probeWanted);
    connect(&session, &Session::statusChanged, this, [this] {
        if (isVisible())
            refresh();
    });
    showNothing({});
}

QString ProbePage::verdictText() const
{
    return m_head->verdictText();
}

void ProbePage::showEvent(QShowEvent *event)
{
    refresh();
    QWidget::showEvent(event);
}

void ProbePage::refresh()
{
    if (m_session.phase() != Session::Phase::Open)
        return; // While a measurement holds the pipeline, its device stays in view.
    const DeviceFacts facts = m_session.status().facts;
    if (std::exchange(m_device, facts.name + facts.id) == facts.name + facts.id)
        return;
    if (std::exchange(m_taken, {}) == facts.id)
        return;
    const Result<std::optional<ProbeTable>> kept = keptProbe(facts, userDataFolder());
    if (kept.ok() && kept.value())
        showTable(*kept.value());
    else
        showNothing(kept.ok() ? QString() : toQString(kept.error().message()));
}

void ProbePage::take(const ProbeTable &table)
{
    m_taken = table.device.id;
    showTable(table);
}

void ProbePage::showTable(const ProbeTable &table)
{
    const QString date = toQString(table.date);
    const std::vector<ProbeFinding> findings = probeFindings(table);
    m_head->setTitle(tr("Probe"),
                     date.isEmpty() ? toQString(table.device.name)
                                    : tr("%1 · %2").arg(toQString(table.device.name), date));
    m_head->setWarning(findings.empty() ? tr("No difference is beyond the noise.") : toQString(findings.front().text),
                       false);
    m_text->setHtml(probeHtml(table));
    m_result = date.section(u'T', 0, 0);
    emit resultChanged();
}

void ProbePage::showNothing(const QString &why)
{
    m_head->setTitle(tr("Probe"), tr("what the memory kinds and the calls of this device cost"));
    m_head->setWarning(why.isEmpty() ? tr("This device was not probed yet.")
                                     : tr("The kept probe cannot be read: %1").arg(why),
                       !why.isEmpty());
    m_text->setPlainText(
        tr("A probe measures how fast CPU and GPU read and write each memory kind, copies by size, launches, waits, "
           "hand-overs and registrations, and ranks the memory kinds for light and heavy use. It takes a quarter of "
           "a minute on a GPU. On the command line: jetscope probe."));
    m_result.clear();
    emit resultChanged();
}

} // namespace jetscope
