// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/link.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <array>
#include <future>
#include <mutex>
#include <sys/socket.h>

using namespace jetscope;

namespace {

/// Both ends of a socket, or of two pipes.
std::pair<LinkEnds, LinkEnds> connected(bool pipes)
{
    std::array<int, 2> one{};
    std::array<int, 2> other{};
    if (!pipes) {
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, one.data()) != 0)
            qFatal("no sockets");
        return {LinkEnds{FileDescriptor(one[0]), FileDescriptor(dup(one[0]))},
                LinkEnds{FileDescriptor(one[1]), FileDescriptor(dup(one[1]))}};
    }
    if (pipe(one.data()) != 0 || pipe(other.data()) != 0)
        qFatal("no pipes");
    return {LinkEnds{FileDescriptor(one[0]), FileDescriptor(other[1])},
            LinkEnds{FileDescriptor(other[0]), FileDescriptor(one[1])}};
}

/// One end, with what came and how it ended.
struct End {
    explicit End(LinkEnds ends, Link::MeasuresClock measures = Link::MeasuresClock::No)
        : link(std::move(ends), measures)
    {
        link.start(
            [this](Message message) {
                const std::lock_guard lock(mutex);
                bytes += message.content.size();
                messages.push_back(std::move(message));
            },
            [this](std::optional<Error> error) {
                const std::lock_guard lock(mutex);
                why = error ? error->text : "";
                isOver = true;
            });
    }
    std::size_t count()
    {
        const std::lock_guard lock(mutex);
        return messages.size();
    }
    bool isEnded()
    {
        const std::lock_guard lock(mutex);
        return isOver;
    }
    QString reason()
    {
        const std::lock_guard lock(mutex);
        return QString::fromStdString(why);
    }

    std::mutex mutex;
    std::vector<Message> messages;
    std::size_t bytes = 0;
    bool isOver = false;
    std::string why;
    Link link; ///< Ends first.
};

Message block(std::size_t size = 1000)
{
    return messageOf(FileBlock{1, 0, std::vector<std::byte>(size)});
}

