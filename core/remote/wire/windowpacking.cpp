// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/remote/wire/windowpacking.h"

#include "core/trace/timelimits.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <unordered_map>
#include <utility>

namespace jetscope {

namespace {

constexpr double kColumnShares = 63; ///< More take a fifth more bytes, and show as nothing.
constexpr double kSumShares = 255;
constexpr double kCounterSteps = 4095;

/// Numbers of a variable length: seven bits a byte, and a byte of 0x80 and more is followed by another.
class NumberWriter {
public:
    void put(std::uint64_t number)
    {
        for (; number >= 0x80; number >>= 7)
            m_bytes.push_back(static_cast<std::byte>(number | 0x80));
        m_bytes.push_back(static_cast<std::byte>(number));
    }
    /// Small numbers of both signs are short.
    void putSigned(std::int64_t number)
    {
        const auto bits = static_cast<std::uint64_t>(number);
        put((bits << 1) ^ (number < 0 ? ~std::uint64_t{0} : 0));
    }
    void putExact(double number)
    {
        std::array<std::byte, sizeof number> bytes{};
        std::memcpy(bytes.data(), &number, sizeof number);
        m_bytes.insert(m_bytes.end(), bytes.begin(), bytes.end());
    }
    void putByte(std::size_t byte) { m_bytes.push_back(static_cast<std::byte>(byte)); }
    std::vector<std::byte> take() { return std::move(m_bytes); }

private:
    std::vector<std::byte> m_bytes;
};

/// After the first violation all numbers are 0.
class NumberReader {
public:
    explicit NumberReader(std::span<const std::byte> bytes) : m_left(bytes) {}

