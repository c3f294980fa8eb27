// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/remote/remotehost.h"

#include <QString>

#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

namespace jetscope {

/// "12 s", "5 min", "1 h 0 min"
QString awayText(std::chrono::milliseconds away);

/// Says how the connection to a board is, from its states as they are read. Not thread-safe.
class LinkMeter {
public:
    LinkMeter() = default;
    /// To the board of this name.
    explicit LinkMeter(QString board) : m_board(std::move(board)) {}

    /// `nowNs`: of a clock that does not jump. Returns whether the board answers again.
    bool add(const RemoteState &state, std::int64_t nowNs);

    /// "costs 0.4 % · 24 ms · 3.1 Mbit/s", "away for 12 s"; empty before the first state.
    QString text() const;
    /// A sentence a line: what was not sent, how often it was cut, how near the clocks are.
    QString details() const;
    /// What watching costs the pipeline of the board, with its noise: "watching costs 0.4 % (±0.2)"; empty while there
    /// is no pipeline.
    QString cost() const;
    /// Whether something is missing: the connection, or the right to give orders.
    bool isTrouble() const;

private:
    QString costDetails() const;

    QString m_board;
    std::optional<RemoteState> m_state;
    std::int64_t m_atNs = 0;
    std::optional<double> m_megabits; ///< A second; none before two states of one connection.
};

} // namespace jetscope
