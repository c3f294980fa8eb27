// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLineEdit>
#include <QList>
#include <QPointer>
#include <QString>

#include <functional>

class QListWidget;

namespace jetscope {

/// Something that a search found.
struct SearchHit {
    QString kind; ///< "Command"
    QString text;
    QString more; ///< A key, a folder; may be empty.
    bool enabled = true;
    std::function<void()> run;
};

/// A field that finds things of several kinds while the user types, and a list of them below it. The list is part of
/// the window, so that the field keeps the focus. UI thread.
class CommandSearch : public QLineEdit {
    Q_OBJECT
public:
    /// The hits for some words, best first.
    using Finder = std::function<QList<SearchHit>(const QString &words)>;

    explicit CommandSearch(Finder finder, QWidget *parent = nullptr);
    ~CommandSearch() override;

    /// Takes the focus, and gives it back when the user leaves.
    void begin();
    QListWidget *list() const { return m_list; }

    QSize sizeHint() const override;

protected:
    bool event(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    void fill();
    void place();
    void step(int by);
    void run(int row);
    void leave();

    Finder m_finder;
    QList<SearchHit> m_hits;
    QListWidget *m_list;
    QPointer<QWidget> m_before; ///< Had the focus.
};

} // namespace jetscope
