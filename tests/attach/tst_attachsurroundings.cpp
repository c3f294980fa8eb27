// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/read/attachmemory.h"
#include "startedprogram.h"
#include "tests/support/testprogram.h"

#include <QRegularExpression>
#include <QStandardPaths>

#include <stdlib.h>
#include <sys/ioctl.h>

/// What surrounds a program: its root, its terminal, other preloaded libraries; and what the library and the JSON
/// object promise.
class AttachSurroundingsTest : public QObject {
    Q_OBJECT

private slots:
    void recordsThreadsBehindChroot();
    void needsNoSharedMemoryFolder_data();
    void needsNoSharedMemoryFolder();
    void getsCtrlCOnce();
    void keepsTheHooksOfTheUser();
    void refusesOtherVersions();
    void refusesOtherSessions();
    void keepsTheLibrarySmall();
    void namesLines();
    void writesEveryKey();
};

void AttachSurroundingsTest::recordsThreadsBehindChroot()
{
    QTemporaryDir empty;
    const Attached run = attach({PROGRAM_LAZY, "chroot", "20", empty.path()});
    if (run.plain.code == 1)
        QSKIP("a process may not change its root here");
    QVERIFY2(run.under.code == 42 && run.plain.code == 42, run.describe());
    QCOMPARE(run.under.out, run.plain.out);
    QCOMPARE(run.calls("eglSwapBuffers"), 2u * 20u);
    QCOMPARE(run.json["lost"]["threads"].toInt(), 0);
    QCOMPARE(run.json["threads"].toArray().size(), 2);
}

void AttachSurroundingsTest::needsNoSharedMemoryFolder_data()
{
    QTest::addColumn<QString>("prepare");
    QTest::newRow("read-only") << "mount -t tmpfs -o ro none /dev/shm && ! touch /dev/shm/a 2>/dev/null";
    QTest::newRow("missing") << "mount -t tmpfs none %1 && mkdir %1/pts && for f in null zero urandom tty; do touch "
                                "%1/$f && mount --bind /dev/$f %1/$f || exit 99; done; mount --rbind %1 /dev && "
                                "! test -e /dev/shm";
}

void AttachSurroundingsTest::needsNoSharedMemoryFolder()
{
    QFETCH(QString, prepare);
    QTemporaryDir folder;
    const QString dev = folder.filePath("dev");
    QVERIFY(QDir().mkdir(dev));
    const QString script = QString(prepare).replace("%1", dev) + " || exit 99; exec \"$0\" attach --json "
        + folder.filePath("a.json") + " -- " + PROGRAM_LAZY + " linked 20";
    const Outcome run = runPlain({"unshare", "-m", "/bin/sh", "-c", script, JETSCOPE_PROGRAM});
    if (run.code != 42 && (run.code == 99 || runPlain({"unshare", "-m", "true"}).code != 0))
        QSKIP("folders cannot be mounted here");
    QVERIFY2(run.code == 42, run.describe());
    const QJsonObject json = jsonOf(folder.filePath("a.json"));
    QCOMPARE(json["calls"]["eglSwapBuffers"].toInt(), 20);
}

namespace {

/// A terminal whose other end is the standard files of a process that it controls.
class Terminal {
public:
    Terminal() : m_end(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC))
    {
        if (m_end >= 0 && grantpt(m_end) == 0 && unlockpt(m_end) == 0)
            m_name = ptsname(m_end);
        fcntl(m_end, F_SETFL, O_NONBLOCK);
    }
    ~Terminal() { ::close(m_end); }
    Terminal(const Terminal &) = delete;
    Terminal &operator=(const Terminal &) = delete;

    bool ok() const { return !m_name.isEmpty(); }
    void control(QProcess &process) const
    {
        process.setChildProcessModifier([name = m_name] {
            setsid();
            const int file = ::open(name.constData(), O_RDWR);
            ioctl(file, TIOCSCTTY, 0);
            for (int standard = 0; standard < 3; ++standard)
                dup2(file, standard);
            for (const int number : {SIGINT, SIGTERM})
                ::signal(number, SIG_DFL);
        });
    }
    bool type(char key) const { return ::write(m_end, &key, 1) == 1; }
    bool shows(const QByteArray &text)
    {
        return happens([&] {
            char bytes[4096];
            for (ssize_t got; (got = ::read(m_end, bytes, sizeof bytes)) > 0;)
                m_shown.append(bytes, got);
            return m_shown.contains(text);
        });
    }
    const QByteArray &shown() const { return m_shown; }

private:
    int m_end;
    QByteArray m_name;
    QByteArray m_shown;
};

} // namespace

