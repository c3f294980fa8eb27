// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/v4l2/fieldweave.h"

#include <algorithm>
#include <cstring>
#include <linux/videodev2.h>
#include <utility>

namespace jetscope {

namespace {

constexpr std::pair<std::uint32_t, const char *> kFieldOrders[] = {
    {V4L2_FIELD_NONE, "progressive"},
    {V4L2_FIELD_TOP, "top fields alone: half of the rows"},
    {V4L2_FIELD_BOTTOM, "bottom fields alone: half of the rows"},
    {V4L2_FIELD_INTERLACED, "interlaced"},
    {V4L2_FIELD_INTERLACED_TB, "top field first"},
    {V4L2_FIELD_INTERLACED_BT, "bottom field first"},
    {V4L2_FIELD_SEQ_TB, "top field first, woven from two half pictures"},
    {V4L2_FIELD_SEQ_BT, "bottom field first, woven from two half pictures"},
    {V4L2_FIELD_ALTERNATE, "alternating fields, woven in pairs"},
};

/// Rows of a plane, from `first` on, to every second row of another.
void writeRows(const PlaneLayout &source, const std::byte *from, int first, int count, const PlaneLayout &target,
               std::byte *to, bool top)
{
    for (int i = 0, y = top ? 0 : 1; i < count && y < target.rows; ++i, y += 2)
        std::memcpy(to + target.offset + static_cast<std::size_t>(y) * target.pitch,
                    from + source.offset + static_cast<std::size_t>(first + i) * source.pitch,
                    std::min(source.rowBytes, target.rowBytes));
}

} // namespace

std::optional<FieldLayout> fieldLayoutOf(std::uint32_t field)
{
    switch (field) {
    case V4L2_FIELD_ANY: // No driver may return it; those that do have never heard of fields.
    case V4L2_FIELD_NONE:
    case V4L2_FIELD_TOP:
    case V4L2_FIELD_BOTTOM:
    case V4L2_FIELD_INTERLACED:
    case V4L2_FIELD_INTERLACED_TB:
    case V4L2_FIELD_INTERLACED_BT:
        return FieldLayout::Frame;
    case V4L2_FIELD_SEQ_TB:
        return FieldLayout::TopAbove;
    case V4L2_FIELD_SEQ_BT:
        return FieldLayout::BottomAbove;
    case V4L2_FIELD_ALTERNATE:
        return FieldLayout::Alternate;
    default:
        return std::nullopt;
    }
}

std::string fieldOrderText(std::uint32_t field)
{
    for (const auto &[known, text] : kFieldOrders)
        if (known == field)
            return text;
    return {};
}

void writeField(const ImageLayout &fieldLayout, const std::byte *from, bool top, const ImageLayout &toLayout,
                std::byte *to)
{
    for (std::size_t i = 0; i < static_cast<std::size_t>(toLayout.planeCount); ++i)
        writeRows(fieldLayout.planes[i], from, 0, fieldLayout.planes[i].rows, toLayout.planes[i], to, top);
}

void weaveFields(const ImageLayout &fromLayout, const std::byte *from, bool topAbove, const ImageLayout &toLayout,
                 std::byte *to)
{
    for (std::size_t i = 0; i < static_cast<std::size_t>(toLayout.planeCount); ++i) {
        const PlaneLayout &source = fromLayout.planes[i];
        const int topRows = (source.rows + 1) / 2;
        const int bottomRows = source.rows / 2;
        writeRows(source, from, topAbove ? 0 : bottomRows, topRows, toLayout.planes[i], to, true);
        writeRows(source, from, topAbove ? topRows : 0, bottomRows, toLayout.planes[i], to, false);
    }
}

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
