// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/progress.h"

#include <cerrno>

namespace jetscope {

Error cancelledError()
{
    return Error{{}, ECANCELED, "cancelled"};
}

bool wasCancelled(const Error &error)
{
    return error.code == ECANCELED && error.call.empty();
}

} // namespace jetscope
