// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/board/boardlayout.h"

#include <string>
#include <utility>
#include <vector>

namespace jetscope {

/// Whether a file of the kernel can be opened.
bool isReadable(const std::string &path);

/// The values that were found of a machine, each with a name of its own, in the order of display. Their number is
/// bounded.
class BoardItems {
public:
    /// Leaves out an item that needs files and has none; one that has some, none of which can be read, is unavailable.
    /// A second one of a name gets a number. Returns whether it was added.
    bool add(BoardItem item);
    const std::vector<BoardItem> &all() const { return m_items; }
    std::vector<BoardItem> take() { return std::exchange(m_items, {}); }

private:
    std::vector<BoardItem> m_items;
};

} // namespace jetscope
