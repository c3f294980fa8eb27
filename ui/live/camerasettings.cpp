// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/live/camerasettings.h"

#include "ui/style/text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>
#include <memory>

namespace jetscope {

namespace {

int clamped(std::int64_t value)
{
    return static_cast<int>(
        std::clamp<std::int64_t>(value, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()));
}

} // namespace

CameraSettings::CameraSettings(const QString &name, Access access, QWidget *parent)
    : QDialog(parent), m_access(std::move(access))
{
    setWindowTitle(tr("Settings of %1").arg(name));
    auto *content = new QWidget;
    m_rows = new QFormLayout(content);
    auto *area = new QScrollArea;
    area->setWidget(content);
    area->setWidgetResizable(true);
    m_message = new QLabel(tr("Asking the camera…"));
    m_message->setWordWrap(true);
    auto *column = new QVBoxLayout(this);
    column->addWidget(m_message);
    column->addWidget(area);
    resize(480, 560);
    readAgain();
}

void CameraSettings::readAgain()
{
    m_background.start([this, read = m_access.read](const Worker::Reply &reply) {
        auto controls = std::make_shared<Result<std::vector<CameraControl>>>(read());
        reply.post([this, controls] {
            if (controls->ok())
                showControls(controls->value());
            else
                setTrouble(QString::fromStdString(controls->error().message()));
        });
    });
}

void CameraSettings::setTrouble(const QString &text)
{
    m_message->setText(text);
    m_message->setVisible(!text.isEmpty());
}

/// Whether the rows already show these controls. Values that the camera changes by itself are ignored, to keep text
/// that is being typed.
bool CameraSettings::isShown(const std::vector<CameraControl> &controls) const
{
    return !m_controls.empty()
        && std::equal(controls.begin(), controls.end(), m_controls.begin(), m_controls.end(),
                      [](const CameraControl &a, const CameraControl &b) {
                          return a.id == b.id && a.inactive == b.inactive && a.readOnly == b.readOnly;
                      });
}

void CameraSettings::showControls(const std::vector<CameraControl> &controls)
{
    if (isShown(controls))
        return;
    m_controls = controls;
    setTrouble(controls.empty() ? tr("This camera has nothing that can be set.") : QString());
    while (m_rows->rowCount() > 0)
        m_rows->removeRow(0);
    for (const CameraControl &control : controls) {
        QWidget *editor = makeEditor(control);
        const QString name = toQString(control.name);
        editor->setObjectName(name);
        editor->setAccessibleName(name);
        editor->setEnabled(!control.readOnly && !control.inactive);
        if (control.inactive)
            editor->setToolTip(tr("Another setting controls this now"));
        else if (control.readOnly)
            editor->setToolTip(tr("Read only"));
        m_rows->addRow(name, editor);
    }
    emit shown();
}

QWidget *CameraSettings::makeEditor(const CameraControl &control)
{
    const std::uint32_t id = control.id;
    switch (control.kind) {
    case CameraControl::Kind::Boolean: {
        auto *box = new QCheckBox;
        box->setChecked(control.value != 0);
        connect(box, &QCheckBox::toggled, this, [this, id](bool on) { set(id, on ? 1 : 0); });
        return box;
    }
    case CameraControl::Kind::Menu: {
        auto *list = new QComboBox;
        for (const auto &[value, text] : control.choices) {
            list->addItem(toQString(text), QVariant::fromValue<qlonglong>(value));
            if (value == control.value)
                list->setCurrentIndex(list->count() - 1);
        }
        connect(list, &QComboBox::activated, this,
                [this, id, list](int index) { set(id, list->itemData(index).toLongLong()); });
        return list;
    }
    case CameraControl::Kind::Button: {
        auto *button = new QPushButton(tr("Do it"));
        connect(button, &QPushButton::clicked, this, [this, id] { set(id, 1); });
        return button;
    }
    case CameraControl::Kind::Integer:
        break;
    }
    auto *number = new QSpinBox;
    number->setRange(clamped(control.minimum), clamped(control.maximum));
    number->setSingleStep(std::max(1, clamped(control.step)));
    number->setValue(clamped(control.value));
    number->setKeyboardTracking(false);
    number->setToolTip(tr("%1 to %2, default %3").arg(control.minimum).arg(control.maximum).arg(control.standard));
    connect(number, &QSpinBox::valueChanged, this, [this, id](int value) { set(id, value); });
    return number;
}

void CameraSettings::set(std::uint32_t id, std::int64_t value)
{
    m_background.start([this, id, value, write = m_access.write](const Worker::Reply &reply) {
        auto done = std::make_shared<Status>(write(id, value));
        reply.post(
            [this, done] { setTrouble(done->ok() ? QString() : QString::fromStdString(done->error().message())); });
    });
    readAgain(); // A control may enable or disable others.
}

} // namespace jetscope
