// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Contexts of GL that share objects, by their calls: every way to order them, and each mistake beside it.
#include "core/attach/format/calltable.h"
#include "core/attach/judge/glorder.h"
#include "judged.h"
#include "madecall.h"
#include "tests/support/testprogram.h"

#include <QtTest/QTest>

using namespace jetscope;

class GlOrderTest : public QObject {
    Q_OBJECT

private slots:
    void judgesWaits_data();
    void judgesWaits();
    void judgesBindings_data();
    void judgesBindings();
    void judgesObjects_data();
    void judgesObjects();
    void judgesOverwriting_data();
    void judgesOverwriting();
    void keepsProcessesApart();
    void believesFencesWithTheSameHandle();
    void believesProgramsThatKeepFences();
    void saysWhatIsNotChecked();
};

namespace {

/// Contexts A, B and C on threads 1 to 3 share objects, D on thread 4 does not. Thread 5 has none.
class Contexts {
public:
    explicit Contexts(std::int32_t pid = 1) : m_pid(pid)
    {
        for (const char *line : {"A eglCreateContext 10 0", "A eglCreateContext 20 10", "A eglCreateContext 30 20",
                                 "A eglCreateContext 40 0", "A eglMakeCurrent 10", "B eglMakeCurrent 20",
                                 "C eglMakeCurrent 30", "D eglMakeCurrent 40"})
            run(line);
    }

    /// "THREAD FUNCTION ARGUMENTS", or one of the words below with the name of an object.
    void run(const QString &line)
    {
        const QStringList words = line.split(' ');
        const int tid = words[0][0].unicode() - 'A' + 1;
        std::array<std::uint64_t, JSA_ARGUMENTS> argument{};
        for (qsizetype i = 2; i < words.size(); ++i)
            argument[static_cast<std::size_t>(i - 2)] = words[i].toULongLong(nullptr, 0);
        const std::uint64_t name = argument[0];
        const QString &verb = words[1];
        if (verb == "draws") {
            attachTo(tid, 0x8D40, 3, JSA_CALL_glFramebufferTexture2D, name);
            call(tid, JSA_CALL_DRAWN, {JSA_CALL_glClear});
        } else if (verb == "draws-renderbuffer") {
            attachTo(tid, 0x8D40, 3, JSA_CALL_glFramebufferRenderbuffer, name);
            call(tid, JSA_CALL_DRAWN, {JSA_CALL_glClear});
        } else if (verb == "shows") {
            attachTo(tid, 0x8CA8, 4, JSA_CALL_glFramebufferTexture2D, name);
            call(tid, JSA_CALL_DRAWN, {JSA_CALL_glBlitFramebuffer});
        } else if (verb == "shows-renderbuffer") {
            attachTo(tid, 0x8CA8, 4, JSA_CALL_glFramebufferRenderbuffer, name);
            call(tid, JSA_CALL_DRAWN, {JSA_CALL_glBlitFramebuffer});
        } else if (verb == "uploads") {
            call(tid, JSA_CALL_glBindTexture, {0x0DE1, name});
            call(tid, JSA_CALL_glTexSubImage2D, {16, 16, 0x7f0000000000});
        } else if (verb == "uploads-from-buffer") { // Into a texture of its own.
            call(tid, JSA_CALL_glBindBuffer, {0x88EC, name});
            call(tid, JSA_CALL_glBindTexture, {0x0DE1, 100 + name});
            call(tid, JSA_CALL_glTexSubImage2D, {16, 16, 0});
        } else if (verb == "samples") {
            call(tid, JSA_CALL_glBindTexture, {0x0DE1, name});
            call(tid, JSA_CALL_DRAWN, {JSA_CALL_glDrawArrays});
        } else if (verb == "draws-on") { // With what is bound.
            call(tid, JSA_CALL_DRAWN, {JSA_CALL_glDrawArrays});
        } else if (verb == "blits-on") {
            call(tid, JSA_CALL_DRAWN, {JSA_CALL_glBlitFramebuffer});
        } else if (verb == "clears-on") {
            call(tid, JSA_CALL_DRAWN, {JSA_CALL_glClear});
        } else if (verb == "computes") {
            call(tid, JSA_CALL_DRAWN, {JSA_CALL_glDispatchCompute});
        } else {
            const auto function = attachCallNamed(verb.toStdString());
            QVERIFY2(function, qPrintable(line));
            call(tid, static_cast<jsa_call>(*function), argument);
        }
    }
    void call(int tid, jsa_call function, const std::array<std::uint64_t, JSA_ARGUMENTS> &argument)
    {
        m_order.take(madeCall(function, m_ns += 1000, argument), m_pid, tid, kNoFrame);
    }
    void take(const AttachEvent &event, int tid) { m_order.take(event, m_pid, tid, kNoFrame); }
    std::int64_t nextNs() { return m_ns += 1000; }