    std::uint64_t get()
    {
        std::uint64_t number = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            const auto byte = static_cast<std::uint64_t>(getByte());
            number |= (byte & 0x7f) << shift;
            if (byte < 0x80)
                return number;
        }
        fail();
        return 0;
    }
    std::int64_t getSigned()
    {
        const std::uint64_t bits = get();
        return static_cast<std::int64_t>((bits >> 1) ^ ((bits & 1) != 0 ? ~std::uint64_t{0} : 0));
    }
    double getExact()
    {
        double number = 0;
        if (m_left.size() < sizeof number)
            fail();
        if (!m_good)
            return 0;
        std::memcpy(&number, m_left.data(), sizeof number);
        m_left = m_left.subspan(sizeof number);
        return number;
    }
    std::size_t getByte()
    {
        if (m_left.empty())
            fail();
        if (!m_good)
            return 0;
        const auto byte = std::to_integer<std::size_t>(m_left.front());
        m_left = m_left.subspan(1);
        return byte;
    }
    /// A count of values that take at least a byte each, and at most `most`.
    std::size_t count(std::size_t most)
    {
        const std::uint64_t number = get();
        if (number > std::min(most, m_left.size()))
            fail();
        return m_good ? static_cast<std::size_t>(number) : 0;
    }
    void fail()
    {
        m_good = false;
        m_left = {};
    }
    bool isGood() const { return m_good; }
    bool isAtEnd() const { return m_good && m_left.empty(); }

private:
    std::span<const std::byte> m_left;
    bool m_good = true;
};

std::size_t shareOf(double part, double shares)
{
    return static_cast<std::size_t>(std::lround(std::clamp(part, 0.0, 1.0) * shares));
}

bool hasSpans(const TraceColumn &column)
{
    return column.count > 0 || column.busyNs > 0;
}

/// Where a list has values: pairs of how many are skipped, and how many follow.
template <class Has>
void putRuns(NumberWriter &out, std::size_t count, Has has)
{
    std::vector<std::pair<std::size_t, std::size_t>> runs;
    std::size_t reached = 0;
    for (std::size_t at = 0; at < count;) {
        const std::size_t first = at;
        while (at < count && has(at))
            ++at;
        if (at > first) {
            runs.emplace_back(first - reached, at - first);
            reached = at;
        } else {
            ++at;
        }
    }
    out.put(runs.size());
    for (const auto &[skipped, length] : runs) {
        out.put(skipped);
        out.put(length);
    }
}

/// The indices that have values.
std::vector<std::size_t> getRuns(NumberReader &in, std::size_t count)
{
    std::vector<std::size_t> places;
    const std::size_t runs = in.count(count);
    std::size_t at = 0;
    for (std::size_t i = 0; i < runs; ++i) {
        const std::uint64_t skipped = in.get();
        const std::uint64_t length = in.get();
        if (skipped > count - at || length > count - at - skipped)
            in.fail();
        if (!in.isGood())
            return {};
        at += skipped;
        for (std::uint64_t each = 0; each < length; ++each)
            places.push_back(at++);
    }
    return places;
}

/// The names of a picture by their first use.
class NameTable {
public:
    std::size_t placeOf(TraceName name)
    {
        const auto [found, isNew] = m_places.emplace(name, m_names.size());
        if (isNew)
            m_names.push_back(name);
        return found->second;
    }
    const std::vector<TraceName> &names() const { return m_names; }

private:
    std::unordered_map<TraceName, std::size_t> m_places;
    std::vector<TraceName> m_names;
};

void putBars(NumberWriter &out, const std::vector<TraceBar> &bars, std::int64_t startNs, NameTable &names)
{
    out.put(bars.size());
    std::uint64_t index = 0;
    std::int64_t endNs = startNs;
    std::uint32_t frame = 0;
    for (const TraceBar &bar : bars) {
        out.putSigned(static_cast<std::int64_t>(bar.index - index));
        out.putSigned(bar.span.startNs - endNs);
        out.put(static_cast<std::uint64_t>(bar.span.durationNs));
        out.put(bar.span.bytes);
        out.putSigned(static_cast<std::int32_t>(bar.span.frame - frame));
        out.put(names.placeOf(bar.span.name));
        index = bar.index;
        endNs = bar.span.endNs();
        frame = bar.span.frame;
    }
}

/// A time relative to another one; 0 and a failure if it is none of a trace.
std::int64_t getTime(NumberReader &in, std::int64_t fromNs)
{
    const std::int64_t offset = in.getSigned();
    if (offset > 2 * kMaxTraceNs || offset < -2 * kMaxTraceNs || !isTraceTime(fromNs + offset / 2)
        || !isTraceTime(fromNs + offset)) {
        in.fail();
        return 0;
    }
    return fromNs + offset;
}

std::int64_t getLength(NumberReader &in, std::int64_t startNs)
{
    const std::uint64_t length = in.get();
    if (length > static_cast<std::uint64_t>(kMaxTraceNs) || !isTracePiece(startNs, static_cast<std::int64_t>(length))) {
        in.fail();
        return 0;
    }
    return static_cast<std::int64_t>(length);
}

TraceName getName(NumberReader &in, const std::vector<TraceName> &names)
{
    const std::uint64_t place = in.get();
    if (place >= names.size())
        in.fail();
    return in.isGood() ? names[static_cast<std::size_t>(place)] : 0;
}

void getBars(NumberReader &in, const ColumnWindow &window, const std::vector<TraceName> &names,
             std::vector<TraceBar> &bars)
{
    // They do not overlap, and each is as wide as a column.
    const std::size_t count = in.count(static_cast<std::size_t>(window.count) + 2);
    std::uint64_t index = 0;
    std::int64_t endNs = window.startNs;
    std::uint32_t frame = 0;
    for (std::size_t i = 0; in.isGood() && i < count; ++i) {
        TraceBar bar;
        index += static_cast<std::uint64_t>(in.getSigned());
        bar.index = index;
        bar.span.startNs = getTime(in, endNs);
        bar.span.durationNs = getLength(in, bar.span.startNs);
        bar.span.bytes = in.get();
        frame += static_cast<std::uint32_t>(in.getSigned());
        bar.span.frame = frame;
        bar.span.name = getName(in, names);
        endNs = bar.span.endNs();
        bars.push_back(bar);
    }
}

void putTrack(NumberWriter &out, const TrackPicture &track, const ColumnWindow &window, NameTable &names)
{
    const auto has = [&track](std::size_t x) { return hasSpans(track.columns[x]); };
    putRuns(out, track.columns.size(), has);
    for (std::size_t x = 0; x < track.columns.size(); ++x)
        if (has(x))
            out.putByte(shareOf(static_cast<double>(track.columns[x].busyNs) / window.nsPerColumn, kColumnShares));
    for (std::size_t x = 0; x < track.columns.size(); ++x)
        if (has(x))
            out.put(names.placeOf(track.columns[x].longest));
    putBars(out, track.bars, window.startNs, names);
}

TraceColumn columnOf(std::size_t share, TraceName name, double nsPerColumn)
{
    TraceColumn column;
    column.busyNs = std::llround(static_cast<double>(share) / kColumnShares * nsPerColumn);
    column.longest = name;
    column.count = 1;
    return column;
}

void getTrack(NumberReader &in, const ColumnWindow &window, const std::vector<TraceName> &names, TrackPicture &track)
{
    track.columns.assign(static_cast<std::size_t>(window.count), {});
    const std::vector<std::size_t> places = getRuns(in, track.columns.size());
    std::vector<std::size_t> shares;
    for (std::size_t i = 0; in.isGood() && i < places.size(); ++i)
        shares.push_back(in.getByte());
    for (std::size_t i = 0; in.isGood() && i < places.size(); ++i)
        track.columns[places[i]] = columnOf(shares[i], getName(in, names), window.nsPerColumn);
    getBars(in, window, names, track.bars);
}

/// What a column of a counter knows.
enum class Known : std::uint8_t { Nothing, Range, RangeAndLast };

Known knownOf(const CounterColumn &column)
{
    if (!(column.low <= column.high) || !std::isfinite(column.low) || !std::isfinite(column.high))
        return Known::Nothing;
    return std::isfinite(column.last) ? Known::RangeAndLast : Known::Range;
}

void putCounter(NumberWriter &out, const std::vector<CounterColumn> &columns)
{
    double low = 0;
    double high = 0;
    bool isFirst = true;
    for (const CounterColumn &column : columns)
        if (knownOf(column) != Known::Nothing) {
            low = isFirst ? column.low : std::min(low, column.low);
            high = isFirst ? column.high : std::max(high, column.high);
            isFirst = false;
        }
    out.putExact(low);
    out.putExact(high);
    const double step = high > low ? (high - low) / kCounterSteps : 1;
    const auto stepOf = [&](double value) {
        return std::llround(std::clamp((value - low) / step, 0.0, kCounterSteps));
    };
    std::int64_t before = 0;
    for (const CounterColumn &column : columns) {
        const Known known = knownOf(column);
        out.putByte(static_cast<std::size_t>(known));
        if (known == Known::Nothing)
            continue;
        const std::int64_t bottom = stepOf(column.low);
        out.putSigned(bottom - std::exchange(before, bottom));
        out.put(static_cast<std::uint64_t>(stepOf(column.high) - bottom));
        if (known == Known::RangeAndLast)
            out.putSigned(stepOf(column.last) - bottom);
    }
}

void getCounter(NumberReader &in, const ColumnWindow &window, std::vector<CounterColumn> &columns)
{
    constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
    const double low = in.getExact();
    const double high = in.getExact();
    if (!std::isfinite(low) || !std::isfinite(high) || !(low <= high) || !std::isfinite(high - low))
        return in.fail();
    const double step = high > low ? (high - low) / kCounterSteps : 1;
    const auto valueOf = [&](std::int64_t at) {
        return std::min(high, low + step * std::clamp(static_cast<double>(at), 0.0, kCounterSteps));
    };
    std::int64_t bottom = 0;
    for (int x = 0; in.isGood() && x < window.count; ++x) {
        CounterColumn column;
        column.last = kUnknown;
        const std::size_t known = in.getByte();
        if (known > static_cast<std::size_t>(Known::RangeAndLast))
            in.fail();
        if (known != static_cast<std::size_t>(Known::Nothing)) {
            constexpr std::int64_t kMost = 1 << 20;
            bottom =
                std::clamp<std::int64_t>(bottom + std::clamp<std::int64_t>(in.getSigned(), -kMost, kMost), 0, kMost);
            const auto top = bottom + static_cast<std::int64_t>(std::min<std::uint64_t>(in.get(), kMost));
            column.low = valueOf(bottom);
            column.high = valueOf(top);
            if (known == static_cast<std::size_t>(Known::RangeAndLast))
                column.last = valueOf(bottom + std::clamp<std::int64_t>(in.getSigned(), -kMost, kMost));
        }
        columns.push_back(column);
    }
}

/// Shares of the frames' time.
void putSums(NumberWriter &out, const std::vector<FrameColumn> &sums)
{
    const auto has = [&sums](std::size_t x) { return sums[x].periodNs > 0; };
    out.put(sums.size());
    putRuns(out, sums.size(), has);
    for (std::size_t x = 0; x < sums.size(); ++x)
        if (has(x))
            for (const double part : {sums[x].cpuNs, sums[x].gpuNs, sums[x].bothNs})
                out.putByte(shareOf(part / sums[x].periodNs, kSumShares));
}

void getSums(NumberReader &in, const ColumnWindow &window, std::vector<FrameColumn> &sums)
{
    const std::uint64_t size = in.get();
    if (size != 0 && size != static_cast<std::uint64_t>(window.count))
        return in.fail();
    sums.assign(static_cast<std::size_t>(size), {});
    for (const std::size_t x : getRuns(in, sums.size())) {
        FrameColumn &sum = sums[x];
        sum.periodNs = window.nsPerColumn;
        for (double *part : {&sum.cpuNs, &sum.gpuNs, &sum.bothNs})
            *part = static_cast<double>(in.getByte()) / kSumShares * window.nsPerColumn;
    }
}

void putPieces(NumberWriter &out, const WindowPicture &picture)
{
    std::int64_t endNs = picture.window.startNs;
    out.put(picture.pieces.size());
    for (const BusyPiece &piece : picture.pieces) {
        out.putByte(static_cast<std::size_t>(piece.kind) * 2 + (piece.certain ? 1 : 0));
        out.putSigned(piece.time.startNs - endNs);
        out.put(static_cast<std::uint64_t>(piece.time.endNs - piece.time.startNs));
        endNs = piece.time.endNs;
    }
    endNs = picture.window.startNs;
    out.put(picture.contended.size());
    for (const Interval &time : picture.contended) {
        out.putSigned(time.startNs - endNs);
        out.put(static_cast<std::uint64_t>(time.endNs - time.startNs));
        endNs = time.endNs;
    }
}

Interval getInterval(NumberReader &in, std::int64_t &endNs)
{
    const std::int64_t startNs = getTime(in, endNs);
    endNs = startNs + getLength(in, startNs);
    return {startNs, endNs};
}

void getPieces(NumberReader &in, WindowPicture &picture)
{
    constexpr std::size_t kMostPieces = 1 << 20;
    std::int64_t endNs = picture.window.startNs;
    std::size_t count = in.count(kMostPieces);
    for (std::size_t i = 0; in.isGood() && i < count; ++i) {
        const std::size_t what = in.getByte();
        if (what / 2 > static_cast<std::size_t>(BusyPiece::Kind::Both))
            in.fail();
        picture.pieces.push_back({static_cast<BusyPiece::Kind>(what / 2), getInterval(in, endNs), what % 2 == 1});
    }
    endNs = picture.window.startNs;
    count = in.count(kMostPieces);
    for (std::size_t i = 0; in.isGood() && i < count; ++i)
        picture.contended.push_back(getInterval(in, endNs));
}

} // namespace

