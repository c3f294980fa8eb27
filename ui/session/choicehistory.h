// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/settings/pipelineconfig.h"
#include "ui/session/history.h"

#include <optional>
#include <vector>

namespace jetscope {

class Session;

/// The choices that the user made one after the other, to go back and forth. Choices that trials make, or that the
/// device changes, are none of them. UI thread; the session must outlive it.
class ChoiceHistory : public History {
    Q_OBJECT
public:
    explicit ChoiceHistory(Session &session, QObject *parent = nullptr);

    /// Its words are what going back would change; empty without a pipeline.
    Step undoStep() const override;
    Step redoStep() const override;
    void undo() override;
    void redo() override;

private:
    struct Choice {
        PipelineConfig config;
        quint64 number = 0;
    };
    using Stack = std::vector<Choice>;
    void wantedChanged();
    Step step(const Stack &stack) const;
    void go(Stack &from, Stack &to);

    Session &m_session;
    std::optional<PipelineConfig> m_present;
    Stack m_earlier;
    Stack m_later;
};

} // namespace jetscope
