// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/screenshots/imagecompare.h"

#include <QCryptographicHash>
#include <QFont>
#include <QPainter>

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace jetscope {

namespace {

// Minimum length of a line. Timeline lines are dashed or dotted; no glyph in the window is as tall, and no glyph edge
// as wide.
constexpr int kLine = 24;
constexpr int kGap = 4;
// Minimum size of a badge, icon or colour sample.
constexpr QSize kBox{12, 8};

bool differVisibly(QRgb a, QRgb b)
{
    return std::max({std::abs(qRed(a) - qRed(b)), std::abs(qGreen(a) - qGreen(b)), std::abs(qBlue(a) - qBlue(b))})
        > ImageDifference::kVisible;
}

QRgb paled(QRgb color)
{
    const int grey = 160 + qGray(color) / 3;
    return qRgb(std::min(255, grey), std::min(255, grey), std::min(255, grey));
}

/// Pixels that differ visibly.
class Mask {
public:
    explicit Mask(QSize size)
        : m_size(size), m_set(static_cast<std::size_t>(size.width()) * static_cast<std::size_t>(size.height()))
    {
    }

    void set(int x, int y) { m_set[index(x, y)] = 1; }
    bool isSet(int x, int y) const { return m_set[index(x, y)] != 0; }

    /// A vertical or horizontal run; in vertical runs, gaps as in dashed lines are allowed.
    bool hasLine() const
    {
        return hasRun(
                   m_size.width(), m_size.height(), [this](int x, int y) { return isSet(x, y); }, kGap)
            || hasRun(
                   m_size.height(), m_size.width(), [this](int y, int x) { return isSet(x, y); }, 0);
    }

    /// An area with more than half of its pixels set.
    bool hasBox() const
    {
        for (int top = 0; top + kBox.height() <= m_size.height(); top += kBox.height() / 2)
            for (int left = 0; left + kBox.width() <= m_size.width(); left += kBox.width() / 2)
                if (countIn(left, top) * 2 > kBox.width() * kBox.height())
                    return true;
        return false;
    }

private:
    std::size_t index(int x, int y) const
    {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(m_size.width()) + static_cast<std::size_t>(x);
    }

    template <class IsSet>
    static bool hasRun(int lines, int length, const IsSet &isSet, int gap)
    {
        for (int line = 0; line < lines; ++line) {
            int from = -1;
            int last = 0;
            for (int at = 0; at < length; ++at) {
                if (!isSet(line, at))
                    continue;
                if (from < 0 || at - last > gap + 1)
                    from = at;
                last = at;
                if (last - from + 1 >= kLine)
                    return true;
            }
        }
        return false;
    }

    int countIn(int left, int top) const
    {
        int count = 0;
        for (int y = top; y < top + kBox.height(); ++y)
            for (int x = left; x < left + kBox.width(); ++x)
                count += isSet(x, y);
        return count;
    }

    QSize m_size;
    std::vector<unsigned char> m_set;
};

} // namespace

ImageDifference compareImages(const QImage &actual, const QImage &reference)
{
    ImageDifference difference;
    difference.sameSize = actual.size() == reference.size() && !actual.isNull();
    if (!difference.sameSize)
        return difference;
    const QImage a = actual.convertToFormat(QImage::Format_RGB32);
    const QImage b = reference.convertToFormat(QImage::Format_RGB32);
    difference.picture = QImage(a.size(), QImage::Format_RGB32);
    Mask mask(a.size());
    qint64 visible = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x) {
            const bool differs = a.pixel(x, y) != b.pixel(x, y);
            difference.pixels += differs;
            difference.picture.setPixel(x, y, differs ? qRgb(220, 0, 0) : paled(a.pixel(x, y)));
            if (differs && differVisibly(a.pixel(x, y), b.pixel(x, y))) {
                mask.set(x, y);
                ++visible;
            }
        }
    difference.visible = static_cast<double>(visible) / (static_cast<double>(a.width()) * a.height());
    difference.hasShape = mask.hasLine() || mask.hasBox();
    return difference;
}

QString rasteriserKey()
{
    QImage letters(640, 120, QImage::Format_RGB32);
    letters.fill(Qt::white);
    QPainter painter(&letters);
    int y = 0;
    for (const int pixels : {9, 10, 11, 12, 13, 16})
        for (const auto weight : {QFont::Normal, QFont::DemiBold}) {
            QFont font(QStringLiteral("DejaVu Sans"));
            font.setPixelSize(pixels);
            font.setWeight(weight);
            painter.setFont(font);
            painter.drawText(4, y += 9, QStringLiteral("Hamburgefonstiv 0123456789 % ° → · µ (AaBbGgQqWw) 12.4 ms"));
        }
    painter.end();
    QCryptographicHash hash(QCryptographicHash::Sha1);
    hash.addData(QByteArray::fromRawData(reinterpret_cast<const char *>(letters.constBits()), letters.sizeInBytes()));
    return QStringLiteral("Qt %1, letters %2")
        .arg(QString::fromLatin1(qVersion()), QString::fromLatin1(hash.result().toHex().left(12)));
}

} // namespace jetscope
