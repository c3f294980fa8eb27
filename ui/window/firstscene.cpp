// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/firstscene.h"

#include "gpu/cpustage/cpuanalysis.h"
#include "ui/session/session.h"
#include "ui/style/messagebar.h"
#include "ui/style/text.h"

#include <QEvent>
#include <QWidget>

#include <algorithm>
#include <cmath>
#include <utility>

namespace jetscope {

namespace {

constexpr double kRate = 60; ///< Rate of the synthetic camera, that of common screens.
constexpr double kPeriodMs = 1000 / kRate;
/// Target load of CPU and GPU as a fraction of the period. The sum is close to the period, so that frames are late if
/// CPU and GPU wait for each other.
constexpr double kFilled = 0.45;
constexpr int kMinWidth = 640;
constexpr int kMaxWidth = 1920;
constexpr int kWidthStep = 32; ///< Makes the height of 16:9 an even integer.
constexpr int kMaxShownFilters = 6;
constexpr std::uint64_t kFramesMeasured = 25;

} // namespace

SceneSize fillingSize(int width, double cpuMs, double gpuMs, double periodMs)
{
    const double busyMs = std::max({cpuMs, gpuMs, periodMs / 1000});
    const double wanted = width * std::sqrt(kFilled * periodMs / busyMs); // Work is proportional to the area.
    const int steps = static_cast<int>(std::clamp(wanted, double{kMinWidth}, double{kMaxWidth})) / kWidthStep;
    return {steps * kWidthStep, steps * kWidthStep / 16 * 9};
}

int fillingFilters(double beforeMs, double afterMs, double periodMs, int most)
{
    const double left = kFilled * periodMs - afterMs;
    const double each = std::max(afterMs - beforeMs, periodMs / 1000); // Smaller differences are noise.
    return left <= 0 ? 0 : static_cast<int>(std::min(left / each, static_cast<double>(most)));
}

PipelineConfig FirstScene::config()
{
    PipelineConfig config;
    if (cpuStageCapability().available)
        config.cpuStage = CpuStagePlacement::Pipelined;
    return config;
}

FirstScene::FirstScene(Session &session, MessageBar &messages, QWidget &view, QObject *parent)
    : QObject(parent), m_session(session), m_messages(messages), m_source(session.request().source)
{
    view.installEventFilter(this);
    connect(&session, &Session::opened, this, [this] {
        if (!m_session.request().scene.empty())
            m_step = Step::Over;
        if (m_step == Step::Over)
            return;
        m_config = m_session.wanted(); // The device may not support all of config().
        m_device = m_session.status().facts.id;
        showInvitation();
    });
    connect(&session, &Session::noticed, this, [this](const PipelineNotice &notice) {
        if (notice.kind == PipelineNotice::Kind::Switched)
            m_switching = false;
        else if (notice.kind == PipelineNotice::Kind::Refused)
            m_step = Step::Over; // Keep the present load.
    });
    connect(&session, &Session::figuresChanged, this, &FirstScene::look);
}

void FirstScene::showInvitation()
{
    m_invitation =
        tr("This is a test card. Press Ctrl+B to keep the present figures, then choose another synchronization, "
           "memory or CPU stage on the right: figures, table and timeline show what that does here.");
    m_messages.show(MessageBar::Kind::Info, m_invitation);
}

bool FirstScene::isTheUsers() const
{
    return !(m_session.wanted() == m_config) || m_session.request().source != m_source
        || m_session.status().facts.id != m_device || m_session.phase() != Session::Phase::Open;
}

bool FirstScene::isInForce() const
{
    const PipelineStatus &status = m_session.status();
    return status.state == PipelineState::Running && status.config == m_config && status.source.uri == m_source;
}

void FirstScene::look()
{
    if (m_device.empty() || m_step == Step::Over || m_session.phase() == Session::Phase::Opening)
        return;
    if (m_switching && m_session.request().source == kDefaultSource && m_source != kDefaultSource)
        return; // The change of the source is pending.
    if (isTheUsers())
        end();
    else if (!isSettled() && !m_switching && isInForce() && m_session.figures().frames >= kFramesMeasured)
        advance();
}

void FirstScene::advance()
{
    const double gpuMs = m_session.figures()[Figure::GpuBusy];
    if (m_step == Step::Size)
        takeSize();
    else if (m_step == Step::OneFilter && gpuMs < kFilled * kPeriodMs)
        addFilters(1, Step::Filters);
    else if (m_step == Step::Filters)
        addFilters(fillingFilters(m_gpuBeforeMs, gpuMs, kPeriodMs, kMaxShownFilters), Step::Settled);
    else
        m_step = Step::Settled;
    m_gpuBeforeMs = gpuMs;
}

void FirstScene::takeSize()
{
    m_step = Step::OneFilter;
    const RunFigures &figures = m_session.figures();
    const int width = m_session.status().source.layout.width;
    const SceneSize size = fillingSize(width, figures[Figure::CpuBusy], figures[Figure::GpuBusy], kPeriodMs);
    if (size.width == width)
        return;
    m_source = "synthetic:?size=" + std::to_string(size.width) + "x" + std::to_string(size.height) + "&fps=60";
    m_switching = true;
    m_session.changeSource(m_source);
}

void FirstScene::addFilters(int count, Step next)
{
    m_step = next;
    if (count <= 0)
        return;
    m_config.filters.insert(m_config.filters.begin(), static_cast<std::size_t>(count), Filter::Gaussian15);
    m_switching = true;
    m_session.change(m_config);
}

bool FirstScene::showsInvitation() const
{
    return !m_messages.isHidden() && m_messages.text() == m_invitation;
}

bool FirstScene::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Hide && showsInvitation()) {
        m_isPutOff = true;
        m_messages.hide();
    } else if (event->type() == QEvent::Show && std::exchange(m_isPutOff, false) && m_step != Step::Over
               && m_messages.isHidden()) {
        m_messages.show(MessageBar::Kind::Info, m_invitation);
    }
    return QObject::eventFilter(watched, event);
}

void FirstScene::end()
{
    m_step = Step::Over;
    if (showsInvitation())
        m_messages.hide();
}

} // namespace jetscope
