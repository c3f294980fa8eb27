// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace jetscope {

/// Shows our threads' spans as NVTX ranges of the same names, frame numbers as their payloads, and around them the
/// frames of the pipeline thread as ranges "frame 12", in the domain "jetscope", when a tool that looks at them has
/// been attached to the process (Nsight Systems); else does nothing, then and later. Any thread, any number of times.
void showSpansToTools();

} // namespace jetscope
