// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
// Against the examples of FIPS 180-4 and against Qt's implementation.
#include "core/text/sha256.h"
#include "tests/support/testprogram.h"

#include <QCryptographicHash>
#include <QTest>

#include <algorithm>

namespace {

std::string hashOf(const QByteArray &bytes, qsizetype piece)
{
    jetscope::Sha256 hash;
    for (qsizetype at = 0; at < bytes.size(); at += piece)
        hash.add(std::as_bytes(std::span(bytes.data() + at, std::min<std::size_t>(piece, bytes.size() - at))));
    return hash.hex();
}

} // namespace

class TestSha256 : public QObject {
    Q_OBJECT

private slots:
    void isThatOfTheStandard_data();
    void isThatOfTheStandard();
    void isThatOfQtAtEachLengthAndCut();
    void canBeReadBetween();
};

void TestSha256::isThatOfTheStandard_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("expected");
    QTest::newRow("nothing") << QByteArray()
                             << QByteArray("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    QTest::newRow("one block") << QByteArray("abc")
                               << QByteArray("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    QTest::newRow("two blocks") << QByteArray("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
                                << QByteArray("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    QTest::newRow("a million") << QByteArray(1'000'000, 'a')
                               << QByteArray("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

void TestSha256::isThatOfTheStandard()
{
    QFETCH(const QByteArray, bytes);
    QFETCH(const QByteArray, expected);
    QCOMPARE(QByteArray::fromStdString(hashOf(bytes, 4096)), expected);
}

void TestSha256::isThatOfQtAtEachLengthAndCut()
{
    QByteArray bytes;
    for (int length = 0; length < 200; ++length) {
        const QByteArray expected = QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex();
        for (const int piece : {1, 7, 63, 64, 65, 200})
            QCOMPARE(QByteArray::fromStdString(hashOf(bytes, piece)), expected);
        bytes.append(static_cast<char>(length * 37 + 11));
    }
}

void TestSha256::canBeReadBetween()
{
    jetscope::Sha256 hash;
    hash.add(std::as_bytes(std::span("ab", 2)));
    QCOMPARE(hash.hex(), hashOf("ab", 2));
    hash.add(std::as_bytes(std::span("c", 1)));
    QCOMPARE(hash.hex(), hashOf("abc", 3));
}

JETSCOPE_TEST(TestSha256)
#include "tst_sha256.moc"
