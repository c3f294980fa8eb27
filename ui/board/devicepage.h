// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/platform/factsections.h"
#include "gpu/gl/display.h"
#include "gpu/pipeline/pipeline.h"
#include "ui/session/worker.h"

#include <QMap>
#include <QWidget>

#include <functional>
#include <optional>

class QListWidget;
class QScrollArea;
class QStackedWidget;

namespace jetscope {

class ExtensionList;

/// What the device and its machine are and can do, in sections: a list on the left selects one. Facts of the machine
/// are read on a background thread when the page is first shown.
class DevicePage : public QWidget {
    Q_OBJECT
public:
    /// `read` is called on a background thread.
    explicit DevicePage(std::function<PlatformFacts()> read, QWidget *parent = nullptr);

    struct Content {
        PipelineStatus status;
        std::shared_ptr<EglDisplay> display; ///< The window's display; null without one.
        QString shareReason;                 ///< Why the window's GL objects cannot be shared; empty if they can.
        QString presentPath;
        QString presentNote;
    };
    void show(const Content &content);

    /// Whether the facts of the machine were read.
    bool hasPlatform() const { return m_platform.has_value(); }
    QStringList sectionTitles() const;
    void selectSection(const QString &title);

protected:
    void showEvent(QShowEvent *event) override;

private:
    void takePlatform(PlatformFacts platform);
    void fill();
    void fillDevice();
    void fillMachine();
    QScrollArea *page(const QString &title);
    void setPage(const QString &title, const QString &fingerprint, const std::function<QWidget *()> &make);

    std::function<PlatformFacts()> m_read;
    Worker m_background{"reading the facts of the machine"};
    bool m_reading = false;
    std::optional<PlatformFacts> m_platform;
    std::optional<Content> m_content;
    QListWidget *m_titles;
    QStackedWidget *m_pages;
    ExtensionList *m_extensions = nullptr;
    QMap<QString, QString> m_fingerprints; ///< What the page of a title shows now.
};

} // namespace jetscope
