// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/sources/cameras.h"
#include "ui/session/worker.h"

#include <QDialog>

#include <functional>

class QFormLayout;
class QLabel;

namespace jetscope {

/// Controls of a camera, one row each; a change takes effect at once, also while the camera runs. Reads and writes run
/// on a thread of their own, because a camera may respond slowly.
class CameraSettings : public QDialog {
    Q_OBJECT
public:
    struct Access {
        std::function<Result<std::vector<CameraControl>>()> read;
        std::function<Status(std::uint32_t id, std::int64_t value)> write;
    };

    CameraSettings(const QString &name, Access access, QWidget *parent = nullptr);

signals:
    void shown(); ///< The rows match the camera's controls.

private:
    void readAgain();
    void showControls(const std::vector<CameraControl> &controls);
    QWidget *makeEditor(const CameraControl &control);
    bool isShown(const std::vector<CameraControl> &controls) const;
    void set(std::uint32_t id, std::int64_t value);
    void setTrouble(const QString &text);

    const Access m_access;
    QFormLayout *m_rows;
    QLabel *m_message;
    std::vector<CameraControl> m_controls; ///< Displayed controls.
    Worker m_background{"asking the camera for its settings"};
};

} // namespace jetscope
