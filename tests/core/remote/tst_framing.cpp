// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/remote/wire/framing.h"
#include "core/remote/wire/packing.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <cstring>
#include <random>

using namespace jetscope;

namespace {

using Bytes = std::vector<std::byte>;

Bytes bytesOf(std::string_view text)
{
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

void append(Bytes &to, const Bytes &more)
{
    to.insert(to.end(), more.begin(), more.end());
}

Message someOutput(std::size_t size, std::byte value = std::byte{'x'})
{
    return messageOf(CommandOutput{1, CommandOutput::Stream::Output, Bytes(size, value)});
}

Bytes noisyBytes(std::size_t size)
{
    Bytes bytes(size);
    std::mt19937 random(1);
    for (std::byte &byte : bytes)
        byte = static_cast<std::byte>(random());
    return bytes;
}

/// A whole conversation of one end: small, empty, large and packed messages.
Bytes conversation(bool packs, std::vector<Message> *messages = nullptr)
{
    Encoder encoder;
    const Hello hello = ownHello();
    Bytes bytes = encoder.begin(hello);
    if (packs)
        encoder.allowPacking();
    std::vector<Message> sent{messageOf(Ping{5}), someOutput(0), someOutput(100'000),
                              messageOf(FileBlock{1, 0, noisyBytes(20'000)}), messageOf(Goodbye{"the end"})};
    for (const Message &message : sent)
        append(bytes, encoder.encode(message));
    if (messages) {
        *messages = sent;
        messages->insert(messages->begin(), messageOf(hello));
    }
    return bytes;
}

std::vector<Message> decoded(Decoder &decoder, const Bytes &bytes, std::size_t piece)
{
    std::vector<Message> messages;
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
        decoder.feed(std::span(bytes).subspan(at, std::min(piece, bytes.size() - at)));
        while (std::optional<Message> message = decoder.next())
            messages.push_back(std::move(*message));
    }
    return messages;
}

bool same(const std::vector<Message> &a, const std::vector<Message> &b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Message &one, const Message &other) {
        return one.kind == other.kind && one.content == other.content;
    });
}

/// The text of the error after these bytes; empty if there is none.
QString errorOf(const Bytes &bytes)
{
    Decoder decoder;
    decoded(decoder, bytes, bytes.size());
    return decoder.error() ? QString::fromStdString(decoder.error()->text) : QString();
}

Bytes frame(std::uint32_t size, std::uint8_t kind, std::uint32_t sequence, const Bytes &content = {})
{
    Bytes bytes;
    for (const std::uint32_t number : {size, sequence}) {
        for (unsigned i = 0; i < 4; ++i)
            bytes.push_back(static_cast<std::byte>(number >> (8 * i)));
        if (bytes.size() == 4)
            bytes.push_back(static_cast<std::byte>(kind));
    }
    append(bytes, content);
    return bytes;
}

Bytes afterHello(const Bytes &more)
{
    Bytes bytes = Encoder().begin(ownHello());
    append(bytes, more);
    return bytes;
}

std::uint8_t numberOf(MessageKind kind)
{
    return static_cast<std::uint8_t>(kind);
}

} // namespace

class TestFraming : public QObject {
    Q_OBJECT

private slots:
    void piecesOfAnySizeGiveTheSameMessages()
    {
        for (const bool packs : {false, true}) {
            std::vector<Message> sent;
            const Bytes bytes = conversation(packs, &sent);
            for (const std::size_t piece : {std::size_t{1}, std::size_t{2}, std::size_t{7}, std::size_t{1000},
                                            std::size_t{65'536}, bytes.size()}) {
                Decoder decoder;
                QVERIFY2(same(decoded(decoder, bytes, piece), sent), qPrintable(QString::number(piece)));
                QVERIFY(!decoder.errorAtEnd());
                QCOMPARE(decoder.hello()->build, ownHello().build);
            }
        }
    }

    void everyCutIsNoticed()
    {
        const Bytes bytes = conversation(false);
        std::size_t whole = 0;
        for (std::size_t size = 0; size < bytes.size(); size += size < 2000 ? 1 : 97) {
            Decoder decoder;
            decoded(decoder, Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)), size + 1);
            whole += decoder.errorAtEnd() ? 0 : 1;
            QVERIFY(!decoder.error());
        }
        QVERIFY(whole <= 6); // Only between two messages.
    }

    void largeMessagesArePackedIfTheFarEndCan()
    {
        if (!packsMessages())
            QSKIP("This build has no zstd");
        Encoder plain;
        Encoder packing;
        packing.allowPacking();
        QVERIFY(packing.encode(someOutput(100'000)).size() * 20 < plain.encode(someOutput(100'000)).size());
        QCOMPARE(packing.encode(someOutput(4'000)).size(), plain.encode(someOutput(4'000)).size());
        // What does not become smaller is sent as it is.
        const Message noise = messageOf(FileBlock{1, 0, noisyBytes(20'000)});
        QCOMPARE(packing.encode(noise).size(), plain.encode(noise).size());
    }

    void noiseBeforeTheMarkerIsKept()
    {
        const Bytes noise = bytesOf("Welcome to Ubuntu 22.04\r\nJETSCOPE\nJETSCOPE1JETSCOPE1\r\n");
        Bytes bytes = noise;
        append(bytes, conversation(false));
        for (const std::size_t piece : {std::size_t{1}, std::size_t{3}, bytes.size()}) {
            Decoder decoder;
            QCOMPARE(decoded(decoder, bytes, piece).size(), std::size_t{6});
            QVERIFY(bytesOf(decoder.noise()) == noise);
        }
    }

    void noiseEndsAt64KiB()
    {
        Bytes most(kMaxNoise, std::byte{'.'});
        append(most, conversation(false));
        Decoder decoder;
        QCOMPARE(decoded(decoder, most, 1000).size(), std::size_t{6});
        Bytes more(kMaxNoise + 1, std::byte{'.'});
        append(more, conversation(false));
        Decoder other;
        QVERIFY(decoded(other, more, 1000).empty());
        QVERIFY(other.error());
        QCOMPARE(other.noise().size(), kMaxNoise);
    }

    void textWithoutAMarkerIsShown()
    {
        Decoder decoder;
        decoded(decoder, bytesOf("bash: jetscope: command not found\n"), 5);
        QCOMPARE(QString::fromStdString(decoder.noise()), QString("bash: jetscope: command not found\n"));
        QVERIFY(!decoder.error());
        QVERIFY(decoder.errorAtEnd());
    }

    void anotherProtocolIsSaid()
    {
        Hello hello = ownHello();
        hello.protocol = kProtocol + 1;
        hello.build = "9.0.0-abc";
        Bytes bytes = Encoder().begin(hello);
        append(bytes, conversation(false));
        Decoder decoder;
        QVERIFY(decoded(decoder, bytes, 10).empty());
        QCOMPARE(decoder.error()->code, long{kProtocol + 1});
        QCOMPARE(decoder.hello()->build, std::string("9.0.0-abc"));
        // Of which nothing else needs to be readable.
        Bytes short_ = bytesOf(kMarker);
        Wire wire;
        wire(hello.protocol, hello.build);
        append(short_, frame(static_cast<std::uint32_t>(wire.bytes().size()), 0, 0, wire.bytes()));
        Decoder other;
        decoded(other, short_, 1);
        QVERIFY(other.hello() && other.hello()->build == hello.build);
    }

    void violationsEndTheStream_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("error");
        const auto row = [](const char *name, const Bytes &bytes, const char *error) {
            QTest::newRow(name) << QByteArray(reinterpret_cast<const char *>(bytes.data()),
                                              static_cast<qsizetype>(bytes.size()))
                                << error;
        };
        const std::uint8_t ping = numberOf(MessageKind::Ping);
        Bytes first = bytesOf(kMarker);
        append(first, frame(0, ping, 0));
        row("no hello", first, "no hello");
        row("sequence again", afterHello(frame(0, ping, 0)), "message 0 in place of 1");
        row("sequence skipped", afterHello(frame(0, ping, 2)), "message 2 in place of 1");
        row("oversized", afterHello(frame(kMaxMessageBytes + 1, ping, 1)), "16777217 bytes");
        row("oversized, all bits", afterHello(frame(0xffffffff, ping, 1)), "4294967295 bytes");
        row("unknown kind", afterHello(frame(0, kMessageKindCount, 1)), "unknown kind");
        row("second hello", afterHello(frame(0, 0, 1)), "unknown kind");
        row("packed garbage", afterHello(frame(4, ping | 0x80U, 1, bytesOf("abcd"))), "packed");
        Bytes largeHello = bytesOf(kMarker);
        append(largeHello, frame(70'000, 0, 0));
        row("large hello", largeHello, "70000 bytes");
        Bytes badHello = bytesOf(kMarker);
        append(badHello, frame(4, 0, 0, {std::byte{kProtocol}, std::byte{0}, std::byte{0}, std::byte{0}}));
        row("cut hello", badHello, "hello that cannot be read");
    }
    void violationsEndTheStream()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, error);
        Bytes all = bytesOf({bytes.constData(), static_cast<std::size_t>(bytes.size())});
        QVERIFY2(errorOf(all).contains(error), qPrintable(errorOf(all)));
        // Nothing comes after it.
        Decoder decoder;
        decoded(decoder, all, all.size());
        QVERIFY(decoded(decoder, conversation(false), 1000).empty());
    }

    void whatUnpacksToTooMuchIsRefused()
    {
        if (!packsMessages())
            QSKIP("This build has no zstd");
        const auto packedZeros = [](std::size_t size) { return *pack(Bytes(size)); };
        const auto framed = [](const Bytes &packed) {
            return afterHello(frame(static_cast<std::uint32_t>(packed.size()),
                                    static_cast<std::uint8_t>(numberOf(MessageKind::Ping) | 0x80U), 1, packed));
        };
        QVERIFY(errorOf(framed(packedZeros(kMaxMessageBytes))).isEmpty());
        QVERIFY(errorOf(framed(packedZeros(kMaxMessageBytes + 1))).contains("packed"));
        QVERIFY(errorOf(framed(packedZeros(100 << 20))).contains("packed"));
        Bytes cut = packedZeros(100'000);
        cut.pop_back();
        QVERIFY(errorOf(framed(cut)).contains("packed"));
        Bytes twice = packedZeros(100'000);
        append(twice, packedZeros(1000));
        QVERIFY(errorOf(framed(twice)).contains("packed"));
    }
};

JETSCOPE_TEST(TestFraming)
#include "tst_framing.moc"
