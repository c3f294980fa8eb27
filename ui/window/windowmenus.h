// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/settings/choices.h"
#include "gpu/device/backends.h"
#include "ui/live/presentpath.h"

#include <QMenu>

#include <functional>
#include <vector>

class QMenuBar;

namespace jetscope {

struct WindowActions;

struct ProgramMenus {
    QMenu *recent;
    QMenu *presets;
    QMenu *source;
    QMenu *device;
    QMenu *present;
    QMenu *arrows;
    QMenu *spanLimit;
    QMenu *gpuTime;
};
/// All commands of the window, by what they are for.
QMenuBar *makeMenuBar(const WindowActions &actions, const ProgramMenus &menus);

/// Synthetic sizes, a file, recent sources.
class SourceMenu : public QMenu {
    Q_OBJECT
public:
    SourceMenu(QAction *openFile, std::function<QStringList()> recent, QWidget *parent);

    /// Fills the menu again after a change of the connected devices.
    void refill() { fill(); }

signals:
    void chosen(const QString &uri);
    void filled(); ///< Emitted for others to add their entries.

private:
    void fill();
    void addSource(const QString &text, const QString &uri);

    QAction *m_openFile;
    std::function<QStringList()> m_recent;
};

/// All devices; unusable ones show the reason.
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

/// Ways of pictures to the screen, with the current one marked.
class PresentMenu : public QMenu {
    Q_OBJECT
public:
    explicit PresentMenu(QWidget *parent);
    void show(PresentPath wanted, PresentPath inForce, bool glAvailable, const QString &reason);

signals:
    void chosen(jetscope::PresentPath path);

private:
    QList<QAction *> m_paths;
};

struct PipelineStatus;

/// Sources of device times, with the current one marked; unavailable sources show the reason.
class GpuTimeMenu : public QMenu {
    Q_OBJECT
public:
    explicit GpuTimeMenu(QWidget *parent);

    void show(const PipelineStatus &status);

signals:
    void chosen(jetscope::GpuTime source);

private:
    QList<QAction *> m_sources; ///< Same order as choices<GpuTime>().
};

} // namespace jetscope
