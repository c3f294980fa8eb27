// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/waitcauses.h"

#include <QHash>
#include <QString>

namespace jetscope {

/// What the overlap strip says about a frame, and where in it there is most room. Worked out once for each frame that
/// comes into view. UI thread.
class FrameNotes {
public:
    struct Note {
        Interval place;      ///< The longest piece in which both were busy; empty when there is none.
        QString text;        ///< "both busy 5.5 ms · 74 %"
        bool certain = true; ///< Of that piece.
    };
    /// By its place among the trace's frames. Valid until the next call.
    const Note &of(const Trace &trace, std::uint64_t frame);
    void clear() { m_notes.clear(); }

private:
    QHash<quint64, Note> m_notes;
};

} // namespace jetscope