    QString found() const
    {
        QStringList names;
        for (const WasteFinding &finding : m_order.findings(0, {}))
            names += QString::fromStdString(std::string(nameOf(finding.grade)) + " " + finding.what);
        return names.join(", ");
    }
    std::vector<WasteCheck> checks() const { return m_order.checks({}); }

private:
    void attachTo(int tid, std::uint64_t target, std::uint64_t framebuffer, jsa_call function, std::uint64_t name)
    {
        call(tid, JSA_CALL_glBindFramebuffer, {target, framebuffer});
        call(tid, function, {target, 0x8CE0, name});
    }

    Judged<GlOrder> m_order;
    std::int32_t m_pid;
    std::int64_t m_ns = 0;
};

const QString kOrder = "seen hazard-gl-order", kMaybe = "possible hazard-gl-order", kFlush = "seen hazard-gl-flush",
              kBinding = "possible hazard-gl-binding", kOverwrite = "possible hazard-gl-overwrite";

/// `calls`: separated by semicolons.
void addVariant(const char *name, const QString &calls, const QString &finding = {})
{
    QTest::newRow(name) << calls << finding;
}

void addVariantColumns()
{
    QTest::addColumn<QString>("calls");
    QTest::addColumn<QString>("finding");
}

void judgeVariant(const QString &before = {}, const QString &behind = {})
{
    QFETCH(QString, calls);
    QFETCH(QString, finding);
    Contexts contexts;
    for (const QString &part : {before, calls, behind})
        for (const QString &line : part.split("; ", Qt::SkipEmptyParts))
            contexts.run(line);
    QCOMPARE(contexts.found(), finding);
}

} // namespace

