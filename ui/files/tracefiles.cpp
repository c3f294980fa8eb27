// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/files/tracefiles.h"

#include "core/exchange/chromeexport.h"
#include "core/exchange/csvexport.h"
#include "core/measure/report/report.h"
#include "core/measure/report/sweepreport.h"
#include "core/path/tracepaths.h"
#include "core/system/besidedatabase.h"
#include "core/system/newfile.h"
#include "core/trace/tracefigures.h"
#include "core/tracefile/savetrace.h"
#include "ui/files/picturefile.h"
#include "ui/session/session.h"
#include "ui/session/settings.h"
#include "ui/style/messagebar.h"
#include "ui/style/text.h"

#include <QDateTime>
#include <QDesktopServices>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QImage>
#include <QInputDialog>
#include <QStandardPaths>
#include <QUrl>

#include <algorithm>

namespace jetscope {

namespace {

constexpr const char *kFolderKey = "files/folder";
constexpr Figure kSweepTabMetric = Figure::FrameP50; ///< At first; the tab Sweep can change it.

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

FileDialogs realFileDialogs(QWidget *parent)
{
    return {[parent](const QString &title, const QString &folder, const QString &filter) {
                return QFileDialog::getOpenFileName(parent, title, folder, filter);
            },
            [parent](const QString &title, const QString &suggested, const QString &filter) {
                return QFileDialog::getSaveFileName(parent, title, suggested, filter);
            },
            [parent](const QString &title, const QString &question, const QStringList &texts) {
                bool accepted = false;
                const QString text = QInputDialog::getItem(parent, title, question, texts, 0, true, &accepted);
                return accepted ? text : QString();
            },
            [](const QString &path) { return QDesktopServices::openUrl(QUrl::fromLocalFile(path)); }};
}

TraceFiles::TraceFiles(Session &session, MessageBar &messages, Settings &settings, FileDialogs dialogs, QObject *parent)
    : QObject(parent),
      m_session(session),
      m_messages(messages),
      m_settings(settings),
      m_dialogs(std::move(dialogs)),
      m_recorder(session),
      m_query(session)
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
                            {tr("Open it"), [this, path] { open(path); }});
    });
}

