// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/measure/pinnedcomparison.h"

#include "core/trace/traceslice.h"
#include "ui/session/session.h"

#include <algorithm>
#include <utility>

namespace jetscope {

namespace {

constexpr qint64 kComparedEveryMs = 1000;
/// The work may take this part of a CPU core: the pipeline runs on the same machine.
constexpr qint64 kShareOfTime = 20;
constexpr qint64 kMaxMs = 10'000;

std::string sizeText(const ImageLayout &layout)
{
    return std::to_string(layout.width) + "x" + std::to_string(layout.height);
}

/// Two GPUs may have the same name.
std::string deviceText(const DeviceFacts &facts)
{
    return facts.id + " " + facts.name;
}

} // namespace

/// Frames of a side, copied for the other thread.
struct PinnedComparison::Side {
    Trace trace;
    Place place;

    CaptureFigures figures() const
    {
        NoProgress progress;
        CaptureFigures figures = figuresOfCapture(trace, progress).value_or(CaptureFigures());
        figures.origin.device = place.device;
        figures.frameSize = place.frameSize;
        return figures;
    }
};

/// Input and results of the other thread.
struct PinnedComparison::Work {
    std::optional<Side> kept; ///< Set if the figures of A are not known yet.
    Side present;
    std::shared_ptr<const CaptureFigures> a;
    std::string name; ///< The letter of A.
    CaptureComparison comparison;
    qint64 ms = 0;

