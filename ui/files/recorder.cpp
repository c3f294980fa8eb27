// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/files/recorder.h"

#include "ui/session/session.h"
#include "ui/session/traceheader.h"
#include "ui/style/text.h"

#include <utility>

namespace jetscope {

namespace {

constexpr int kLookMs = 250;

} // namespace

Recorder::Recorder(Session &session, QObject *parent) : QObject(parent), m_session(session)
{
    m_timer.setInterval(kLookMs);
    connect(&m_timer, &QTimer::timeout, this, &Recorder::look);
    connect(&session, &Session::thumbnailAdded, this, [this](const Thumbnail &thumbnail) {
        if (m_writer)
            m_writer->add(thumbnail);
    });
    connect(&session, &Session::closing, this, &Recorder::stop);
}

Recorder::~Recorder()
{
    stop();
}

Status Recorder::start(const QString &path)
{
    if (isRecording())
        return {};
    const TraceFileHeader header = traceHeaderOf(m_session.trace().origin(), m_session.status());
    JETSCOPE_TRY_ASSIGN(m_writer, TraceFileWriter::create(path.toStdString(), header));
    if (PipelineControl *pipeline = m_session.pipeline())
        pipeline->setSink(m_writer);
    m_path = path;
    m_elapsed.start();
    m_timer.start();
    emit started();
    return {};
}

void Recorder::look()
{
    if (!m_writer)
        return;
    const RecordingProgress progress = m_writer->progress();
    const bool isWaiting = !progress.waiting.empty();
    if (isWaiting != std::exchange(m_isWaiting, isWaiting) && isWaiting)
        emit waits(toQString(Error{{}, 0, progress.waiting}.message()));
    if (!progress.failure.empty())
        stop();
    else
        emit progressed();
}

void Recorder::stop()
{
    if (!m_writer)
        return;
    m_timer.stop();
    if (PipelineControl *pipeline = m_session.pipeline())
        pipeline->setSink(nullptr);
    m_closing.start(
        [this, writer = std::exchange(m_writer, nullptr), path = m_path](const Worker::Reply &reply) mutable {
            const jetscope::Status done = writer->stop();
            writer.reset();
            const QString failure = done.ok() ? QString() : toQString(done.error().message());
            reply.post([this, path, failure] { emit stopped(path, failure); });
        });
}

QString Recorder::text() const
{
    if (!m_writer)
        return {};
    const RecordingProgress progress = m_writer->progress();
    const qint64 seconds = m_elapsed.elapsed() / 1000;
    QString text = tr("%1:%2 · %3")
                       .arg(seconds / 60)
                       .arg(seconds % 60, 2, 10, QLatin1Char('0'))
                       .arg(bytesText(static_cast<double>(progress.fileBytes)));
    return progress.lost > 0 ? text + tr(" · %1 lost").arg(progress.lost) : text + tr(" · 0 lost");
}

} // namespace jetscope
