// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/viewdesk.h"

#include "core/path/figurereader.h"
#include "core/tracefile/tracefile.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <sys/resource.h>
#include <sys/stat.h>
#include <utility>

namespace jetscope {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kNice = 15; ///< What is measured on the board goes first.
constexpr std::chrono::minutes kKeepFor{2};
constexpr std::chrono::seconds kLookEvery{1};
constexpr std::chrono::milliseconds kSayEvery{250};
/// A laptop of ours has few asks without an answer.
constexpr std::size_t kMostAsks = 16;

std::string pathOnBoard(const std::string &path)
{
    const char *const home = std::getenv("HOME");
    return path.starts_with('/') || !home ? path : std::string(home) + "/" + path;
}

/// Another text for each state of a file; empty if it is gone, or no file.
std::string markOf(const std::string &path)
{
    struct stat facts {};
    if (::stat(path.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode))
        return {};
    return std::to_string(facts.st_dev) + ":" + std::to_string(facts.st_ino) + ":" + std::to_string(facts.st_size) + ":"
        + std::to_string(facts.st_mtim.tv_sec) + "." + std::to_string(facts.st_mtim.tv_nsec);
}

std::uint64_t sizeOf(const std::string &path)
{
    struct stat facts {};
    return ::stat(path.c_str(), &facts) == 0 ? static_cast<std::uint64_t>(facts.st_size) : 0;
}

/// Without the lock: whoever holds a link last waits for its end.
template <class T>
void say(const std::weak_ptr<Link> &to, const T &content)
{
    if (const std::shared_ptr<Link> link = to.lock())
        link->send(messageOf(content));
}

ViewHead changedHead(std::uint32_t id, bool isGone)
{
    const char *const text = isGone
        ? "The capture was removed from the board: what is shown is what was in it"
        : "The capture has changed on the board: what is shown is what was in it; open it again";
    return {id, 1, Error{"", 0, text}, {}};
}

} // namespace

/// An open capture. Unchanged from then on.
struct ViewDesk::Capture {
    std::string path;
    std::string mark;
    OpenedTrace opened;
    ViewFacts facts;
};

struct ViewDesk::View {
    std::weak_ptr<Link> link;
    OpenView wish;
    std::uint64_t turn = 0; ///< Another one for each wish.
    bool wantsOpen = false;
    std::shared_ptr<const Capture> capture; ///< Null until it is open.
    std::deque<AskView> asks;
    std::array<std::optional<AskFigures>, enumCount<FigureSeat>()> figures; ///< That are asked for, by seat.
    std::shared_ptr<FigureReader> reader;                                   ///< Of the capture. The thread's alone.
    std::vector<bool> saidNames;
    std::string saidMark; ///< What the laptop knows of the file.
    bool saidWhole = false;
    Clock::time_point nextLook;

    bool wantsWindow() const { return capture && !asks.empty(); }
    bool wantsFigures() const
    {
        return capture && std::ranges::any_of(figures, [](const auto &each) { return each.has_value(); });
    }
    /// The names of a content that the laptop does not know yet; it does from now on.
    template <class Content>
    std::vector<std::pair<std::uint32_t, SpanName>> newNamesOf(Content &content)
    {
        const TraceNames &names = capture->opened.trace.names();
        std::vector<std::pair<std::uint32_t, SpanName>> added;
        saidNames.resize(names.size());
        eachName(content, [&](TraceName name) {
            if (!saidNames[name])
                added.emplace_back(name, names.at(name));
            saidNames[name] = true;
        });
        return added;
    }
};

/// Tells the laptop how far its capture is read, and ends the reading when nobody wants it.
class ViewDesk::Reading final : public OpenProgress {
public:
    Reading(ViewDesk &desk, std::uint32_t laptop, std::uint64_t turn, std::weak_ptr<Link> link, std::uint32_t id)
        : m_desk(desk), m_laptop(laptop), m_turn(turn), m_link(std::move(link)), m_id(id)
    {
    }

