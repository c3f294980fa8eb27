// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/board/boardcounters.h"
#include "core/board/boardevents.h"
#include "core/board/boardlog.h"
#include "core/board/boardseries.h"

#include <QString>
#include <QStringList>

#include <memory>
#include <optional>
#include <vector>

namespace jetscope {

struct BoardFacts;
struct BoardState;
class Trace;

/// The values of the board that is shown: of the machine that the window works with, of a log, or of a trace. Those of
/// the machine are kept for an hour, also while something else is shown. Any one thread.
class ShownBoard {
public:
    enum class Source { Machine, Log, Trace };

    /// What a reading of the machine has changed of what is shown.
    enum class Change { Nothing, Values, Events, Machine };
    Change take(const std::shared_ptr<const BoardFacts> &facts, const BoardState &state);

    /// Another machine: nothing of the one before is shown any more. Empty: the one that the window runs on.
    void setMachine(const QString &name);
    const QString &machineName() const { return m_machineName; }
    void showMachine();
    void showLog(const QString &path, std::shared_ptr<BoardLog> log);
    /// The log that was shown last, again.
    void showLog() { showLog(m_logPath, m_log); }
    void showTrace(const Trace &trace, const QString &name);

    Source source() const { return m_source; }
    const BoardSeries &series() const { return m_series; } ///< Stays the same object, as do the events.
    const std::vector<BoardEvent> &events() const { return m_events; }
    const QString &name() const { return m_name; } ///< Of the file; empty for the machine.
    const QStringList &notes() const { return m_notes; }
    const BoardFacts *facts() const { return m_facts.get(); } ///< Of the machine; null before it was read.
    bool hasLog() const { return m_log != nullptr; }
    const QString &logPath() const { return m_logPath; }

private:
    BoardSeries &machine() { return m_source == Source::Machine ? m_series : m_parked; }
    void start(const BoardFacts &facts);
    void leave();

    BoardSeries m_series;
    BoardSeries m_parked; ///< Of the machine while something else is shown.
    std::vector<BoardEvent> m_events;
    Source m_source = Source::Machine;
    QString m_name;
    QStringList m_notes;
    std::shared_ptr<const BoardFacts> m_facts;
    std::optional<BoardCounters> m_counters;
    std::int64_t m_readNs = 0; ///< When the machine was read last.
    QString m_machineName;
    std::shared_ptr<BoardLog> m_log; ///< The last one, without its series while that is shown.
    QString m_logPath;
};

} // namespace jetscope
