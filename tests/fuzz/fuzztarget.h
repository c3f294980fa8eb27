// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace jetscope::test {

/// Opens these bytes as a trace. Ends the program if the result is neither a trace nor an error sentence.
void openBytes(const std::uint8_t *bytes, std::size_t size);

/// Reads these bytes as a file of `verify`. Ends the program if the result is neither a report nor an error sentence.
void openVerification(const std::uint8_t *bytes, std::size_t size);

/// Reads these bytes as rows of a fleet and as lines of a reduced one, and judges what came of them. Ends the program
/// if a row is not what is written of it, or an error is no sentence.
void readFleetLines(const std::uint8_t *bytes, std::size_t size);

/// Reads these bytes as what a far end sends: a stream, and the number and content of a message. Ends the program if
/// what was read is not what is written, or an error is no sentence.
void readWire(const std::uint8_t *bytes, std::size_t size);

} // namespace jetscope::test
