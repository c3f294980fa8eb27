// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDateTime>
#include <QList>
#include <QString>

namespace jetscope {

class Settings;

struct KnownBoard {
    QString address; ///< What ssh is asked for.
    QString about;   ///< What it was when it was last used; may be empty.
    QDateTime lastUsed;
};

/// The boards that were connected, the last used one first. Remembered in the settings, which must outlive it. UI
/// thread.
class KnownBoards {
public:
    explicit KnownBoards(Settings &settings);

    const QList<KnownBoard> &all() const { return m_boards; }
    void addUsed(const KnownBoard &board);
    void forget(const QString &address);

private:
    void save();

    Settings &m_settings;
    QList<KnownBoard> m_boards;
};

} // namespace jetscope
