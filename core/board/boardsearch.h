// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/board/boarditems.h"
#include "core/board/boardlayout.h"

#include <string>
#include <vector>

namespace jetscope {

/// Searches for the values of a machine at the paths of the kernel. One call for each group, in the order of display.
/// A part of findBoardLayout.
class BoardSearch {
public:
    explicit BoardSearch(std::string root);

    void findState();
    void findGpu();
    void findMemory();
    void findProcessor();
    void findEngines();
    void findTemperatures();
    void findRails();
    void findFans();
    std::vector<BoardItem> takeItems() { return m_items.take(); }
    std::vector<BoardLimit> takeLimits() { return std::move(m_limits); }

private:
    std::string below(const char *path) const { return m_root + path; }
    void findGpuDevice();
    void findLocks();
    void findThrottling();
    void findTrips(const std::string &zone, const std::string &counter);

    const std::string m_root;
    bool m_isJetson = false;
    std::string m_gpu; ///< The devfreq folder of an integrated GPU; empty if there is none.
    std::vector<std::string> m_policies;
    BoardItems m_items;
    std::vector<BoardLimit> m_limits;
};

} // namespace jetscope