void GlOrderTest::judgesWaits_data()
{
    addVariantColumns();
    const char *const fence = "A glFenceSync 30; A glFlush; ";
    addVariant("fence", fence + QString("B glWaitSync 30"));
    addVariant("swap flushes", "A glFenceSync 30; A eglSwapBuffers 1; B glWaitSync 30");
    addVariant("flush comes late", "A glFenceSync 30; B glWaitSync 30; A glFlush; A glFenceSync 31");
    addVariant("fence of EGL", "A eglCreateSync 30 0x30F9; A glFlush; B eglWaitSync 30");
    addVariant("CPU waits", fence + QString("B glClientWaitSync 30 1000 0x911C"));
    addVariant("already signaled", fence + QString("B glClientWaitSync 30 0 0x911A"));
    addVariant("CPU waits elsewhere", fence + QString("E eglClientWaitSync 30 0 0x30F6"));
    addVariant("wait that flushes", "A glFenceSync 30; A glClientWaitSync 30 1000 0x911C 1");
    addVariant("wait of EGL that flushes", "A eglCreateSync 30 0x30F9; A eglClientWaitSync 30 1000 0x30F6 1");
    addVariant("expired, then waited for",
               fence + QString("B glClientWaitSync 30 0 0x911B; B glClientWaitSync 30 1000 0x911C"));
    addVariant("asked for its state", fence + QString("B glGetSynciv 30"));
    addVariant("descriptor", fence + QString("A eglDupNativeFenceFDANDROID 30 7"));
    addVariant("finish", "A glFinish");
    addVariant("wait for the client", "A eglWaitClient");
    addVariant("wait for GL", "A eglWaitGL");
    addVariant("pixels were read", "A glReadPixels");
    addVariant("used twice", fence + QString("C glWaitSync 30; C shows 5; B glWaitSync 30"));
    addVariant("deleted behind the wait", fence + QString("B glWaitSync 30; B glDeleteSync 30"));
    addVariant("chain of three",
               fence + QString("C glWaitSync 30; C glFenceSync 31; C glFlush; B glWaitSync 31; A glFenceSync 32"));
    addVariant("waits for itself", "A glFenceSync 30; A glWaitSync 30; A glFenceSync 31; A glFlush; B glWaitSync 31");

    addVariant("nothing", "", kOrder);
    addVariant("only a flush", "A glFlush", kOrder);
    addVariant("swap alone", "A eglSwapBuffers 1", kOrder);
    addVariant("released", "A eglMakeCurrent 0; A eglMakeCurrent 10", kOrder);
    addVariant("finish in the reader", "B glFinish", kOrder);
    addVariant("nobody waits", fence, kOrder);
    addVariant("wait expires", fence + QString("B glClientWaitSync 30 0 0x911B"), kOrder);
    addVariant("wait of EGL expires", fence + QString("B eglClientWaitSync 30 0 0x30F5"), kOrder);
    addVariant("wait fails", fence + QString("B glClientWaitSync 30 1000 0x911D"), kOrder);
    addVariant("fence was before", fence + QString("A draws 5; B glWaitSync 30"), kOrder);
    addVariant("fence of the reader", "B glFenceSync 30; B glFlush; A glWaitSync 30", kOrder);
    addVariant("wait was before", "B glWaitSync 30; A glFenceSync 30; A glFlush", kOrder);
    addVariant("deleted before the wait", fence + QString("A glDeleteSync 30; B glWaitSync 30"), kOrder);
    addVariant("drawn again behind it", "A glFinish; A draws 5", kOrder);
    addVariant("chain is broken", fence + QString("C glFenceSync 31; C glFlush; B glWaitSync 31"), kOrder);
    addVariant("signaled by the CPU", "A eglCreateSync 30 0x30FA; A glFlush; B eglWaitSync 30", kOrder);
    addVariant("mapping that does not wait", "A glMapBufferRange 1 1 0x22 0x8892", kOrder);
    addVariant("pixels into a buffer", "A glBindBuffer 0x88EB 9; A glReadPixels", kOrder);
    addVariant("never flushed", "A glFenceSync 30; B glWaitSync 30; A glFenceSync 31", kFlush);
    addVariant("never flushed, EGL", "A eglCreateSync 30 0x30F9; B eglWaitSync 30; A eglCreateSync 31 0x30F9", kFlush);
    addVariant("never flushed, CPU waits",
               "A glFenceSync 30; B glClientWaitSync 30 1000 0x911B; A glFenceSync 31; A glFinish", kFlush);
    addVariant("the other one is flushed",
               "A glFenceSync 30; B glClientWaitSync 30 1000 0x911B 1; A glFenceSync 31; A glFinish", kFlush);
}

/// A draws a texture, B shows it.
void GlOrderTest::judgesWaits()
{
    judgeVariant("A draws 5", "B shows 5");
}

