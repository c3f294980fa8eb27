// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/files/traceopener.h"
#include "ui/session/figureswork.h"
#include "ui/window/workspace.h"

#include <QPointer>

#include <functional>
#include <optional>

class QSplitter;
class QStackedWidget;

namespace jetscope {

class FilmStrip;
class PipelineHost;
class TraceFilePage;
class TitleLine;
class ViewBar;
class ViewOpener;
class TraceStart;
class WindowFileCompare;
class WindowInspect;

/// What was recorded: the trace of a file, or an inspected program while it runs. It shows nothing of the pipeline.
class TraceWorkspace : public Workspace {
    Q_OBJECT
public:
    TraceWorkspace(const Shell &shell, const std::shared_ptr<PipelineHost> &host);
    ~TraceWorkspace() override;

    TraceOpener &opener() { return m_opener; }
    /// Of captures that stay on their board.
    ViewOpener &views() const { return *m_views; }
    ViewBar *viewBar() const { return m_viewBar; }
    TitleLine &head() const { return *m_head; }
    WindowFileCompare &compare() const { return *m_compare; }
    WindowInspect &inspect() const { return *m_inspect; }
    TraceFilePage *filePage() const { return m_filePage; }
    FilmStrip *film() const { return m_film; }
    /// Whether there is a trace to look at.
    bool hasTrace() const;
    /// Reads the file again, or starts the program again.
    void openAgain();
    /// Whether the shown trace is a capture that stays on its board. Then `then` is offered for when it is here.
    bool offersWhole(const QString &what, const std::function<void()> &then);

signals:
    /// The user wants all of a capture that stays on its board. ViewBar::setFetchable shows the button for it.
    void fetchWanted(const QString &path);
    /// The user wants something for which a capture must be here whole: `then` does it, once it is.
    void wholeWanted(const QString &what, const std::function<void()> &then);

protected:
    int widthBesideSelection() const override { return 0; }
    void showFigures() override;
    QString notesFile() const override;

private:
    void makeTools();
    void makeTabs();
    void connectParts();
    void showPhase();
    void showFile();
    void connectViews();
    void showView();
    void showSpanOfView();
    void askForCause();
    void showVerdict();
    void cannotOpen(const QString &path, const Error &error, bool isCancelled);
    void showPart(QWidget *part);
    void showNotice(const PipelineNotice &notice);

    TraceOpener m_opener;
    ViewOpener *m_views;
    TitleLine *m_head;
    QStackedWidget *m_pages;
    TraceStart *m_start;
    QSplitter *m_content;
    FilmStrip *m_film;
    TraceFilePage *m_filePage;
    ViewBar *m_viewBar;
    std::unique_ptr<WindowFileCompare> m_compare;
    std::unique_ptr<WindowInspect> m_inspect;
    std::uint64_t m_shownRun = 0; ///< Session::traceRun of the file that is shown.
    std::string m_headline;       ///< Of a trace that has only the counters of a board; else empty.
    FiguresWork m_cause;
    std::optional<SpanPlace> m_spanOfView; ///< Of which the cause was asked for.
    QString m_causeText;
    enum class Opened { File, Program, View };
    Opened m_opened = Opened::File; ///< What was opened last.
};

} // namespace jetscope
