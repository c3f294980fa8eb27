// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/board/boardidentity.h"
#include "core/board/boardsampler.h"

#include <QJsonObject>

namespace jetscope {

/// One line of `top --json`. `unixNs` is the time of the reading.
QJsonObject topJson(const BoardIdentity &identity, const BoardLayout &layout, const BoardState &state,
                    std::int64_t unixNs);

} // namespace jetscope
