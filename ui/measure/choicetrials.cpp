// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/measure/choicetrials.h"

#include "core/time/clock.h"
#include "ui/session/session.h"
#include "ui/style/text.h"

#include <algorithm>

namespace jetscope {

namespace {

/// From this share of the critical path on, the source determines the period, whatever the choice.
constexpr double kPacedShare = 0.03;

} // namespace

ChoiceTrials::ChoiceTrials(Session &session, QObject *parent) : QObject(parent), m_session(session)
{
    connect(&session, &Session::updatesDrained, this, &ChoiceTrials::follow);
    connect(&session, &Session::wantedChanged, this, &ChoiceTrials::wantedChanged);
    connect(&session, &Session::statusChanged, this, &ChoiceTrials::statusChanged);
    connect(&session, &Session::closing, this, [this] { end("the pipeline was closed"); });
}

ChoiceTrials::~ChoiceTrials() = default;

QString ChoiceTrials::reason() const
{
    if (m_session.phase() != Session::Phase::Open || m_session.status().state != PipelineState::Running)
        return tr("Choices can be tried while the pipeline runs.");
    if (m_session.isWantedHeld() || !(m_session.wanted() == m_session.status().config))
        return tr("Another change is under way; wait for it.");
    return {};
}

void ChoiceTrials::start(std::string_view key, ChoiceLimits limits)
{
    if (isRunning() || !reason().isEmpty())
        return;
    m_choice = key;
    m_table.reset();
    m_best.reset();
    begin(planChoice(key, m_session.status().config, m_session.status().facts), limits);
    showTable();
}

void ChoiceTrials::startTurns(const PipelineConfig &a, ChoiceLimits limits)
{
    if (isRunning() || !reason().isEmpty())
        return;
    m_choice.clear();
    m_table.reset();
    m_best.reset();
    emit tableChanged();
    begin(planTurns(a, m_session.status().config), limits);
}

void ChoiceTrials::begin(ChoicePlan plan, ChoiceLimits limits)
{
    if (limits.seed == 0)
        limits.seed = static_cast<std::uint64_t>(nowNs());
    m_metric = rankingFigure(m_session.path().shareOf(PathCause::Camera) >= kPacedShare);
    m_before = m_session.status().config;
    m_device = m_session.status().facts.id;
    m_endedEarly.clear();
    m_stretches = 0;
    m_session.holdWanted(true);
    m_run = std::make_unique<ChoiceRun>(*m_session.pipeline(), std::move(plan), limits);
    m_run->know(m_session.head());
    emit started();
    emit progressed();
}

void ChoiceTrials::follow(const PipelineUpdate &update)
{
    if (!isRunning())
        return;
    m_run->take(update, nowNs());
    if (m_run->isOver())
        return finish();
    if (!isTurns() && m_run->sweep().stretches.size() != m_stretches)
        showTable();
    emit progressed();
}

/// A choice of the user during a trial takes precedence over the trial.
void ChoiceTrials::wantedChanged()
{
    if (!isRunning() || m_session.wanted() == m_before)
        return;
    m_run->giveWay();
    finish();
}

void ChoiceTrials::statusChanged()
{
    if (!isRunning())
        return;
    if (m_session.status().facts.id != m_device) {
        m_run->giveWay("the device was changed in between");
        finish();
    } else if (m_session.status().state == PipelineState::Paused) {
        end("the pipeline was paused");
    }
}

void ChoiceTrials::end(const char *why)
{
    if (!isRunning())
        return;
    m_run->cancel(why);
    finish();
}

void ChoiceTrials::showTable()
{
    m_stretches = m_run->sweep().stretches.size();
    m_table = choiceTable(m_run->plan(), m_run->sweep(), m_metric);
    emit tableChanged();
}

void ChoiceTrials::finish()
{
    m_endedEarly = toQString(m_run->endedEarly());
    if (!isTurns()) {
        showTable();
        if (m_table->better)
            m_best = m_run->plan().cells[*m_table->rows[*m_table->better].cell].config;
    }
    const std::unique_ptr<ChoiceRun> run = std::move(m_run);
    m_session.holdWanted(false);
    if (isTurns() && m_endedEarly.isEmpty())
        emit turnsCompared(compareTurns(run->sweep(), 0, 1));
    emit ended();
}

double ChoiceTrials::progress() const
{
    return m_run ? m_run->progress() : 1;
}

qint64 ChoiceTrials::remainingMs() const
{
    return m_run ? m_run->remainingNs() / 1'000'000 : 0;
}

QString ChoiceTrials::currentLabel() const
{
    const std::optional<std::size_t> cell = m_run ? m_run->current() : std::nullopt;
    if (!cell)
        return {};
    for (const ChoicePlan::Value &value : m_run->plan().values)
        if (value.cell == cell)
            return toQString(value.label);
    return {};
}

/// Only while the other choices are those that it was measured with.
bool ChoiceTrials::canUseBest() const
{
    return !isRunning() && m_best && m_session.phase() == Session::Phase::Open
        && m_session.status().facts.id == m_device && m_session.wanted() == m_before;
}

void ChoiceTrials::useBest()
{
    if (!canUseBest())
        return;
    m_session.change(*m_best);
    m_best.reset();
    emit tableChanged();
}

} // namespace jetscope
