// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/report/reportpictures.h"
#include "core/measure/report/reporttext.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace jetscope {

namespace {

constexpr double kLabelWidth = 170; // Width of the column with the names of lanes.
constexpr double kPictureWidth = 1000;
constexpr int kPictureColumns = 820;
constexpr double kRow = 18;
constexpr double kHead = 20;
constexpr std::size_t kMaxTracks = 28;
constexpr std::uint64_t kFramesShown = 3;
constexpr std::uint64_t kMaxFramesCompared = 2000;
constexpr std::int64_t kLongestWithoutFrames = 50'000'000;
constexpr double kLetter = 6.3; // Width of an average letter.

std::string spanText(double ns)
{
    return msText(ns / 1e6, ns < 1e7 ? 3 : 2);
}

struct Part {
    Interval time;
    std::uint64_t first = 0; ///< Indices of frames.
    std::uint64_t last = 0;
};

/// Consecutive frames from the middle third whose periods are closest to the median.
Part typicalFrames(const FrameTable &frames)
{
    const std::uint64_t count = frames.endIndex() - frames.firstIndex();
    const std::uint64_t compared = std::min(count, kMaxFramesCompared);
    const std::uint64_t begin = frames.firstIndex() + (count - compared) / 2;
    std::vector<std::int64_t> periods;
    for (std::uint64_t i = begin; i < begin + compared; ++i)
        periods.push_back(frames.at(i).periodNs());
    std::vector<std::int64_t> sorted = periods;
    std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2), sorted.end());
    const auto median = static_cast<double>(sorted[sorted.size() / 2]);
    const std::size_t shown = std::min<std::size_t>(kFramesShown, periods.size());
    const std::size_t places = periods.size() - shown + 1;
    std::size_t best = places / 3;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = places / 3; i < places - places / 3; ++i) {
        double distance = 0;
        for (std::size_t j = i; j < i + shown; ++j)
            distance += std::abs(static_cast<double>(periods[j]) - median);
        if (distance < least) {
            least = distance;
            best = i;
        }
    }
    const FrameFigures first = frames.at(begin + best);
    const FrameFigures last = frames.at(begin + best + shown - 1);
    const std::int64_t end = std::max(last.startNs + last.periodNs(), first.startNs + 1);
    return {{first.startNs, end}, begin + best, begin + best + shown};
}

Part partOf(const Trace &trace)
{
    if (!trace.frames().empty())
        return typicalFrames(trace.frames());
    const std::int64_t oldest = trace.oldestNs();
    const std::int64_t length = std::clamp<std::int64_t>(trace.newestNs() - oldest, 1, kLongestWithoutFrames);
    const std::int64_t start = oldest + (trace.newestNs() - oldest - length) / 2;
    return {{start, start + length}, 0, 0};
}

/// Draws one part of a trace.
class Timeline {
public:
    Timeline(const Trace &trace, const Part &part) : m_trace(trace), m_part(part) {}

    std::string draw()
    {
        for (const SpanTrack &track : m_trace.tracks()) {
            const auto [first, last] = track.range(m_part.time.startNs, m_part.time.endNs);
            if (first < last && m_drawn < kMaxTracks)
                addTrack(track);
        }
        return frames() + m_spans + hazards() + axis();
    }

    std::vector<Category> categories() const { return {m_categories.begin(), m_categories.end()}; }
    const std::string &lanes() const { return m_lanes; }
    double height() const { return m_y + 22; }
    std::size_t drawn() const { return m_drawn; }

private:
    double x(std::int64_t ns) const
    {
        const auto length = static_cast<double>(m_part.time.endNs - m_part.time.startNs);
        return kLabelWidth + static_cast<double>(ns - m_part.time.startNs) / length * kPictureColumns;
    }

    void addTrack(const SpanTrack &track)
    {
        const double columnNs = static_cast<double>(m_part.time.endNs - m_part.time.startNs) / kPictureColumns;
        TrackPicture picture;
        track.query({m_part.time.startNs, columnNs, kPictureColumns}, picture);
        if (m_lane != track.lane()) {
            m_y += m_lane ? 5 : 0;
            addLabel(track);
        }
        m_lane = track.lane();
        addColumns(picture, columnNs);
        for (const TraceBar &bar : picture.bars)
            if (bar.span.endNs() > m_part.time.startNs && bar.span.startNs < m_part.time.endNs)
                addBar(bar.span);
        m_y += kRow;
        ++m_drawn;
    }

