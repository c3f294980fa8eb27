// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace.h"

#include <QElapsedTimer>
#include <QWidget>

#include <optional>

class QTreeWidget;

namespace jetscope {

class FramesView;
class TracePaths;
class TraceSelection;

/// All frames as bars, and a list of the longest frames. Trace and selection must outlive the page.
class FramesPage : public QWidget {
    Q_OBJECT
public:
    FramesPage(const Trace &trace, TraceSelection &selection, QWidget *parent = nullptr);

    FramesView *view() const { return m_view; }
    QTreeWidget *worst() const { return m_worst; }
    /// The trace has grown.
    void refresh();
    void restart(bool live);

signals:
    void chosen(std::uint64_t frame); ///< The user selected a frame here.
    void opened(std::uint64_t frame); ///< The user wants to see it on the timeline.

protected:
    void showEvent(QShowEvent *event) override;

private:
    void listWorst();
    std::optional<QString> mostly(TracePaths &paths, std::uint64_t frame) const;
    void choose(std::uint64_t frame);

    const Trace &m_trace;
    TraceSelection &m_selection;
    FramesView *m_view;
    QTreeWidget *m_worst;
    QElapsedTimer m_listed;
};

} // namespace jetscope