void GlOrderTest::judgesBindings_data()
{
    addVariantColumns();
    const QString upload = "A uploads 5; A glFenceSync 30; A glFlush; ";
    addVariant("bound behind the wait", upload + "B glWaitSync 30; B samples 5");
    addVariant("to another unit",
               "B samples 5; B glFinish; " + upload
                   + "B glWaitSync 30; B glActiveTexture 0x84C3; B glBindTexture 0x0DE1 5; B draws-on");
    addVariant("bound again, new content", "B samples 5; B glFinish; " + upload + "B glWaitSync 30; B samples 5");
    addVariant("framebuffer is bound again",
               "B shows 5; B glBindFramebuffer 0x8CA8 0; B glFinish; A draws 5; A glFinish; "
               "B glBindFramebuffer 0x8CA8 4; B blits-on");
    addVariant("one thread, with a fence",
               "A draws 5; A glFenceSync 30; A eglMakeCurrent 20; A glWaitSync 30; A shows 5");
    addVariant("other group", "A draws 5; D shows 5");
    addVariant("context made behind a finish",
               "A draws 5; A glFinish; E eglCreateContext 50 10; E eglMakeCurrent 50; "
               "E shows 5");
    addVariant("a clear reads nothing", "A draws 5; B glBindTexture 0x0DE1 5; B clears-on");

    addVariant("one thread", "A draws 5; A eglMakeCurrent 20; A shows 5", kOrder);
    addVariant("sampled", "A uploads 5; B samples 5", kMaybe);
    addVariant("sampled by a compute shader", "A uploads 5; B glBindTexture 0x0DE1 5; B computes", kMaybe);
    addVariant("uploaded and shown", "A uploads 5; B shows 5", kOrder);
    addVariant("bound once", "B samples 5; B glFinish; " + upload + "B glWaitSync 30; B draws-on", kBinding);
    addVariant("bound before the wait", upload + "B glBindTexture 0x0DE1 5; B glWaitSync 30; B draws-on", kBinding);
    addVariant("bound before the finish", "A uploads 5; B glBindTexture 0x0DE1 5; A glFinish; B draws-on", kBinding);
    addVariant("attached once", "B shows 5; B glFinish; A draws 5; A glFinish; B blits-on", kBinding);
    addVariant("context made, no finish", "E eglCreateContext 50 10; E eglMakeCurrent 50; A draws 5; E shows 5",
               kOrder);
}

void GlOrderTest::judgesBindings()
{
    judgeVariant();
}

void GlOrderTest::judgesObjects_data()
{
    addVariantColumns();
    const QString fence = "A glFenceSync 30; A glFlush; B glWaitSync 30; ";
    const QString fill = "A glBindBuffer 0x88EC 8; A glMapBufferRange 1 64 2 0x88EC; A glUnmapBuffer 0x88EC; ";
    const QString pack = "A draws 4; A glBindBuffer 0x88EB 8; A glReadPixels; ";
    const QString map = "B glBindBuffer 0x88EB 8; B glMapBufferRange 1 64 1 0x88EB";
    addVariant("renderbuffer", "A draws-renderbuffer 5; " + fence + "B shows-renderbuffer 5");
    addVariant("buffer, uploaded from", fill + fence + "B uploads-from-buffer 8");
    addVariant("buffer, pixels into it", pack + fence + map);
    addVariant("memory of the program beside a buffer", fill + "B glBindBuffer 0x88EC 8; B uploads 6");
    addVariant("buffer and texture of one number", fill + "B shows 8");
    addVariant("texture and renderbuffer of one number", "A draws 5; B shows-renderbuffer 5");
    addVariant("mapped to read only",
               "A glBindBuffer 0x88EC 8; A glMapBufferRange 1 64 1 0x88EC; "
               "A glUnmapBuffer 0x88EC; B uploads-from-buffer 8");
    addVariant("another one is attached in its place",
               "A glBindFramebuffer 0x8D40 3; A glFramebufferTexture2D 0x8D40 0x8CE0 5; A draws-renderbuffer 7; "
               "B shows 5");
    addVariant("framebuffer is gone",
               "A glBindFramebuffer 0x8D40 3; A glFramebufferTexture2D 0x8D40 0x8CE0 5; A glDeleteFramebuffers 1 3; "
               "A clears-on; B shows 5");
    addVariant("a compute shader draws nothing",
               "A glBindFramebuffer 0x8D40 3; A glFramebufferTexture2D 0x8D40 0x8CE0 5; A computes; B shows 5");
    addVariant("its name is another one's", "A uploads 5; A glDeleteTextures 1 5; B samples 5");
    addVariant("one of many names", "A uploads 5; A glDeleteTextures 9 1 2 3; B samples 5");
    addVariant("a buffer's name is another one's", fill + "A glDeleteBuffers 1 8; B uploads-from-buffer 8");
    addVariant("it is another EGLImage's",
               "A uploads 5; B glBindTexture 0x0DE1 5; B glEGLImageTargetTexture2DOES 90; "
               "B draws-on");

    addVariant("renderbuffer, nothing", "A draws-renderbuffer 5; B shows-renderbuffer 5", kOrder);
    addVariant("buffer, uploaded from, nothing", fill + "B uploads-from-buffer 8", kOrder);
    addVariant("buffer, filled by a call, nothing",
               "A glBindBuffer 0x8892 8; A glBufferSubData 64 0x7f0000000000 0 0x8892; B uploads-from-buffer 8",
               kOrder);
    addVariant("buffer, pixels into it, nothing", pack + map, kOrder);
    addVariant("buffer, bound once",
               "B uploads-from-buffer 8; B glFinish; " + fill + fence + "B glTexSubImage2D 16 16 0", kBinding);
    addVariant("layer of a texture",
               "A glBindFramebuffer 0x8D40 3; A glFramebufferTextureLayer 0x8D40 0x8CE0 5; A clears-on; B shows 5",
               kOrder);
    addVariant("another name ends", "A uploads 5; A glDeleteTextures 1 6; B samples 5", kMaybe);
}

