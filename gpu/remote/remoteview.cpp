// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/remoteview.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace jetscope {

namespace {

double endOf(const ColumnWindow &window)
{
    return static_cast<double>(window.startNs) + window.nsPerColumn * window.count;
}

/// A track at another scale: what its columns show at the middle of those of the window, and its bars.
void resample(const ColumnWindow &from, const TrackPicture &known, const ColumnWindow &to, TrackPicture &guess)
{
    guess.columns.resize(static_cast<std::size_t>(to.count));
    const double offset = static_cast<double>(to.startNs - from.startNs);
    for (int x = 0; x < to.count; ++x) {
        const double at = (offset + (x + 0.5) * to.nsPerColumn) / from.nsPerColumn;
        if (at < 0 || at >= from.count || static_cast<std::size_t>(at) >= known.columns.size())
            continue;
        TraceColumn column = known.columns[static_cast<std::size_t>(at)];
        column.busyNs =
            static_cast<std::int64_t>(static_cast<double>(column.busyNs) * to.nsPerColumn / from.nsPerColumn);
        guess.columns[static_cast<std::size_t>(x)] = column;
    }
    for (const TraceBar &bar : known.bars)
        if (static_cast<double>(bar.span.startNs) < endOf(to) && bar.span.endNs() > to.startNs)
            guess.bars.push_back(bar);
}

/// So many windows are on their way at once: enough to fill a slow link, few enough that another view need not wait
/// long behind them.
constexpr std::size_t kMostAskedShown = 8;
constexpr std::size_t kMostAskedNext = 2;
/// A board of ours says no more before they are taken, and no more names in all.
constexpr std::size_t kMostCame = 256;
constexpr std::size_t kMostNames = 4 << 20;

/// Those of a sorted list that are not keys of the other.
template <class Map>
std::vector<std::uint32_t> without(const std::vector<std::uint32_t> &places, const Map &known)
{
    std::vector<std::uint32_t> left;
    std::ranges::copy_if(places, std::back_inserter(left),
                         [&known](std::uint32_t place) { return !known.contains(place); });
    return left;
}

bool isSameWindow(const ColumnWindow &a, const ColumnWindow &b)
{
    return a.startNs == b.startNs && a.nsPerColumn == b.nsPerColumn && a.count == b.count;
}

bool includesAll(const std::vector<std::uint32_t> &all, const std::vector<std::uint32_t> &some)
{
    return std::ranges::includes(all, some);
}

bool covers(const WindowWish &asked, const WindowWish &wish)
{
    return isSameWindow(asked.window, wish.window) && includesAll(asked.tracks, wish.tracks)
        && includesAll(asked.counters, wish.counters);
}

/// As much of a wish as may be asked for at once.
WindowWish bounded(WindowWish wish)
{
    const std::size_t most = kMostViewCells / static_cast<std::size_t>(std::max(1, wish.window.count));
    wish.tracks.resize(std::min(wish.tracks.size(), most));
    wish.counters.resize(std::min(wish.counters.size(), most - wish.tracks.size()));
    return wish;
}

std::int64_t distance(const TraceSpan &span, std::int64_t ns)
{
    return ns < span.startNs ? span.startNs - ns
                             : std::max<std::int64_t>(0, ns - std::max(span.startNs, span.endNs() - 1));
}

} // namespace

RemoteView::RemoteView(Wish wish) : m_wish(std::move(wish)) {}

RemoteView::~RemoteView()
{
    m_wish.send(messageOf(OpenView{m_wish.id, {}}));
}

void RemoteView::connected()
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_isStale)
            return;
        m_isConnected = false;
        m_asked.clear();
        for (std::optional<AskedFigures> &asked : m_figures)
            if (asked)
                asked->isSent = false;
        m_saidNames.clear();
        ++m_opening;
    }
    m_wish.send(messageOf(OpenView{m_wish.id, m_wish.path}));
}

