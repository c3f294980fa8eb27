// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QImage>
#include <QString>

namespace jetscope {

/// How two pictures differ.
struct ImageDifference {
    bool sameSize = false;
    qint64 pixels = 0;    ///< Number of pixels with any difference.
    double visible = 1;   ///< Fraction of pixels that differ visibly.
    bool hasShape = true; ///< Whether these form a line or a box, so that only one picture contains an item.
    QImage picture;       ///< The actual picture in pale colours, with differing pixels in red.

    static constexpr int kVisible = 40; ///< Smallest visible difference in any channel, of 255.
    static constexpr double kAllowed = 0.004;

    bool isSame() const { return sameSize && pixels == 0; }
    /// A few scattered pixels may differ, because glyph edges vary with the version of FreeType.
    bool isAlike() const { return sameSize && visible <= kAllowed && !hasShape; }
};

ImageDifference compareImages(const QImage &actual, const QImage &reference);

/// Identifies the text rendering: Qt's version and a hash of drawn letters. Pictures with equal keys must match in
/// every pixel.
QString rasteriserKey();

} // namespace jetscope