    void addLabel(const SpanTrack &track)
    {
        const LaneInfo *lane = m_trace.lane(track.lane());
        const std::string name = lane ? lane->name : "lane " + std::to_string(track.lane());
        m_lanes += (m_lanes.empty() ? "" : ", ") + name;
        constexpr std::size_t kMaxLetters = 26;
        const bool isLong = name.size() > kMaxLetters;
        m_spans += "<text x=\"0\" y=\"" + svgNumber(m_y + 13) + "\">" + htmlText(shortenedText(name, kMaxLetters))
            + (isLong ? "<title>" + htmlText(name) + "</title>" : std::string()) + "</text>";
    }

    void addBar(const TraceSpan &span)
    {
        const TraceNames &names = m_trace.names();
        const Category category = names.category(span.name);
        const bool bounded = names.certainty(span.name) == Certainty::Bounded;
        m_categories.insert(isWait(category) ? Category::WaitSync : category);
        const double from = x(std::max(span.startNs, m_part.time.startNs));
        const double width = std::max(x(std::min(span.endNs(), m_part.time.endNs)) - from, 0.5);
        const std::string &name = names.text(span.name);
        std::string words =
            name + ", " + std::string(categoryName(category)) + ", " + spanText(static_cast<double>(span.durationNs));
        if (bounded)
            words += " at most: it ran somewhere within";
        if (span.frame != kNoFrame)
            words += ", frame " + std::to_string(m_trace.frameNumber(span.frame));
        m_spans += "<rect class=\"" + std::string(categoryClass(category)) + (bounded ? " bounded" : "") + "\" x=\""
            + svgNumber(from) + "\" y=\"" + svgNumber(m_y) + "\" width=\"" + svgNumber(width) + "\" height=\""
            + svgNumber(kRow - 2) + "\" rx=\"1.5\"><title>" + htmlText(words) + "</title></rect>";
        const auto letters = static_cast<std::size_t>(std::max(width - 6, 0.0) / kLetter);
        if (letters >= 3 && name.size() <= letters)
            m_spans += "<text class=\"" + std::string(isWait(category) || bounded ? "w" : "b") + "\" x=\""
                + svgNumber(from + 3) + "\" y=\"" + svgNumber(m_y + 12) + "\">" + htmlText(name) + "</text>";
    }

    /// Spans narrower than a column: one bar for each column, as high as the busy share of its time.
    void addColumns(const TrackPicture &picture, double columnNs)
    {
        for (std::size_t i = 0; i < picture.columns.size(); ++i) {
            const TraceColumn &column = picture.columns[i];
            if (column.busyNs <= 0)
                continue;
            const Category category = m_trace.names().category(column.longest);
            m_categories.insert(isWait(category) ? Category::WaitSync : category);
            const double share = std::clamp(static_cast<double>(column.busyNs) / columnNs, 0.15, 1.0);
            const double height = share * (kRow - 2);
            m_spans += "<rect class=\"" + std::string(categoryClass(category)) + "\" x=\""
                + svgNumber(kLabelWidth + static_cast<double>(i)) + "\" y=\"" + svgNumber(m_y + kRow - 2 - height)
                + "\" width=\"1\" height=\"" + svgNumber(height) + "\"/>";
        }
    }

