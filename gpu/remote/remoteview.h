// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/remote/wire/figurecontents.h"
#include "core/remote/wire/viewcontents.h"

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace jetscope {

/// A capture of a board that is looked at and not fetched: the laptop's side. It asks for what is shown, few windows at
/// a time so that a newer view never waits for an older one, and keeps what came. A cut of the connection ends nothing:
/// it is opened and asked for again. Its owner's thread is that of the trace; the connection's functions come on
/// others.
class RemoteView final : public DistantSpans, public std::enable_shared_from_this<RemoteView> {
public:
    struct Wish {
        std::uint32_t id = 0;
        std::string path;  ///< On the board.
        std::string board; ///< Its name.
        /// Sends if the board is connected. Any thread.
        std::function<void(Message)> send;
        /// Something came: `news` and `takeInto` have it. Any thread.
        std::function<void()> onNews;
    };
    explicit RemoteView(Wish wish);
    ~RemoteView() override;

    // --- the connection's side

    void connected();
    void cut(const std::string &why);
    /// Of this view. False: it cannot be.
    bool take(const ViewHead &head);
    bool take(ViewPart part);
    bool take(const ViewWhole &whole);
    bool take(ViewFigures figures);
    std::uint32_t id() const { return m_wish.id; }

    // --- the owner's side

    struct News {
        double fraction = 0;        ///< How much the board has read.
        std::optional<Error> error; ///< It cannot be opened.
        bool isOpen = false;
        std::vector<std::string> remarks;
    };
    News news() const;
    /// The trace to show, whose spans this is. Once, when it is open.
    std::optional<Trace> takeTrace();

    const WindowPicture *find(const ColumnWindow &window) override;
    WindowPicture guess(const ColumnWindow &window) const override;
    const WholePicture *whole() const override { return m_whole ? &*m_whole : nullptr; }
    void want(std::vector<WindowWish> shown, std::vector<WindowWish> next) override;
    void ask(FigureSeat seat, const FigureWish &wish, FigureListener listener) override;
    bool takeInto(Trace &trace) override;
    std::optional<TraceBar> barAt(std::uint32_t track, std::int64_t ns, std::int64_t reachNs) const override;
    std::optional<TraceBar> barBeside(std::uint32_t track, std::int64_t startNs, int direction) const override;
    std::vector<BusyPiece> piecesWithin(std::int64_t startNs, std::int64_t endNs) const override;
    std::optional<CounterColumn> counterAt(std::uint32_t counter, std::int64_t ns) const override;
    std::string place() const override { return "on " + m_wish.board; }
    std::uint64_t bytes() const override;
    std::string trouble() const override;

    const std::string &path() const { return m_wish.path; }
    /// Whether all that is shown has come.
    bool isWhole() const;
    std::size_t memoryBytes() const { return m_memoryBytes; }
    static constexpr std::size_t kMostMemory = 64 << 20;

private:
    using Key = std::tuple<std::int64_t, double, int>;
    struct Kept {
        WindowPicture picture;
        std::uint64_t used = 0;
    };
    /// A part of what is shown, or figures.
    struct Came {
        WindowPicture picture;
        std::vector<std::pair<std::uint32_t, SpanName>> names;
        std::uint32_t opening = 0;
        std::uint32_t ask = 0; ///< Of the figures.
        FigureSeat seat = FigureSeat::Step;
        std::optional<FigureAnswer> answer;
    };
    struct AskedFigures {
        AskFigures ask;
        bool isSent = false;
        bool isAnswered = false;
        double fraction = 0;
    };
    static constexpr std::size_t kSeats = enumCount<FigureSeat>();

    static Key keyOf(const ColumnWindow &window) { return {window.startNs, window.nsPerColumn, window.count}; }
    WindowWish missing(const WindowWish &wish) const;
    bool isMissing(const WindowWish &wish) const;
    bool isAsked(const WindowWish &wish) const;
    void askNext();
    void askForFigures();
    bool areNew(const std::vector<std::pair<std::uint32_t, SpanName>> &names);
    void tellFigures(Came &came);
    void tellProgress();
    void keep(WindowPicture picture);
    void makeRoom();
    void showFrames(Trace &trace) const;
    template <class Visit>
    void eachShownTrack(std::uint32_t track, Visit visit) const;

    const Wish m_wish;

    // The owner's alone.
    std::map<Key, Kept> m_kept;
    std::size_t m_memoryBytes = 0;
    std::uint64_t m_uses = 0;
    std::vector<WindowWish> m_shown;
    std::vector<WindowWish> m_next;
    std::optional<WholePicture> m_whole;
    std::unordered_map<std::uint32_t, TraceName> m_names; ///< Of the board to those of the trace.
    std::uint32_t m_namesOpening = 0;
    std::array<FigureListener, kSeats> m_listeners; ///< Null: nothing is wished for.
    std::array<double, kSeats> m_toldFractions{};

    mutable std::mutex m_mutex; ///< For all below.
    News m_news;
    std::optional<ViewFacts> m_facts;
    bool m_isTaken = false;
    bool m_isConnected = false; ///< And open there.
    bool m_isStale = false;     ///< The board has another file now.
    std::string m_trouble;
    std::uint32_t m_opening = 0; ///< How often it was opened on the board, which then says all names anew.
    std::set<std::uint32_t> m_saidNames;
    /// What is on its way, wanted or not any more.
    struct Asked {
        WindowWish wish;
        bool isWanted = true;
    };
    std::map<std::uint32_t, Asked> m_asked;
    std::uint32_t m_nextAsk = 1;
    std::vector<Came> m_came;
    std::array<std::optional<AskedFigures>, kSeats> m_figures; ///< What each seat asked for last.
    std::uint32_t m_nextFigures = 1;
    std::optional<WholePicture> m_cameWhole;
};

} // namespace jetscope
