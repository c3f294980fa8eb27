// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/settings/choices.h"
#include "core/settings/devicefacts.h"
#include "ui/session/worker.h"

#include <QWidget>

#include <functional>
#include <string>
#include <vector>

class QListWidget;
class QListWidgetItem;
class QToolButton;

namespace jetscope {

class StageLoader;
class StageOptions;

/// The filter chain as an ordered list: checked filters run from top to bottom. Entries can be added, removed, moved
/// (also by dragging), and switched off without losing their position. Stages, which are code of the user, are added
/// from files, and below the list are the options of the selected one.
class FilterEditor : public QWidget {
    Q_OBJECT
public:
    explicit FilterEditor(QWidget *parent = nullptr);

    /// Checked filters in order.
    std::vector<Filter> filters() const;
    /// Keeps unchecked entries if the checked ones already equal `filters`.
    void setFilters(const std::vector<Filter> &filters);

    /// Filters that this device does not have cannot be added; the menu says why.
    void setFacts(const DeviceFacts &facts);

    /// Asks for the file of a stage: a title and which files to show; returns an empty path for none.
    using FileChooser = std::function<QString(const QString &title, const QString &files)>;
    void setFileChooser(FileChooser chooser) { m_chooseFile = std::move(chooser); }
    /// Gives the names of stages that are chosen to whoever lets a board load them; null: they are loaded here.
    using StageTaker = std::function<void(const std::string &name)>;
    void setStageTaker(StageTaker taker) { m_takeStage = std::move(taker); }
    /// Loads a stage, "stage:PATH?key=value", and appends it. The chain stays as it is while the stage is tried, and
    /// if it is refused.
    void addStage(const std::string &name);

signals:
    void changed(std::vector<jetscope::Filter> filters);
    void stageRefused(const QString &reason);

protected:
    bool event(QEvent *event) override;

private:
    void makeAddMenu();
    void append(Filter filter);
    void removeCurrent();
    void moveCurrent(int by);
    void announce();
    bool isFull() const;
    void updateButtons();
    void showAllRows();
    void addToMenu(const Choice<Filter> &choice);
    void addStageActions();
    void lookForStages(const DeviceFacts &facts);
    void offer(const QString &stages, const Capability &capability);
    void chooseStage(const char *scheme, const QString &title, const QString &files);
    QListWidgetItem *itemAt(quint64 place) const;
    void setFilter(QListWidgetItem *item, Filter filter);
    void stageLoaded(quint64 place, Filter filter);
    void stageWasRefused(quint64 place, const QString &reason);
    void wantCurrent(const std::string &name);
    void showOptions();
    QToolButton *makeButton(int glyph, const QString &name, const QString &help);

    QListWidget *m_list;
    QToolButton *m_add;
    QToolButton *m_up;
    QToolButton *m_down;
    QToolButton *m_remove;
    StageOptions *m_options;
    StageLoader *m_loader;
    Worker m_look{"the look for stages"};
    FileChooser m_chooseFile;
    StageTaker m_takeStage;
    bool m_filling = false;
    quint64 m_places = 0; ///< How many rows were made: each has a number, by which its stage finds it.
};

} // namespace jetscope
