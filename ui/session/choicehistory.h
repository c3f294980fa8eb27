// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/settings/pipelineconfig.h"

#include <QObject>
#include <QString>

#include <optional>
#include <vector>

namespace jetscope {

class Session;

/// The choices that the user made one after the other, to go back and forth. Choices that trials make, or that the
/// device changes, are none of them. UI thread; the session must outlive it.
class ChoiceHistory : public QObject {
    Q_OBJECT
public:
    explicit ChoiceHistory(Session &session, QObject *parent = nullptr);

    /// What going back would change, for example "sync: finish → eglsync"; empty if there is nothing to go back to, or
    /// no pipeline.
    QString undoWords() const;
    QString redoWords() const;
    void undo();
    void redo();

signals:
    void changed();

private:
    using Stack = std::vector<PipelineConfig>;
    void wantedChanged();
    QString words(const Stack &stack) const;
    void go(Stack &from, Stack &to);

    Session &m_session;
    std::optional<PipelineConfig> m_present;
    Stack m_earlier;
    Stack m_later;
};

} // namespace jetscope
