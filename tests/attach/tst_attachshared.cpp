// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "attachedprogram.h"
#include "core/attach/format/calltable.h"
#include "core/attach/judge/glorder.h"
#include "judged.h"
#include "madecall.h"
#include "tests/support/testprogram.h"

using namespace jetscope;

/// What two contexts of GL, or the CPU and an engine, share: each mistake is found, and its repair is silent.
class AttachSharedTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("EGL_PLATFORM", "surfaceless"); }
    void ordersContexts_data();
    void ordersContexts();
    void recordsNothingOfAloneContexts();
    void followsWaitsOfContexts_data();
    void followsWaitsOfContexts();
    void synchronizesBuffers_data();
    void synchronizesBuffers();
    void saysWhatIsNotChecked();
};

namespace {

QStringList hazards(const Attached &run)
{
    QStringList found;
    for (const QString &name : run.findings())
        if (name.startsWith("hazard-"))
            found += name;
    return found;
}

QString gradeOf(const Attached &run)
{
    for (const QJsonValue finding : run.json["findings"].toArray())
        if (finding["what"].toString().startsWith("hazard-"))
            return finding["grade"].toString();
    return {};
}

} // namespace

void AttachSharedTest::ordersContexts_data()
{
    QTest::addColumn<QString>("hazard");
    QTest::addColumn<QString>("grade");
    const auto row = [](const char *way, const char *hazard = "", const char *grade = "") {
        QTest::newRow(way) << hazard << grade;
    };
    row("fence");
    row("finish");
    row("client wait");
    row("flush by current");
    row("upload");
    row("not shared");
    row("nothing", "hazard-gl-order", "seen");
    row("only a flush", "hazard-gl-order", "seen");
    row("old fence", "hazard-gl-order", "seen");
    row("upload, nothing", "hazard-gl-order", "seen");
    row("no flush", "hazard-gl-flush", "seen");
    row("bound once", "hazard-gl-binding", "possible");
}

void AttachSharedTest::ordersContexts()
{
    QFETCH(QString, hazard);
    QFETCH(QString, grade);
    const Attached run = attach({PROGRAM_SHARED, QTest::currentDataTag(), "60"}, {"--no-gpu-times"});
    if (run.plain.code == 77)
        QSKIP("OpenGL ES 3 without a window is missing");
    QVERIFY2(run.under.code == 0 && run.json["frames"].toInt() > 50, run.describe());
    QCOMPARE(hazards(run), hazard.isEmpty() ? QStringList() : QStringList{hazard});
    QCOMPARE(gradeOf(run), grade);
    for (const QJsonValue check : run.json["checks"].toArray())
        if (check["what"].toString().startsWith("hazard-gl-"))
            QCOMPARE(check["checked"].toBool(), QString(QTest::currentDataTag()) != "not shared");
}

/// Binding is what programs do most: nobody pays for that where it tells nothing.
void AttachSharedTest::recordsNothingOfAloneContexts()
{
    const Attached alone = attach({PROGRAM_SHARED, "not shared", "60"}, {"--no-gpu-times"});
    if (alone.plain.code == 77)
        QSKIP("OpenGL ES 3 without a window is missing");
    const Attached shared = attach({PROGRAM_SHARED, "fence", "60"}, {"--no-gpu-times"});
    for (const char *function : {"glBindTexture", "glBindFramebuffer", "glFramebufferTexture2D"}) {
        QVERIFY2(alone.calls(function) == 0, alone.describe());
        QVERIFY2(shared.calls(function) > 0, shared.describe());
    }
    QCOMPARE(alone.calls("glClear"), 60u);
    QVERIFY(!alone.json["calls"].toObject().contains("drawn"));
}

namespace {

constexpr std::uint64_t kDrawn = 10;
constexpr std::uint64_t kShown = 20;

/// Two contexts on two threads; the first one has drawn into texture 5.
struct TwoContexts {
    Judged<GlOrder> order;
    std::int64_t ns = 0;

    void call(int tid, jsa_call function, std::array<std::uint64_t, 5> arguments = {})
    {
        AttachEvent event = madeCall(function, ++ns, {});
        event.argument = arguments;
        order.take(event, 1, tid, kNoFrame);
    }
    TwoContexts()
    {
        call(1, JSA_CALL_eglCreateContext, {kDrawn, 0});
        call(1, JSA_CALL_eglCreateContext, {kShown, kDrawn});
        call(1, JSA_CALL_eglMakeCurrent, {kDrawn, 1, 1});
        call(2, JSA_CALL_eglMakeCurrent, {kShown, 2, 2});
        call(1, JSA_CALL_glBindFramebuffer, {0x8D40, 3});
        call(1, JSA_CALL_glFramebufferTexture2D, {0x8D40, 0x8CE0, 5});
        call(1, JSA_CALL_DRAWN);
    }
    void show()
    {
        call(2, JSA_CALL_glBindFramebuffer, {0x8CA8, 4});
        call(2, JSA_CALL_glFramebufferTexture2D, {0x8CA8, 0x8CE0, 5});
        call(2, JSA_CALL_DRAWN, {JSA_CALL_glBlitFramebuffer});
    }
    QStringList found() const
    {
        QStringList names;
        for (const WasteFinding &finding : order.findings(0, {}))
            names += QString::fromStdString(finding.what);
        return names;
    }
};

} // namespace

