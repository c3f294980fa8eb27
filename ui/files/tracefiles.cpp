// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/files/tracefiles.h"

#include "core/exchange/exporters.h"
#include "core/measure/report/report.h"
#include "core/system/besidedatabase.h"
#include "core/system/newfile.h"
#include "core/tracefile/savetrace.h"
#include "ui/files/fileplaces.h"
#include "ui/files/picturefile.h"
#include "ui/session/session.h"
#include "ui/style/messagebar.h"
#include "ui/style/text.h"

#include <QFile>
#include <QFileInfo>
#include <QImage>

namespace jetscope {

namespace {

using Writing = Status (*)(const Trace &, const std::string &, const std::optional<Interval> &, Progress &);

Status saveWhole(const Trace &trace, const std::string &path, const std::optional<Interval> &, Progress &progress)
{
    return saveTrace(trace, path, progress);
}

Writing writerOf(TraceFiles::Format format)
{
    switch (format) {
    case TraceFiles::Format::Chrome:
        return exportChrome;
    case TraceFiles::Format::Csv:
        return exportFrames;
    case TraceFiles::Format::Capture:
        return saveWhole;
    }
    return saveWhole;
}

/// The sentence returned says what was moved away, see replaceDatabase.
Result<std::string> replaceTrace(TraceFiles::Format format, const std::string &path,
                                 const std::function<Status(const std::string &place)> &writing)
{
    if (format == TraceFiles::Format::Capture)
        return replaceDatabase(path, writing);
    JETSCOPE_TRY(replaceFile(path, writing));
    return std::string();
}

/// A sentence of core, behind another one.
QString asRemark(const std::string &sentence)
{
    return sentence.empty() ? QString() : u' ' + toQString(sentence) + u'.';
}

} // namespace

TraceFiles::TraceFiles(Session &session, MessageBar &messages, FilePlaces &places, QObject *parent)
    : QObject(parent), m_session(session), m_messages(messages), m_places(places), m_recorder(session), m_query(session)
{
    // The thread that reads the trace must stop before the trace is destroyed.
    connect(&session, &Session::closing, this, [this] {
        if (m_hold)
            m_job.cancelAndWait();
        m_hold.reset();
    });
    connect(&m_recorder, &Recorder::waits, this,
            [this](const QString &why) { m_messages.show(MessageBar::Kind::Warning, why); });
    connect(&m_recorder, &Recorder::stopped, this, [this](const QString &path, const QString &failure) {
        if (!failure.isEmpty())
            m_messages.show(MessageBar::Kind::Error, tr("The recording ended early: %1").arg(failure));
        else
            m_messages.show(MessageBar::Kind::Info, tr("Recorded to %1.").arg(path),
                            {tr("Open it"), [this, path] { emit recorded(path); }});
    });
}

bool TraceFiles::isFree()
{
    if (!m_job.isRunning())
        return true;
    m_messages.show(MessageBar::Kind::Info, tr("Another file is being worked on; wait for it or cancel it."));
    return false;
}

void TraceFiles::tell(const QString &what, const Error &error)
{
    if (!wasCancelled(error))
        m_messages.show(MessageBar::Kind::Error, what.arg(toQString(error.message())));
}

void TraceFiles::write(Format format, const QString &path, const std::optional<Interval> &range)
{
    if (!isFree())
        return;
    if (m_recorder.isRecording() && QFileInfo(path) == QFileInfo(m_recorder.path())) {
        tell(tr("The file could not be written: %1"),
             sentence(path.toStdString() + " is being recorded: end the recording first, or take another name"));
        return;
    }
    // The thread reads the trace; pipeline updates are queued meanwhile.
    m_hold = m_session.holdTrace();
    const auto work = [this, format, path, range](OpenProgress &progress) -> std::function<void()> {
        const auto writing = [&](const std::string &place) {
            return writerOf(format)(m_session.trace(), place, range, progress);
        };
        const Result<std::string> done = replaceTrace(format, path.toStdString(), writing);
        return [this, path, done] {
            m_hold.reset();
            if (done.ok())
                m_messages.show(MessageBar::Kind::Info, tr("Written to %1.").arg(path) + asRemark(done.value()));
            else
                tell(tr("The file could not be written: %1"), done.error());
        };
    };
    m_job.start(tr("Writing %1").arg(QFileInfo(path).fileName()), work);
}

void TraceFiles::toggleRecording()
{
    if (m_recorder.isRecording()) {
        m_recorder.stop();
        return;
    }
    const QString path = m_places.askForPlace(tr("Record to"), "jscope", tr("Captures (*.jscope)"));
    if (path.isEmpty())
        return;
    if (QFile::exists(path) && isInUse(path.toStdString())) { // It would be another program's recording.
        tell(tr("Recording could not begin: %1"),
             sentence(path.toStdString() + " is being written or read by another program: take another name"));
        return;
    }
    QFile::remove(path);
    record(path);
}

void TraceFiles::record(const QString &path)
{
    const Result<std::string> moved = moveLeftOversAway(path.toStdString());
    const Status started = moved.ok() ? m_recorder.start(path) : Status(moved.error());
    if (!started.ok())
        tell(tr("Recording could not begin: %1"), started.error());
    else if (!moved.value().empty())
        m_messages.show(MessageBar::Kind::Info, asRemark(moved.value()).trimmed());
}

void TraceFiles::recordFromStart(const QString &path)
{
    auto *once = new QObject(this);
    connect(&m_session, &Session::opened, once, [this, once, path] {
        once->deleteLater();
        record(path);
    });
}

void TraceFiles::askToSave()
{
    const QString path = m_places.askForPlace(tr("Save the trace as"), "jscope", tr("Captures (*.jscope)"));
    if (!path.isEmpty())
        write(Format::Capture, path, std::nullopt);
}

void TraceFiles::askToReport(const QString &of, Figure metric)
{
    const QString to = m_places.askForPlace(tr("Write a report"), "html",
                                            tr("Web pages (*.html);;Markdown (*.md);;Tables (*.csv);;All files (*)"));
    if (!to.isEmpty())
        writeReport(of, to, metric);
}

void TraceFiles::writeReport(const QString &of, const QString &to, Figure metric)
{
    const Result<ReportFormat> format = reportFormatOf(to.toStdString());
    if (!format.ok()) {
        tell(tr("The report was not written: %1"), format.error());
        return;
    }
    if (!isFree())
        return;
    const auto work = [this, of, to, metric, format = format.value()](OpenProgress &progress) -> std::function<void()> {
        const Status done = replaceFile(to.toStdString(), [&](const std::string &place) -> Status {
            JETSCOPE_TRY_ASSIGN(const std::string text, reportOf(of.toStdString(), format, metric, progress));
            if (!progress.advance(1))
                return cancelledError();
            JETSCOPE_TRY_ASSIGN(OutputFile file, OutputFile::create(place));
            file.write(text);
            return file.finish();
        });
        return [this, to, done] {
            if (done.ok())
                offerReport(to);
            else
                tell(tr("The report was not written: %1"), done.error());
        };
    };
    m_job.start(tr("Writing the report %1").arg(QFileInfo(to).fileName()), work);
}

void TraceFiles::offerReport(const QString &path)
{
    m_messages.show(MessageBar::Kind::Info, tr("The report is in %1.").arg(path),
                    {tr("Open it"), [this, path] {
                         if (!m_places.dialogs().show(path))
                             m_messages.show(MessageBar::Kind::Warning,
                                             tr("No program on this desktop opens %1; open it by hand.").arg(path));
                     }});
}

void TraceFiles::askToExport(Format format, const std::optional<Interval> &range)
{
    const bool chrome = format == Format::Chrome;
    const QString path =
        m_places.askForPlace(chrome ? tr("Export as Chrome trace") : tr("Export the frames"), chrome ? "json" : "csv",
                             chrome ? tr("Chrome traces (*.json)") : tr("Tables (*.csv)"));
    if (!path.isEmpty())
        write(format, path, range);
}

void TraceFiles::askToSavePicture(const std::function<QImage()> &picture)
{
    const QString path = m_places.askForPlace(tr("Save a picture of the timeline"), "png", tr("Pictures (*.png)"));
    if (path.isEmpty())
        return;
    const Status saved = replaceFile(path.toStdString(), [&](const std::string &place) {
        return savePicture(picture(), QString::fromStdString(place));
    });
    if (saved.ok())
        m_messages.show(MessageBar::Kind::Info, tr("Written to %1.").arg(path));
    else
        tell(tr("The picture could not be written: %1"), saved.error());
}

void TraceFiles::askToSaveText(const QString &title, const QString &filter,
                               const std::function<QByteArray(const QString &path)> &content)
{
    const QString path = m_places.askForPlace(title, "txt", filter);
    if (path.isEmpty())
        return;
    const Status saved = replaceFile(path.toStdString(), [&](const std::string &place) -> Status {
        JETSCOPE_TRY_ASSIGN(OutputFile file, OutputFile::create(place));
        file.write(content(path).toStdString());
        return file.finish();
    });
    if (saved.ok())
        m_messages.show(MessageBar::Kind::Info, tr("Written to %1.").arg(path));
    else
        tell(tr("The file could not be written: %1"), saved.error());
}

} // namespace jetscope
