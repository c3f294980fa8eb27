// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QMenu>
#include <QString>

#include <cstdint>

class QActionGroup;

namespace jetscope {

/// Which arrows from launch to kernel to wait a timeline shows.
struct ArrowChoice {
    enum class Kind { Off, Selected, All };
    Kind kind = Kind::Selected;
    std::int64_t atLeastNs = 500'000; ///< Of all: how long the kernel or the wait takes at least.

    /// For settings.
    QString toText() const;
    /// The default if it is no such text.
    static ArrowChoice fromText(const QString &text);
    bool operator==(const ArrowChoice &) const = default;
};

/// The choices, with the present one marked when it opens.
class ArrowMenu : public QMenu {
    Q_OBJECT
public:
    explicit ArrowMenu(QWidget *parent);
    void setCurrent(const ArrowChoice &choice);

signals:
    void chosen(const jetscope::ArrowChoice &choice);

private:
    void add(const QString &text, const ArrowChoice &choice);

    QActionGroup *m_group;
};

} // namespace jetscope
