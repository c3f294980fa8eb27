// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/pipeline/pipeline.h"

#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>

namespace jetscope {

/// Opens sources on a thread of its own, because a camera can take seconds, while the present source goes on. Of
/// several addresses only the last one is delivered. Pipeline thread.
class SourceLoader {
public:
    /// `wake` is called, on the other thread, when `take` has something.
    SourceLoader(SourceOpener open, std::function<void()> wake) : m_open(std::move(open)), m_wake(std::move(wake)) {}
    /// Waits for a source that is being opened.
    ~SourceLoader() = default;

    void load(std::string uri);
    /// Whether `take` has something.
    bool isReady() const;
    struct Loaded {
        std::string uri;
        Result<std::unique_ptr<FrameSource>> source;
    };
    std::optional<Loaded> take();

private:
    void start(std::string uri);

    const SourceOpener m_open;
    const std::function<void()> m_wake;
    std::string m_uri; ///< What is being opened.
    std::optional<std::string> m_next;
    std::future<Result<std::unique_ptr<FrameSource>>> m_opening;
};

} // namespace jetscope
