// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/advice/trial.h"
#include "gpu/measure/pipelinetrial.h"
#include "ui/measure/triallog.h"

#include <QElapsedTimer>
#include <QObject>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace jetscope {

class AdviceLine;
class Settings;
class Session;

/// Advises on the running pipeline, runs trials for the user, and stores their outcomes. UI thread; never blocks.
class Advisor : public QObject {
    Q_OBJECT
public:
    /// `driver`: returns the version of the driver in use, which is unknown until a session is open.
    Advisor(Session &session, Settings &settings, AdviceLine &line, std::function<std::string()> driver,
            QObject *parent = nullptr);
    ~Advisor() override;

    bool isTrying() const { return m_trial != nullptr; }
    const std::vector<TriedCandidate> &list() const { return m_list; }

private:
    void refresh();
    void look();
    void show();
    QString blockedWhy() const;
    void tryOut(int row);
    void follow(const PipelineUpdate &update);
    void wantedChanged();
    void cancel(const char *why);
    void finish();
    void keep();
    void leave();

    Session &m_session;
    Settings &m_settings;
    AdviceLine &m_line;
    std::function<std::string()> m_driver;
    TrialLog m_log;
    std::vector<TriedCandidate> m_list;
    QList<QDate> m_dates; ///< Dates of the trials of m_list; null for untried candidates.
    PipelineConfig m_listFor;
    std::optional<TrialPlace> m_place; ///< Place that m_list was made for.
    QElapsedTimer m_age;
    std::unique_ptr<PipelineTrial> m_trial;
    Candidate m_tried; ///< Under trial, or tried last.
    PipelineConfig m_triedFrom;
    bool m_showsOutcome = false; ///< Until the user dismisses it.
};

} // namespace jetscope
