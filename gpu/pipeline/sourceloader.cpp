// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/pipeline/sourceloader.h"

#include <chrono>
#include <utility>

namespace jetscope {

void SourceLoader::load(std::string uri)
{
    if (m_opening.valid())
        m_next = std::move(uri);
    else
        start(std::move(uri));
}

void SourceLoader::start(std::string uri)
{
    m_uri = std::move(uri);
    m_opening = std::async(std::launch::async, [this, address = m_uri] {
        Result<std::unique_ptr<FrameSource>> source = m_open(address);
        m_wake();
        return source;
    });
}

bool SourceLoader::isReady() const
{
    return m_opening.valid() && m_opening.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

std::optional<SourceLoader::Loaded> SourceLoader::take()
{
    if (!isReady())
        return std::nullopt;
    Loaded loaded{m_uri, m_opening.get()};
    if (!m_next)
        return loaded;
    start(std::move(*std::exchange(m_next, std::nullopt)));
    return std::nullopt; // A newer address was asked for meanwhile.
}

} // namespace jetscope
