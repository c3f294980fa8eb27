// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/measure/filecomparison.h"

#include "core/tracefile/tracefile.h"
#include "ui/session/session.h"
#include "ui/style/text.h"

#include <QFileInfo>

#include <utility>

namespace jetscope {

namespace {

QString fileNameOf(const Trace &trace)
{
    const std::string &file = trace.origin().file;
    return file.empty() ? FileComparison::tr("a trace") : QFileInfo(toQString(file)).fileName();
}

/// Empty when cancelled.
std::optional<CaptureFigures> comparedFigures(const Trace &trace, const std::string &path, OpenProgress &progress)
{
    std::optional<CaptureFigures> figures = figuresOfCapture(trace, progress);
    if (!figures)
        return figures;
    figures->file = QFileInfo(toQString(path)).fileName().toStdString();
    // Traces of other programs have no such fact.
    if (Result<std::string> size = captureFact(path, "frame_size"); size.ok())
        figures->frameSize = std::move(size).value();
    return figures;
}

std::string reasonAgainst(const CaptureFigures &a, const CaptureFigures &b)
{
    if (a.perFrame == b.perFrame)
        return {};
    const CaptureFigures &without = a.perFrame ? b : a;
    const CaptureFigures &with = a.perFrame ? a : b;
    return without.file + " has no frames and " + with.file
        + " has: choose the ranges that are its frames when you open it";
}

} // namespace

struct FileComparison::Opened {
    std::optional<Trace> trace;
    std::optional<CaptureFigures> figuresA;
    std::optional<CaptureFigures> figuresB;
    CaptureComparison comparison;
    std::string failure; ///< Empty when cancelled, too.
};

FileComparison::FileComparison(Session &session, QObject *parent) : QObject(parent), m_session(session)
{
    // The thread that reads the trace must stop before the trace is destroyed.
    connect(&session, &Session::closing, this, [this] {
        if (m_hold)
            m_job.cancelAndWait();
        m_hold.reset();
        close();
    });
}

QString FileComparison::reason() const
{
    if (m_session.phase() != Session::Phase::File)
        return tr("Open a capture first; a running pipeline is compared with what was pinned as A.");
    if (m_session.trace().distant())
        return tr("The capture is on the board: a comparison needs the whole of it here.");
    return m_job.isRunning() ? tr("Another capture is being read; wait for it or cancel it.") : QString();
}

QString FileComparison::nameA() const
{
    return fileNameOf(m_session.trace());
}

QString FileComparison::nameB() const
{
    return fileNameOf(m_other);
}

FileComparison::Opened FileComparison::open(const Trace &a, const QString &path, OpenProgress &progress,
                                            std::uint64_t mostSpans)
{
    Opened out;
    Result<OpenedTrace> opened = openTrace(path.toStdString(), progress, mostSpans);
    if (!opened.ok()) {
        if (!wasCancelled(opened.error()))
            out.failure = opened.error().message();
        return out;
    }
    Trace b = std::move(opened.value().trace);
    TraceOrigin origin = b.origin();
    origin.file = path.toStdString();
    b.setOrigin(origin);
    if (b.spanCount() == 0 && b.frames().empty()) {
        out.failure = QFileInfo(path).fileName().toStdString() + " has neither spans nor frames: record it again";
        return out;
    }
    out.figuresA = comparedFigures(a, a.origin().file, progress);
    if (out.figuresA)
        out.figuresB = comparedFigures(b, origin.file, progress);
    if (!out.figuresB)
        return out;
    out.failure = reasonAgainst(*out.figuresA, *out.figuresB);
    if (!out.failure.empty())
        return out;
    out.comparison = compareCaptures(std::span(&*out.figuresA, 1), std::span(&*out.figuresB, 1));
    out.trace = std::move(b);
    return out;
}

void FileComparison::compareWith(const QString &path)
{
    if (!reason().isEmpty())
        return;
    m_hold = m_session.holdTrace();
    const auto work = [this, path, &a = std::as_const(m_session).trace(),
                       mostSpans = m_session.mostSpans()](OpenProgress &progress) -> std::function<void()> {
        auto opened = std::make_shared<Opened>(open(a, path, progress, mostSpans));
        return [this, opened] { take(std::move(*opened)); };
    };
    m_job.start(tr("Comparing with %1").arg(QFileInfo(path).fileName()), work);
}

void FileComparison::take(Opened opened)
{
    if (!std::exchange(m_hold, nullptr))
        return; // A was closed meanwhile.
    if (!opened.trace) {
        if (!opened.failure.empty())
            emit failed(toQString(opened.failure));
        return;
    }
    close();
    m_other = std::move(*opened.trace);
    m_comparison = std::move(opened.comparison);
    m_figuresA = std::move(opened.figuresA);
    m_figuresB = std::move(opened.figuresB);
    emit changed();
}

void FileComparison::compareAnyway()
{
    if (!m_comparison)
        return;
    m_comparison =
        compareCaptures(std::span(&*m_figuresA, 1), std::span(&*m_figuresB, 1), ComparedSides::Captures, "A", true);
    emit changed();
}

/// Views let go of B before it is destroyed.
void FileComparison::close()
{
    if (!m_comparison)
        return;
    m_comparison.reset();
    m_figuresA.reset();
    m_figuresB.reset();
    emit changed();
    m_other = Trace();
}

} // namespace jetscope
