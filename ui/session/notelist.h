// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/overlap.h"
#include "core/trace/tracenote.h"
#include "ui/session/changes.h"

#include <vector>

namespace jetscope {

class Session;

/// The notes on the session's trace, in the order of their starts, and what was done to them. They are read with the
/// trace and given to it, so that they are saved and exported with it. UI thread; the session must outlive it.
class NoteList : public History {
    Q_OBJECT
public:
    explicit NoteList(Session &session, QObject *parent = nullptr);

    const std::vector<TraceNote> &all() const { return m_notes; }
    /// Returns its place. There may be kMaxTraceNotes at most; then nothing is added, and the place is that of none.
    std::size_t add(Interval time, const QString &text);
    void setText(std::size_t place, const QString &text);
    void remove(std::size_t place);
    /// The first note that starts after (+1), or the last before (-1), a time; the number of notes if there is none.
    std::size_t next(std::int64_t ns, int direction) const;

    Step undoStep() const override { return m_changes.undoStep(); }
    Step redoStep() const override { return m_changes.redoStep(); }
    void undo() override;
    void redo() override;

signals:
    void edited(); ///< By the user: they are to be kept. `changed` is emitted as well, and also for another trace.

private:
    static constexpr std::size_t kMaxChanges = 100;

    void restart();
    void change(const QString &words, std::vector<TraceNote> notes);
    void set(std::vector<TraceNote> notes);
    void exchange(std::vector<TraceNote> &notes);

    Session &m_session;
    std::vector<TraceNote> m_notes;
    Changes<std::vector<TraceNote>> m_changes{kMaxChanges};
};

} // namespace jetscope
