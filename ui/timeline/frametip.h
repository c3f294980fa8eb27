// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace.h"

#include <QFrame>

class QLabel;

namespace jetscope {

/// What a frame looked like and how long it took, beside the mouse over the numbers of the frames.
class FrameTip : public QFrame {
    Q_OBJECT
public:
    explicit FrameTip(QWidget *parent);
    /// The frame by its place in the trace; `above` is where its lower edge goes, in the parent.
    void showFrame(const Trace &trace, std::uint64_t frame, QPoint above);
    QString text() const;
    bool hasPicture() const;

private:
    QLabel *m_picture;
    QLabel *m_text;
};

/// The picture of a thumbnail; null when it cannot be decoded.
QImage decodeThumbnail(const Thumbnail &thumbnail);

} // namespace jetscope