void RemoteView::cut(const std::string &why)
{
    {
        const std::lock_guard lock(m_mutex);
        m_isConnected = false;
        m_trouble = "The board is not connected: " + why;
    }
    m_wish.onNews();
}

bool RemoteView::take(const ViewHead &head)
{
    {
        const std::lock_guard lock(m_mutex);
        m_news.fraction = head.fraction >= 0 && head.fraction <= 1 ? head.fraction : 0;
        if (head.error) {
            m_trouble = head.error->text;
            if (!m_facts)
                m_news.error = head.error;
        } else if (head.facts && !m_facts) {
            if (!traceOf(*head.facts))
                return false;
            m_facts = head.facts;
            m_news.isOpen = m_isConnected = true;
            m_news.remarks = head.facts->remarks;
            m_trouble.clear();
        } else if (head.facts) {
            m_isStale = head.facts->mark != m_facts->mark;
            m_isConnected = !m_isStale;
            m_trouble = m_isStale ? "The capture has changed on the board: open it again" : "";
        }
    }
    m_wish.onNews();
    return true;
}

bool RemoteView::take(ViewPart part)
{
    {
        const std::lock_guard lock(m_mutex);
        const auto asked = m_asked.find(part.ask);
        if (asked == m_asked.end() || !areNew(part.names))
            return false;
        Came came;
        came.opening = m_opening;
        if (!part.isDropped) {
            auto picture = part.picture(asked->second.wish);
            bool areKnown = picture.has_value();
            if (picture)
                eachName(*picture, [&](TraceName name) { areKnown = areKnown && m_saidNames.contains(name); });
            if (!areKnown)
                return false;
            came.picture = std::move(*picture);
        }
        came.names = std::move(part.names);
        m_asked.erase(asked);
        m_came.push_back(std::move(came));
    }
    m_wish.onNews();
    return true;
}

/// With m_mutex locked. The names are known from now on.
bool RemoteView::areNew(const std::vector<std::pair<std::uint32_t, SpanName>> &names)
{
    return m_came.size() < kMostCame && m_saidNames.size() + names.size() <= kMostNames
        && std::ranges::all_of(names, [this](const auto &name) { return m_saidNames.insert(name.first).second; });
}

/// Also of figures that are not wanted any more: their names are.
bool RemoteView::take(ViewFigures figures)
{
    {
        const std::lock_guard lock(m_mutex);
        std::optional<AskedFigures> &asked = m_figures[static_cast<std::size_t>(figures.seat)];
        if (!m_facts || !asked || figures.ask > asked->ask.ask || !areNew(figures.names))
            return false;
        const bool isWanted = figures.ask == asked->ask.ask && asked->isSent && !asked->isAnswered;
        Came came;
        if (figures.answer) {
            bool areKnown = true;
            eachName(*figures.answer, [&](TraceName name) { areKnown = areKnown && m_saidNames.contains(name); });
            if (!areKnown || (isWanted && !isPossibleAnswer(*figures.answer, asked->ask.wish, m_facts->tracks.size())))
                return false;
        } else if (isWanted) {
            asked->fraction = figures.fraction >= 0 && figures.fraction <= 1 ? figures.fraction : 0;
        }
        if (figures.answer && isWanted) {
            asked->isAnswered = true;
            came.answer = std::move(figures.answer);
        }
        if (came.answer || !figures.names.empty()) {
            came.opening = m_opening;
            came.names = std::move(figures.names);
            came.ask = figures.ask;
            came.seat = figures.seat;
            m_came.push_back(std::move(came));
        }
    }
    m_wish.onNews();
    return true;
}

bool RemoteView::take(const ViewWhole &whole)
{
    std::optional<WholePicture> picture = whole.picture();
    if (!picture)
        return false;
    {
        const std::lock_guard lock(m_mutex);
        m_cameWhole = std::move(picture);
    }
    m_wish.onNews();
    return true;
}

RemoteView::News RemoteView::news() const
{
    const std::lock_guard lock(m_mutex);
    return m_news;
}

