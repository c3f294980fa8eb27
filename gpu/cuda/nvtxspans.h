// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace jetscope {

/// Emits our threads' spans as NVTX ranges with the same names and frame numbers as payloads, inside ranges "frame 12"
/// for the frames of the pipeline thread, in the domain "jetscope". Only if a tool such as Nsight Systems was attached
/// to the process; otherwise has no effect. Any thread; may be called repeatedly.
void showSpansToTools();

} // namespace jetscope
