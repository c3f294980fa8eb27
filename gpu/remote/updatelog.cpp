// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/updatelog.h"

namespace jetscope {

std::uint64_t UpdateLog::add(const PipelineUpdate &update)
{
    m_head.add(update);
    m_contents.push_back(toBytes(UpdatePart{m_pipeline, ++m_newest, update}));
    m_bytes += m_contents.back().size();
    for (; m_bytes > kMostBytes && m_contents.size() > 1; m_contents.pop_front())
        m_bytes -= m_contents.front().size();
    return m_newest;
}

Message UpdateLog::head() const
{
    UpdatePart part{m_pipeline, 0, {}};
    static_cast<TraceUpdate &>(part.update) = m_head.asUpdate();
    return messageOf(MessageKind::Head, part);
}

} // namespace jetscope
