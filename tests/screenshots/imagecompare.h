// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QImage>
#include <QString>

namespace jetscope {

/// How two pictures differ.
struct ImageDifference {
    bool sameSize = false;
    qint64 pixels = 0;    ///< That differ at all.
    double visible = 1;   ///< Share of pixels that differ visibly.
    bool hasShape = true; ///< Whether those make up a line or a box: something is there in one of the pictures alone.
    QImage picture;       ///< Differing pixels in red over the paled actual picture.

    static constexpr int kVisible = 40; ///< Of 255, in any channel.
    static constexpr double kAllowed = 0.004;

    bool isSame() const { return sameSize && pixels == 0; }
    /// Glyph edges come out a little different with every version of FreeType, so a few scattered pixels may differ.
    bool isAlike() const { return sameSize && visible <= kAllowed && !hasShape; }
};

ImageDifference compareImages(const QImage &actual, const QImage &reference);

/// What text looks like here, in a word: Qt's version and a hash of letters as they are drawn. Where it is the same, so
/// is every pixel.
QString rasteriserKey();

} // namespace jetscope