    bool advance(double fraction) override
    {
        if (Clock::now() >= m_next) {
            m_next = Clock::now() + kSayEvery;
            say(m_link, ViewHead{m_id, std::clamp(fraction, 0.0, 1.0), {}, {}});
        }
        const std::lock_guard lock(m_desk.m_mutex);
        const auto view = m_desk.m_views.find(m_laptop);
        return !m_desk.m_ends && view != m_desk.m_views.end() && view->second.turn == m_turn;
    }

private:
    ViewDesk &m_desk;
    const std::uint32_t m_laptop;
    const std::uint64_t m_turn;
    const std::weak_ptr<Link> m_link;
    const std::uint32_t m_id;
    Clock::time_point m_next;
};

ViewDesk::ViewDesk() : m_thread([this] { work(); }) {}

ViewDesk::~ViewDesk()
{
    {
        const std::lock_guard lock(m_mutex);
        m_ends = true;
    }
    m_wake.notify_all();
    m_thread.join();
}

void ViewDesk::open(std::uint32_t laptop, const std::weak_ptr<Link> &link, const OpenView &wish)
{
    {
        const std::lock_guard lock(m_mutex);
        if (wish.path.empty()) { // It may be late, and of an earlier view.
            const auto closed = m_views.find(laptop);
            if (closed != m_views.end() && closed->second.wish.id == wish.id)
                m_views.erase(closed);
            return;
        }
        View view;
        view.link = link;
        view.wish = wish;
        view.turn = m_views[laptop].turn + 1;
        view.wantsOpen = true;
        m_views[laptop] = std::move(view);
    }
    m_wake.notify_all();
}

bool ViewDesk::ask(std::uint32_t laptop, AskView ask)
{
    std::vector<ViewPart> dropped;
    std::weak_ptr<Link> link;
    {
        const std::lock_guard lock(m_mutex);
        const auto view = m_views.find(laptop);
        if (view == m_views.end() || ask.id != view->second.wish.id)
            return true; // Of a view that is closed.
        std::deque<AskView> &asks = view->second.asks;
        link = view->second.link;
        std::erase_if(asks, [&](const AskView &each) {
            const bool isOld = each.ask < ask.drops;
            if (isOld)
                dropped.push_back(ViewPart::dropped(each.id, each.ask));
            return isOld;
        });
        if (asks.size() >= kMostAsks || !isPossibleWish(ask.wish))
            return false;
        asks.push_back(std::move(ask));
    }
    m_wake.notify_all();
    for (const ViewPart &part : dropped)
        say(link, part);
    return true;
}

bool ViewDesk::ask(std::uint32_t laptop, AskFigures ask)
{
    {
        const std::lock_guard lock(m_mutex);
        const auto view = m_views.find(laptop);
        if (view == m_views.end() || ask.id != view->second.wish.id)
            return true; // Of a view that is closed.
        if (!isPossibleWish(ask.wish))
            return false;
        view->second.figures[static_cast<std::size_t>(ask.seat)] = std::move(ask);
    }
    m_wake.notify_all();
    return true;
}

void ViewDesk::leave(std::uint32_t laptop)
{
    const std::lock_guard lock(m_mutex);
    m_views.erase(laptop);
}

/// 0: nobody waits for anything.
std::uint32_t ViewDesk::nextToServe() const
{
    const auto waits = [](const auto &each) {
        return each.second.wantsOpen || each.second.wantsWindow() || each.second.wantsFigures();
    };
    auto next = std::find_if(m_views.upper_bound(m_served), m_views.end(), waits);
    if (next == m_views.end())
        next = std::find_if(m_views.begin(), m_views.end(), waits);
    return next == m_views.end() ? 0 : next->first;
}

void ViewDesk::forgetUnused()
{
    const bool isUsed =
        std::ranges::any_of(m_views, [this](const auto &each) { return each.second.capture == m_kept; });
    if (isUsed)
        m_keptUntil = Clock::now() + kKeepFor;
    else if (m_kept && Clock::now() >= m_keptUntil)
        m_kept.reset();
}

void ViewDesk::work()
{
    ::setpriority(PRIO_PROCESS, 0, kNice); // Of this thread alone.
    std::unique_lock lock(m_mutex);
    while (!m_ends) {
        const std::uint32_t laptop = nextToServe();
        if (laptop == 0 && lacksWhole()) {
            readWhole(lock);
            continue;
        }
        if (laptop == 0) {
            m_wake.wait_for(lock, m_kept ? std::chrono::milliseconds(kLookEvery) : std::chrono::hours(1));
            forgetUnused();
            continue;
        }
        m_served = laptop;
        if (m_views[laptop].wantsOpen)
            openNow(lock, laptop);
        else if (m_views[laptop].wantsWindow())
            answerNow(lock, laptop);
        else
            readFigures(lock, laptop);
    }
}

