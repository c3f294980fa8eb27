// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/remote/link.h"
#include "gpu/remote/picturepace.h"
#include "gpu/remote/previewer.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace jetscope {

class PipelineControl;

/// Sends pictures of the board's pipeline to the laptops that ask for them. Nothing is made while nobody asks. On the
/// thread of the server alone.
class PictureServer {
public:
    /// `post` runs something on the thread of the server, later. It may be called on any thread.
    explicit PictureServer(std::function<void(std::function<void()>)> post) : m_post(std::move(post)) {}

    void opened(std::uint32_t pipeline, PipelineControl &control);
    /// Ends the pictures of a pipeline. What is returned ends before the pipeline, and may take long.
    std::unique_ptr<Previewer> closed();
    void left(std::uint32_t client) { m_viewers.erase(client); }
    /// A message about pictures; false: it cannot be.
    bool handle(std::uint32_t client, Link &link, const Message &message);
    /// What time has come for. While news are kept back no reduced pictures are made.
    void follow(bool keepsBack);

private:
    using Clock = std::chrono::steady_clock;
    /// A whole frame for a laptop: asked for, being packed, or on its way.
    struct Whole {
        std::uint32_t id = 0; ///< The laptop's.
        std::uint32_t frame = 0;
        std::uint32_t work = 0; ///< Ours, while it is packed; else 0.
        std::size_t at = 0;
        std::vector<std::byte> png;
    };
    struct Viewer {
        Link *link = nullptr;
        bool wants = false;
        bool isTold = false; ///< Why there are none.
        PicturePace pace;
        std::optional<Whole> whole;
    };

    void read(Viewer &viewer, const ReadFrame &read);
    void startWhole(Viewer &viewer);
    void tellTrouble(Viewer &viewer);
    void makeNext();
    void made(Result<Picture> picture);
    void packed(std::uint32_t work, Result<std::vector<std::byte>> png);
    void sendWhole(Viewer &viewer);

    const std::function<void(std::function<void()>)> m_post;
    std::map<std::uint32_t, Viewer> m_viewers;
    std::uint32_t m_pipeline = 0; ///< 0: none.
    std::unique_ptr<Previewer> m_previewer;
    std::string m_trouble; ///< Why there are no pictures.
    bool m_makes = false;
    bool m_keepsBack = false;
    bool m_rests = true;
    Clock::time_point m_wantedAt;
    std::uint32_t m_nextWork = 1;
    std::uint32_t m_packing = 0; ///< The one that is packed; 0: none is.
    FrameLender *m_lender = nullptr;
    Tracer *m_tracer = nullptr;
};

} // namespace jetscope
