// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/fuzztarget.h"

/// What a board or a laptop may send: a stream (corpus/stream), or the number of a message and its content
/// (corpus/content).
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *bytes, std::size_t size)
{
    jetscope::test::readWire(bytes, size);
    return 0;
}
