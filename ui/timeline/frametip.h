// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace.h"

#include <QFrame>

class QLabel;

namespace jetscope {

/// Tooltip over the frame numbers: the frame's picture and durations.
class FrameTip : public QFrame {
    Q_OBJECT
public:
    explicit FrameTip(QWidget *parent);
    /// `frame`: index among the trace's frames. `above`: position of the lower edge in the parent.
    void showFrame(const Trace &trace, std::uint64_t frame, QPoint above);
    QString text() const;
    bool hasPicture() const;

private:
    QLabel *m_picture;
    QLabel *m_text;
};

/// Decoded picture of a thumbnail; null if it cannot be decoded.
QImage decodeThumbnail(const Thumbnail &thumbnail);

} // namespace jetscope