std::optional<Trace> RemoteView::takeTrace()
{
    const std::lock_guard lock(m_mutex);
    if (!m_facts || std::exchange(m_isTaken, true))
        return std::nullopt;
    std::optional<Trace> trace = traceOf(*m_facts);
    if (trace)
        trace->setDistant(shared_from_this(), m_facts->whole);
    return trace;
}

std::uint64_t RemoteView::bytes() const
{
    const std::lock_guard lock(m_mutex);
    return m_facts ? m_facts->fileBytes : 0;
}

std::string RemoteView::trouble() const
{
    const std::lock_guard lock(m_mutex);
    return m_trouble;
}

const WindowPicture *RemoteView::find(const ColumnWindow &window)
{
    const auto kept = m_kept.find(keyOf(window));
    if (kept == m_kept.end())
        return nullptr;
    kept->second.used = ++m_uses;
    return &kept->second.picture;
}

/// From the coarsest pictures, and over them from those that were used last.
WindowPicture RemoteView::guess(const ColumnWindow &window) const
{
    WindowPicture guess;
    guess.window = window;
    double coarsest = 0;
    double latest = 0;
    std::uint64_t used = 0;
    for (const auto &[key, kept] : m_kept) {
        const double scale = kept.picture.window.nsPerColumn;
        coarsest = std::max(coarsest, scale);
        if (scale != window.nsPerColumn && kept.used > used) {
            latest = scale;
            used = kept.used;
        }
    }
    for (const double scale : {coarsest, latest})
        for (const auto &[key, kept] : m_kept) {
            const ColumnWindow &from = kept.picture.window;
            if (from.nsPerColumn != scale || scale == window.nsPerColumn
                || static_cast<double>(from.startNs) > endOf(window)
                || endOf(from) < static_cast<double>(window.startNs))
                continue;
            for (const auto &[track, known] : kept.picture.tracks)
                resample(from, known, window, guess.tracks[track]);
        }
    return guess;
}

WindowWish RemoteView::missing(const WindowWish &wish) const
{
    const auto kept = m_kept.find(keyOf(wish.window));
    if (kept == m_kept.end())
        return bounded(wish);
    WindowWish left = wish;
    left.tracks = without(wish.tracks, kept->second.picture.tracks);
    left.counters = without(wish.counters, kept->second.picture.counters);
    return bounded(std::move(left));
}

bool RemoteView::isMissing(const WindowWish &wish) const
{
    if (!m_kept.contains(keyOf(wish.window)))
        return true;
    const WindowWish left = missing(wish);
    return !left.tracks.empty() || !left.counters.empty();
}

bool RemoteView::isWhole() const
{
    return std::ranges::none_of(m_shown, [this](const WindowWish &wish) { return isMissing(wish); });
}

void RemoteView::want(std::vector<WindowWish> shown, std::vector<WindowWish> next)
{
    m_shown = std::move(shown);
    m_next = std::move(next);
    {
        const std::lock_guard lock(m_mutex);
        for (auto &each : m_asked) {
            Asked &asked = each.second;
            const auto isIts = [&](const WindowWish &wish) { return isSameWindow(asked.wish.window, wish.window); };
            asked.isWanted = std::ranges::any_of(m_shown, isIts) || std::ranges::any_of(m_next, isIts);
        }
    }
    askNext();
}

/// With m_mutex locked.
bool RemoteView::isAsked(const WindowWish &wish) const
{
    return std::ranges::any_of(m_asked, [&](const auto &asked) { return covers(asked.second.wish, wish); });
}

void RemoteView::askNext()
{
    std::vector<AskView> asks;
    {
        const std::lock_guard lock(m_mutex);
        if (!m_isConnected)
            return;
        const auto askUpTo = [&](const std::vector<WindowWish> &wishes, std::size_t most) {
            for (const WindowWish &wish : wishes) {
                if (m_asked.size() >= most || !isMissing(wish))
                    continue;
                WindowWish left = missing(wish);
                if (isAsked(left) || !isPossibleWish(left))
                    continue;
                m_asked[m_nextAsk] = {left, true};
                const auto oldest =
                    std::ranges::find_if(m_asked, [](const auto &asked) { return asked.second.isWanted; });
                asks.push_back({m_wish.id, m_nextAsk, oldest->first, std::move(left)});
                ++m_nextAsk;
            }
        };
        askUpTo(m_shown, kMostAskedShown);
        askUpTo(m_next, kMostAskedNext);
    }
    for (const AskView &ask : asks)
        m_wish.send(messageOf(ask));
}

