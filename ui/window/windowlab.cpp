// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/windowlab.h"

#include "ui/files/fileplaces.h"
#include "ui/lab/cameraspage.h"
#include "ui/lab/experimentspage.h"
#include "ui/lab/labview.h"
#include "ui/lab/latencypage.h"
#include "ui/lab/losspage.h"
#include "ui/lab/probepage.h"
#include "ui/style/messagebar.h"
#include "ui/timeline/timelineview.h"
#include "ui/window/liveworkspace.h"
#include "ui/window/tracepanels.h"
#include "ui/window/windowsweep.h"

#include <QSaveFile>

namespace jetscope {

namespace {

constexpr std::int64_t kAroundNs = 20'000'000;

} // namespace

WindowLab::WindowLab(const Parts &parts, QObject *parent) : QObject(parent), m_parts(parts)
{
    connect(parts.lab.losses(), &LossPage::timeWanted, this,
            [this](std::int64_t ns) { showTime(ns - kAroundNs, ns + kAroundNs); });
    const LatencyPage *latency = parts.lab.latency();
    connect(latency, &LatencyPage::frameWanted, this,
            [this](const FrameLatency &frame) { showTime(frame.shown.fromNs, frame.endNs); });
    connect(latency, &LatencyPage::reportWanted, this, &WindowLab::saveReport);
    connect(latency, &LatencyPage::sourceWanted, &parts.live, &LiveWorkspace::takeSource);
    connect(parts.lab.cameras(), &CamerasPage::sourceWanted, &parts.live, &LiveWorkspace::takeSource);
    connect(parts.lab.experiments(), &ExperimentsPage::experimentWanted, this,
            [this](const QString &name) { m_parts.live.measuring().openExperiment(name); });
    WindowSweep &measuring = parts.live.measuring();
    connect(parts.lab.probe(), &ProbePage::probeWanted, &measuring, &WindowSweep::openProbe);
    connect(&measuring, &WindowSweep::probeMeasured, parts.lab.probe(), &ProbePage::take);
}

void WindowLab::showTime(std::int64_t fromNs, std::int64_t untilNs)
{
    emit liveWanted();
    emit m_parts.live.panels().timelineWanted();
    m_parts.live.panels().timeline()->show({fromNs, untilNs});
}

void WindowLab::saveReport()
{
    const LatencyPage &page = *m_parts.lab.latency();
    if (!page.meter() || page.meter()->counts().frames == 0)
        return m_parts.messages.show(MessageBar::Kind::Warning,
                                     tr("Nothing was measured yet: point a camera at the clock, and press Measure."));
    const QString path = m_parts.places.askForPlace(tr("Save the latency"), "md",
                                                    tr("Report (*.md);;A row for each frame (*.csv)"), "latency");
    if (path.isEmpty())
        return;
    const LatencyReport report = page.report();
    const std::deque<FrameLatency> &frames = page.meter()->frames();
    const std::string text = path.endsWith(QStringLiteral(".csv"), Qt::CaseInsensitive)
        ? latencyCsv(frames, report.figures && report.figures->hasStamps)
        : latencyMarkdown(report, frames);
    QSaveFile file(path);
    const bool isWritten = file.open(QIODevice::WriteOnly)
        && file.write(text.data(), static_cast<qint64>(text.size())) == static_cast<qint64>(text.size())
        && file.commit();
    if (isWritten)
        m_parts.messages.show(MessageBar::Kind::Info, tr("The latency was saved: %1").arg(path));
    else
        m_parts.messages.show(MessageBar::Kind::Error,
                              tr("The latency could not be saved as %1: %2").arg(path, file.errorString()));
}

} // namespace jetscope
