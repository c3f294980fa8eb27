// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/settings/pipelineconfig.h"

#include <QObject>

#include <string>

namespace jetscope {

class MessageBar;
class Session;

/// Picture size that loads CPU or GPU for a good part of the period without making frames late. `width`, `cpuMs` and
/// `gpuMs` are from measured frames. 16:9, with a width of 640 to 1920 pixels.
struct SceneSize {
    int width = 0;
    int height = 0;
};
SceneSize fillingSize(int width, double cpuMs, double gpuMs, double periodMs);

/// Number of further filters that the GPU has time for, if one more increased its time per frame from `beforeMs` to
/// `afterMs`.
int fillingFilters(double beforeMs, double afterMs, double periodMs, int most);

/// Initial scene for a user without any stored choices: a CPU stage, and a load for CPU and GPU that fills a good part
/// of each period, calibrated by measurements in the first seconds. Without such a load other choices have no visible
/// effect. A message suggests what to try. The scene ends with the user's first choice.
class FirstScene : public QObject {
    Q_OBJECT
public:
    /// Configuration to open with.
    static PipelineConfig config();

    /// The session must open `config()` with the synthetic camera. The message is of `view`, which shows the pipeline:
    /// it goes while something else is shown. All three must outlive this object.
    FirstScene(Session &session, MessageBar &messages, QWidget &view, QObject *parent);
    bool isSettled() const { return m_step >= Step::Settled; }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    enum class Step { Size, OneFilter, Filters, Settled, Over };
    void look();
    void advance();
    void takeSize();
    void addFilters(int count, Step next);
    void showInvitation();
    bool showsInvitation() const;
    bool isTheUsers() const;
    bool isInForce() const;
    void end();

    Session &m_session;
    MessageBar &m_messages;
    Step m_step = Step::Size;
    PipelineConfig m_config;
    std::string m_source;
    std::string m_device;
    bool m_switching = false; ///< A change is pending; the figures are still from before.
    double m_gpuBeforeMs = 0;
    QString m_invitation;
    bool m_isPutOff = false; ///< The message waits until the view is shown again.
};

} // namespace jetscope