void AttachSharedTest::followsWaitsOfContexts_data()
{
    QTest::addColumn<QStringList>("calls"); ///< "THREAD NAME ARGUMENTS".
    QTest::addColumn<QString>("hazard");
    const auto row = [](const char *name, const QStringList &calls, const char *hazard = "") {
        QTest::newRow(name) << calls << hazard;
    };
    row("fence", {"1 glFenceSync 30", "1 glFlush", "2 glWaitSync 30"});
    row("swap flushes", {"1 glFenceSync 30", "1 eglSwapBuffers 1", "2 glWaitSync 30"});
    row("flush comes late", {"1 glFenceSync 30", "2 glWaitSync 30", "1 glFlush", "1 glFenceSync 31"});
    row("never flushed", {"1 glFenceSync 30", "2 glWaitSync 30", "1 glFenceSync 31"}, "hazard-gl-flush");
    row("swap alone", {"1 eglSwapBuffers 1"}, "hazard-gl-order");
    row("released", {"1 eglMakeCurrent 0 0 0"}, "hazard-gl-order");
    row("fence of EGL", {"1 eglCreateSync 30", "1 glFlush", "2 eglWaitSync 30"});
    row("CPU waits", {"1 glFenceSync 30", "1 glFlush", "2 glClientWaitSync 30 0 37146"});
    // Thread 3 has no context.
    row("CPU waits elsewhere", {"1 glFenceSync 30", "1 glFlush", "3 eglClientWaitSync 30 0 12534"});
    row("wait expires", {"1 glFenceSync 30", "1 glFlush", "2 glClientWaitSync 30 0 37147"}, "hazard-gl-order");
    row("wait that flushes", {"1 glFenceSync 30", "1 glClientWaitSync 30 0 37146 1"});
    row("fence was before", {"1 glFenceSync 30", "1 glFlush", "1 drawn", "2 glWaitSync 30"}, "hazard-gl-order");
    row("fence of the other", {"2 glFenceSync 30", "2 glFlush", "1 glWaitSync 30"}, "hazard-gl-order");
    row("finish", {"1 glFinish"});
    row("pixels were read", {"1 glReadPixels"});
    row("drawn again behind it", {"1 glFinish", "1 drawn"}, "hazard-gl-order");
}

void AttachSharedTest::followsWaitsOfContexts()
{
    QFETCH(QStringList, calls);
    QFETCH(QString, hazard);
    TwoContexts two;
    for (const QString &line : calls) {
        const QStringList words = line.split(' ');
        const std::uint16_t function =
            words[1] == "drawn" ? std::uint16_t{JSA_CALL_DRAWN} : attachCallNamed(words[1].toStdString()).value_or(0);
        QVERIFY2(function != 0, qPrintable(line));
        std::array<std::uint64_t, 5> arguments{};
        for (qsizetype i = 2; i < words.size(); ++i)
            arguments[static_cast<std::size_t>(i - 2)] = words[i].toULongLong();
        two.call(words[0].toInt(), static_cast<jsa_call>(function), arguments);
    }
    two.show();
    QCOMPARE(two.found(), hazard.isEmpty() ? QStringList() : QStringList{hazard});
    TwoContexts other; // Of another process: the same handles are other contexts.
    AttachEvent event = madeCall(JSA_CALL_glFinish, 100, {});
    other.order.take(event, 2, 1, kNoFrame);
    other.show();
    QCOMPARE(other.found(), QStringList{"hazard-gl-order"});
}

void AttachSharedTest::synchronizesBuffers_data()
{
    QTest::addColumn<QString>("hazard");
    const auto row = [](const char *way, const char *hazard = "") { QTest::newRow(way) << hazard; };
    row("synchronized");
    row("mapped each time, synchronized");
    row("sometimes");
    row("CUDA's memory");
    row("write, synchronized");
    row("old, synchronized");
    row("old write, synchronized");
    row("nothing", "hazard-nvbuf-cpu");
    row("read and write", "hazard-nvbuf-cpu");
    row("mapped each time", "hazard-nvbuf-cpu");
    row("old", "hazard-nvbuf-cpu");
    row("write", "hazard-nvbuf-device");
    row("old write", "hazard-nvbuf-device");
}

void AttachSharedTest::synchronizesBuffers()
{
    QFETCH(QString, hazard);
    const Attached run = attach({PROGRAM_NVBUF, QTest::currentDataTag(), "100"}, {"--no-gpu-times"});
    QVERIFY2(run.under.code == 0 && run.json["frames"].toInt() > 90, run.describe());
    QCOMPARE(hazards(run), hazard.isEmpty() ? QStringList() : QStringList{hazard});
    QCOMPARE(gradeOf(run), hazard.isEmpty() ? QString() : QString("possible"));
}

/// Whoever reads the text alone must not take silence for "no hazard".
void AttachSharedTest::saysWhatIsNotChecked()
{
    const Attached run = attach({PROGRAM_NVBUF, "synchronized", "20"}, {"--no-gpu-times"});
    const QString text = textOf({PROGRAM_NVBUF, "synchronized", "20"});
    QVERIFY2(text.contains("not checked"), qPrintable(text));
    for (const QJsonValue check : run.json["checks"].toArray())
        QVERIFY2(check["checked"].toBool() || text.contains(check["what"].toString()), qPrintable(text));
}

JETSCOPE_TEST(AttachSharedTest)
#include "tst_attachshared.moc"