    std::string frames() const
    {
        std::string svg;
        for (std::uint64_t i = m_part.first; i < m_part.last; ++i) {
            const FrameFigures frame = m_trace.frames().at(i);
            const double from = x(frame.startNs);
            const double to = x(std::min(frame.startNs + frame.periodNs(), m_part.time.endNs));
            if ((i - m_part.first) % 2 == 0)
                svg += "<rect class=\"band\" x=\"" + svgNumber(from) + "\" y=\"0\" width=\""
                    + svgNumber(std::max(to - from, 0.0)) + "\" height=\"" + svgNumber(m_y) + "\"/>";
            svg += "<path class=\"frame\" d=\"M" + svgNumber(from) + " 0V" + svgNumber(m_y) + "\"/>";
            const std::string label = "frame " + std::to_string(m_trace.frameNumber(frame.frame));
            if (to - from > static_cast<double>(label.size()) * kLetter)
                svg += "<text class=\"m\" x=\"" + svgNumber(from + 4) + "\" y=\"12\">" + label + "</text>";
        }
        return svg;
    }

    std::string axis() const
    {
        const auto length = static_cast<double>(m_part.time.endNs - m_part.time.startNs);
        double step = std::pow(10, std::floor(std::log10(length / 4)));
        for (const double factor : {5.0, 2.0})
            if (length / (step * factor) >= 4) {
                step *= factor;
                break;
            }
        const int decimals = std::clamp(static_cast<int>(-std::floor(std::log10(step / 1e6) + 1e-9)), 0, 6);
        std::string svg = "<path class=\"axis\" d=\"M" + svgNumber(kLabelWidth) + " " + svgNumber(m_y + 2) + "H"
            + svgNumber(kLabelWidth + kPictureColumns) + "\"/>";
        for (int i = 0; i * step <= length * 1.0001; ++i) {
            const double place = kLabelWidth + i * step / length * kPictureColumns;
            const char *anchor = i == 0 ? "start" : place > kPictureWidth - 40 ? "end" : "middle";
            svg += "<path class=\"axis\" d=\"M" + svgNumber(place) + " " + svgNumber(m_y + 2)
                + "v5\"/><text class=\"m\" x=\"" + svgNumber(place) + "\" y=\"" + svgNumber(m_y + 18)
                + "\" text-anchor=\"" + anchor + "\">" + fixedText(i * step / 1e6, decimals) + (i == 0 ? " ms" : "")
                + "</text>";
        }
        return svg;
    }

    std::string hazards() const
    {
        std::string svg;
        const auto [first, last] = m_trace.marks().range(m_part.time.startNs, m_part.time.endNs);
        for (std::size_t i = first; i < std::min(last, first + 200); ++i) {
            const TraceMark &mark = m_trace.marks().all()[i];
            if (mark.kind == TraceMark::Kind::Hazard)
                svg += "<path class=\"hazard\" d=\"M" + svgNumber(x(mark.timeNs)) + " 14l-4 6h8z\"><title>hazard "
                    + htmlText(mark.rule + ": " + mark.text) + "</title></path>";
        }
        return svg;
    }

    const Trace &m_trace;
    const Part m_part;
    std::string m_spans;
    std::string m_lanes;
    std::set<Category> m_categories;
    double m_y = kHead;
    std::size_t m_drawn = 0;
    std::optional<LaneId> m_lane;
};

} // namespace

std::optional<TimelinePicture> timelineSvg(const Trace &trace, std::string_view titleText)
{
    if (trace.spanCount() == 0)
        return std::nullopt;
    const Part part = partOf(trace);
    Timeline timeline(trace, part);
    const std::string body = timeline.draw();
    if (timeline.drawn() == 0)
        return std::nullopt;
    TimelinePicture picture;
    const FrameTable &frames = trace.frames();
    if (part.last > part.first)
        picture.words = counted(part.last - part.first, "consecutive frame") + " of "
            + std::to_string(frames.endIndex() - frames.firstIndex()) + " from the middle of the trace, "
            + spanText(static_cast<double>(part.time.endNs - part.time.startNs));
    else
        picture.words =
            spanText(static_cast<double>(part.time.endNs - part.time.startNs)) + " from the middle of the trace";
    picture.categories = timeline.categories();
    picture.svg = "<svg viewBox=\"0 0 1000 " + svgNumber(timeline.height()) + "\" role=\"img\"><title>"
        + htmlText(titleText) + ": " + htmlText(picture.words)
        + "</title><desc>Lanes from top to bottom: " + htmlText(timeline.lanes()) + "</desc>" + body + "</svg>\n";
    return picture;
}

} // namespace jetscope