bool TraceFiles::isTraceName(const QString &path)
{
    static const QStringList kEndings = {QStringLiteral(".jscope"), QStringLiteral(".json"),   QStringLiteral(".gz"),
                                         QStringLiteral(".zst"),    QStringLiteral(".sqlite"), QStringLiteral(".log"),
                                         QStringLiteral(".txt")};
    return std::any_of(kEndings.begin(), kEndings.end(),
                       [&](const QString &ending) { return path.endsWith(ending, Qt::CaseInsensitive); });
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

/// A trace from a file with its summary.
struct TraceFiles::Summarised {
    Result<OpenedTrace> trace;
    Session::TraceSummary summary = {};
};

TraceFiles::Summarised TraceFiles::openSummarised(const Opener &open, OpenProgress &progress)
{
    Summarised out{open(progress)};
    if (!out.trace.ok())
        return out;
    const Trace &trace = out.trace.value().trace;
    out.summary.figures = summariseTrace(trace);
    if (auto paths = summarisePaths(trace, progress))
        out.summary.path = std::move(*paths);
    else
        out.trace = cancelledError();
    return out;
}

void TraceFiles::open(const QString &path, const QString &framesBy)
{
    if (!isFree())
        return;
    m_settings.save(kFolderKey, QFileInfo(path).absolutePath());
    const auto work = [this, path, framesBy,
                       mostSpans = m_session.mostSpans()](OpenProgress &progress) -> std::function<void()> {
        if (isSweepFile(path.toStdString())) {
            auto sweep = std::make_shared<Result<SweepReport>>(readSweepReport(path.toStdString(), kSweepTabMetric));
            return [this, path, sweep] {
                if (sweep->ok())
                    emit sweepOpened(path, std::make_shared<const SweepReport>(std::move(*sweep).value()));
                else
                    cannotOpen(path, sweep->error());
            };
        }
        const auto open = [&](OpenProgress &to) {
            return openTrace(path.toStdString(), to, mostSpans, framesBy.toStdString());
        };
        auto result = std::make_shared<Summarised>(openSummarised(open, progress));
        return [this, path, result] { opened(path, std::move(*result)); };
    };
    m_job.start(tr("Opening %1").arg(QFileInfo(path).fileName()), work,
                [this](Trace trace) { m_session.showTrace(std::move(trace), {}); });
}

void TraceFiles::openSweepCell(const QString &path, std::size_t cell, const QString &words)
{
    if (!isFree())
        return;
    const auto work = [this, path, cell, words](OpenProgress &progress) -> std::function<void()> {
        const auto open = [&](OpenProgress &to) { return openSweepSample(path.toStdString(), cell, to); };
        auto result = std::make_shared<Summarised>(openSummarised(open, progress));
        if (result->trace.ok()) {
            Trace &trace = result->trace.value().trace;
            TraceOrigin origin = trace.origin();
            origin.file = (path + QStringLiteral(" · ") + words).toStdString();
            trace.setOrigin(origin);
        }
        return [this, path, result] { opened(path, std::move(*result)); };
    };
    m_job.start(tr("Opening the sample trace of %1").arg(words), work);
}

QString TraceFiles::shownFile() const
{
    return m_session.isLive() ? QString() : m_shownFile;
}

/// At the start of the program the error takes the place of the pipeline; later the window stays as it is.
void TraceFiles::cannotOpen(const QString &path, const Error &error)
{
    if (m_session.phase() == Session::Phase::Opening && !m_session.pipeline())
        m_session.fail(wasCancelled(error) ? Error{"", 0, tr("Opening %1 was cancelled.").arg(path).toStdString()}
                                           : error);
    else
        tell(tr("The file could not be opened: %1"), error);
}

void TraceFiles::opened(const QString &path, Summarised summarised)
{
    Result<OpenedTrace> &result = summarised.trace;
    if (!result.ok()) {
        cannotOpen(path, result.error());
        return;
    }
    m_shownFile = path;
    OpenedTrace opened = std::move(result).value();
    TraceOrigin origin = opened.trace.origin();
    if (origin.file.empty()) {
        origin.file = path.toStdString();
        opened.trace.setOrigin(origin);
    }
    m_session.showTrace(std::move(opened.trace), summarised.summary);
    QStringList notes;
    for (const std::string &note : allNotes(opened))
        notes.append(toQString(note));
    if (notes.isEmpty())
        m_messages.hide();
    else
        showNotes(path, notes.join(QStringLiteral(" · ")), opened.frameNames);
}

/// Frames in traces of other programs are detected by name; the user can choose another name.
void TraceFiles::showNotes(const QString &path, const QString &notes, const std::vector<std::string> &frameNames)
{
    if (frameNames.empty()) {
        m_messages.show(MessageBar::Kind::Info, notes);
        return;
    }
    m_messages.show(MessageBar::Kind::Info, notes,
                    {tr("Choose frames…"), [this, path, notes, frameNames] {
                         QStringList texts;
                         for (const std::string &name : frameNames)
                             texts.append(toQString(name));
                         const QString name = m_dialogs.choose(
                             tr("Choose frames"),
                             tr("Ranges and marks of this name are the frames; a number may follow the name:"), texts);
                         if (name.isEmpty()) // The click hid the message, but the choice is still available.
                             showNotes(path, notes, frameNames);
                         else
                             open(path, name);
                     }});
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

QString TraceFiles::suggestion(const char *suffix, const char *prefix) const
{
    const QString home = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    QDir folder(m_settings.text(kFolderKey, home));
    if (!folder.exists())
        folder = QDir::home();
    const QString name = QDateTime::currentDateTime().toString(QStringLiteral("yyyy-MM-dd-HHmmss"));
    return folder.filePath(QStringLiteral("%1-%2.%3").arg(QLatin1String(prefix), name, QLatin1String(suffix)));
}

/// The dialog has already asked whether to overwrite the file. It is replaced once the new one is complete.
QString TraceFiles::askForPlace(const QString &title, const char *suffix, const QString &filter)
{
    QString path = m_dialogs.save(title, suggestion(suffix), filter);
    if (path.isEmpty())
        return {};
    if (QFileInfo(path).suffix().isEmpty())
        path += u'.' + QLatin1String(suffix);
    m_settings.save(kFolderKey, QFileInfo(path).absolutePath());
    return path;
}

QString TraceFiles::askForTrace(const QString &title)
{
    return m_dialogs.open(
        title, m_settings.text(kFolderKey),
        tr("Captures, sweeps and traces (*.jscope *.json *.gz *.zst *.sqlite *.log *.txt);;All files (*)"));
}

void TraceFiles::askToOpen()
{
    const QString path = askForTrace(tr("Open a capture, a sweep or a trace"));
    if (!path.isEmpty())
        open(path);
}

void TraceFiles::toggleRecording()
{
    if (m_recorder.isRecording()) {
        m_recorder.stop();
        return;
    }
    const QString path = askForPlace(tr("Record to"), "jscope", tr("Captures (*.jscope)"));
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
    const QString path = askForPlace(tr("Save the trace as"), "jscope", tr("Captures (*.jscope)"));
    if (!path.isEmpty())
        write(Format::Capture, path, std::nullopt);
}

void TraceFiles::askToReport(const QString &of, Figure metric)
{
    const QString to = askForPlace(tr("Write a report"), "html",
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
                         if (!m_dialogs.show(path))
                             m_messages.show(MessageBar::Kind::Warning,
                                             tr("No program on this desktop opens %1; open it by hand.").arg(path));
                     }});
}

void TraceFiles::askToExport(Format format, const std::optional<Interval> &range)
{
    const bool chrome = format == Format::Chrome;
    const QString path =
        askForPlace(chrome ? tr("Export as Chrome trace") : tr("Export the frames"), chrome ? "json" : "csv",
                    chrome ? tr("Chrome traces (*.json)") : tr("Tables (*.csv)"));
    if (!path.isEmpty())
        write(format, path, range);
}

void TraceFiles::askToSavePicture(const std::function<QImage()> &picture)
{
    const QString path = askForPlace(tr("Save a picture of the timeline"), "png", tr("Pictures (*.png)"));
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
    const QString path = askForPlace(title, "txt", filter);
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
