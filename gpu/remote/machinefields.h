// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/remote/wire/wire.h"
#include "gpu/board/machinereader.h"

namespace jetscope {

// The fields of a machine's values. What a hostile board says is checked: the list of items has at most
// BoardLayout::kMaxItems, and a value is a finite number or unknown.

void fields(Wire &wire, BoardFacts &facts);
void fields(Wire &wire, BoardState &state);

} // namespace jetscope
