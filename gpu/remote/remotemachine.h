// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/board/machinereader.h"

#include <memory>

namespace jetscope {

class BoardLink;

/// The machine at the other end of a connection, which reads its values when they are asked for: twice a second while
/// somebody looks, and never else.
std::unique_ptr<MachineReader> remoteMachine(std::shared_ptr<BoardLink> board);

} // namespace jetscope