/// What a far end writes that is no Jetscope.
void writeText(int descriptor, std::string_view text)
{
    if (::write(descriptor, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
        qFatal("the text cannot be written");
}

} // namespace

class TestLink : public QObject {
    Q_OBJECT

private slots:
    void twoEndsTalk_data()
    {
        QTest::addColumn<bool>("pipes");
        QTest::newRow("socket") << false;
        QTest::newRow("pipes") << true;
    }
    void twoEndsTalk()
    {
        QFETCH(bool, pipes);
        auto ends = connected(pipes);
        End a(std::move(ends.first));
        End b(std::move(ends.second));
        const Result<Hello> hello = a.link.waitForHello(std::chrono::seconds(20));
        QVERIFY(hello.ok());
        QCOMPARE(hello.value().pid, static_cast<std::uint32_t>(getpid()));
        for (int i = 0; i < 2000; ++i) {
            QVERIFY(a.link.waitForBulk());
            QVERIFY(a.link.send(block()));
            QVERIFY(b.link.send(messageOf(CommandSignal{1, CommandSignal::Signal::Kill})));
        }
        QTRY_COMPARE(b.count(), std::size_t{2000});
        QTRY_COMPARE(a.count(), std::size_t{2000});
        a.link.close("all was said");
        QTRY_VERIFY(b.isEnded() && a.isEnded());
        QCOMPARE(b.reason(), "all was said");
        QCOMPARE(a.reason(), "");
        QVERIFY(!b.link.send(block()));
    }

    void whoReadsNothingDelaysNobody()
    {
        auto ends = connected(true);
        End a(std::move(ends.first));
        // The other one says hello and grants much, and then never reads.
        Encoder encoder;
        Hello hello = ownHello();
        hello.features.clear(); // It is sent what is not packed.
        std::vector<std::byte> bytes = encoder.begin(hello);
        const std::vector<std::byte> grant = encoder.encode(messageOf(Grant{MessageClass::Spans, 1 << 20}));
        bytes.insert(bytes.end(), grant.begin(), grant.end());
        QVERIFY(::write(ends.second.out.get(), bytes.data(), bytes.size()) > 0);
        QVERIFY(a.link.waitForHello(std::chrono::seconds(20)).ok());
        const auto spans = [] { return Message{MessageKind::SpanUpdate, std::vector<std::byte>(100'000)}; };
        QTRY_VERIFY(a.link.send(spans()));
        int sent = 0;
        for (int i = 0; i < 1000; ++i)
            sent += a.link.send(spans()) ? 1 : 0;
        QVERIFY(sent < 20);
        QVERIFY(a.link.notSent().messages[static_cast<std::size_t>(MessageClass::Spans)] > 980);
        QVERIFY(!a.isEnded());
        // What may not be left out ends the connection at last.
        bool isSent = true;
        for (int i = 0; i < 1000 && isSent; ++i)
            isSent = a.link.send({MessageKind::Head, std::vector<std::byte>(100'000)});
        QVERIFY(!isSent);
        QTRY_VERIFY(a.isEnded());
        QVERIFY2(a.reason().contains("does not read"), qPrintable(a.reason()));
        QVERIFY(a.link.waitingBytes() <= Outbox::kMaxWaiting + (2 << 20));
    }

    void aCutIsNoticed()
    {
        auto ends = connected(true);
        End a(std::move(ends.first));
        {
            const LinkEnds closed = std::move(ends.second);
        }
        QTRY_VERIFY(a.isEnded());
        QVERIFY(!a.link.waitForHello(std::chrono::seconds(20)).ok());
    }

    void otherTextIsShown()
    {
        auto ends = connected(true);
        End a(std::move(ends.first));
        writeText(ends.second.out.get(), "bash: jetscope: command not found\n");
        ends.second.out.reset();
        const Result<Hello> hello = a.link.waitForHello(std::chrono::seconds(20));
        QVERIFY(!hello.ok());
        QVERIFY2(hello.error().text.find("command not found") != std::string::npos, hello.error().text.c_str());
    }

    void loginScriptsMayPrint()
    {
        auto ends = connected(true);
        End a(std::move(ends.first));
        writeText(ends.second.out.get(), "Welcome to Ubuntu\r\n");
        End b(std::move(ends.second));
        QVERIFY(a.link.waitForHello(std::chrono::seconds(20)).ok());
    }

    void garbageEndsIt()
    {
        auto ends = connected(false);
        End a(std::move(ends.first));
        writeText(ends.second.out.get(), "JETSCOPE1\nGET / HTTP/1.1\r\n\r\n");
        QTRY_VERIFY(a.isEnded());
        QVERIFY(a.reason().contains("The far end sent"));
    }

    void clocksOfOneMachineAgreeWithinTheBound()
    {
        auto ends = connected(false);
        End a(std::move(ends.first), Link::MeasuresClock::Yes);
        End b(std::move(ends.second));
        QTRY_VERIFY(a.link.clockOffset().has_value());
        const ClockOffset offset = *a.link.clockOffset();
        QVERIFY2(std::abs(offset.offsetNs) <= offset.boundNs,
                 qPrintable(QString("%1 ±%2").arg(offset.offsetNs).arg(offset.boundNs)));
        QVERIFY(!b.link.clockOffset().has_value());
    }

    void endsWhileTheFarEndHangs()
    {
        auto ends = connected(true);
        auto a = std::make_unique<End>(std::move(ends.first));
        for (int i = 0; i < 100; ++i)
            a->link.send({MessageKind::Head, std::vector<std::byte>(100'000)});
        const auto ended = std::async(std::launch::async, [&a] { a.reset(); });
        QVERIFY(ended.wait_for(std::chrono::seconds(20)) == std::future_status::ready);
    }
};

JETSCOPE_TEST(TestLink)
#include "tst_link.moc"
