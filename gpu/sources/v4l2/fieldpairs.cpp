// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/v4l2/fieldpairs.h"

#include <utility>

namespace jetscope {

bool FieldPairs::completes(FilledBuffer &field, const std::byte *into)
{
    const Field now{field.field, field.sequence, into};
    if (!m_leading)
        m_leading = now.field;
    if (m_last && m_last->field != now.field && m_last->sequence == now.sequence) {
        m_numbersFrames = true;
        m_leading = m_last->field;
    }
    m_last = now;
    const std::uint32_t ahead = m_first ? now.sequence - m_first->sequence : 0;
    const bool other = m_first && m_first->field != now.field && m_first->into == now.into;
    if (other && (ahead == 0 || (ahead == 1 && !m_numbersFrames))) {
        if (ahead == 1)
            field.sequence /= 2;
        m_first.reset();
        return true;
    }
    m_alone += m_first ? 1 : 0;
    m_first.reset();
    if (now.field == *m_leading)
        m_first = now;
    else
        ++m_alone;
    return false;
}

void FieldPairs::restart()
{
    m_first.reset();
    m_last.reset();
    m_leading.reset();
}

std::uint64_t FieldPairs::takeAlone()
{
    return std::exchange(m_alone, 0);
}

} // namespace jetscope
