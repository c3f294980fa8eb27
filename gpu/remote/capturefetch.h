// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/system/resumedfile.h"
#include "gpu/remote/boardlink.h"
#include "gpu/remote/capturestore.h"

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>

namespace jetscope {

/// CaptureStore::fetchCapture, once. One thread.
class CaptureFetch {
public:
    CaptureFetch(BoardLink &board, std::string name, std::string path, const FetchWatch &watch);

    Status run();

private:
    using Clock = std::chrono::steady_clock;

    Status waitForBoard();
    Result<std::optional<BoardCapture>> look();
    Status openPart(const BoardCapture &capture);
    Status checkRoom(std::uint64_t bytes) const;
    Result<bool> bring(const BoardCapture &capture);
    Result<bool> finish(const FileEnd &end, const BoardCapture &capture);
    bool tell(FetchProgress::Step step, std::chrono::milliseconds away = {});
    void say(std::string sentence) { m_said = std::move(sentence); }
    double rate();

    BoardLink &m_board;
    const std::string m_name;
    const std::string m_path;
    const FetchWatch &m_watch;
    std::optional<ResumedFile> m_file;
    std::string m_version;
    std::uint64_t m_size = 0;
    std::string m_said;
    int m_refusals = 0;                                              ///< By the board, in a row.
    int m_differences = 0;                                           ///< Of the sums.
    std::deque<std::pair<Clock::time_point, std::uint64_t>> m_marks; ///< For the rate.
    Clock::time_point m_toldAt;
};

} // namespace jetscope
