// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QImage>
#include <QString>

namespace jetscope {

class RecentPictures;
class Trace;
class TraceSelection;

/// What is still held of the picture of a frame.
struct SelectedPicture {
    /// Exact: it is the frame's own; Nearest: another's, at most a second away; None: no picture.
    enum class Kind { Whole, Thumbnail, Nearest, None };
    Kind kind = Kind::None;
    QImage image;
    QString text; ///< What it is, for the screen; without a picture why there is none.
};

/// Of the selected frame; one must be selected.
SelectedPicture selectedPicture(const Trace &trace, const RecentPictures &recent, const TraceSelection &selection);

} // namespace jetscope
