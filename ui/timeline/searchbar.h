// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/timeline/namesearch.h"

#include <QFrame>
#include <QTimer>

class QLabel;
class QLineEdit;

namespace jetscope {

/// The field in a corner of the timeline that finds spans by name, and says how long all of them took. Counts a few
/// milliseconds at a time. UI thread.
class SearchBar : public QFrame {
    Q_OBJECT
public:
    SearchBar(const Trace &trace, QWidget *parent);

    /// Shows it with its text selected; the next one is looked for from `fromNs` on.
    void begin(std::int64_t fromNs);
    void find(int direction);
    /// Another trace, or a longer one.
    void traceChanged();
    QString status() const;
    /// Sum and percentiles of all hits; empty while they are being counted, and without any.
    QString figures() const;

signals:
    /// `asked`: by key or button, and not only because a letter was typed.
    void found(const jetscope::SpanPlace &span, bool asked);
    void resized(); ///< It has another size from now on.
    void closed();

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    void setText(const QString &text);
    void go(int direction);
    void count();
    void showStatus();
    void showFigures();
    void close();

    NameSearch m_search;
    QLineEdit *m_text;
    QLabel *m_status;
    QLabel *m_figures;
    QTimer m_counting;
    std::int64_t m_fromNs = 0;
    std::optional<SpanPlace> m_at;
    int m_wanted = 0;     ///< Direction to go in once all are counted; 0 none.
    bool m_asked = false; ///< For that.
    bool m_done = true;
};

} // namespace jetscope
