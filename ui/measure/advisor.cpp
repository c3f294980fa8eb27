// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/measure/advisor.h"

#include "core/time/clock.h"
#include "ui/measure/adviceline.h"
#include "ui/session/session.h"
#include "ui/session/settings.h"
#include "ui/style/text.h"

#include <QCoreApplication>
#include <QLocale>

namespace jetscope {

namespace {

constexpr const char *kOutcomes = "advice/outcomes";
/// Shortest time between two updates of the advice, so that the user can read it and press a button.
constexpr qint64 kSteadyMs = 2000;

} // namespace

Advisor::Advisor(Session &session, Settings &settings, AdviceLine &line, std::function<std::string()> driver,
                 QObject *parent)
    : QObject(parent),
      m_session(session),
      m_settings(settings),
      m_line(line),
      m_driver(std::move(driver)),
      m_log(TrialLog::fromText(settings.text(kOutcomes), QCoreApplication::applicationVersion()))
{
    connect(&session, &Session::figuresChanged, this, &Advisor::refresh);
    connect(&session, &Session::statusChanged, this, [this] {
        if (m_session.status().state == PipelineState::Paused)
            cancel("the pipeline was paused");
        refresh();
    });
    connect(&session, &Session::updatesDrained, this, &Advisor::follow);
    connect(&session, &Session::wantedChanged, this, &Advisor::wantedChanged);
    connect(&session, &Session::closing, this, [this] {
        cancel("the pipeline was closed");
        m_showsOutcome = false;
        m_list.clear();
        m_place.reset();
        show();
    });
    connect(&line, &AdviceLine::tryWanted, this, &Advisor::tryOut);
    connect(&line, &AdviceLine::cancelWanted, this, [this] { cancel("it was cancelled"); });
    connect(&line, &AdviceLine::keepWanted, this, &Advisor::keep);
    connect(&line, &AdviceLine::dismissed, this, &Advisor::leave);
}

Advisor::~Advisor() = default;

// --- advice

void Advisor::refresh()
{
    if (isTrying() || m_showsOutcome || m_line.isChoosing())
        return; // Rows must not move under the mouse.
    if (m_session.isWantedHeld())
        return show(); // Another trial runs: the configuration in force is not the user's.
    const PipelineStatus &status = m_session.status();
    if (m_session.phase() != Session::Phase::Open) {
        m_list.clear();
        m_place.reset();
    } else {
        const TrialPlace place = trialPlaceOf(status, toQString(m_driver()));
        const bool isSame = m_place && *m_place == place && m_listFor == status.config && !m_list.empty();
        if (!isSame || !m_age.isValid() || m_age.elapsed() >= kSteadyMs) {
            m_place = place;
            m_listFor = status.config;
            m_age.start();
            look();
        }
    }
    show();
}

void Advisor::look()
{
    const PipelineStatus &status = m_session.status();
    m_list.clear();
    m_dates.clear();
    for (Candidate &candidate : candidatesFor(m_session.path(), status.config, status.facts, status.waitInForce)) {
        const auto entry = m_log.find(*m_place, status.config, withCandidate(status.config, candidate));
        m_list.push_back({std::move(candidate), entry ? std::optional(entry->outcome) : std::nullopt});
        m_dates.push_back(entry ? entry->date : QDate());
    }
}

QString Advisor::blockedWhy() const
{
    if (m_session.isWantedHeld())
        return tr("Choices are being tried by turns; wait for the result or cancel it.");
    return m_session.status().state == PipelineState::Running ? QString()
                                                              : tr("Choices can be tried while the pipeline runs.");
}

void Advisor::show()
{
    QList<AdviceRow> rows;
    const Candidate *advice = adviceOf(m_list);
    int at = -1;
    for (std::size_t i = 0; i < m_list.size(); ++i) {
        const Candidate &candidate = m_list[i].candidate;
        const QString change = toQString(describeChange(m_listFor, withCandidate(m_listFor, candidate)));
        const QString most = candidate.metric == AdviceMetric::Period ? tr("period at most %1 shorter")
                                                                      : tr("frame time at most %1 shorter");
        AdviceRow row;
        row.details = toQString(candidate.basis);
        if (const std::optional<TrialOutcome> &tried = m_list[i].tried)
            row.text = tr("%1, tried: %2 (%3)")
                           .arg(change, toQString(outcomeWords(*tried)),
                                QLocale().toString(m_dates[static_cast<int>(i)], QLocale::ShortFormat));
        else
            row.text = tr("%1, untried, %2").arg(change, most.arg(percentText(candidate.atMost)));
        rows.append(row);
        if (&candidate == advice)
            at = static_cast<int>(i);
    }
    m_line.showAdvice(rows, at, blockedWhy());
}

// --- trials

void Advisor::tryOut(int row)
{
    PipelineControl *pipeline = m_session.pipeline();
    if (isTrying() || !pipeline || row < 0 || static_cast<std::size_t>(row) >= m_list.size() || !blockedWhy().isEmpty())
        return;
    m_tried = m_list[static_cast<std::size_t>(row)].candidate;
    m_triedFrom = pipeline->status().config;
    if (m_triedFrom != m_listFor || m_triedFrom != m_session.wanted() || m_triedFrom != m_session.status().config)
        return; // Another change is pending.
    m_session.holdWanted(true);
    m_trial = std::make_unique<PipelineTrial>(*pipeline, m_tried);
    m_line.showTrying(toQString(describeChange(m_triedFrom, m_trial->other())));
}

void Advisor::follow(const PipelineUpdate &update)
{
    if (!isTrying())
        return;
    m_trial->take(update, nowNs());
    m_line.setProgress(m_trial->progress());
    if (m_trial->isOver())
        finish();
}

/// A choice of the user during a trial takes precedence over the trial.
void Advisor::wantedChanged()
{
    if (m_session.wanted() == m_triedFrom)
        return;
    if (isTrying()) {
        m_trial->giveWay();
        finish();
    }
    if (m_showsOutcome)
        leave();
}

void Advisor::cancel(const char *why)
{
    if (!isTrying())
        return;
    m_trial->cancel(why);
    finish();
}

void Advisor::finish()
{
    const TrialOutcome outcome = m_trial->outcome();
    const PipelineConfig other = m_trial->other();
    m_trial.reset();
    m_session.holdWanted(false);
    m_log.add(*m_place, m_triedFrom, other, outcome, QDate::currentDate());
    m_settings.save(kOutcomes, m_log.toText());
    m_showsOutcome = true;
    m_line.showOutcome(toQString(describeChange(m_triedFrom, other) + ": " + outcomeWords(outcome)),
                       toQString(m_tried.basis), outcome.verdict == TrialVerdict::Faster);
}

void Advisor::keep()
{
    m_showsOutcome = false;
    m_session.change(withCandidate(m_session.wanted(), m_tried));
    m_age.invalidate();
    refresh();
}

void Advisor::leave()
{
    m_showsOutcome = false;
    m_age.invalidate();
    refresh();
}

} // namespace jetscope
