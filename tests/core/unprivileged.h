// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtGlobal>

#include <sys/types.h>
#include <unistd.h>

namespace jetscope::test {

/// While an instance exists, the process has no root privileges, because root may write everywhere.
class Unprivileged {
public:
    Unprivileged() : m_was(geteuid())
    {
        constexpr uid_t kNobody = 65534;
        if (m_was == 0)
            m_changed = seteuid(kNobody) == 0;
    }
    ~Unprivileged()
    {
        if (m_changed && seteuid(m_was) != 0)
            qFatal("the rights did not come back");
    }

private:
    uid_t m_was;
    bool m_changed = false;
};

} // namespace jetscope::test