std::vector<std::byte> packColumns(const WindowPicture &picture)
{
    NameTable names;
    NumberWriter body;
    for (const auto &[place, track] : picture.tracks)
        putTrack(body, track, picture.window, names);
    for (const auto &[place, counter] : picture.counters)
        putCounter(body, counter);
    putSums(body, picture.sums);
    putPieces(body, picture);
    NumberWriter out;
    out.put(names.names().size());
    for (const TraceName name : names.names())
        out.put(name);
    std::vector<std::byte> bytes = out.take();
    const std::vector<std::byte> rest = body.take();
    bytes.insert(bytes.end(), rest.begin(), rest.end());
    return bytes;
}

/// The tracks and counters follow in the order of their numbers, each once.
bool unpackColumns(std::span<const std::byte> bytes, const WindowWish &wish, WindowPicture &picture)
{
    NumberReader in(bytes);
    picture.window = wish.window;
    std::vector<TraceName> names(in.count(bytes.size()));
    for (TraceName &name : names) {
        const std::uint64_t number = in.get();
        if (number > std::numeric_limits<TraceName>::max())
            in.fail();
        name = static_cast<TraceName>(number);
    }
    for (const std::uint32_t track : wish.tracks)
        picture.tracks[track];
    for (const std::uint32_t counter : wish.counters)
        picture.counters[counter];
    for (auto &[place, track] : picture.tracks)
        if (in.isGood())
            getTrack(in, wish.window, names, track);
    for (auto &[place, counter] : picture.counters)
        if (in.isGood())
            getCounter(in, wish.window, counter);
    getSums(in, wish.window, picture.sums);
    getPieces(in, picture);
    return in.isAtEnd();
}

TraceColumn roundedColumn(const TraceColumn &column, double nsPerColumn)
{
    if (!hasSpans(column))
        return {};
    return columnOf(shareOf(static_cast<double>(column.busyNs) / nsPerColumn, kColumnShares), column.longest,
                    nsPerColumn);
}

} // namespace jetscope
