// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/advice/trial.h"
#include "gpu/trial/pipelinetrial.h"
#include "ui/advice/triallog.h"

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

/// Advises on what runs, tries what the user wants tried, and remembers what came of it. UI thread; nothing waits.
class Advisor : public QObject {
    Q_OBJECT
public:
    /// `driver`: version of the driver in use, which may not be known before a session is open.
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
    QList<QDate> m_dates; ///< When those of the list were tried; null for untried.
    PipelineConfig m_listFor;
    std::optional<TrialPlace> m_place; ///< Of the list.
    QElapsedTimer m_age;
    std::unique_ptr<PipelineTrial> m_trial;
    Candidate m_tried; ///< Under trial, or tried last.
    PipelineConfig m_triedFrom;
    bool m_showsOutcome = false; ///< Until it was read.
};

} // namespace jetscope
