// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/compare/capturecomparison.h"
#include "core/trace/trace.h"
#include "ui/session/presentsetting.h"
#include "ui/session/worker.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTime>

#include <cstdint>
#include <memory>
#include <optional>

namespace jetscope {

class Session;

/// What was kept as A.
struct PinnedPresent {
    quint64 id = 0; ///< Another one each time that A is pinned.
    PipelineConfig config;
    QTime time;
    SettingCounts counts;
    std::uint64_t frames = 0;
    /// A was pinned soon after a change, and still takes the frames that the method needs.
    bool isCollecting = false;
};

/// Keeps the present of the running pipeline as A and compares the pipeline with it: the newest frames of the present
/// setting against those that were kept, by the method of captures. The figures are computed on a thread of their own,
/// once a second at most, and less often if that takes long. A outlives changes of settings, source and device. UI
/// thread; the session must outlive it.
class PinnedComparison : public QObject {
    Q_OBJECT
public:
    /// Frames of a side: the newest, at most so many. With fewer than this A goes on collecting.
    static constexpr std::uint64_t kMaxFrames = 2000;
    static constexpr std::uint64_t kWholeFrames = 420; ///< Enough for the 99th percentile, after warm-up.

    explicit PinnedComparison(Session &session, QObject *parent = nullptr);
    /// Waits for the thread, which works for a fraction of a second at most.
    ~PinnedComparison() override;

    /// Why the present cannot be pinned, in a sentence; empty if it can.
    QString reason() const;
    void pin();
    void unpin();
    /// Why A and the present cannot take turns, in a sentence; empty if they can.
    QString reasonAgainstTurns() const;

    const std::optional<PinnedPresent> &pinned() const { return m_pinned; }
    /// The frames of A; the object stays the same, its content changes with `pinnedChanged`.
    const Trace &kept() const { return m_kept; }
    /// The present compared with A; empty until it is computed.
    const std::optional<CaptureComparison> &comparison() const { return m_comparison; }
    /// Shows this result until the present setting, source or device changes, or A.
    void showTurns(CaptureComparison comparison);
    bool isByTurns() const { return m_byTurns; }
    /// Computes anew as soon as possible.
    void refresh();

signals:
    void pinnedChanged(); ///< A was pinned, grew, or was given up.
    void compared();

private:
    struct Place {
        std::string device;
        std::string frameSize;
    };
    struct Side;
    struct Work;

    void polled();
    void collect();
    void start();
    void take(std::uint64_t number, std::shared_ptr<Work> work);
    Side presentSide() const;
    void keep(std::uint64_t first, std::uint64_t last);

    Session &m_session;
    std::optional<PinnedPresent> m_pinned;
    Trace m_kept;
    std::shared_ptr<const CaptureFigures> m_figures; ///< Of A; null until computed.
    Place m_place;                                   ///< Of A.
    std::uint32_t m_from = 0;                        ///< Frame key with which the setting of A began.
    std::uint32_t m_until = 0;                       ///< Frames from this one on are the present.
    bool m_traceIsNew = false;                       ///< The trace was replaced since A was pinned.
    std::optional<CaptureComparison> m_comparison;
    bool m_byTurns = false;
    /// What the result by turns belongs to.
    struct Present {
        PipelineConfig config;
        std::string source;
        std::string device;

        bool operator==(const Present &) const = default;
    };
    Present present() const;
    Present m_turnsOf;
    quint64 m_pins = 0;
    std::uint64_t m_number = 0; ///< Of the present A; results for an earlier one are discarded.
    bool m_isBusy = false;
    QElapsedTimer m_age;
    qint64 m_everyMs = 0;
    Worker m_thread{"comparing frames"};
};

} // namespace jetscope
