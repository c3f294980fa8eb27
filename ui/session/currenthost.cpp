// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/session/currenthost.h"

#include <utility>

namespace jetscope {

void CurrentHost::use(std::shared_ptr<PipelineHost> host)
{
    const std::lock_guard lock(m_mutex);
    std::swap(m_host, host); // The former one may take its time to end: after the lock.
}

std::shared_ptr<PipelineHost> CurrentHost::now()
{
    const std::lock_guard lock(m_mutex);
    return m_host;
}

} // namespace jetscope
