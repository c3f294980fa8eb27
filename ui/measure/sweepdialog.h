// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/measure/measurearguments.h"

#include <QDialog>

#include <functional>
#include <vector>

class QBoxLayout;
class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QRadioButton;
class QSpinBox;

namespace jetscope {

/// What a sweep begins with: the open pipeline.
struct SweepBase {
    MeasuredOn on;
    DeviceFacts facts;
    PipelineConfig config;
    double frameMs = 0; ///< Median frame time now; 0 if unknown.
    QString file;       ///< Suggestion for the new file.
};

/// Asks what a sweep measures, and says how many combinations that makes and how long they take about.
class SweepDialog : public QDialog {
    Q_OBJECT
public:
    /// Asks for the name of a new file; empty for Cancel.
    using AskForFile = std::function<QString(const QString &suggested)>;
    SweepDialog(SweepBase base, AskForFile ask, QWidget *parent = nullptr);

    SweepWish wish() const;
    /// Number of combinations and the time that they take; what is wrong, if something is.
    QString summary() const;
    QString warning() const;
    bool canStart() const;

signals:
    void started(const jetscope::SweepWish &wish);

private:
    /// The values of a setting, each with its box.
    struct Boxes {
        std::string key;
        std::vector<std::pair<std::string, QCheckBox *>> all;
        std::vector<std::string> checked() const;
    };

    QWidget *makeBoxes(const char *key);
    QWidget *makeSizes();
    QWidget *makeLength();
    QWidget *makeFile();
    void refresh();
    void showPlan(const SweepPlan &plan);
    QString fileProblem() const;

    const SweepBase m_base;
    const AskForFile m_ask;
    std::vector<Boxes> m_boxes;
    std::vector<std::pair<SweepSize, QCheckBox *>> m_sizes;
    QRadioButton *m_byRounds;
    QRadioButton *m_byTime;
    QSpinBox *m_rounds;
    QSpinBox *m_seconds;
    QLineEdit *m_file;
    QLabel *m_summary;
    QLabel *m_warning;
    QPushButton *m_start;
};

} // namespace jetscope
