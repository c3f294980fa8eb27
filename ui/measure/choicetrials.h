// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/compare/choicetable.h"
#include "gpu/measure/choicerun.h"

#include <QElapsedTimer>
#include <QObject>
#include <QString>

#include <memory>
#include <optional>

namespace jetscope {

class Session;

/// Tries every value of a choice on the session's pipeline by turns, or A against the present. The picture goes on, and
/// the choices from before are restored at the end, whatever ends it: completion, Cancel, a failure, a pause, another
/// choice of the user (which stays), or closing. UI thread; never waits; the session must outlive it.
class ChoiceTrials : public QObject {
    Q_OBJECT
public:
    explicit ChoiceTrials(Session &session, QObject *parent = nullptr);
    ~ChoiceTrials() override;

    /// Why nothing can be tried now, in a sentence; empty if it can.
    QString reason() const;
    /// Every value of a setting, by its key. `limits.seed` 0: another order each time.
    void start(std::string_view key, ChoiceLimits limits = kLimits);
    /// The present against these settings.
    void startTurns(const PipelineConfig &a, ChoiceLimits limits = kLimits);
    void cancel() { end("it was cancelled"); }
    /// Applies the value that was found to be better.
    void useBest();

    bool isRunning() const { return m_run != nullptr; }
    double progress() const;
    qint64 remainingMs() const;
    QString currentLabel() const; ///< What is measured now; empty while nothing runs.
    /// The key of the setting in the table; empty while A and the present take turns, and before the first start.
    const std::string &choice() const { return m_choice; }
    /// What was measured of it so far, or when the last run ended. Null before the first start.
    const std::optional<ChoiceTable> &table() const { return m_table; }
    bool canUseBest() const;
    /// Why the last run ended early; empty if it did not.
    const QString &endedEarly() const { return m_endedEarly; }

signals:
    void started();
    void progressed();
    void ended();
    void tableChanged();
    void turnsCompared(const jetscope::CaptureComparison &comparison);

private:
    static constexpr ChoiceLimits kLimits{3'000'000'000, 16, 0, {}};

    void begin(ChoicePlan plan, ChoiceLimits limits);
    void follow(const PipelineUpdate &update);
    void wantedChanged();
    void statusChanged();
    void end(const char *why);
    void finish();
    void showTable();
    bool isTurns() const { return m_choice.empty(); }

    Session &m_session;
    std::unique_ptr<ChoiceRun> m_run;
    std::string m_choice;
    Figure m_metric = Figure::Period;
    PipelineConfig m_before;
    std::string m_device;
    std::size_t m_stretches = 0; ///< In the table.
    std::optional<ChoiceTable> m_table;
    std::optional<PipelineConfig> m_best;
    QString m_endedEarly;
};

} // namespace jetscope