void RemoteView::ask(FigureSeat seat, const FigureWish &wish, FigureListener listener)
{
    const auto place = static_cast<std::size_t>(seat);
    m_listeners[place] = std::move(listener);
    m_toldFractions[place] = 0;
    {
        const std::lock_guard lock(m_mutex);
        m_figures[place] = AskedFigures{{m_wish.id, m_nextFigures++, seat, wish}};
    }
    askForFigures();
}

void RemoteView::askForFigures()
{
    std::vector<AskFigures> asks;
    {
        const std::lock_guard lock(m_mutex);
        if (!m_isConnected)
            return;
        for (std::optional<AskedFigures> &asked : m_figures)
            if (asked && !asked->isAnswered && !std::exchange(asked->isSent, true))
                asks.push_back(asked->ask);
    }
    for (const AskFigures &ask : asks)
        m_wish.send(messageOf(ask));
}

/// A listener may ask for something else.
void RemoteView::tellFigures(Came &came)
{
    const auto place = static_cast<std::size_t>(came.seat);
    {
        const std::lock_guard lock(m_mutex);
        if (m_figures[place]->ask.ask != came.ask)
            return;
    }
    eachName(*came.answer, [this](TraceName &name) { name = m_names[name]; });
    if (const FigureListener listener = std::exchange(m_listeners[place], nullptr))
        listener(1, &*came.answer);
}

void RemoteView::tellProgress()
{
    for (std::size_t place = 0; place < kSeats; ++place) {
        double fraction = 0;
        {
            const std::lock_guard lock(m_mutex);
            fraction = m_figures[place] ? m_figures[place]->fraction : 0;
        }
        if (const FigureListener listener = m_listeners[place]; listener && m_toldFractions[place] != fraction) {
            m_toldFractions[place] = fraction;
            listener(fraction, nullptr);
        }
    }
}

bool RemoteView::takeInto(Trace &trace)
{
    std::vector<Came> came;
    bool hasWhole = false;
    {
        const std::lock_guard lock(m_mutex);
        came = std::exchange(m_came, {});
        hasWhole = m_cameWhole.has_value();
        if (hasWhole)
            m_whole = std::exchange(m_cameWhole, std::nullopt);
    }
    for (Came &each : came) {
        if (std::exchange(m_namesOpening, each.opening) != each.opening)
            m_names.clear();
        for (const auto &[name, text] : each.names)
            m_names[name] = trace.names().intern(text);
        eachName(each.picture, [this](TraceName &name) { name = m_names[name]; });
        if (each.picture.window.count > 0)
            keep(std::move(each.picture));
        if (each.answer)
            tellFigures(each);
    }
    tellProgress();
    if (!came.empty() || hasWhole) {
        makeRoom();
        showFrames(trace);
    }
    askNext();
    askForFigures();
    return !came.empty() || hasWhole;
}

/// Parts of one window come as they were asked for.
void RemoteView::keep(WindowPicture picture)
{
    Kept &kept = m_kept[keyOf(picture.window)];
    m_memoryBytes -= kept.used > 0 ? kept.picture.memoryBytes() : 0;
    picture.tracks.merge(kept.picture.tracks);
    picture.counters.merge(kept.picture.counters);
    kept.picture = std::move(picture);
    kept.used = ++m_uses;
    m_memoryBytes += kept.picture.memoryBytes();
}

