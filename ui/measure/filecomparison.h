// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/compare/capturecomparison.h"
#include "core/trace/trace.h"
#include "ui/session/backgroundjob.h"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>

namespace jetscope {

class Session;

/// Compares another capture, B, with the opened one, A. Reads it on a thread of its own, with progress. B is given up
/// when A is closed. UI thread; the session must outlive it.
class FileComparison : public QObject {
    Q_OBJECT
public:
    explicit FileComparison(Session &session, QObject *parent = nullptr);

    BackgroundJob &job() { return m_job; }
    /// Why there is nothing to compare with, in a sentence; empty if there is.
    QString reason() const;
    void compareWith(const QString &path);
    /// Compares although the two do different work; they have no verdict before.
    void compareAnyway();
    void close();

    bool isOpen() const { return m_comparison.has_value(); }
    const std::optional<CaptureComparison> &comparison() const { return m_comparison; }
    /// B; the object stays the same, its content changes with `changed`.
    const Trace &other() const { return m_other; }
    QString nameA() const;
    QString nameB() const;

signals:
    void changed(); ///< B was opened or closed.
    void failed(const QString &why);

private:
    struct Opened;
    static Opened open(const Trace &a, const QString &path, OpenProgress &progress, std::uint64_t mostSpans);
    void take(Opened opened);

    Session &m_session;
    Trace m_other;
    std::optional<CaptureFigures> m_figuresA; ///< With those of B while it is open.
    std::optional<CaptureFigures> m_figuresB;
    std::optional<CaptureComparison> m_comparison;
    std::shared_ptr<void> m_hold; ///< While the thread reads the session's trace.
    BackgroundJob m_job;
};

} // namespace jetscope
