// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/screenshots/imagecompare.h"

#include <algorithm>
#include <cstdlib>

namespace jetscope {

namespace {

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
    qint64 differing = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x) {
            const bool differs = differVisibly(a.pixel(x, y), b.pixel(x, y));
            differing += differs;
            difference.picture.setPixel(x, y, differs ? qRgb(220, 0, 0) : paled(a.pixel(x, y)));
        }
    difference.share = static_cast<double>(differing) / (static_cast<double>(a.width()) * a.height());
    return difference;
}

} // namespace jetscope
