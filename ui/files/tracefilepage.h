// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QScrollArea>
#include <QStringList>

class QLabel;

namespace jetscope {

class PathBar;
class Trace;
struct PathSummary;

/// The tab of a trace from a file: where it comes from, what was read and left out, the settings that it was recorded
/// with, and where its frames spend their period. The trace must outlive it.
class TraceFilePage : public QScrollArea {
    Q_OBJECT
public:
    explicit TraceFilePage(const Trace &trace, QWidget *parent = nullptr);
    /// The trace was replaced. `notes`: what its file's reader has to say.
    void refresh(const QStringList &notes);
    /// Where the frame period is spent.
    void showPath(const PathSummary &path);
    QString text() const;

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void fitHeight();

    const Trace &m_trace;
    QLabel *m_title;
    QLabel *m_facts;
    QLabel *m_notes;
    QLabel *m_settings;
    QLabel *m_pathTitle;
    PathBar *m_path;
};

/// "Jetscope 0.1.0 · 12.3 s · 600 frames · 54,320 spans on 4 lanes": what a trace is, in one line.
QString traceWords(const Trace &trace);

} // namespace jetscope
