// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/windowsweep.h"

#include "core/text/utf8.h"
#include "gpu/sources/framesource.h"
#include "ui/files/fileplaces.h"
#include "ui/files/tracefiles.h"
#include "ui/files/traceopener.h"
#include "ui/measure/experimentdialog.h"
#include "ui/measure/probedialog.h"
#include "ui/measure/sweepdialog.h"
#include "ui/measure/sweeppage.h"
#include "ui/measure/sweeppicker.h"
#include "ui/measure/tunedialog.h"
#include "ui/session/session.h"
#include "ui/style/messagebar.h"
#include "ui/style/text.h"
#include "ui/verify/verifydialog.h"
#include "ui/window/windowactions.h"

#include <QAction>
#include <QComboBox>
#include <QFileInfo>

#include <algorithm>
#include <cmath>
#include <utility>

namespace jetscope {

namespace {

/// "0:42" or "1:02:03".
QString clockWords(double seconds)
{
    const auto whole = static_cast<qint64>(std::llround(seconds));
    const QString tail = QStringLiteral("%1:%2").arg(whole / 60 % 60).arg(whole % 60, 2, 10, QLatin1Char('0'));
    return whole < 3600 ? tail
                        : QStringLiteral("%1:%2:%3")
                              .arg(whole / 3600)
                              .arg(whole / 60 % 60, 2, 10, QLatin1Char('0'))
                              .arg(whole % 60, 2, 10, QLatin1Char('0'));
}

QString progressWords(const QJsonObject &line)
{
    QString text = WindowSweep::tr("Round %1 of %2 · %3 measurements to go")
                       .arg(line["round"].toInt())
                       .arg(line["rounds"].toInt())
                       .arg(line["stretches_left"].toInt());
    if (line["seconds_left"].isDouble())
        text += WindowSweep::tr(" · about %1 left").arg(clockWords(line["seconds_left"].toDouble()));
    if (line["seconds_needed"].isDouble())
        text += WindowSweep::tr(" · the time is too short: a verdict needs %1")
                    .arg(clockWords(line["seconds_needed"].toDouble()));
    return text;
}

} // namespace

WindowSweep::WindowSweep(Parts parts) : m_parts(std::move(parts)), m_measurement(m_parts.session, m_parts.program)
{
    connectPage();
    const WindowActions &actions = m_parts.actions;
    connect(actions.sweep, &QAction::triggered, this, &WindowSweep::askForSweep);
    connect(actions.tune, &QAction::triggered, this, &WindowSweep::openTune);
    connect(actions.experiments, &QAction::triggered, this, &WindowSweep::openExperiments);
    connect(actions.probe, &QAction::triggered, this, &WindowSweep::openProbe);
    connect(actions.verify, &QAction::triggered, this, &WindowSweep::openVerify);
    connect(actions.report, &QAction::triggered, this, &WindowSweep::report);
    connect(&m_parts.opener, &TraceOpener::sweepOpened, this, &WindowSweep::opened);
    connect(&m_parts.opener, &TraceOpener::verificationOpened, this, [this](const QString &path) {
        openVerify();
        m_verify->openFile(path);
    });
    connect(&m_reader, &SweepReader::read, this, &WindowSweep::shown);
    connect(&m_reader, &SweepReader::failed, this, [this](const QString &error) {
        if (!m_isSweeping) // Its process is still creating the file.
            m_parts.page.showProblem(tr("The sweep cannot be read: %1").arg(error));
    });
    connect(&m_measurement, &Measurement::said, this, &WindowSweep::said);
    connect(&m_measurement, &Measurement::ended, this, &WindowSweep::ended);
    connect(&m_parts.session, &Session::statusChanged, this, &WindowSweep::showPossible);
    connect(&m_parts.opened, &Session::statusChanged, this, &WindowSweep::showPossible);
    connect(&m_parts.opener, &TraceOpener::shown, this, &WindowSweep::showPossible);
    connect(&m_parts.session, &Session::opened, this, &WindowSweep::useWhenOpen);
    showPossible();
}

WindowSweep::~WindowSweep()
{
    m_measurement.disconnect(this);
}

void WindowSweep::connectPage()
{
    SweepPage &page = m_parts.page;
    connect(&page, &SweepPage::sweepWanted, this, &WindowSweep::askForSweep);
    connect(&page, &SweepPage::tuneWanted, this, &WindowSweep::openTune);
    connect(&page, &SweepPage::openWanted, m_parts.actions.open, &QAction::trigger);
    connect(&page, &SweepPage::resumeWanted, this, &WindowSweep::resume);
    connect(&page, &SweepPage::cancelWanted, &m_measurement, &Measurement::cancel);
    connect(&page, &SweepPage::cellOpened, this, &WindowSweep::showSample);
    connect(&page, &SweepPage::metricWanted, &m_reader, &SweepReader::setMetric);
    connect(&page, &SweepPage::reportWanted, this,
            [this] { m_parts.files.askToReport(m_parts.page.path(), m_parts.page.picker()->metric()); });
}

void WindowSweep::opened(const QString &path, const std::shared_ptr<const SweepReport> &report)
{
    if (m_isSweeping && path != m_reader.path()) {
        m_parts.messages.show(
            MessageBar::Kind::Info,
            tr("A sweep is being measured and shown; cancel it or wait for its end, then open %1.").arg(path));
        return;
    }
    m_reader.take(path, report->metric);
    m_parts.showTab();
    m_parts.messages.hide();
    shown(report);
}

void WindowSweep::shown(const std::shared_ptr<const SweepReport> &report)
{
    m_parts.page.showSweep(m_reader.path(), report);
    // A sweep without an end may be measured by another process at this moment.
    m_reader.setFollowing(m_isSweeping || !report->isComplete());
    showPossible();
}

void WindowSweep::showSample(std::size_t cell, const QString &words)
{
    const SweepReport *report = m_parts.page.report();
    const std::vector<std::size_t> &sampled = report->sweep.sampled;
    if (!std::binary_search(sampled.begin(), sampled.end(), cell)) {
        m_parts.messages.show(MessageBar::Kind::Info,
                              tr("No sample trace of %1 is in the file: one is kept in the second round.").arg(words));
        return;
    }
    m_parts.opener.openSweepCell(m_parts.page.path(), cell, words);
}

/// In the tab of sweeps of its sweep; elsewhere of the capture that is open, if one is.
void WindowSweep::report()
{
    const SweepPage &page = m_parts.page;
    const QString shown = m_parts.opener.shownFile();
    const bool sweep = page.report() && (page.isVisible() || shown.isEmpty());
    m_parts.files.askToReport(sweep ? page.path() : shown, page.picker()->metric());
}

std::optional<SweepBase> WindowSweep::base() const
{
    const Session &session = m_parts.session;
    if (session.phase() != Session::Phase::Open)
        return std::nullopt;
    const PipelineStatus &status = session.status();
    return SweepBase{{status.source.uri, status.facts.id},
                     status.facts,
                     session.ownChoices(),
                     session.figures().frameMs.p50,
                     m_parts.places.suggestion("jscope", "sweep")};
}

void WindowSweep::askForSweep()
{
    std::optional<SweepBase> start = base();
    if (!start || isMeasuring())
        return;
    auto *dialog = new SweepDialog(*std::move(start), m_parts.askForFile, &m_parts.window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &SweepDialog::started, this, &WindowSweep::startSweep);
    dialog->open();
}

void WindowSweep::startSweep(const SweepWish &wish)
{
    measure(wish.file, sweepArguments(wish));
}

void WindowSweep::resume()
{
    const SweepReport *report = m_parts.page.report();
    const std::string source = report ? report->sweep.conditions.source : std::string();
    if (source.empty() || opensNothing(source)) {
        measure(m_parts.page.path(), resumeArguments(m_parts.page.path(), {}));
        return;
    }
    constexpr std::size_t kLongestShown = 400;
    if (source.size() > kLongestShown || !isPlainLine(source)) {
        m_parts.page.showProblem(
            tr("The source that this sweep names is too long to be shown here, or cannot be shown, so "
               "it is not opened; \"jetscope sweep --resume\" says more."));
        return;
    }
    m_parts.messages.show(MessageBar::Kind::Warning,
                          tr("The file names the source that this sweep opens: %1. It is opened only if you want it.")
                              .arg(toQString(source)),
                          {tr("Resume with it"), [this, path = m_parts.page.path(), source] {
                               measure(path, resumeArguments(path, source));
                           }});
}

void WindowSweep::measure(const QString &file, const QStringList &arguments)
{
    if (isMeasuring())
        return;
    m_parts.saveSettings();
    m_isSweeping = true;
    // A sweep that goes on keeps the figure that the user chose for it.
    const bool goesOn = file == m_parts.page.path();
    m_reader.open(file, goesOn ? std::optional(m_parts.page.picker()->metric()) : std::nullopt);
    m_reader.setFollowing(true);
    m_parts.page.showProblem({});
    m_parts.page.setMeasuring(file);
    m_parts.showTab();
    m_measurement.start(arguments,
                        tr("A sweep is being measured. The pipeline is closed meanwhile, because it would disturb the "
                           "figures; it opens again at the end."));
    showPossible();
}

void WindowSweep::measure(MeasuringDialog &dialog, const QStringList &arguments, const QString &reason)
{
    m_parts.saveSettings();
    m_measuring = &dialog;
    m_measurement.start(arguments, reason);
    showPossible();
}

void WindowSweep::bringUp(MeasuringDialog &dialog)
{
    showPossible();
    dialog.show();
    dialog.raise();
    dialog.activateWindow();
}

void WindowSweep::openTune()
{
    if (!m_tune) {
        m_tune = new TuneDialog(&m_parts.window);
        connect(m_tune, &TuneDialog::started, this, &WindowSweep::startTune);
        connect(m_tune, &TuneDialog::cancelled, &m_measurement, &Measurement::cancel);
        connect(m_tune, &TuneDialog::used, this, &WindowSweep::use);
    }
    bringUp(*m_tune);
}

void WindowSweep::startTune(int seconds)
{
    const std::optional<SweepBase> start = base();
    if (!start || isMeasuring())
        return;
    m_tune->begin(start->config);
    measure(*m_tune, tuneArguments(start->on, start->config, static_cast<std::uint64_t>(seconds)),
            tr("The best choices are being searched. The pipeline is closed meanwhile, because it would "
               "disturb the figures; it opens again at the end."));
}

void WindowSweep::openExperiments()
{
    if (!m_experiments) {
        m_experiments = new ExperimentDialog(&m_parts.window);
        connect(m_experiments, &ExperimentDialog::started, this, &WindowSweep::startExperiment);
        connect(m_experiments, &ExperimentDialog::cancelled, &m_measurement, &Measurement::cancel);
    }
    bringUp(*m_experiments);
}

void WindowSweep::openExperiment(const QString &name)
{
    openExperiments();
    if (!isMeasuring())
        m_experiments->names()->setCurrentIndex(m_experiments->names()->findData(name));
}

void WindowSweep::startExperiment(const QString &experiment)
{
    const std::optional<SweepBase> start = base();
    if (!start || isMeasuring())
        return;
    m_experiments->begin();
    measure(*m_experiments, experimentArguments(experiment, start->on.deviceId),
            tr("An experiment is running. The pipeline is closed meanwhile, because it would disturb the "
               "figures; it opens again at the end."));
}

void WindowSweep::openProbe()
{
    if (!m_probe) {
        m_probe = new ProbeDialog(&m_parts.window);
        connect(m_probe, &ProbeDialog::started, this, &WindowSweep::startProbe);
        connect(m_probe, &ProbeDialog::cancelled, &m_measurement, &Measurement::cancel);
        connect(m_probe, &ProbeDialog::measured, this, &WindowSweep::probeMeasured);
    }
    bringUp(*m_probe);
}

void WindowSweep::startProbe()
{
    const std::optional<SweepBase> start = base();
    if (!start || isMeasuring())
        return;
    m_probe->begin();
    measure(*m_probe, probeArguments(start->on.deviceId),
            tr("A probe is running. The pipeline is closed meanwhile, because it would disturb the figures; it opens "
               "again at the end."));
}

void WindowSweep::openVerify()
{
    if (!m_verify) {
        m_verify = new VerifyDialog(m_parts.places, &m_parts.window);
        m_verify->setBoard(m_board);
        connect(m_verify, &VerifyDialog::started, this, &WindowSweep::startVerify);
        connect(m_verify, &VerifyDialog::cancelled, &m_measurement, &Measurement::cancel);
    }
    bringUp(*m_verify);
}

/// Without a pipeline, the command takes the best device.
void WindowSweep::startVerify()
{
    if (isMeasuring())
        return;
    const std::optional<SweepBase> open = base();
    m_verify->begin();
    measure(*m_verify, verifyArguments(open ? open->on.deviceId : std::string()),
            tr("A verification is running. The pipeline is closed meanwhile, because it would disturb the checks; it "
               "opens again at the end."));
}

void WindowSweep::setBoard(const QString &address)
{
    m_board = address;
    m_measurement.setBoard(address);
    if (m_verify)
        m_verify->setBoard(address);
}

/// The pipeline may still be opening, or none may be.
void WindowSweep::use(const PipelineConfig &config)
{
    m_used = config;
    const Session::Phase phase = m_parts.session.phase();
    if (phase == Session::Phase::Open)
        useWhenOpen();
    else if (phase == Session::Phase::Idle || phase == Session::Phase::Failed)
        m_parts.session.open();
}

void WindowSweep::useWhenOpen()
{
    if (const auto config = std::exchange(m_used, std::nullopt)) {
        m_parts.session.change(*config);
        m_parts.messages.show(MessageBar::Kind::Info, tr("The choices are now those that the search found."));
    }
}

void WindowSweep::said(const QJsonObject &line)
{
    if (m_measuring)
        m_measuring->take(line);
    else if (line["event"].toString() == QStringLiteral("progress"))
        m_parts.page.setProgress(line["progress"].toDouble(), progressWords(line));
}

void WindowSweep::ended(const ChildEnding &ending)
{
    if (MeasuringDialog *dialog = std::exchange(m_measuring, nullptr))
        dialog->end(ending);
    if (std::exchange(m_isSweeping, false))
        sweepEnded(ending);
    showPossible();
}

void WindowSweep::sweepEnded(const ChildEnding &ending)
{
    m_parts.page.setMeasuring({});
    if (QFileInfo::exists(m_reader.path()))
        m_reader.readAgain();
    switch (ending.kind) {
    case ChildEnding::Kind::Good:
        break;
    case ChildEnding::Kind::Cancelled:
        m_parts.messages.show(MessageBar::Kind::Info,
                              tr("The sweep was ended. What is measured is in the file; \"Resume\" goes on with it."));
        break;
    case ChildEnding::Kind::Failed:
        m_parts.page.showProblem(tr("The sweep failed: %1").arg(ending.text));
        break;
    }
}

/// Measurements need an open pipeline, whose device and source they take.
void WindowSweep::showPossible()
{
    const bool open = m_parts.session.phase() == Session::Phase::Open;
    const QString reason = isMeasuring() ? tr("Another measurement is running; wait for it or cancel it.")
        : open                           ? QString()
                                         : tr("Needs an open pipeline, whose device and source are measured: open one "
                                                                        "first (F5).");
    m_parts.page.setPossible(reason.isEmpty(), reason);
    if (m_tune)
        m_tune->setPossible(reason.isEmpty(), reason);
    if (m_experiments)
        m_experiments->setPossible(reason.isEmpty(), reason);
    if (m_probe)
        m_probe->setPossible(reason.isEmpty(), reason);
    if (m_verify)
        m_verify->setPossible(!isMeasuring(), isMeasuring() ? reason : QString());
    const WindowActions &actions = m_parts.actions;
    WindowActions::allow(actions.sweep, reason);
    const bool hasFile = m_parts.page.report() || !m_parts.opener.shownFile().isEmpty();
    WindowActions::allow(actions.report,
                         hasFile ? QString() : tr("Needs a sweep, or a capture that is opened from a file"));
}

} // namespace jetscope
