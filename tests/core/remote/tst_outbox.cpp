// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/remote/wire/outbox.h"
#include "tests/support/testprogram.h"

#include <QTest>

using namespace jetscope;

namespace {

Message of(MessageKind kind, std::size_t size = 100)
{
    return {kind, std::vector<std::byte>(size)};
}

std::uint64_t notSent(const Outbox &box, MessageClass messageClass)
{
    return box.notSent().messages[static_cast<std::size_t>(messageClass)];
}

} // namespace

class TestOutbox : public QObject {
    Q_OBJECT

private slots:
    void withoutCreditNothingIsSent()
    {
        Outbox box;
        for (const MessageKind kind : {MessageKind::SpanUpdate, MessageKind::FigureUpdate, MessageKind::Picture})
            QVERIFY(box.add(of(kind)) == Outbox::Added::NoCredit);
        QVERIFY(!box.hasNext() && !box.next());
        QCOMPARE(notSent(box, MessageClass::Spans), std::uint64_t{1});
        QCOMPARE(notSent(box, MessageClass::Notices), std::uint64_t{0});
        QCOMPARE(box.waitingBytes(), std::size_t{0});
    }

    void controlAndNoticesNeedNone()
    {
        Outbox box;
        QVERIFY(box.add(of(MessageKind::Head)) == Outbox::Added::Yes);
        QVERIFY(box.add(of(MessageKind::Answer)) == Outbox::Added::Yes);
        QVERIFY(box.next()->kind == MessageKind::Answer);
        QVERIFY(box.next()->kind == MessageKind::Head);
    }

    void creditIsUsedUpByBytes()
    {
        Outbox box;
        box.grant({MessageClass::Spans, 150});
        QVERIFY(box.add(of(MessageKind::SpanUpdate)) == Outbox::Added::Yes);
        QVERIFY(box.add(of(MessageKind::SpanUpdate)) == Outbox::Added::Yes); // It begins with 50 left.
        QVERIFY(box.add(of(MessageKind::SpanUpdate)) == Outbox::Added::NoCredit);
        box.grant({MessageClass::Spans, 50}); // Pays what was taken in advance.
        QVERIFY(box.add(of(MessageKind::SpanUpdate)) == Outbox::Added::NoCredit);
        box.grant({MessageClass::Spans, 1});
        QVERIFY(box.add(of(MessageKind::SpanUpdate)) == Outbox::Added::Yes);
        QCOMPARE(notSent(box, MessageClass::Spans), std::uint64_t{2});
    }

    void urgentOnesOvertake()
    {
        Outbox box;
        for (const Grant &grant : CreditWindows::whole())
            box.grant(grant);
        const std::array kinds{MessageKind::Picture,      MessageKind::FileBlock, MessageKind::SpanUpdate,
                               MessageKind::FigureUpdate, MessageKind::Head,      MessageKind::Pong};
        for (const MessageKind kind : kinds)
            box.add(of(kind));
        for (auto kind = kinds.rbegin(); kind != kinds.rend(); ++kind)
            QVERIFY(box.next()->kind == *kind);
    }

    void bulkWaitsForCredit()
    {
        Outbox box;
        QVERIFY(box.wantsBulk());
        QVERIFY(box.add(of(MessageKind::FileBlock)) == Outbox::Added::Yes);
        QVERIFY(box.add(of(MessageKind::FileEnd)) == Outbox::Added::Yes);
        QVERIFY(!box.wantsBulk() && !box.hasNext());
        box.grant({MessageClass::Bulk, 100});
        QVERIFY(box.next()->kind == MessageKind::FileBlock);
        QVERIFY(!box.next());
        box.grant({MessageClass::Bulk, 1});
        QVERIFY(box.next()->kind == MessageKind::FileEnd);
        QCOMPARE(notSent(box, MessageClass::Bulk), std::uint64_t{0});
    }

    void onlyTheLatestPictureWaits()
    {
        Outbox box;
        box.grant({MessageClass::Pictures, 150});
        for (std::size_t size = 50; size < 100; ++size)
            QVERIFY(box.add(of(MessageKind::Picture, size)) == Outbox::Added::Yes);
        QCOMPARE(box.next()->content.size(), std::size_t{99});
        QVERIFY(!box.next());
        QCOMPARE(notSent(box, MessageClass::Pictures), std::uint64_t{49});
    }

    void whatMayNotBeLeftOutIsBounded()
    {
        Outbox box;
        Outbox::Added added = Outbox::Added::Yes;
        for (int i = 0; i < 100 && added == Outbox::Added::Yes; ++i)
            added = box.add(of(MessageKind::Head, 1 << 20));
        QVERIFY(added == Outbox::Added::Overflow);
        QVERIFY(box.waitingBytes() <= Outbox::kMaxWaiting);
        QVERIFY(Outbox().add(of(MessageKind::Answer, kMaxMessageBytes + 1)) == Outbox::Added::Overflow);
    }

    void hostileGrantsDoNotOverflow()
    {
        Outbox box;
        for (int i = 0; i < 1000; ++i)
            for (std::size_t each = 0; each < kMessageClassCount; ++each)
                box.grant({static_cast<MessageClass>(each), 0xffffffff});
        QVERIFY(box.add(of(MessageKind::SpanUpdate)) == Outbox::Added::Yes);
    }

    /// Two ends: what is on the way and waits never exceeds the windows, however much is offered.
    void aWindowBoundsWhatIsOnTheWay()
    {
        Outbox box;
        CreditWindows windows;
        for (const Grant &grant : CreditWindows::whole())
            box.grant(grant);
        std::deque<Message> onTheWay;
        std::size_t most = 0;
        std::size_t came = 0;
        for (int turn = 0; turn < 10'000; ++turn) {
            for (int i = 0; i < 3; ++i)
                box.add(of(MessageKind::SpanUpdate, 1000));
            while (std::optional<Message> message = box.next())
                onTheWay.push_back(std::move(*message));
            most = std::max(most, onTheWay.size());
            if (onTheWay.empty())
                continue;
            ++came;
            if (const std::optional<Grant> grant = windows.taken(onTheWay.front()))
                box.grant(*grant);
            onTheWay.pop_front();
        }
        QVERIFY(most <= 140);
        QCOMPARE(came, std::size_t{10'000}); // The far end is never without something to do.
        QVERIFY(notSent(box, MessageClass::Spans) > 15'000);
    }
};

JETSCOPE_TEST(TestOutbox)
#include "tst_outbox.moc"
