// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "attachedprogram.h"
#include "core/attach/format/attachformat.h"

#include <QDir>

#include <atomic>
#include <csignal>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

/// Whether a condition came true within a minute.
template <class Condition>
bool happens(Condition condition)
{
    return QTest::qWaitFor(condition, 60'000);
}

/// `jetscope attach` while it runs. `options` stand before the program.
struct Started {
    QTemporaryDir folder;
    QProcess process;
    QString out;

    explicit Started(const QStringList &command, const QStringList &options = {})
    {
        // Background jobs of a shell ignore SIGINT, and Jetscope leaves ignored signals ignored.
        process.setChildProcessModifier([] { ::signal(SIGINT, SIG_DFL); });
        process.start(JETSCOPE_PROGRAM,
                      QStringList{"attach", "--json", folder.filePath("a.json"), "--record", capture()} + options
                          + QStringList{"--"} + command);
    }
    QString capture() const { return folder.filePath("a.jscope"); }
    QJsonObject json() const { return jsonOf(folder.filePath("a.json")); }
    bool printed(const QString &text)
    {
        return happens([&] {
            out += QString::fromUtf8(process.readAllStandardOutput());
            return out.contains(text);
        });
    }
    bool ends()
    {
        return happens([&] { return process.state() == QProcess::NotRunning; });
    }
    void send(int signal) { ::kill(static_cast<pid_t>(process.processId()), signal); }
};

/// The program's children, by /proc.
inline QList<pid_t> childrenOf(qint64 pid)
{
    QFile file(QString("/proc/%1/task/%1/children").arg(pid));
    QList<pid_t> children;
    if (file.open(QIODevice::ReadOnly))
        for (const QByteArray &word : file.readAll().split(' '))
            if (const pid_t child = word.trimmed().toInt())
                children += child;
    return children;
}

/// The memory that `jetscope attach` shares with its program.
class SharedMemory {
public:
    explicit SharedMemory(qint64 pid)
    {
        const QDir files(QString("/proc/%1/fd").arg(pid));
        for (const QString &name : files.entryList(QDir::Files | QDir::System)) {
            if (!QFile::symLinkTarget(files.filePath(name)).contains("memfd:jetscope-attach"))
                continue;
            const int file = ::open(files.filePath(name).toUtf8().constData(), O_RDWR | O_CLOEXEC);
            void *const bytes = mmap(nullptr, JSA_FILE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
            ::close(file);
            if (bytes != MAP_FAILED)
                m_bytes = static_cast<std::byte *>(bytes);
        }
    }
    ~SharedMemory()
    {
        if (m_bytes)
            munmap(m_bytes, JSA_FILE_BYTES);
    }
    SharedMemory(const SharedMemory &) = delete;
    SharedMemory &operator=(const SharedMemory &) = delete;

    bool ok() const { return m_bytes; }
    jsa_session &session() const { return *reinterpret_cast<jsa_session *>(m_bytes); }
    bool isQuiet() const { return std::atomic_ref(session().quiet).load() != 0; }
    /// Calls that the threads have made which run.
    std::uint64_t calls() const
    {
        std::uint64_t sum = 0;
        for (std::uint32_t ring = 0; ring < std::atomic_ref(session().rings_used).load(); ++ring)
            for (std::uint64_t &count : reinterpret_cast<jsa_ring *>(m_bytes + JSA_RING_OFFSET(ring))->counts)
                sum += std::atomic_ref(count).load();
        return sum;
    }

private:
    std::byte *m_bytes = nullptr;
};

/// The places where a program waits for the GPU in each frame. The program lives until it was recorded, so that what
/// its process tells is found, too.
inline QJsonObject finishPerFrame(const QString &program)
{
    Started run({program, "until-told"}, {"--frames", "20"});
    const bool recorded = happens([&] {
        const SharedMemory memory(run.process.processId());
        return memory.ok() && memory.isQuiet();
    });
    run.send(SIGTERM);
    if (recorded && run.ends())
        for (const QJsonValue finding : run.json()["findings"].toArray())
            if (finding["what"].toString() == "finish-per-frame")
                return finding.toObject();
    return {};
}
