// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/board/boardlayout.h"

#include "core/board/boardsearch.h"
#include "core/system/sysfile.h"

namespace jetscope {

namespace {

constexpr std::size_t kMostModeFile = 1 << 20;

} // namespace

const BoardItem *BoardLayout::find(const std::string &name) const
{
    for (const BoardItem &item : items)
        if (item.name == name)
            return &item;
    return nullptr;
}

BoardLayout findBoardLayout(const std::string &root)
{
    BoardLayout layout;
    layout.root = root;
    if (const Result<std::string> modes = textOf(root + "/etc/nvpmodel.conf", kMostModeFile); modes.ok())
        layout.modes = parsePowerModes(modes.value());
    BoardSearch search(root);
    search.findState();
    search.findGpu();
    search.findMemory();
    search.findProcessor();
    search.findEngines();
    search.findTemperatures();
    search.findRails();
    search.findFans();
    layout.items = search.takeItems();
    return layout;
}

} // namespace jetscope