/// Goes on until somebody asks for something.
class ViewDesk::Pause final : public Progress {
public:
    explicit Pause(ViewDesk &desk) : m_desk(desk) {}
    bool advance(double) override
    {
        const std::lock_guard lock(m_desk.m_mutex);
        return !m_desk.m_ends && m_desk.nextToServe() == 0;
    }

private:
    ViewDesk &m_desk;
};

bool ViewDesk::lacksWhole() const
{
    return std::ranges::any_of(m_views, [this](const auto &each) {
        return each.second.capture && each.second.capture == m_kept && !each.second.saidWhole;
    });
}

/// The loads of a whole capture take seconds to read: while there is nothing else to do.
void ViewDesk::readWhole(std::unique_lock<std::mutex> &lock)
{
    const std::shared_ptr<const Capture> capture = m_kept;
    if (!m_isWhole) {
        lock.unlock();
        const Trace &trace = capture->opened.trace;
        const std::int64_t lengthNs = std::max<std::int64_t>(1, trace.newestNs() - trace.oldestNs());
        Pause pause(*this);
        const bool isRead = m_whole.loads.extend(trace, trace.newestNs(), pause);
        if (isRead)
            trace.frames().query(
                {trace.oldestNs(), static_cast<double>(lengthNs) / WholePicture::kColumns, WholePicture::kColumns},
                m_whole.frames);
        lock.lock();
        m_isWhole = isRead;
        return;
    }
    ViewWhole whole = ViewWhole::of(m_whole);
    for (auto &[laptop, view] : m_views) {
        if (view.capture != capture || std::exchange(view.saidWhole, true))
            continue;
        whole.id = view.wish.id;
        const std::weak_ptr<Link> link = view.link;
        lock.unlock();
        say(link, whole);
        lock.lock();
        return; // There may be other views by now.
    }
}

void ViewDesk::openNow(std::unique_lock<std::mutex> &lock, std::uint32_t laptop)
{
    View &wanting = m_views[laptop];
    wanting.wantsOpen = false;
    const std::uint64_t turn = wanting.turn;
    const OpenView wish = wanting.wish;
    const std::weak_ptr<Link> link = wanting.link;
    std::shared_ptr<const Capture> capture = m_kept;
    lock.unlock();
    const std::string path = pathOnBoard(wish.path);
    const std::string mark = markOf(path);
    ViewHead head{wish.id, 1, {}, {}};
    if (mark.empty()) {
        head.error = Error{"", 0, "The board has no file " + path};
    } else if (!capture || capture->path != path || capture->mark != mark) {
        Reading reading(*this, laptop, turn, link, wish.id);
        Result<OpenedTrace> opened = readTraceFile(path, reading, Trace::kDefaultMaxSpans);
        capture.reset();
        if (opened.ok()) {
            auto made = std::make_shared<Capture>(Capture{path, mark, std::move(opened).value(), {}});
            made->facts = viewFacts(made->opened.trace, made->opened.notes);
            made->facts.file = path;
            made->facts.fileBytes = sizeOf(path);
            made->facts.mark = mark;
            capture = std::move(made);
        } else {
            head.error = opened.error();
        }
    }
    if (!head.error)
        head.facts = capture->facts;
    lock.lock();
    const auto view = m_views.find(laptop);
    if (view == m_views.end() || view->second.turn != turn)
        return; // It wants something else by now.
    if (!head.error) {
        if (m_kept != capture) {
            m_whole = {};
            m_isWhole = false;
        }
        view->second.capture = m_kept = capture;
        view->second.reader = std::make_shared<FigureReader>(capture->opened.trace);
        view->second.saidMark = mark;
        m_keptUntil = Clock::now() + kKeepFor;
    }
    lock.unlock();
    say(link, head);
    lock.lock();
}

