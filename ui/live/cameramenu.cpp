// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/live/cameramenu.h"

#include "ui/live/camerapreview.h"
#include "ui/style/text.h"

#include <QLabel>
#include <QWidgetAction>

namespace jetscope {

namespace {

constexpr QSize kPictureSize(240, 135);

} // namespace

CameraMenu::CameraMenu(const CameraInfo &camera, QWidget *parent)
    : QMenu(toQString(camera.name) + QStringLiteral(" · ") + toQString(camera.path), parent), m_camera(camera)
{
    setObjectName(toQString(camera.uri));
    setToolTipsVisible(true);
    if (!camera.usable.available) {
        QAction *why = addAction(tr("Cannot be used: %1").arg(toQString(camera.usable.reason)));
        why->setEnabled(false);
        return;
    }
    const QString uri = toQString(camera.uri);
    addAction(tr("Open"), this, [this, uri] {
        emit chosen(uri);
    })->setToolTip(tr("At 1280×720 and 30 fps, or the nearest mode of the camera"));
    addAction(tr("Settings…"), this, [this, path = toQString(camera.path), name = toQString(camera.name)] {
        emit settingsWanted(path, name);
    })->setToolTip(tr("Exposure, gain, focus and other controls of the camera; also while it runs"));
    addSeparator();
    for (const CameraFormat &format : camera.formats)
        if (format.readable.available && !format.sizes.empty())
            addFormat(camera, format);
}

void CameraMenu::addPreview(CameraPreview &preview, std::function<QString()> reason)
{
    if (!m_camera.usable.available)
        return; // The menu shows the reason.
    m_picture = new QLabel;
    m_picture->setFixedSize(kPictureSize);
    m_picture->setAlignment(Qt::AlignCenter);
    m_picture->setWordWrap(true);
    m_picture->setAccessibleName(tr("What %1 sees").arg(toQString(m_camera.name)));
    auto *row = new QWidgetAction(this);
    row->setDefaultWidget(m_picture);
    insertAction(actions().isEmpty() ? nullptr : actions().front(), row);
    connect(this, &QMenu::aboutToShow, &preview,
            [this, &preview, reason = std::move(reason)] { startPreview(preview, reason()); });
    connect(this, &QMenu::aboutToHide, &preview, [this, &preview] { stopPreview(preview); });
}

void CameraMenu::startPreview(CameraPreview &preview, const QString &reason)
{
    stopPreview(preview);
    if (!reason.isEmpty()) {
        m_picture->setText(reason);
        return;
    }
    m_picture->setText(tr("Opening the camera…"));
    connect(&preview, &CameraPreview::pictured, m_picture, [this](const QImage &picture) {
        m_picture->setPixmap(
            QPixmap::fromImage(picture.scaled(kPictureSize, Qt::KeepAspectRatio, Qt::SmoothTransformation)));
    });
    connect(&preview, &CameraPreview::said, m_picture, &QLabel::setText);
    preview.show(m_camera);
}

void CameraMenu::stopPreview(CameraPreview &preview)
{
    preview.disconnect(m_picture);
    preview.stop();
}

void CameraMenu::addFormat(const CameraInfo &camera, const CameraFormat &format)
{
    QMenu *sizes = addMenu(toQString(format.name));
    for (const CameraSize &size : format.sizes) {
        const QString picture = QStringLiteral("%1x%2").arg(size.width).arg(size.height);
        QString uri =
            QStringLiteral("%1?size=%2&format=%3").arg(toQString(camera.uri), picture, toQString(format.name));
        QString text = QStringLiteral("%1×%2").arg(size.width).arg(size.height);
        if (!size.rates.empty()) {
            const QString rate = QString::number(size.rates.front(), 'g', 4);
            text += tr(" · %1 fps").arg(rate);
            uri += QStringLiteral("&fps=%1").arg(rate);
        }
        sizes->addAction(text, this, [this, uri] { emit chosen(uri); })->setToolTip(uri);
    }
}

} // namespace jetscope
