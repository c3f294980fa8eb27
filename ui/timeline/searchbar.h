// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/timeline/namesearch.h"

#include <QFrame>
#include <QTimer>

class QLabel;
class QLineEdit;

namespace jetscope {

/// The field in a corner of the timeline that finds spans by name. Counts a few milliseconds at a time. UI thread.
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

signals:
    void found(const jetscope::SpanPlace &span);
    void closed();

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    void setText(const QString &text);
    void count();
    void showStatus();
    void close();

    NameSearch m_search;
    QLineEdit *m_text;
    QLabel *m_status;
    QTimer m_counting;
    std::int64_t m_fromNs = 0;
    std::optional<SpanPlace> m_at;
    int m_wanted = 0; ///< Direction to go in once all are counted; 0 none.
    bool m_done = true;
};

} // namespace jetscope
