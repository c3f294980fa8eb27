// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/window/commandsearch.h"

#include <functional>

namespace jetscope {

class RecentFiles;
class Settings;
class Workspace;
struct WindowActions;

/// What the search in the menu bar finds: commands, lanes and names of spans of the shown workspace, and what was
/// opened before. UI thread; the parts outlive it.
class WindowSearch {
public:
    struct Parts {
        const WindowActions &actions;
        Settings &settings;
        Workspace &shown;
        std::function<void(const QString &path)> openTrace;
        std::function<void(const QString &uri)> openSource;
    };
    explicit WindowSearch(Parts parts) : m_parts(std::move(parts)) {}

    QList<SearchHit> find(const QString &words) const;

private:
    using Hits = QList<SearchHit>;
    void addActions(const QStringList &words, Hits &hits) const;
    void addLanes(const QStringList &words, Hits &hits) const;
    void addNames(const QStringList &words, Hits &hits) const;
    void addRecent(const QStringList &words, Hits &hits) const;

    const Parts m_parts;
};

} // namespace jetscope
