// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/pathsummary.h"

#include <QWidget>

#include <utility>
#include <vector>

namespace jetscope {

/// "Mostly kernel gaussian15: 62 % (3.1 ms a frame), then GL draw 20 %; nothing explains 7 %". Empty for an empty path.
QString pathSentence(const PathSummary &path);
/// What and how much, a line each, largest first.
std::vector<std::pair<QString, QString>> pathTexts(const PathSummary &path);

/// Where the period goes: one bar cut into the shares of the critical path, with their names where there is room, and a
/// sentence below it that needs no colours.
class PathBar : public QWidget {
    Q_OBJECT
public:
    explicit PathBar(QWidget *parent = nullptr);
    /// An empty path shows `why`.
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
