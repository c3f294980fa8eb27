// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/gl/display.h"
#include "gpu/pipeline/pipeline.h"

#include <QTreeWidget>

namespace jetscope {

/// Device properties, unavailable features with reasons, the GL implementation in use, and how pictures reach the
/// screen.
class DevicePage : public QTreeWidget {
    Q_OBJECT
public:
    explicit DevicePage(QWidget *parent = nullptr);

    struct Content {
        PipelineStatus status;
        std::shared_ptr<EglDisplay> display; ///< The window's display; null without one.
        QString shareReason;                 ///< Why the window's GL objects cannot be shared; empty if they can.
        QString presentPath;
        QString presentNote;
    };
    void show(const Content &content);

private:
    QTreeWidgetItem *section(const QString &title);
    void row(QTreeWidgetItem *section, const QString &name, const QString &value);
    void capability(QTreeWidgetItem *section, const QString &name, const Capability &capability);
    void showDevice(const DeviceFacts &facts);
    void showCapabilities(const DeviceFacts &facts);
    void showGl(const Content &content);
};

} // namespace jetscope
