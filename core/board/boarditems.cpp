// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/board/boarditems.h"

#include "core/system/sysfile.h"

#include <algorithm>

namespace jetscope {

bool isReadable(const std::string &path)
{
    return SysFile::open(path).ok();
}

bool BoardItems::add(BoardItem item)
{
    const bool needsFiles = item.formula != BoardFormula::Foreign && item.unavailable.empty();
    if (needsFiles && item.paths.empty())
        return false;
    if (needsFiles && std::none_of(item.paths.begin(), item.paths.end(), isReadable))
        item.unavailable = SysFile::open(item.paths[0]).error().text;
    if (m_items.size() >= BoardLayout::kMaxItems)
        return false;
    const std::string name = item.name;
    for (int number = 2;
         std::any_of(m_items.begin(), m_items.end(), [&](const BoardItem &known) { return known.name == item.name; });
         ++number)
        item.name = name + " " + std::to_string(number);
    m_items.push_back(std::move(item));
    return true;
}

} // namespace jetscope
