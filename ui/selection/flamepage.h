// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/selection/flameview.h"

#include <QWidget>

class QPushButton;

namespace jetscope {

class ShortenedLabel;

/// A FlameView with what it shows: threads or the GPU, from the callers or from where the time was spent.
class FlamePage : public QWidget {
    Q_OBJECT
public:
    explicit FlamePage(QWidget *parent = nullptr);
    void show(std::shared_ptr<const Trace> trace, std::shared_ptr<const FlameTree> forward,
              std::shared_ptr<const FlameTree> reversed);
    void clear() { show({}, {}, {}); }
    FlameView *view() const { return m_view; }
    FlameLanes lanes() const;
    void setReversed(bool reversed);
    QString text() const { return m_view->text(); }

signals:
    /// Other lanes are wanted: lanes().
    void lanesChosen();

private:
    void showTree();

    std::shared_ptr<const Trace> m_trace;
    std::shared_ptr<const FlameTree> m_forward;
    std::shared_ptr<const FlameTree> m_reversed;
    QPushButton *m_gpu;
    QPushButton *m_reverse;
    FlameView *m_view;
    ShortenedLabel *m_text;
};

} // namespace jetscope
