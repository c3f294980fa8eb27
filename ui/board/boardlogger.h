// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/session/worker.h"

#include <QObject>
#include <QString>

#include <cstdint>
#include <memory>

namespace jetscope {

struct BoardFacts;
struct BoardState;

/// Writes the values of the machine into a new log while they are read, on a thread of its own. UI thread.
class BoardLogger : public QObject {
    Q_OBJECT
public:
    explicit BoardLogger(QObject *parent = nullptr) : QObject(parent) {}

    bool isLogging() const { return m_log != nullptr; }
    /// The file is made with the first values.
    void start(const QString &path);
    void stop();
    void take(const std::shared_ptr<const BoardFacts> &facts, const BoardState &state);

signals:
    void began();
    /// Nothing more is written. `error`: why it is not the user's wish; empty if it is.
    void ended(const QString &path, quint64 rows, const QString &error);

private:
    struct Log;
    void finish(const std::shared_ptr<Log> &log, const QString &error);

    std::shared_ptr<Log> m_log; ///< Null: nothing is written.
    Worker m_worker{"writing a log of the board", Worker::kPatienceWithDisk};
};

} // namespace jetscope
