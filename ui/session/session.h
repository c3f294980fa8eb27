// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/recentpaths.h"
#include "core/path/verdict.h"
#include "core/trace/coarsespans.h"
#include "core/trace/trace.h"
#include "gpu/remote/pipelinehost.h"
#include "ui/session/presentsetting.h"
#include "ui/session/worker.h"

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>

#include <memory>
#include <optional>

namespace jetscope {

/// Owns the pipeline and the state that the window shows: status, figures, verdict, trace. It can hold a trace from a
/// file instead of a pipeline. Opening and closing run on a thread of their own; no call blocks. UI thread.
class Session : public QObject {
    Q_OBJECT
public:
    enum class Phase {
        Idle, ///< Nothing was opened yet.
        Opening,
        Open,
        Inspecting, ///< The pipeline is another program (gpu/attach): it has a trace, but no choices and no pictures.
        Failed,
        File, ///< The trace is from a file; there is no pipeline.
        Held, ///< The pipeline is closed by holdClosed.
    };

    Session(PipelineOpener openPipeline, SessionRequest request, QObject *parent = nullptr);
    ~Session() override;

    /// Opens the request and replaces the current pipeline or trace. Also used for a retry. A request with asksFirst
    /// fails with its question (isQuestion) until it is confirmed, or another source is chosen.
    void open();
    /// Opens another request, such as that of another machine, with its own choices.
    void openOther(SessionRequest request);
    void confirm() { m_request.asksFirst = false; }
    /// Opens the present source, or the synthetic one when none is open, with a mistake of gpu/hazards/scenes.h.
    void startScene(const std::string &name);
    /// Starts a program and shows what it does, instead of a source, until another source or a file is opened.
    void inspect(const ProgramWish &program);
    /// Opens the source with the choices before the scene.
    void stopScene();
    /// Closes the pipeline, and opens none until `letOpen`, so that another process has device and camera for itself. A
    /// trace from a file stays. `reason` is for the user. Emits `held` when everything is closed.
    void holdClosed(const QString &reason);
    /// Opens the pipeline again, paused if it was, unless a trace from a file is shown.
    void letOpen();
    /// Why the pipeline is held closed; empty if it is not.
    const QString &holdReason() const { return m_holdReason; }
    /// Summary of a whole trace, computed by the caller.
    struct TraceSummary {
        RunFigures figures; ///< From summariseTrace.
        PathSummary path;   ///< From summarisePaths.
    };
    /// Shows a trace from a file instead of the pipeline. A preview of its newest part has no summary yet.
    void showTrace(Trace trace, const std::optional<TraceSummary> &summary);
    /// Shows what has come of a trace whose spans are elsewhere.
    void takeDistant();
    /// The time that the user sees, and at which scale: spans of it that a board has not sent are asked for.
    void setSeen(Interval time, double nsPerPixel)
    {
        m_seen = time;
        m_seenNsPerPixel = nsPerPixel;
    }
    /// Reports that a file could not be opened; what was shown is gone.
    void fail(const Error &error);
    /// The trace stays unchanged while the returned object exists, so that another thread may read it; updates are
    /// queued and added afterwards. Release it on the UI thread.
    std::shared_ptr<void> holdTrace();

    /// Fetches updates from the pipeline; a timer calls it 30 times a second.
    void poll();
    void setPolling(bool on);
    /// Computes new figures at the next poll, whatever their age.
    void refreshFigures()
    {
        m_figuresAge.invalidate();
        m_figuresStale = true;
    }

    Phase phase() const { return m_phase; }
    bool isLive() const { return m_phase != Phase::File; }
    /// The program behind the trace; null if it is a pipeline of our own, or a file.
    Inspection *inspection() const { return m_pipeline ? m_pipeline->inspection() : nullptr; }
    const Error &failure() const { return m_failure; } ///< While Failed.
    PipelineControl *pipeline() const { return m_pipeline.get(); }
    const SessionRequest &request() const { return m_request; }