/// The terminal sends it to Jetscope and to the program, which are in one process group.
void AttachSurroundingsTest::getsCtrlCOnce()
{
    Terminal terminal;
    QVERIFY(terminal.ok());
    QProcess process;
    terminal.control(process);
    process.start(JETSCOPE_PROGRAM,
                  {"attach", "--", "/bin/sh", "-c",
                   "n=0; trap 'n=$((n+1)); echo got $n' INT; trap 'echo in all $n; exit 5' TERM; echo begun; "
                   "while :; do sleep 0.01; done"});
    QVERIFY2(terminal.shows("begun"), terminal.shown());
    // It gets its own later, when one that it passed on would be a second one.
    const auto jetscope = static_cast<pid_t>(process.processId());
    ::kill(jetscope, SIGSTOP);
    QVERIFY(happens([&] {
        QFile stat(QString("/proc/%1/stat").arg(jetscope));
        return stat.open(QIODevice::ReadOnly) && stat.readAll().contains(") T ");
    }));
    QVERIFY(terminal.type('\003'));
    QVERIFY2(terminal.shows("got 1"), terminal.shown());
    ::kill(jetscope, SIGCONT);
    // Jetscope passes this one on, behind what it may have made of the first one.
    ::kill(jetscope, SIGTERM);
    QVERIFY2(terminal.shows("in all 1"), terminal.shown());
    QVERIFY(happens([&] { return process.state() == QProcess::NotRunning; }));
    QCOMPARE(process.exitCode(), 5);
}

void AttachSurroundingsTest::keepsTheHooksOfTheUser()
{
    const QByteArray sanitizer = qgetenv("ASAN_OPTIONS");
    qputenv("ASAN_OPTIONS", sanitizer + ":verify_asan_link_order=0"); // The sanitizer wants to be the first.
    qputenv("LD_PRELOAD", USER_HOOK);
    const auto restore = qScopeGuard([&] { qunsetenv("LD_PRELOAD"), qputenv("ASAN_OPTIONS", sanitizer); });
    const Attached run = attach({PROGRAM_LAZY, "linked", "50"});
    QVERIFY2(run.plain.code == 42 && run.under.code == 42, run.describe());
    QCOMPARE(run.under.out, run.plain.out);
    QCOMPARE(run.plain.err, "the user's glFinish 50\n");
    QCOMPARE(run.under.err, run.plain.err);
    QCOMPARE(run.calls("glFinish"), 50u);
    QCOMPARE(run.json["frames"].toInt(), 50);
}

/// Whether a program that is told of this memory records there.
static bool joins(jetscope::AttachMemory &memory, const QString &address)
{
    QProcess process;
    QProcessEnvironment environment = plainEnvironment();
    environment.insert("LD_PRELOAD", ATTACH_LIBRARY);
    environment.insert(JSA_VARIABLE, address);
    process.setProcessEnvironment(environment);
    process.start(PROGRAM_LAZY, {"linked", "20"});
    const Outcome run = outcomeOf(process);
    return QTest::qVerify(run.code == 42 && run.err.isEmpty(), "run", run.describe(), __FILE__, __LINE__)
        && memory.session().rings_used > 0;
}

/// A library that outlived an update of Jetscope, or came before it.
void AttachSurroundingsTest::refusesOtherVersions()
{
    for (const std::uint32_t version : {JSA_VERSION, JSA_VERSION + 1, JSA_VERSION - 1}) {
        jetscope::Result<jetscope::AttachMemory> memory = jetscope::AttachMemory::create(0);
        QVERIFY(memory.ok());
        memory.value().session().version = version;
        QCOMPARE(joins(memory.value(), QString::fromStdString(memory.value().address())), version == JSA_VERSION);
    }
}

/// A process that an earlier program has left behind starts others, which find the memory of the next under the path.
void AttachSurroundingsTest::refusesOtherSessions()
{
    jetscope::Result<jetscope::AttachMemory> memory = jetscope::AttachMemory::create(0);
    QVERIFY(memory.ok());
    const QString address = QString::fromStdString(memory.value().address());
    const QString path = address.mid(JSA_TOKEN_BYTES + 1);
    QVERIFY(path.startsWith("/proc/"));
    for (const QString &other : {QString("0123456789abcdef:") + path, path, ":" + path, QString(), QString(500, 'x')})
        QVERIFY(!joins(memory.value(), other));
    QVERIFY(joins(memory.value(), address));
    QVERIFY(
        !jetscope::AttachMemory::create(0).value().address().starts_with(address.left(JSA_TOKEN_BYTES).toStdString()));
}

