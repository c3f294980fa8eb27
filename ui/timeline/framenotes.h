// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/waitcauses.h"

#include <QHash>
#include <QString>

namespace jetscope {

/// Text in the overlap strip per frame, and the longest piece to place it in. Computed once per frame that comes into
/// view. UI thread.
class FrameNotes {
public:
    struct Note {
        Interval place;      ///< Longest piece with both CPU and GPU busy; empty if there is none.
        QString text;        ///< "both busy 5.5 ms · 74 %"
        bool certain = true; ///< Certainty of that piece.
    };
    /// `frame`: index among the trace's frames. Valid until the next call.
    const Note &of(const Trace &trace, std::uint64_t frame);
    void clear() { m_notes.clear(); }

private:
    QHash<qint64, Note> m_notes; ///< By the start of the frame.
    Note m_unknown;
};

} // namespace jetscope