    const PipelineStatus &status() const { return m_status; }
    const PipelineConfig &wanted() const { return m_wanted; } ///< Last configuration that the user chose.
    const Trace &trace() const { return m_trace; }
    /// What is known of its missing spans.
    const CoarseStore &coarse() const { return m_coarse; }
    /// Another one for each trace.
    std::uint64_t traceRun() const { return m_traceRun; }
    /// The choices to remember: those before a scene, else `wanted`.
    const PipelineConfig &ownChoices() const { return m_choicesBeforeScene ? *m_choicesBeforeScene : m_wanted; }
    /// Limit of spans in the trace; the oldest are discarded. Applies at once to a live trace, to a file when it is
    /// opened.
    void setMostSpans(std::uint64_t mostSpans);
    std::uint64_t mostSpans() const { return m_mostSpans; }
    /// While held, `wanted` stays at the user's last choice although a trial changes the pipeline.
    void holdWanted(bool hold);
    bool isWantedHeld() const { return m_wantedHeld; }
    /// The configuration in force; during a trial the one that is restored afterwards.
    const PipelineConfig &ownConfig() const { return m_wantedHeld ? m_wanted : m_status.config; }
    /// First frame of the present setting: earlier ones belong to an earlier setting, source or device.
    std::uint32_t firstFrameOfSetting() const { return m_present.firstFrame(); }
    /// How the clock of the trace and that of another machine are to each other now.
    void meetClock(const ClockMeeting &meeting);
    void addThumbnail(const Thumbnail &thumbnail);
    /// Gives the trace other notes, once it is not held.
    void setNotes(std::vector<TraceNote> notes);
    /// Of the present setting, or of the whole trace from a file.
    const RunFigures &figures() const { return m_present.figures(); }
    SettingCounts counts() const { return isLive() ? m_present.counts(m_status) : SettingCounts(); }
    /// Critical path of the frames behind the figures; of a trace from a file, the one in its summary.
    const PathSummary &path() const { return m_path; }
    const Verdict &verdict() const { return m_verdict; }
    /// What the updates of the pipeline have told so far.
    const TraceHead &head() const { return m_head; }
    std::uint64_t spansLost() const { return m_spansLost; }
    /// Spans that are not in the figures of any frame.
    std::uint64_t missedSpans() const { return m_missedSpans; }

public slots:
    void change(const jetscope::PipelineConfig &config);
    void changeDevice(const std::string &deviceId);
    void changeSource(const std::string &uri);
    void setPaused(bool paused);
    void step();

signals:
    void traceRestarted(); ///< The trace was replaced.
    void updatesDrained(const jetscope::PipelineUpdate &update);
    void thumbnailAdded(const jetscope::Thumbnail &thumbnail);
    void opened();  ///< The pipeline is open.
    void closing(); ///< Last chance to release references to the pipeline.
    void held();    ///< After holdClosed: the pipeline is destroyed.
    void failed();
    void wantedChanged();
    void statusChanged(); ///< State, device, source or configuration changed.
    void polled();
    void figuresChanged();
    void noticed(const jetscope::PipelineNotice &notice);
    void answered(const jetscope::CpuAnswer &answer);

private:
    void openWith(const std::optional<PipelineConfig> &choices);
    void closeForHold();
    void pipelineOpened(Result<std::unique_ptr<PipelineControl>> result);
    void takeStatus();
    void followConfig();
    void drainUpdates(PipelineUpdate update);
    void take(const PipelineNotice &notice);
    void nameOrigin();
    void startTrace(Trace trace);
    bool isHeld() const { return !m_hold.expired(); }
    void releaseTrace();
    void addToTrace(const TraceUpdate &update);
    void takeMissing();
    void applyMostSpans();
    void updateFigures();

    PipelineOpener m_openPipeline;
    SessionRequest m_request;
    Phase m_phase = Phase::Idle;
    Error m_failure;
    std::unique_ptr<PipelineControl> m_pipeline;
    PipelineStatus m_status;
    PipelineConfig m_wanted;
    std::optional<std::string> m_wantedSource;          ///< Asked for, not in use yet.
    std::optional<PipelineConfig> m_choicesBeforeScene; ///< While a scene runs.
    bool m_changePending = false; ///< m_wanted was posted and has neither come into force nor been refused.
    bool m_wantedHeld = false;
    QString m_holdReason;
    bool m_pauseWhenOpen = false;
    Trace m_trace;
    CoarseStore m_coarse;
    std::uint64_t m_mostSpans = Trace::kDefaultMaxSpans;
    std::weak_ptr<void> m_hold;
    Interval m_seen;
    double m_seenNsPerPixel = 0;
    std::uint64_t m_traceRun = 0; ///< Number of the current trace; holds of earlier traces have no effect.
    std::vector<TraceUpdate> m_heldUpdates;
    std::optional<std::vector<TraceNote>> m_heldNotes;
    PresentSetting m_present;
    RecentPaths m_paths;
    TraceHead m_head; ///< Of the pipeline.
    PathSummary m_path;
    Verdict m_verdict;
    std::uint64_t m_spansLost = 0;
    std::uint64_t m_missedSpans = 0;
    QElapsedTimer m_figuresAge;
    bool m_figuresStale = true; ///< New data since the last computation; none while paused.
    QTimer m_timer;
    Worker m_background{"opening or closing the pipeline"};
};

} // namespace jetscope
