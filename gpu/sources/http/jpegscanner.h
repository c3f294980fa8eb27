// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace jetscope {

/// Finds the end of a JPEG picture by its markers, so that neither a length nor a boundary has to be believed. The
/// bytes may arrive in pieces.
class JpegScanner {
public:
    enum class State {
        Inside,   ///< More bytes are needed.
        Complete, ///< The picture ended at `position`.
        Torn,     ///< Another picture starts at `position`, before this one ended.
        Broken,   ///< What is at `position` cannot be part of a picture.
    };

    /// `picture` starts with the picture's first byte and contains all bytes of former calls.
    State scan(std::string_view picture);
    std::size_t position() const { return m_position; }

private:
    State marker(std::string_view picture);
    State entropyData(std::string_view picture);

    std::size_t m_position = 0;
    bool m_inData = false; ///< In entropy-coded data, which follows a start of scan.
};

} // namespace jetscope
