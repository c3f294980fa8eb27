// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace.h"

#include <QWidget>

#include <array>
#include <memory>
#include <optional>

class QLabel;
class QVBoxLayout;

namespace jetscope {

class TimelineView;
class TraceSelection;

/// Two timelines above each other with one time scale. The start of a frame of one is above the start of a frame of the
/// other, and zooming, panning and scrolling move both. A frame that is selected in one of them is aligned with the
/// selected frame of the other, else with the one that begins nearest. UI thread.
class PairedTimelines : public QWidget {
    Q_OBJECT
public:
    /// One of the two traces. It must outlive the view, or `clear` is called first.
    struct Side {
        const Trace *trace = nullptr;
        QString title;
        bool live = false; ///< Grows, and is followed at first.
    };

    explicit PairedTimelines(QWidget *parent = nullptr);
    ~PairedTimelines() override;

    /// Shows other traces, or the same ones after their content was replaced.
    void show(const Side &above, const Side &below);
    using QWidget::show;
    void setTitles(const QString &above, const QString &below);
    void clear();
    bool isEmpty() const { return !m_rows[0].view; }
    /// Traces have grown.
    void refresh();

    TimelineView *above() const { return m_rows[0].view.get(); }
    TimelineView *below() const { return m_rows[1].view.get(); }
    /// Starts of the two frames that are above each other; empty while a trace has none.
    const std::optional<std::array<std::int64_t, 2>> &aligned() const { return m_aligned; }

protected:
    void showEvent(QShowEvent *event) override;

private:
    struct Row {
        Side side;
        std::unique_ptr<TraceSelection> selection;
        std::unique_ptr<TimelineView> view;
        QLabel *title = nullptr; ///< A child of the view.
    };

    void makeRow(std::size_t row, const Side &side);
    void place();
    void alignNewest();
    void alignChosen(std::size_t row);
    void follow(std::size_t leader);
    void showTitle(std::size_t row);

    std::array<Row, 2> m_rows;
    QVBoxLayout *m_column;
    QLabel *m_empty;
    std::optional<std::array<std::int64_t, 2>> m_aligned;
    bool m_placed = false; ///< Aligned since the views have a width.
    bool m_moving = false; ///< One view moves the other.
};

} // namespace jetscope
