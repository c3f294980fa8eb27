// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/measure/measurearguments.h"
#include "ui/measure/measurement.h"
#include "ui/measure/sweepreader.h"

#include <QObject>

#include <functional>
#include <optional>

namespace jetscope {

class ExperimentDialog;
class FilePlaces;
class MeasuringDialog;
class MessageBar;
class ProbeDialog;
class Session;
class SweepPage;
class TraceFiles;
class TraceOpener;
class TuneDialog;
class VerifyDialog;
struct ProbeTable;
struct SweepBase;
struct WindowActions;

/// Connects the tab of sweeps with the rest of the window: files of sweeps, measurements in a process of their own, the
/// search for the best choices, sample traces and reports. UI thread; the parts outlive it.
class WindowSweep : public QObject {
    Q_OBJECT
public:
    struct Parts {
        QWidget &window;
        SweepPage &page;
        Session &session;
        Session &opened; ///< Of files.
        MessageBar &messages;
        TraceFiles &files;
        TraceOpener &opener;
        FilePlaces &places;
        const WindowActions &actions;
        std::function<QString(const QString &suggested)> askForFile; ///< For a new file; empty for Cancel.
        std::function<void()> saveSettings; ///< Called before the pipeline is closed for a measurement.
        std::function<void()> showTab;
        QString program; ///< What measures; empty: this program.
    };
    explicit WindowSweep(Parts parts);
    ~WindowSweep() override;

    /// Measures into a new file.
    void startSweep(const SweepWish &wish);
    bool isMeasuring() const { return m_measurement.isRunning(); }
    /// The dialog of the experiments, with this one chosen unless one is running.
    void openExperiment(const QString &name);
    void openProbe();
    void setBoard(const QString &address);

signals:
    void probeMeasured(const jetscope::ProbeTable &table);

private:
    void connectPage();
    void opened(const QString &path, const std::shared_ptr<const SweepReport> &report);
    void shown(const std::shared_ptr<const SweepReport> &report);
    void showSample(std::size_t cell, const QString &words);
    std::optional<SweepBase> base() const;
    void askForSweep();
    void resume();
    void measure(const QString &file, const QStringList &arguments);
    void measure(MeasuringDialog &dialog, const QStringList &arguments, const QString &reason);
    void bringUp(MeasuringDialog &dialog);
    void openTune();
    void startTune(int seconds);
    void openExperiments();
    void startExperiment(const QString &experiment);
    void startProbe();
    void openVerify();
    void startVerify();
    void use(const PipelineConfig &config);
    void useWhenOpen();
    void said(const QJsonObject &line);
    void ended(const ChildEnding &ending);
    void sweepEnded(const ChildEnding &ending);
    void report();
    void showPossible();

    const Parts m_parts;
    Measurement m_measurement;
    SweepReader m_reader;
    TuneDialog *m_tune = nullptr; ///< Made when it is first wanted, as the next three.
    ExperimentDialog *m_experiments = nullptr;
    ProbeDialog *m_probe = nullptr;
    VerifyDialog *m_verify = nullptr;
    MeasuringDialog *m_measuring = nullptr; ///< The one whose command runs.
    bool m_isSweeping = false;
    QString m_board;
    std::optional<PipelineConfig> m_used; ///< Choices to take as soon as a pipeline is open.
};

} // namespace jetscope
