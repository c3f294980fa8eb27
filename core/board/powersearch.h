// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/board/boarditems.h"

#include <string>

namespace jetscope {

/// Searches for what tells a machine's power: the rails of a board by its power monitors, chips that report power
/// themselves, processors that count energy. A part of BoardSearch.
class PowerSearch {
public:
    /// `items` outlives the search.
    PowerSearch(std::string root, BoardItems &items) : m_root(std::move(root)), m_items(items) {}

    /// `isJetson`: the rails are all that a whole board has.
    void find(bool isJetson);

private:
    void findOldRails(const std::string &chip);
    void findChannels(const std::string &chip);
    void findChipPower(const std::string &chip, const std::string &name);
    void findPackagePower();
    void addTotalPower();

    const std::string m_root;
    BoardItems &m_items;
};

} // namespace jetscope
