// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/remote/boardcommand.h"

#include <cstdio>
#include <string>
#include <string_view>

namespace jetscope {

/// Cuts what a command on a board prints into lines. A line that never ends is left out.
class BoardLines {
public:
    /// Takes what came from the board, as BoardCommand::work does: `line` is called with each line of its output that
    /// is complete, without its end; its errors are printed as ours.
    template <class Line>
    void work(BoardCommand &command, Line &&line)
    {
        command.work([&](CommandOutput::Stream stream, std::string_view text) {
            if (stream == CommandOutput::Stream::Output)
                take(text, line);
            else
                std::fwrite(text.data(), 1, text.size(), stderr);
        });
    }

private:
    template <class Line>
    void take(std::string_view text, Line &line)
    {
        m_text += text;
        std::size_t begin = 0;
        for (std::size_t end = m_text.find('\n'); end != std::string::npos; end = m_text.find('\n', begin)) {
            line(std::string_view(m_text).substr(begin, end - begin));
            begin = end + 1;
        }
        m_text.erase(0, begin);
        if (m_text.size() > kLongest)
            m_text.clear();
    }

    static constexpr std::size_t kLongest = 4096;
    std::string m_text; ///< The beginning of a line.
};

} // namespace jetscope
