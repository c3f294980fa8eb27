// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/leftovers.h"

#include "app/commandline/console.h"
#include "core/system/besidedatabase.h"

namespace jetscope {

Status makeRoomForCapture(const std::string &path)
{
    JETSCOPE_TRY_ASSIGN(const std::string moved, moveLeftOversAway(path));
    if (!moved.empty())
        complain(moved);
    return {};
}

} // namespace jetscope
