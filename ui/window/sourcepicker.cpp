// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/sourcepicker.h"

#include "gpu/sources/copies.h"
#include "ui/live/cameramenu.h"
#include "ui/live/camerasettings.h"
#include "ui/session/session.h"
#include "ui/style/messagebar.h"
#include "ui/style/text.h"
#include "ui/window/livehead.h"
#include "ui/window/windowmenus.h"

#include <QInputDialog>

namespace jetscope {

namespace {

/// What is known of the stream, a line for each fact, then its faults and copies.
QString detailsOf(const PipelineStatus &status)
{
    QStringList lines;
    for (const StreamFactRow &row : streamFactRows(status.sourceState.facts))
        lines.append(toQString(row.label + ": " + row.text));
    if (const std::string faults = sourceFaultsText(status.sourceState.faults); !faults.empty())
        lines.append(SourcePicker::tr("Faults: %1").arg(toQString(faults)));
    lines.append(toQString(copiesSentence(copiesToGpu(status.sourceState, status.config.memory, status.facts))));
    return lines.join(u'\n');
}

} // namespace

SourcePicker::SourcePicker(CameraWatch::Lister list, const QString &deviceFolder, SourceOpener open, Window window,
                           QWidget *parent)
    : QObject(parent),
      m_window(window),
      m_parent(parent),
      m_watch(std::move(list), deviceFolder),
      m_preview(std::move(open))
{
    connect(&m_window.menu, &SourceMenu::filled, this, &SourcePicker::addCameras);
    connect(&m_watch, &CameraWatch::changed, &m_window.menu, &SourceMenu::refill);
    connect(&m_window.session, &Session::polled, this, &SourcePicker::followSource);
    m_window.menu.refill();
}

void SourcePicker::addCameras()
{
    SourceMenu &menu = m_window.menu;
    m_preview.stop(); // Menus that are deleted emit no further signals.
    for (const QPointer<CameraMenu> &former : std::exchange(m_menus, {}))
        if (former) {
            former->setObjectName({});
            former->deleteLater();
        }
    menu.addSection(tr("Cameras"));
    for (const CameraInfo &camera : m_watch.cameras()) {
        auto *submenu = new CameraMenu(camera, &menu);
        m_menus.append(submenu);
        submenu->addPreview(m_preview, [this, camera] { return whyNoPreview(camera); });
        connect(submenu, &CameraMenu::chosen, this, &SourcePicker::choose);
        connect(submenu, &CameraMenu::settingsWanted, this, &SourcePicker::openSettings);
        menu.addMenu(submenu);
    }
    if (m_watch.cameras().empty())
        menu.addAction(tr("No camera is connected"))->setEnabled(false);
    menu.addAction(tr("Network stream or pipeline…"), this, &SourcePicker::askForAddress)
        ->setToolTip(tr("rtsp://…, http://… with MJPEG, csi:0 on a Jetson, or gst:PIPELINE"));
}

/// A camera can be opened only once, so the preview is closed first.
void SourcePicker::choose(const QString &uri)
{
    m_preview.stop([this, uri] { emit m_window.menu.chosen(uri); });
}

QString SourcePicker::whyNoPreview(const CameraInfo &camera) const
{
    const QString running = toQString(m_window.session.status().source.uri);
    if (!m_window.session.isLive() || !running.startsWith(QStringLiteral("v4l2:")))
        return {};
    QString path = running.section(u'?', 0, 0).mid(5);
    if (path.isEmpty()) { // An empty path means the first usable camera.
        for (const CameraInfo &each : m_watch.cameras()) {
            if (!each.usable.available)
                continue;
            path = toQString(each.path);
            break;
        }
    }
    return path == toQString(camera.path) ? tr("This camera runs in the window now: its picture is there.") : QString();
}

void SourcePicker::askForAddress()
{
    auto *dialog = new QInputDialog(m_parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Open a stream"));
    dialog->setLabelText(tr("rtsp://HOST/PATH, http://HOST/PATH (MJPEG), csi:0, or gst:PIPELINE"));
    connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString &text) {
        if (!text.trimmed().isEmpty())
            emit m_window.menu.chosen(text.trimmed());
    });
    dialog->open();
}

void SourcePicker::openSettings(const QString &path, const QString &name)
{
    const std::string device = path.toStdString();
    auto *dialog = new CameraSettings(
        name,
        {[device] { return readCameraControls(device); },
         [device](std::uint32_t id, std::int64_t value) { return setCameraControl(device, id, value); }},
        m_parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show();
}

void SourcePicker::followSource()
{
    const PipelineStatus &status = m_window.session.status();
    m_window.head.setSourceDetails(detailsOf(status));
    if (const QString uri = toQString(status.source.uri); uri != m_uri) {
        m_uri = uri;
        m_trouble.clear();
        m_remark.clear();
    }
    const QString trouble = toQString(status.sourceState.trouble);
    if (trouble != m_trouble) {
        if (!trouble.isEmpty())
            m_window.messages.show(MessageBar::Kind::Warning, trouble);
        else
            m_window.messages.show(MessageBar::Kind::Info,
                                   tr("The source is back: %1").arg(toQString(status.source.description)));
        m_trouble = trouble;
    }
    const QString remark = toQString(status.sourceState.remark);
    if (remark != m_remark && !remark.isEmpty())
        m_window.messages.show(MessageBar::Kind::Info, remark);
    m_remark = remark;
}

} // namespace jetscope
