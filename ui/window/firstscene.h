// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/pipelineconfig.h"

#include <QObject>

#include <string>

namespace jetscope {

class MessageBar;
class Session;

/// A picture's size whose work takes a good part of the period, but leaves none late. `width`, `cpuMs` and `gpuMs` are
/// those of frames that were measured. 16:9, as wide as 640 to 1920 pixels.
struct SceneSize {
    int width = 0;
    int height = 0;
};
SceneSize fillingSize(int width, double cpuMs, double gpuMs, double periodMs);

/// How many more filters the GPU has time for, when one more took it from `beforeMs` to `afterMs` a frame.
int fillingFilters(double beforeMs, double afterMs, double periodMs, int most);

/// What a window shows whose user has chosen nothing yet: a CPU stage, and so much work for CPU and GPU that this
/// machine is busy for a good part of each period, found by measuring in the first seconds. Only then do other choices
/// change anything that can be seen. An invitation says what to try. The user's first own choice ends all of it.
class FirstScene : public QObject {
    Q_OBJECT
public:
    /// The choices to open with.
    static PipelineConfig config();

    /// The session opens `config()` and the synthetic camera. Both must outlive it.
    FirstScene(Session &session, MessageBar &messages, QObject *parent);
    bool isSettled() const { return m_step >= Step::Settled; }

private:
    enum class Step { Size, OneFilter, Filters, Settled, Over };
    void look();
    void advance();
    void takeSize();
    void addFilters(int count, Step next);
    void showInvitation();
    bool isTheUsers() const;
    bool isInForce() const;
    void end();

    Session &m_session;
    MessageBar &m_messages;
    Step m_step = Step::Size;
    PipelineConfig m_config;
    std::string m_source;
    std::string m_device;
    bool m_switching = false; ///< A change was asked for, and figures are of what was before it.
    double m_gpuBeforeMs = 0;
    QString m_invitation;
};

} // namespace jetscope
