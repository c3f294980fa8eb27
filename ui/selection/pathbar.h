// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/pathsummary.h"

#include <QWidget>

namespace jetscope {

/// "Mostly kernel gaussian15: 62 % (3.1 ms a frame), then GL draw 20 %; nothing explains 7 %". Empty for an empty path.
QString pathSentence(const PathSummary &path);
/// What the tooltip says: the largest shares, and how many others there are. Fits on a screen.
QString pathTipText(const PathSummary &path);

/// Where the frame period is spent: one bar divided into the shares of the critical path, labelled where they fit, and
/// a sentence below that is readable without colours.
class PathBar : public QWidget {
    Q_OBJECT
public:
    explicit PathBar(QWidget *parent = nullptr);
    /// For an empty path `why` is shown instead.
    void show(PathSummary path, const QString &why = {});
    const PathSummary &path() const { return m_path; }
    QString sentence() const { return m_sentence; }

protected:
    void paintEvent(QPaintEvent *event) override;
    bool event(QEvent *event) override;

private:
    QRect bar() const;

    PathSummary m_path;
    QString m_sentence;
};

} // namespace jetscope
