// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/selection/wheretable.h"

#include "core/path/namegroups.h"
#include "ui/style/pathcolors.h"
#include "ui/style/text.h"

#include <QFont>

#include <algorithm>
#include <array>

namespace jetscope {

namespace {

using Rows = std::vector<WhereRow>;

constexpr double kWorthNaming = 0.05;
constexpr std::size_t kMostNamed = 3;
constexpr double kExplains = 0.5; ///< A path that explains less says less than what the GPU and the threads did.

std::int64_t lengthOf(Interval time)
{
    return time.endNs - time.startNs;
}

/// Where there are several GPUs, a stream's name is not enough.
QString laneName(const Trace &trace, LaneId id, std::size_t gpus = 1)
{
    const LaneInfo *lane = id == kNoPathLane ? nullptr : trace.lane(id);
    if (!lane)
        return {};
    const QString name = toQString(lane->name);
    const QString gpu = lane->gpu && gpus > 1 ? WhereTable::tr("GPU %1").arg(*lane->gpu) : QString();
    return gpu.isEmpty() || name.contains(gpu) ? name : WhereTable::tr("%1 of %2").arg(name, gpu);
}

QString nameText(const Trace &trace, TraceName name)
{
    return toQString(NameGroups::groupText(trace.names().at(name)));
}

WhereRow headingOf(WhereRow::Group group, const QString &what, Interval time)
{
    WhereRow row;
    row.group = group;
    row.heading = true;
    row.what = what;
    row.ns = lengthOf(time);
    return row;
}

/// Adds the rows of a group below its heading, the smallest as one, and what is left of the whole.
void addGroup(Rows &rows, WhereRow heading, Rows parts, const QString &rest)
{
    const std::int64_t wholeNs = heading.ns;
    std::int64_t restNs = wholeNs;
    rows.push_back(std::move(heading));
    rows.back().wholeNs = wholeNs;
    const WhereRow::Group group = rows.back().group;
    const std::size_t gpu = rows.back().gpu;
    std::stable_sort(parts.begin(), parts.end(), [](const WhereRow &a, const WhereRow &b) { return a.ns > b.ns; });
    if (parts.size() > WhereTable::kMaxRows + 1) {
        WhereRow others;
        others.what = WhereTable::tr("%L1 others").arg(parts.size() - WhereTable::kMaxRows);
        others.cause = PathCause::Tool;
        for (std::size_t i = WhereTable::kMaxRows; i < parts.size(); ++i)
            others.ns += parts[i].ns;
        parts.resize(WhereTable::kMaxRows);
        parts.push_back(others);
    }
    for (WhereRow &part : parts) {
        part.group = group;
        part.gpu = gpu;
        part.wholeNs = wholeNs;
        restNs -= part.ns;
        rows.push_back(part);
    }
    if (restNs <= 0)
        return;
    WhereRow last;
    last.group = group;
    last.gpu = gpu;
    last.what = rest;
    last.look = WhereRow::Look::Nothing;
    last.ns = restNs;
    last.wholeNs = wholeNs;
    rows.push_back(last);
}

void addPath(Rows &rows, const WhereTimes &times, const Trace &trace)
{
    if (times.path.parts.empty())
        return;
    Rows parts;
    for (const PathTime &part : times.path.parts) {
        WhereRow row;
        const std::string name = part.like.name == kNoPathName ? std::string() : trace.names().text(part.like.name);
        row.what = toQString(pathWords(part.like.cause, name, part.like.bounded));
        row.lane = laneName(trace, part.like.lane, times.gpus.size());
        row.cause = part.like.cause;
        row.ns = part.ns;
        row.longest = part.longest;
        parts.push_back(row);
    }
    const bool isPart = lengthOf(times.path.time) < lengthOf(times.time);
    addGroup(rows,
             headingOf(WhereRow::Group::Path,
                       isPart ? countText(times.path.frames, WhereTable::tr("On the critical path, the newest frame"),
                                          WhereTable::tr("On the critical path, the newest %L1 frames"))
                              : WhereTable::tr("On the critical path"),
                       times.path.time),
             std::move(parts), WhereTable::tr("nothing recorded explains it"));
}

QString idleWords(const GpuIdleCause &cause, const Trace &trace)
{
    switch (cause.kind) {
    case GpuIdleCause::Kind::During:
        return WhereTable::tr("idle while %1 ran").arg(nameText(trace, cause.name));
    case GpuIdleCause::Kind::Short:
        return WhereTable::tr("idle in %1 under %2")
            .arg(countText(cause.gaps, WhereTable::tr("1 gap"), WhereTable::tr("%L1 gaps")),
                 durationText(GpuTimes::kShortGapNs));
    case GpuIdleCause::Kind::Nothing:
        break;
    }
    return WhereTable::tr("idle while nothing was recorded on the CPU");
}

/// "GPU 1"; what lanes without a number do is of no GPU that is known.
QString gpuName(const GpuTimes &gpu, std::size_t gpus)
{
    return gpu.gpu ? WhereTable::tr("GPU %1").arg(*gpu.gpu)
        : gpus > 1 ? WhereTable::tr("An unnamed GPU")
                   : WhereTable::tr("The GPU");
}

void addGpu(Rows &rows, const GpuTimes &times, std::size_t place, const Trace &trace)
{
    Rows parts;
    const auto addBusy = [&](const QString &what, PathCause cause, std::int64_t ns) {
        WhereRow row;
        row.what = what;
        row.cause = cause;
        row.ns = ns;
        if (ns > 0)
            parts.push_back(row);
    };
    addBusy(WhereTable::tr("busy with kernels or draws"), PathCause::Kernel, times.kernelNs);
    addBusy(WhereTable::tr("busy with copies only"), PathCause::Copy, times.copyNs);
    for (const GpuIdleCause &cause : times.idle) {
        WhereRow row;
        row.what = idleWords(cause, trace);
        row.lane = cause.kind == GpuIdleCause::Kind::During ? laneName(trace, cause.lane) : QString();
        row.look = WhereRow::Look::Idle;
        row.ns = cause.ns;
        row.longest = cause.longest;
        parts.push_back(row);
    }
    WhereRow heading = headingOf(WhereRow::Group::Gpu, WhereTable::titleOf(times), times.time);
    heading.gpu = place;
    addGroup(rows, std::move(heading), std::move(parts), WhereTable::tr("nothing recorded"));
}

void addThreads(Rows &rows, const WhereTimes &times, const Trace &trace)
{
    for (const ThreadTimes &thread : times.threads) {
        Rows parts;
        for (const ThreadTimes::State &state : thread.states) {
            WhereRow row;
            row.what = toQString(state.what);
            row.cause = state.waits ? PathCause::Call : PathCause::CpuStage;
            row.ns = state.ns;
            parts.push_back(row);
        }
        addGroup(rows, headingOf(WhereRow::Group::Thread, laneName(trace, thread.lane), times.time), std::move(parts),
                 WhereTable::tr("nothing recorded"));
    }
}

/// What no figure of the frames contains: of a time with frames that is longer than these.
void addFrames(Rows &rows, const FrameCover &cover)
{
    if (cover.frames == 0 || cover.framesNs >= lengthOf(cover.time))
        return;
    Rows parts;
    const auto add = [&parts](const QString &what, std::int64_t ns, WhereRow::Look look, Interval place) {
        WhereRow row;
        row.what = what;
        row.cause = PathCause::Tool;
        row.look = look;
        row.ns = ns;
        row.longest = place;
        if (ns > 0)
            parts.push_back(row);
    };
    add(countText(cover.frames, WhereTable::tr("1 frame"), WhereTable::tr("%L1 frames")), cover.framesNs,
        WhereRow::Look::Cause, {});
    add(WhereTable::tr("before the first frame: start-up"), lengthOf(cover.before), WhereRow::Look::Nothing,
        cover.before);
    add(WhereTable::tr("between frames"), cover.betweenNs, WhereRow::Look::Nothing, {});
    add(WhereTable::tr("behind the last frame: shut-down"), lengthOf(cover.behind), WhereRow::Look::Nothing,
        cover.behind);
    addGroup(rows, headingOf(WhereRow::Group::Frames, WhereTable::tr("Of frames, and of none"), cover.time),
             std::move(parts), {});
}

QString amountText(std::int64_t ns, std::int64_t wholeNs)
{
    return WhereTable::tr("%1 of %2 (%3)")
        .arg(durationText(ns), durationText(wholeNs),
             percentText(static_cast<double>(ns) / static_cast<double>(std::max<std::int64_t>(wholeNs, 1))));
}

QString pathSentence(const Rows &rows, const PathTimes &path)
{
    QString text;
    std::size_t named = 0;
    const std::int64_t wholeNs = lengthOf(path.time);
    for (const WhereRow &row : rows) {
        const bool isSmall = static_cast<double>(row.ns) < kWorthNaming * static_cast<double>(wholeNs);
        if (row.group != WhereRow::Group::Path || row.heading || row.look != WhereRow::Look::Cause
            || named == kMostNamed || (named > 0 && isSmall))
            continue;
        const QString first = row.ns >= path.unknownNs ? WhereTable::tr("Mostly %1: %2")
                                                       : WhereTable::tr("Of what is explained, mostly %1: %2");
        text += named == 0 ? first.arg(row.text(), amountText(row.ns, wholeNs))
                           : WhereTable::tr(", then %1 %2").arg(row.text(), durationText(row.ns));
        ++named;
    }
    if (static_cast<double>(path.unknownNs) > kWorthNaming * static_cast<double>(wholeNs))
        text += WhereTable::tr("; nothing explains %1").arg(durationText(path.unknownNs));
    return text + u'.';
}

QString gpuSentence(const GpuTimes &times, std::size_t gpus, const Trace &trace)
{
    const QString name = gpuName(times, gpus);
    if (times.idleNs() <= 0)
        return WhereTable::tr("%1 is busy all the time.").arg(name);
    QString text = WhereTable::tr("%1 is idle for %2").arg(name, amountText(times.idleNs(), lengthOf(times.time)));
    const GpuIdleCause &cause = times.idle.front();
    if (2 * cause.ns >= times.idleNs() && cause.kind == GpuIdleCause::Kind::During)
        text +=
            WhereTable::tr(", mostly while %1 ran on %2").arg(nameText(trace, cause.name), laneName(trace, cause.lane));
    return text + u'.';
}

constexpr std::size_t kMostGpusTold = 2;

/// Of many GPUs, those that are idle for the longest and the shortest time.
QString gpusSentence(const std::vector<GpuTimes> &gpus, const Trace &trace)
{
    QStringList sentences;
    if (gpus.size() <= kMostGpusTold) {
        for (const GpuTimes &gpu : gpus)
            sentences << gpuSentence(gpu, gpus.size(), trace);
        return sentences.join(u' ');
    }
    const auto [least, most] = std::minmax_element(
        gpus.begin(), gpus.end(), [](const GpuTimes &a, const GpuTimes &b) { return a.idleNs() < b.idleNs(); });
    return WhereTable::tr("Of %L1 GPUs, these are idle for the longest and the shortest time: ").arg(gpus.size())
        + gpuSentence(*most, gpus.size(), trace) + u' ' + gpuSentence(*least, gpus.size(), trace);
}

constexpr double kLeastOfThread = 0.01; ///< A state with less of the time is not in the sentence.

QString threadSentence(const WhereTimes &times, const Trace &trace)
{
    const ThreadTimes &thread = times.threads.front();
    const std::int64_t wholeNs = lengthOf(times.time);
    QStringList states;
    for (const ThreadTimes::State &state : thread.states)
        if (states.isEmpty()
            || (states.size() < 2 && static_cast<double>(state.ns) >= kLeastOfThread * static_cast<double>(wholeNs)))
            states << WhereTable::tr("%1 for %2").arg(toQString(state.what), amountText(state.ns, wholeNs));
    if (states.isEmpty())
        return {};
    const QString name = laneName(trace, thread.lane);
    return name.left(1).toUpper() + name.mid(1) + u' ' + states.join(QStringLiteral(", ")) + u'.';
}

QString sentenceOf(const Rows &rows, const WhereTimes &times, const Trace &trace)
{
    const std::int64_t knownNs = lengthOf(times.path.time) - times.path.unknownNs;
    const bool hasPath = !times.path.parts.empty()
        && static_cast<double>(knownNs) >= kExplains * static_cast<double>(lengthOf(times.path.time));
    QStringList sentences;
    if (hasPath)
        sentences << pathSentence(rows, times.path);
    if (!times.gpus.empty())
        sentences << gpusSentence(times.gpus, trace);
    if (!hasPath && !times.threads.empty())
        sentences << threadSentence(times, trace);
    if (sentences.isEmpty())
        return trace.spanCount() == 0 && !trace.counters().empty()
            ? WhereTable::tr("This trace has counters only: the workspace Board (Alt+3) shows their figures.")
            : WhereTable::tr("Nothing was recorded in this time.");
    if (times.path.tooLarge > 0)
        sentences << WhereTable::tr("%1 more than %L2 spans: the critical path is not followed there.")
                         .arg(countText(times.path.tooLarge, WhereTable::tr("1 frame has"),
                                        WhereTable::tr("%L1 frames have")))
                         .arg(TracePaths::kMaxSpans);
    return sentences.join(u' ');
}

QColor colorOf(const WhereRow &row)
{
    switch (row.look) {
    case WhereRow::Look::Cause:
        return pathColor(row.cause, theme());
    case WhereRow::Look::Idle:
        return theme().warn;
    case WhereRow::Look::Nothing:
        break;
    }
    return theme().border;
}

} // namespace

QString WhereRow::text() const
{
    return lane.isEmpty() || heading ? what : WhereTable::tr("%1 on %2").arg(what, lane);
}

void WhereTable::show(const WhereTimes &times, const Trace &trace)
{
    beginResetModel();
    m_rows.clear();
    addPath(m_rows, times, trace);
    for (std::size_t i = 0; i < std::min(times.gpus.size(), kMaxGpus); ++i)
        addGpu(m_rows, times.gpus[i], i, trace);
    addThreads(m_rows, times, trace);
    addFrames(m_rows, times.frames);
    m_sentence = sentenceOf(m_rows, times, trace);
    endResetModel();
}

void WhereTable::clear()
{
    beginResetModel();
    m_rows.clear();
    m_sentence.clear();
    endResetModel();
}

QString WhereTable::titleOf(const GpuTimes &times)
{
    const QString name = times.gpu ? tr("GPU %1").arg(*times.gpu) : tr("GPU");
    return times.boundedNs > 0
        ? tr("%1; %2 of its work ran somewhere within bounds").arg(name, durationText(times.boundedNs))
        : tr("%1 in the same time").arg(name);
}

std::vector<SharePart> WhereTable::parts(WhereRow::Group group, std::size_t gpu) const
{
    std::vector<SharePart> parts;
    for (const WhereRow &row : m_rows)
        if (row.group == group && row.gpu == gpu && !row.heading) {
            const bool isWork = row.look == WhereRow::Look::Cause && isNamed(row.cause) && row.cause != PathCause::Call;
            parts.push_back({row.what, colorOf(row), isWork ? theme().barText : theme().text, row.ns,
                             row.look == WhereRow::Look::Idle});
        }
    return parts;
}

int WhereTable::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int WhereTable::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : Columns;
}

QVariant WhereTable::data(const QModelIndex &index, int role) const
{
    const WhereRow &row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::TextAlignmentRole:
        return static_cast<int>((index.column() == What ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::DecorationRole:
        return index.column() == What && !row.heading ? QVariant(colorOf(row)) : QVariant();
    case Qt::ForegroundRole:
        return row.heading ? QVariant(theme().muted) : QVariant();
    case Qt::ToolTipRole:
        return row.text();
    case Qt::DisplayRole:
        break;
    default:
        return {};
    }
    if (index.column() == What)
        return row.text();
    return index.column() == Time ? durationText(row.ns) : shareText(row.ns, row.wholeNs);
}

QVariant WhereTable::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    const std::array<QString, Columns> titles = {tr("where"), tr("time"), tr("share")};
    return titles[static_cast<std::size_t>(section)];
}

} // namespace jetscope
