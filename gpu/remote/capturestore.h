// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/remote/capturefolder.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace jetscope {

/// How a capture comes from a board.
struct FetchProgress {
    enum class Step : std::uint8_t { Coming, Checking, Away };
    Step step = Step::Coming;
    std::uint64_t bytes = 0; ///< That are here.
    std::uint64_t size = 0;
    double bytesPerSecond = 0;         ///< 0: not known.
    std::chrono::milliseconds away{0}; ///< How long the board has not been connected.
    std::string said;                  ///< What the user should know, once; usually empty.
};
/// On the calling thread; false cancels. What came stays, to go on with.
using FetchWatch = std::function<bool(const FetchProgress &)>;

/// The captures of a board, from a laptop. Every call waits for the board; none but `fetch` outlasts a cut of the
/// connection. Any thread.
class CaptureStore {
public:
    virtual ~CaptureStore() = default;

    /// The pipeline that is open there, into a capture there. `board` is what the user calls the board.
    virtual Status startRecording(const std::string &board) = 0;
    virtual Status stopRecording() = 0;
    virtual Result<CaptureList> captures() = 0;
    virtual Status removeCapture(const std::string &name) = 0;
    /// Brings a capture into a new file of this machine, which has its name only when it is whole: its SHA-256 is that
    /// of the board. What came before, also in another run of the program, is gone on with, if the capture has not
    /// changed.
    virtual Status fetchCapture(const std::string &name, const std::string &path, const FetchWatch &watch) = 0;

protected:
    CaptureStore() = default;
    CaptureStore(const CaptureStore &) = delete;
    CaptureStore &operator=(const CaptureStore &) = delete;
};

} // namespace jetscope