void GlOrderTest::judgesObjects()
{
    judgeVariant();
}

void GlOrderTest::judgesOverwriting_data()
{
    addVariantColumns();
    addVariant("fence of the reader", "B shows 5; B glFenceSync 31; B glFlush; A glWaitSync 31; A draws 5");
    addVariant("reader finishes", "B shows 5; B glFinish; A draws 5");
    addVariant("reader takes the pixels", "B shows 5; B glReadPixels 16 16 0x7f0000000000; A draws 5");
    addVariant("two swaps later", "B shows 5; B eglSwapBuffers 1; B eglSwapBuffers 1; A draws 5");
    addVariant("by turns", "B shows 5; A draws 6");
    addVariant("new storage", "B samples 5; A glBindTexture 0x0DE1 5; A glTexImage2D 16 16 0x7f0000000000");
    addVariant("drawn on with what is left over",
               "B samples 5; B glFenceSync 31; B glFlush; B draws-on; A glWaitSync 31; A draws 5");
    addVariant("the reader itself", "B shows 5; B draws 5");

    addVariant("overwritten", "B shows 5; A draws 5", kOverwrite);
    addVariant("flush only", "B shows 5; B glFlush; A draws 5", kOverwrite);
    addVariant("one swap later", "B shows 5; B eglSwapBuffers 1; A draws 5", kOverwrite);
    addVariant("fence before the reading", "B glFenceSync 31; B shows 5; B glFlush; A glWaitSync 31; A draws 5",
               kOverwrite);
    addVariant("writer finishes", "B shows 5; A glFinish; A draws 5", kOverwrite);
    addVariant("upload over what is sampled", "B samples 5; A uploads 5", kOverwrite);
    addVariant("pixels over what is uploaded from", "B uploads-from-buffer 8; A glBindBuffer 0x88EB 8; A glReadPixels",
               kOverwrite);
}

/// B may use what A has drawn.
void GlOrderTest::judgesOverwriting()
{
    judgeVariant("A draws 5; A glFenceSync 30; A glFlush; B glWaitSync 30");
}