void AttachSurroundingsTest::keepsTheLibrarySmall()
{
    for (const char *tool : {"strip", "readelf", "nm"})
        if (QStandardPaths::findExecutable(tool).isEmpty())
            QSKIP("strip, readelf and nm are not installed (Debian package binutils)");
    QTemporaryDir folder;
    const QString stripped = folder.filePath("stripped.so");
    QCOMPARE(runPlain({"strip", "-o", stripped, ATTACH_LIBRARY}).code, 0);
    QVERIFY2(QFileInfo(stripped).size() < 200 * 1024, QByteArray::number(QFileInfo(stripped).size()));
    const QString needs = runPlain({"readelf", "-dW", ATTACH_LIBRARY}).out;
    const QRegularExpression needed("\\(NEEDED\\)[^\\[]*\\[([^\\]]+)\\]");
    QStringList libraries;
    for (auto found = needed.globalMatch(needs); found.hasNext();)
        libraries += found.next().captured(1);
    QVERIFY2(libraries.contains("libc.so.6"), needs.toUtf8());
    libraries = libraries.filter(QRegularExpression("^(?!libc\\.so\\.6$|ld-linux)"));
    QVERIFY2(libraries.isEmpty(), libraries.join(' ').toUtf8());
    const QString undefined = runPlain({"nm", "-D", "--undefined-only", ATTACH_LIBRARY}).out;
    QVERIFY(undefined.contains(" U "));
    QVERIFY2(!undefined.contains(" dlopen"), undefined.toUtf8());
}

void AttachSurroundingsTest::namesLines()
{
    if (!HAS_SYMBOLS)
        QSKIP("this build reads no symbols (JETSCOPE_SYMBOLS)");
    const QJsonArray sites = finishPerFrame(PROGRAM_DEBUG)["sites"].toArray();
    QCOMPARE(sites.size(), 1);
    QFile source(PROGRAM_SOURCE);
    QVERIFY(source.open(QIODevice::ReadOnly));
    const QList<QByteArray> lines = source.readAll().split('\n');
    const qsizetype line = lines.indexOf("        glFinish();") + 1;
    QVERIFY(line > 0);
    QCOMPARE(sites.at(0)["at"].toString(), QString("linked_frames (plugin.c:%1)").arg(line));
}

namespace {

void requireKeys(const QJsonValue &value, const QStringList &keys)
{
    for (const QString &key : keys)
        QVERIFY2(value.toObject().contains(key),
                 (key + " is missing in ").toUtf8() + QJsonDocument(value.toObject()).toJson());
}

} // namespace

/// Those of resources/docs/json.md.
void AttachSurroundingsTest::writesEveryKey()
{
    const QJsonObject json = attach({PROGRAM_LAZY, "linked", "50"}).json;
    requireKeys(json,
                {"program",    "exit",  "exit_signal", "tiers",          "refused",        "frames",  "frame_source",
                 "frame_note", "fps",   "period_ms",   "overlap",        "headroom",       "path",    "findings",
                 "checks",     "calls", "counted",     "recorded",       "lost",           "threads", "scheduler",
                 "cost",       "gpu",   "notes",       "overlap_reason", "headroom_reason"});
    requireKeys(json["refused"][0], {"tier", "reason"});
    requireKeys(json["period_ms"], {"p50", "p95", "p99"});
    requireKeys(json["path"][0], {"what", "lane", "ms", "share"});
    requireKeys(json["findings"][0],
                {"what", "grade", "text", "calls", "frames", "ms_per_frame", "most_share", "sites"});
    requireKeys(json["checks"][0], {"what", "checked", "reason"});
    requireKeys(json["lost"], {"calls", "damaged", "threads", "unhooked"});
    requireKeys(json["threads"][0], {"process", "pid", "thread", "tid", "counted", "recorded", "lost"});
    requireKeys(json["cost"], {"ns_per_call", "total_ms", "ms_per_frame", "collector_cores", "trial_ms"});
    requireKeys(json["gpu"],
                {"times", "kernels", "copies", "memsets", "submissions", "linked", "not_linked", "missing",
                 "busy_ms_per_frame", "busy_reason", "flush_ms", "cupti"});
    requireKeys(json["gpu"]["kernels"], {"counted", "recorded"});
}

JETSCOPE_TEST(AttachSurroundingsTest)
#include "tst_attachsurroundings.moc"