void RemoteView::makeRoom()
{
    while (m_memoryBytes > kMostMemory && m_kept.size() > 1) {
        const auto oldest = std::ranges::min_element(m_kept, {}, [](const auto &each) { return each.second.used; });
        m_memoryBytes -= oldest->second.picture.memoryBytes();
        m_kept.erase(oldest);
    }
}

/// The frames of the windows that are shown.
void RemoteView::showFrames(Trace &trace) const
{
    std::map<std::int64_t, FrameFigures> frames;
    std::map<std::uint32_t, std::uint64_t> numbers;
    for (const std::vector<WindowWish> *wishes : {&m_shown, &m_next})
        for (const WindowWish &wish : *wishes) {
            const auto kept = m_kept.find(keyOf(wish.window));
            if (kept == m_kept.end())
                continue;
            for (const FrameFigures &frame : kept->second.picture.frames)
                frames.emplace(frame.startNs, frame);
            for (const FrameNumber &number : kept->second.picture.numbers)
                numbers.emplace(number.frame, number.number);
        }
    std::vector<FrameFigures> figures;
    for (const auto &[startNs, frame] : frames)
        figures.push_back(frame);
    std::vector<FrameNumber> changes;
    for (const auto &[frame, number] : numbers)
        changes.push_back({frame, number});
    trace.replaceFrames(figures, changes);
}

template <class Visit>
void RemoteView::eachShownTrack(std::uint32_t track, Visit visit) const
{
    for (const std::vector<WindowWish> *wishes : {&m_shown, &m_next})
        for (const WindowWish &wish : *wishes)
            if (const auto kept = m_kept.find(keyOf(wish.window)); kept != m_kept.end())
                if (const auto found = kept->second.picture.tracks.find(track);
                    found != kept->second.picture.tracks.end())
                    for (const TraceBar &bar : found->second.bars)
                        visit(bar);
}

std::optional<TraceBar> RemoteView::barAt(std::uint32_t track, std::int64_t ns, std::int64_t reachNs) const
{
    std::optional<TraceBar> best;
    eachShownTrack(track, [&](const TraceBar &bar) {
        if (distance(bar.span, ns) <= reachNs && (!best || distance(bar.span, ns) < distance(best->span, ns)))
            best = bar;
    });
    return best;
}

std::optional<TraceBar> RemoteView::barBeside(std::uint32_t track, std::int64_t startNs, int direction) const
{
    std::optional<TraceBar> best;
    eachShownTrack(track, [&](const TraceBar &bar) {
        const std::int64_t away = (bar.span.startNs - startNs) * direction;
        if (away > 0 && (!best || away < (best->span.startNs - startNs) * direction))
            best = bar;
    });
    return best;
}

std::vector<BusyPiece> RemoteView::piecesWithin(std::int64_t startNs, std::int64_t endNs) const
{
    std::vector<BusyPiece> pieces;
    for (const WindowWish &wish : m_shown)
        if (const auto kept = m_kept.find(keyOf(wish.window)); kept != m_kept.end())
            for (BusyPiece piece : kept->second.picture.pieces) {
                piece.time = {std::max(piece.time.startNs, startNs), std::min(piece.time.endNs, endNs)};
                if (piece.time.startNs < piece.time.endNs)
                    pieces.push_back(piece);
            }
    return pieces;
}

std::optional<CounterColumn> RemoteView::counterAt(std::uint32_t counter, std::int64_t ns) const
{
    for (const WindowWish &wish : m_shown) {
        const auto kept = m_kept.find(keyOf(wish.window));
        const double at = std::floor(static_cast<double>(ns - wish.window.startNs) / wish.window.nsPerColumn);
        if (kept == m_kept.end() || at < 0 || at >= wish.window.count)
            continue;
        const auto found = kept->second.picture.counters.find(counter);
        const bool isKnown = found != kept->second.picture.counters.end();
        if (isKnown
            && found->second[static_cast<std::size_t>(at)].low <= found->second[static_cast<std::size_t>(at)].high)
            return found->second[static_cast<std::size_t>(at)];
    }
    return std::nullopt;
}

} // namespace jetscope