/// The same handles in another process are other contexts.
void GlOrderTest::keepsProcessesApart()
{
    Contexts contexts;
    contexts.run("A draws 5");
    Judged<GlOrder> order;
    for (const std::int32_t pid : {1, 2}) {
        order.take(madeCall(JSA_CALL_eglCreateContext, 1, {10}), pid, 1, kNoFrame);
        order.take(madeCall(JSA_CALL_eglCreateContext, 2, {20, 10}), pid, 1, kNoFrame);
        order.take(madeCall(JSA_CALL_eglMakeCurrent, 3, {10}), pid, 1, kNoFrame);
        order.take(madeCall(JSA_CALL_eglMakeCurrent, 4, {20}), pid, 2, kNoFrame);
    }
    const auto take = [&](std::int32_t pid, std::int32_t tid, jsa_call function,
                          std::array<std::uint64_t, 5> argument) {
        order.take(madeCall(function, 10, argument), pid, tid, kNoFrame);
    };
    take(1, 1, JSA_CALL_glBindTexture, {0x0DE1, 5});
    take(1, 1, JSA_CALL_glTexSubImage2D, {16, 16, 0x7f0000000000});
    take(2, 1, JSA_CALL_glFinish, {});
    const auto sample = [&](std::int32_t pid) {
        take(pid, 2, JSA_CALL_glBindTexture, {0x0DE1, 5});
        take(pid, 2, JSA_CALL_DRAWN, {JSA_CALL_glDrawArrays});
    };
    sample(2);
    QCOMPARE(order.findings(0, {}).size(), std::size_t{0});
    sample(1);
    QCOMPARE(order.findings(0, {}).size(), std::size_t{1});
}

/// B deletes a fence, and before that call returns, A gets a new one with the same handle.
void GlOrderTest::believesFencesWithTheSameHandle()
{
    for (const bool overlaps : {true, false}) {
        Contexts contexts;
        contexts.run("A draws 5");
        const std::int64_t begun = contexts.nextNs();
        contexts.run("A glFenceSync 30");
        contexts.run("A glFlush");
        AttachEvent end = madeCall(JSA_CALL_glDeleteSync, contexts.nextNs(), {30});
        end.startNs = overlaps ? begun : end.startNs;
        contexts.take(end, 2);
        contexts.run("B glWaitSync 30");
        contexts.run("B shows 5");
        QCOMPARE(contexts.found(), overlaps ? QString() : kOrder);
    }
}

/// A program that never deletes its fences is followed all the same.
void GlOrderTest::believesProgramsThatKeepFences()
{
    Contexts contexts;
    contexts.run("A glFenceSync 1");
    for (int i = 2; i < 40'000; ++i) {
        contexts.run("A draws 5");
        contexts.run(QString("A glFenceSync %1").arg(i));
        contexts.run("A glFlush");
        contexts.run(QString("B glWaitSync %1").arg(i));
        contexts.run("B shows 5");
        contexts.run("B glFinish");
    }
    QCOMPARE(contexts.found(), QString());
    contexts.run("A draws 5");
    contexts.run("B glWaitSync 1"); // It may be any.
    contexts.run("B shows 5");
    QCOMPARE(contexts.found(), QString());
    contexts.run("B glFinish");
    contexts.run("A draws 5");
    contexts.run("B shows 5");
    QCOMPARE(contexts.found(), kOrder);
}

void GlOrderTest::saysWhatIsNotChecked()
{
    Contexts contexts;
    const auto reasonOf = [&](const std::string &what) {
        for (const WasteCheck &check : contexts.checks())
            if (check.what == what)
                return QString::fromStdString(check.reason);
        return QString("no such check");
    };
    for (const char *what : {"hazard-gl-order", "hazard-gl-binding", "hazard-gl-flush", "hazard-gl-overwrite"})
        QCOMPARE(reasonOf(what), QString());
    QVERIFY(reasonOf("hazard-gl-shaders").contains("shaders"));
    QCOMPARE(reasonOf("hazard-gl-images"), QString("no such check"));
    contexts.run("A glEGLImageTargetTexture2DOES 90");
    QVERIFY(reasonOf("hazard-gl-images").contains("EGLImage"));
    const Judged<GlOrder> none;
    QVERIFY(none.checks({}).at(0).reason.find("eglCreateContext") != std::string::npos);
    Judged<GlOrder> glx;
    glx.take(madeCall(JSA_CALL_glXMakeCurrent, 1, {10}), 1, 1, kNoFrame);
    QVERIFY(glx.checks({}).at(0).reason.find("GLX") != std::string::npos);
}

JETSCOPE_TEST(GlOrderTest)
#include "tst_glorder.moc"