    void run()
    {
        QElapsedTimer timer;
        timer.start();
        if (kept)
            a = std::make_shared<const CaptureFigures>(kept->figures());
        const CaptureFigures b = present.figures();
        comparison = compareCaptures(std::span(a.get(), 1), std::span(&b, 1), ComparedSides::Running, name);
        ms = timer.elapsed();
    }
};

PinnedComparison::PinnedComparison(Session &session, QObject *parent) : History(parent), m_session(session)
{
    connect(&session, &Session::polled, this, &PinnedComparison::polled);
    connect(&session, &Session::traceRestarted, this, [this] {
        m_until = 0;
        for (Kept &other : m_others)
            other.until = 0;
        if (m_pinned && std::exchange(m_pinned->isCollecting, false))
            emit pinnedChanged();
    });
}

PinnedComparison::~PinnedComparison()
{
    m_thread.clear();
}

QString PinnedComparison::reason() const
{
    if (m_session.phase() != Session::Phase::Open)
        return tr("Only a running pipeline can be pinned; captures are compared with \"Compare with…\".");
    if (m_session.isWantedHeld())
        return tr("Choices are being tried by turns; wait for the result or cancel it.");
    const auto [first, last] = newestFrames(m_session.trace().frames(), m_session.firstFrameOfSetting(), kMaxFrames);
    return first < last ? QString() : tr("The present choices have no frames yet.");
}

void PinnedComparison::pin()
{
    if (!reason().isEmpty())
        return;
    const PipelineStatus &status = m_session.status();
    m_changes.add({nextNumber(), tr("the pinned baseline %1").arg(letter())}, {m_chosen, takeOut()});
    m_pinned = PinnedPresent{++m_pins, status.config, QTime::currentTime(), m_session.counts(), 0, true};
    m_place = {deviceText(status.facts), sizeText(status.source.layout)};
    m_from = m_session.firstFrameOfSetting();
    m_comparison.reset();
    m_byTurns = false;
    const auto [first, last] = newestFrames(m_session.trace().frames(), m_from, kMaxFrames);
    keep(first, last);
    refresh();
    emit compared();
    emit changed();
}

void PinnedComparison::unpin()
{
    if (!m_pinned)
        return;
    m_changes.add({nextNumber(), tr("giving up baseline %1").arg(letter())}, {m_chosen, takeOut()});
    tellAll();
}

/// An empty one is chosen, too, to be pinned.
void PinnedComparison::choose(int baseline)
{
    if (baseline == m_chosen || baseline < 0 || baseline >= kBaselines)
        return;
    m_others[static_cast<std::size_t>(m_chosen)] = takeOut();
    m_chosen = baseline;
    putIn(std::exchange(m_others[static_cast<std::size_t>(baseline)], Kept()));
    tellAll();
}

void PinnedComparison::tellAll()
{
    refresh();
    emit pinnedChanged();
    emit compared();
    emit changed();
}

/// Leaves nothing pinned. Results that are being computed are for nobody then.
PinnedComparison::Kept PinnedComparison::takeOut()
{
    ++m_number;
    m_comparison.reset();
    m_byTurns = false;
    Kept kept{std::exchange(m_pinned, std::nullopt),
              std::exchange(m_kept, Trace()),
              std::exchange(m_figures, nullptr),
              std::exchange(m_place, {}),
              m_from,
              m_until};
    if (kept.pinned)
        kept.pinned->isCollecting = false; // Frames that come meanwhile are not its own.
    return kept;
}

void PinnedComparison::putIn(Kept kept)
{
    m_pinned = std::move(kept.pinned);
    m_kept = std::move(kept.trace);
    m_figures = std::move(kept.figures);
    m_place = std::move(kept.place);
    m_from = kept.from;
    m_until = kept.until;
    if (m_pinned)
        m_pinned->id = ++m_pins; // Whoever shows it sees that it is another one.
}

void PinnedComparison::exchange(Earlier &earlier)
{
    if (earlier.baseline != m_chosen)
        choose(earlier.baseline);
    Kept now = takeOut();
    putIn(std::exchange(earlier.content, Kept()));
    earlier.content = std::move(now);
    tellAll();
}

void PinnedComparison::undo()
{
    m_changes.undo([this](Earlier &earlier) { exchange(earlier); });
}

void PinnedComparison::redo()
{
    m_changes.redo([this](Earlier &earlier) { exchange(earlier); });
}

QString PinnedComparison::reasonAgainstTurns() const
{
    if (!m_pinned)
        return tr("Nothing is pinned as %1.").arg(letter());
    if (m_pinned->config == m_session.wanted())
        return tr("The present choices are those of %1.").arg(letter());
    return m_comparison && m_comparison->noVerdict.empty()
        ? QString()
        : tr("%1 and the present are not comparable, or not compared yet.").arg(letter());
}

PinnedComparison::Present PinnedComparison::present() const
{
    return {m_session.wanted(), m_session.status().source.uri, m_session.status().facts.id};
}

void PinnedComparison::showTurns(CaptureComparison comparison)
{
    m_comparison = std::move(comparison);
    m_comparison->nameA = letter().toStdString();
    m_byTurns = true;
    m_turnsOf = present();
    emit compared();
}

void PinnedComparison::refresh()
{
    m_age.invalidate();
}

/// Copies these frames of the session's trace; the present begins behind them.
void PinnedComparison::keep(std::uint64_t first, std::uint64_t last)
{
    ++m_number;
    m_figures.reset();
    m_kept = copyFrames(m_session.trace(), first, last);
    m_until = m_session.trace().frames().at(last - 1).frame + 1;
    m_pinned->frames = last - first;
    m_pinned->isCollecting = m_pinned->frames < kWholeFrames;
    emit pinnedChanged();
}

/// Takes further frames of A's setting until there are enough.
void PinnedComparison::collect()
{
    const bool changed = m_session.firstFrameOfSetting() != m_from;
    const FrameTable &frames = m_session.trace().frames();
    const std::uint64_t first = newestFrames(frames, m_from, kMaxFrames).first;
    std::uint64_t last = frames.endIndex();
    if (changed)
        last = newestFrames(frames, m_session.firstFrameOfSetting(), last).first;
    last = std::min(last, first + kWholeFrames);
    if (last > first && last - first > m_pinned->frames)
        keep(first, last);
    if (changed && std::exchange(m_pinned->isCollecting, false))
        emit pinnedChanged();
}

void PinnedComparison::polled()
{
    if (!m_pinned || m_session.phase() != Session::Phase::Open || m_session.isWantedHeld())
        return;
    if (m_isBusy || (m_age.isValid() && m_age.elapsed() < m_everyMs))
        return;
    if (m_byTurns && m_turnsOf == present())
        return;
    m_byTurns = false;
    if (m_pinned->isCollecting)
        collect();
    start();
}

PinnedComparison::Side PinnedComparison::presentSide() const
{
    const FrameTable &frames = m_session.trace().frames();
    const auto [first, last] = newestFrames(frames, std::max(m_until, m_session.firstFrameOfSetting()), kMaxFrames);
    const PipelineStatus &status = m_session.status();
    return {copyFrames(m_session.trace(), first, last), {deviceText(status.facts), sizeText(status.source.layout)}};
}

void PinnedComparison::start()
{
    auto work = std::make_shared<Work>();
    work->a = m_figures;
    work->name = letter().toStdString();
    if (!m_figures)
        work->kept = Side{copyFrames(m_kept, m_kept.frames().firstIndex(), m_kept.frames().endIndex()), m_place};
    work->present = presentSide();
    m_isBusy = true;
    m_age.start();
    m_thread.start([this, work, number = m_number](const Worker::Reply &reply) {
        work->run();
        reply.post([this, work, number] { take(number, work); });
    });
}

void PinnedComparison::take(std::uint64_t number, std::shared_ptr<Work> work)
{
    m_isBusy = false;
    m_everyMs = std::clamp(work->ms * kShareOfTime, kComparedEveryMs, kMaxMs);
    if (number != m_number || !m_pinned)
        return refresh();
    m_figures = work->a;
    if (m_session.isWantedHeld() || m_byTurns)
        return; // Its frames are of before the trial.
    m_comparison = std::move(work->comparison);
    emit compared();
}

} // namespace jetscope
