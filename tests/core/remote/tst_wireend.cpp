// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/remote/wire/wireend.h"

#include "tests/support/testprogram.h"

#include <QTest>

using namespace jetscope;

namespace {

/// All that an end sends now.
std::vector<Message> sent(WireEnd &end)
{
    std::vector<Message> messages;
    while (std::optional<Message> message = end.outbox().next())
        messages.push_back(*std::move(message));
    return messages;
}

Message output(std::size_t bytes)
{
    return messageOf(CommandOutput{1, CommandOutput::Stream::Output, std::vector<std::byte>(bytes)});
}

} // namespace

class TestWireEnd : public QObject {
    Q_OBJECT

private slots:
    void grantsWholeWindowsAtFirst()
    {
        WireEnd end;
        const std::vector<Message> first = sent(end);
        QCOMPARE(first.size(), CreditWindows::whole().size());
        for (const Message &message : first)
            QCOMPARE(message.kind, MessageKind::Grant);
    }

    void answersAPing()
    {
        WireEnd end;
        sent(end);
        QVERIFY(end.takes(messageOf(Ping{17}), 40));
        const std::vector<Message> answers = sent(end);
        QCOMPARE(answers.size(), std::size_t{1});
        const auto pong = contentOf<Pong>(answers.front());
        QVERIFY(answers.front().kind == MessageKind::Pong && pong);
        QCOMPARE(pong->pingSentNs, std::int64_t{17});
        QCOMPARE(pong->pingCameNs, std::int64_t{40});
    }

    void packsOnlyForWhoCanUnpack()
    {
        WireEnd end;
        Hello hello = ownHello();
        hello.features = {"other"};
        QVERIFY(end.takes(messageOf(hello), 0) && !end.mayPack());
        hello.features.emplace_back(kZstdFeature);
        QVERIFY(end.takes(messageOf(hello), 0) && end.mayPack());
        QCOMPARE(end.farHello()->features.size(), std::size_t{2});
    }

    /// What is not for the end itself is granted anew when it was used, not before.
    void grantsWhatWasUsed()
    {
        WireEnd end;
        sent(end);
        const Message message = output(200 << 10);
        QVERIFY(!end.takes(message, 0));
        QVERIFY(sent(end).empty());
        QVERIFY(end.used(message));
        const std::vector<Message> grants = sent(end);
        QCOMPARE(grants.size(), std::size_t{1});
        const auto grant = contentOf<Grant>(grants.front());
        QVERIFY(grant && grant->messageClass == MessageClass::Bulk && grant->bytes == message.content.size());
    }

    void theFarEndsGrantsCount()
    {
        WireEnd end;
        sent(end);
        end.outbox().add(output(10));
        QVERIFY(sent(end).empty());
        QVERIFY(end.takes(messageOf(Grant{MessageClass::Bulk, 100}), 0));
        QCOMPARE(sent(end).size(), std::size_t{1});
    }

    void nothingFollowsAGoodbye()
    {
        WireEnd end;
        sent(end);
        QVERIFY(!end.farGoodbye());
        end.sayGoodbye("enough");
        end.sayGoodbye("once more");
        QVERIFY(end.takes(messageOf(Ping{1}), 2));
        QVERIFY(!end.used(output(200 << 10)));
        const std::vector<Message> last = sent(end);
        QCOMPARE(last.size(), std::size_t{1});
        WireEnd other;
        QVERIFY(other.takes(last.front(), 0));
        QCOMPARE(other.farGoodbye().value_or(""), std::string("enough"));
    }

    /// A far end that asks and never reads is noticed, and costs no memory.
    void pingsOfADeafEndAreBounded()
    {
        WireEnd end;
        const Message ping = messageOf(Ping{1});
        for (std::size_t i = 0; i <= Outbox::kMaxWaiting / ping.content.size() && !end.outbox().hasOverflown(); ++i)
            QVERIFY(end.takes(ping, 0));
        QVERIFY(end.outbox().hasOverflown());
        QVERIFY(end.outbox().waitingBytes() <= Outbox::kMaxWaiting);
    }
};

JETSCOPE_TEST(TestWireEnd)
#include "tst_wireend.moc"
