// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QImage>
#include <QString>

namespace jetscope {

class RecentPictures;
class Trace;
class TraceSelection;

/// Stored picture for a frame.
struct SelectedPicture {
    /// Whole, Thumbnail: of the frame itself; Nearest: of another frame at most a second away; None: no picture.
    enum class Kind { Whole, Thumbnail, Nearest, None };
    Kind kind = Kind::None;
    QImage image;
    QString text; ///< Description for display, or why there is no picture.
};

/// For the selected frame; a frame must be selected.
SelectedPicture selectedPicture(const Trace &trace, const RecentPictures &recent, const TraceSelection &selection);

} // namespace jetscope
