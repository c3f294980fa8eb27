// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/backends.h"
#include "ui/video/presentpath.h"

#include <QMenu>

#include <functional>
#include <vector>

namespace jetscope {

struct WindowActions;

/// Synthetic sizes, a file, recent sources.
class SourceMenu : public QMenu {
    Q_OBJECT
public:
    SourceMenu(QAction *openFile, std::function<QStringList()> recent, QWidget *parent);

    /// Makes the entries again: what is connected has changed.
    void refill() { fill(); }

signals:
    void chosen(const QString &uri);
    void filled(); ///< Time for others to add what they know.

private:
    void fill();
    void addSource(const QString &text, const QString &uri);

    QAction *m_openFile;
    std::function<QStringList()> m_recent;
};

/// Every device; those that cannot be used say why.
class DeviceMenu : public QMenu {
    Q_OBJECT
public:
    DeviceMenu(std::function<std::vector<DeviceCandidate>()> list, QWidget *parent);
    void setCurrent(const QString &id) { m_current = id; }

signals:
    void chosen(const QString &id);

private:
    void fill();

    std::function<std::vector<DeviceCandidate>()> m_list;
    QString m_current;
};

/// How pictures reach the screen, with the one in force marked.
class PresentMenu : public QMenu {
    Q_OBJECT
public:
    explicit PresentMenu(QWidget *parent);
    void show(PresentPath wanted, PresentPath inForce, bool glAvailable, const QString &whyNot);

signals:
    void chosen(jetscope::PresentPath path);

private:
    QList<QAction *> m_paths;
};

} // namespace jetscope