void ViewDesk::answerNow(std::unique_lock<std::mutex> &lock, std::uint32_t laptop)
{
    View &asking = m_views[laptop];
    const std::uint64_t turn = asking.turn;
    const AskView ask = std::move(asking.asks.front());
    asking.asks.pop_front();
    const std::shared_ptr<const Capture> capture = asking.capture;
    const std::weak_ptr<Link> link = asking.link;
    const bool looks = Clock::now() >= asking.nextLook;
    lock.unlock();
    WindowPicture picture = windowPicture(capture->opened.trace, ask.wish);
    ViewPart part = ViewPart::of(picture);
    part.id = ask.id;
    part.ask = ask.ask;
    const std::string mark = looks ? markOf(capture->path) : std::string();
    lock.lock();
    const auto found = m_views.find(laptop);
    if (found == m_views.end() || found->second.turn != turn)
        return;
    View &view = found->second;
    part.names = view.newNamesOf(picture);
    const bool differs = looks && mark != view.saidMark;
    if (looks) {
        view.nextLook = Clock::now() + kLookEvery;
        view.saidMark = mark;
    }
    lock.unlock();
    say(link, part);
    if (differs)
        say(link, changedHead(ask.id, mark.empty()));
    lock.lock();
}

/// Windows that are looked at go before all figures.
void ViewDesk::answerWindows(std::unique_lock<std::mutex> &lock)
{
    for (;;) {
        const auto waiting = std::ranges::find_if(m_views, [](const auto &each) { return each.second.wantsWindow(); });
        if (m_ends || waiting == m_views.end())
            return;
        answerNow(lock, waiting->first);
    }
}

/// With m_mutex locked: whether what a seat asked for is the newest that it asked for.
bool ViewDesk::isWanted(std::uint32_t laptop, std::uint64_t turn, FigureSeat seat) const
{
    const auto view = m_views.find(laptop);
    return !m_ends && view != m_views.end() && view->second.turn == turn
        && !view->second.figures[static_cast<std::size_t>(seat)];
}

/// Tells the laptop how far its figures are, ends them when they are not wanted any more, and answers meanwhile what
/// others look at.
class ViewDesk::Counting final : public Progress {
public:
    Counting(ViewDesk &desk, std::uint32_t laptop, std::uint64_t turn, std::weak_ptr<Link> link, const AskFigures &ask)
        : m_desk(desk), m_laptop(laptop), m_turn(turn), m_link(std::move(link)), m_ask(ask)
    {
    }

    bool advance(double fraction) override
    {
        std::unique_lock lock(m_desk.m_mutex);
        m_desk.answerWindows(lock);
        if (!m_desk.isWanted(m_laptop, m_turn, m_ask.seat))
            return false;
        lock.unlock();
        if (Clock::now() >= m_next) {
            m_next = Clock::now() + kSayEvery;
            say(m_link, ViewFigures{m_ask.id, m_ask.ask, m_ask.seat, std::clamp(fraction, 0.0, 1.0), {}, {}});
        }
        return true;
    }

private:
    ViewDesk &m_desk;
    const std::uint32_t m_laptop;
    const std::uint64_t m_turn;
    const std::weak_ptr<Link> m_link;
    const AskFigures &m_ask;
    Clock::time_point m_next = Clock::now() + kSayEvery;
};

/// The seats that are quick to serve first.
void ViewDesk::readFigures(std::unique_lock<std::mutex> &lock, std::uint32_t laptop)
{
    View &asking = m_views[laptop];
    const std::uint64_t turn = asking.turn;
    const auto seat = std::ranges::find_if(asking.figures, [](const auto &each) { return each.has_value(); });
    const AskFigures ask = *std::exchange(*seat, std::nullopt);
    const std::shared_ptr<const Capture> capture = asking.capture;
    const std::shared_ptr<FigureReader> reader = asking.reader;
    const std::weak_ptr<Link> link = asking.link;
    lock.unlock();
    Counting counting(*this, laptop, turn, link, ask);
    std::optional<FigureAnswer> answer = reader->read(ask.wish, counting);
    lock.lock();
    if (!answer || !isWanted(laptop, turn, ask.seat))
        return;
    ViewFigures figures{ask.id, ask.ask, ask.seat, 1, m_views[laptop].newNamesOf(*answer), std::move(answer)};
    lock.unlock();
    say(link, figures);
    lock.lock();
}

} // namespace jetscope
