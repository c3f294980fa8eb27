// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/remote/wire/figurecontents.h"
#include "core/remote/wire/viewcontents.h"
#include "gpu/remote/link.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace jetscope {

/// The board's side of views: opens captures of this machine and answers what laptops ask of them, on a thread of low
/// priority. A capture stays open for a while after its last view. Any thread may call, and never waits.
class ViewDesk {
public:
    ViewDesk();
    ~ViewDesk();
    ViewDesk(const ViewDesk &) = delete;
    ViewDesk &operator=(const ViewDesk &) = delete;

    /// In place of the view that this laptop has. Answers go to its link while it exists.
    void open(std::uint32_t laptop, const std::weak_ptr<Link> &link, const OpenView &wish);
    /// False: no laptop of ours asks so.
    bool ask(std::uint32_t laptop, AskView ask);
    /// The same. What the seat asked for before is not answered any more.
    bool ask(std::uint32_t laptop, AskFigures ask);
    void leave(std::uint32_t laptop);

private:
    struct Capture;
    struct View;
    class Reading;
    class Pause;
    class Counting;

    void work();
    void openNow(std::unique_lock<std::mutex> &lock, std::uint32_t laptop);
    void answerNow(std::unique_lock<std::mutex> &lock, std::uint32_t laptop);
    void answerWindows(std::unique_lock<std::mutex> &lock);
    void readFigures(std::unique_lock<std::mutex> &lock, std::uint32_t laptop);
    bool isWanted(std::uint32_t laptop, std::uint64_t turn, FigureSeat seat) const;
    std::uint32_t nextToServe() const;
    void forgetUnused();
    bool lacksWhole() const;
    void readWhole(std::unique_lock<std::mutex> &lock);

    std::mutex m_mutex; ///< For all below.
    std::condition_variable m_wake;
    std::map<std::uint32_t, View> m_views; ///< By laptop.
    std::uint32_t m_served = 0;            ///< The last one: they are served by turns.
    std::shared_ptr<const Capture> m_kept; ///< The one that was used last.
    WholePicture m_whole;                  ///< Of it, as far as it was read.
    bool m_isWhole = false;
    std::chrono::steady_clock::time_point m_keptUntil;
    bool m_ends = false;
    std::thread m_thread;
};

} // namespace jetscope
