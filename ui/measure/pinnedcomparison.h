// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/compare/capturecomparison.h"
#include "core/trace/trace.h"
#include "ui/session/changes.h"
#include "ui/session/presentsetting.h"
#include "ui/session/worker.h"

#include <QElapsedTimer>
#include <QTime>

#include <array>
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

/// Keeps the present of the running pipeline as a baseline and compares the pipeline with it: the newest frames of the
/// present setting against those that were kept, by the method of captures. The figures are computed on a thread of
/// their own, once a second at most, and less often if that takes long. Baselines outlive changes of settings, source
/// and device. There are three, A, B and C, of which one is compared; in the following that one is called A. UI thread;
/// the session must outlive it.
class PinnedComparison : public History {
    Q_OBJECT
public:
    static constexpr int kBaselines = 3;
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
    /// Which baseline is compared, and pinned next.
    void choose(int baseline);
    int chosen() const { return m_chosen; }
    /// "A", "B" or "C".
    static QString letter(int baseline) { return QString(QChar(u'A' + baseline)); }
    QString letter() const { return letter(m_chosen); }
    const std::optional<PinnedPresent> &pinned(int baseline) const
    {
        return baseline == m_chosen ? m_pinned : m_others[static_cast<std::size_t>(baseline)].pinned;
    }

    Step undoStep() const override { return m_changes.undoStep(); }
    Step redoStep() const override { return m_changes.redoStep(); }
    void undo() override;
    void redo() override;

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
    void pinnedChanged(); ///< A was pinned, grew, was given up, or is another one.
    void compared();

private:
    struct Place {
        std::string device;
        std::string frameSize;
    };
    struct Side;
    struct Work;
    /// A baseline that is not compared now.
    struct Kept {
        std::optional<PinnedPresent> pinned;
        Trace trace;
        std::shared_ptr<const CaptureFigures> figures;
        Place place;
        std::uint32_t from = 0;
        std::uint32_t until = 0;
    };
    /// What a baseline was on the other side of a change.
    struct Earlier {
        int baseline = 0;
        Kept content;
    };
    static constexpr std::size_t kMaxChanges = 8; ///< Each keeps up to kMaxFrames frames.

    Kept takeOut();
    void putIn(Kept kept);
    void exchange(Earlier &earlier);
    void tellAll();

    void polled();
    void collect();
    void start();
    void take(std::uint64_t number, std::shared_ptr<Work> work);
    Side presentSide() const;
    void keep(std::uint64_t first, std::uint64_t last);

    Session &m_session;
    int m_chosen = 0;
    std::array<Kept, kBaselines> m_others; ///< That of the chosen one is not in use.
    Changes<Earlier> m_changes{kMaxChanges};
    std::optional<PinnedPresent> m_pinned;
    Trace m_kept;
    std::shared_ptr<const CaptureFigures> m_figures; ///< Of A; null until computed.
    Place m_place;                                   ///< Of A.
    std::uint32_t m_from = 0;                        ///< Frame key with which the setting of A began.
    std::uint32_t m_until = 0;                       ///< Frames from this one on are the present.
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
