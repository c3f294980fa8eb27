// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/remote/picture/png.h"
#include "gpu/remote/jpegpicture.h"
#include "gpu/remote/remotepictures.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <mutex>

using namespace jetscope;

namespace {

RgbaPicture plain(int width, int height)
{
    RgbaPicture picture{width, height, {}};
    for (int i = 0; i < width * height; ++i)
        for (const int value : {i, i / width, 40, 255})
            picture.rgba.push_back(static_cast<std::byte>(value));
    return picture;
}

Picture sent(std::uint32_t frame, int width = 64, int height = 36)
{
    Picture picture{1, frame, frame + 1000, 1280, 720, {}};
    if (auto jpeg = jpegOf(plain(width, height), 75); jpeg.ok())
        picture.jpeg = jpeg.value();
    return picture;
}

} // namespace

/// What a laptop does with pictures of a board, which may be hostile.
class TestRemotePictures : public QObject {
    Q_OBJECT
    std::mutex m_mutex;
    std::vector<Message> m_sent;
    std::unique_ptr<RemotePictures> m_pictures;

    std::vector<Message> sentOf(MessageKind kind)
    {
        const std::lock_guard lock(m_mutex);
        std::vector<Message> found;
        for (const Message &message : m_sent)
            if (message.kind == kind)
                found.push_back(message);
        return found;
    }
    std::uint32_t fetchId() { return contentOf<ReadFrame>(sentOf(MessageKind::ReadFrame).back())->id; }
    BoardPicture shown() { return {7, 1007, 64, 36, plain(32, 18)}; }
    /// Sends a file as the board does, from a byte on.
    void sendFile(std::uint32_t id, const std::vector<std::byte> &file, std::size_t from = 0)
    {
        for (std::size_t at = from; at < file.size(); at += kMaxWholeBlock) {
            const std::size_t end = std::min(file.size(), at + kMaxWholeBlock);
            QVERIFY(m_pictures->take(messageOf(WholeFrame{
                id,
                file.size(),
                at,
                {file.begin() + static_cast<std::ptrdiff_t>(at), file.begin() + static_cast<std::ptrdiff_t>(end)},
                {}})));
        }
    }
    std::optional<BoardPicture> reduced()
    {
        std::optional<BoardPicture> picture;
        static_cast<void>(QTest::qWaitFor([&] { return (picture = m_pictures->takeReduced()).has_value(); }));
        return picture;
    }
    std::optional<Result<BoardPicture>> whole()
    {
        std::optional<Result<BoardPicture>> whole;
        static_cast<void>(QTest::qWaitFor([&] {
            whole = m_pictures->takeWhole();
            return whole.has_value();
        }));
        return whole;
    }

private slots:
    void init()
    {
        if (*jpegTrouble())
            QSKIP(jpegTrouble());
        m_sent.clear();
        m_pictures = std::make_unique<RemotePictures>([this](Message message) {
            const std::lock_guard lock(m_mutex);
            m_sent.push_back(std::move(message));
        });
        m_pictures->follow(1);
    }
    void cleanup() { m_pictures.reset(); }

    void oneIsAskedForAtATime()
    {
        m_pictures->ask();
        m_pictures->ask();
        QCOMPARE(sentOf(MessageKind::WantPicture).size(), std::size_t{1});
        QVERIFY(m_pictures->take(messageOf(sent(5))));
        const std::optional<BoardPicture> picture = reduced();
        QVERIFY(picture);
        QCOMPARE(picture->frame, 5U);
        QCOMPARE(picture->number, std::uint64_t{1005});
        QCOMPARE(picture->width, 1280);
        QCOMPARE(picture->picture.width, 64);
        m_pictures->ask();
        QCOMPARE(sentOf(MessageKind::WantPicture).size(), std::size_t{2});
    }

    /// A hidden window asks for none: what comes all the same is not even unpacked.
    void whatNobodyAskedForIsDropped()
    {
        QVERIFY(m_pictures->take(messageOf(sent(5))));
        Picture other = sent(6);
        other.pipeline = 2;
        m_pictures->ask();
        QVERIFY(m_pictures->take(messageOf(other)));
        QVERIFY(m_pictures->take(messageOf(sent(7))));
        const std::optional<BoardPicture> picture = reduced();
        QVERIFY(picture);
        QCOMPARE(picture->frame, 7U);
    }

    void brokenOnesAreCounted()
    {
        std::vector<Picture> all;
        Picture broken = sent(1);
        broken.jpeg.resize(broken.jpeg.size() / 2);
        all.push_back(broken);
        broken.jpeg.clear();
        all.push_back(broken);
        broken.jpeg.assign(1000, std::byte{0xff});
        all.push_back(broken);
        all.push_back(sent(2, 641, 10)); // Larger than any of ours.
        std::uint64_t count = 0;
        for (const Picture &each : all) {
            m_pictures->ask();
            QVERIFY(m_pictures->take(messageOf(each)));
            ++count;
            QTRY_COMPARE(m_pictures->broken(), count);
            QVERIFY(!m_pictures->takeReduced());
        }
        m_pictures->ask(); // It goes on.
        QVERIFY(m_pictures->take(messageOf(sent(3))));
        QVERIFY(reduced());
    }

    void sizesThatCannotBeEndTheConnection()
    {
        Picture picture = sent(1);
        picture.width = 0;
        QVERIFY(!m_pictures->take(messageOf(picture)));
        picture.width = picture.height = 16000; // More pixels than are read.
        QVERIFY(!m_pictures->take(messageOf(picture)));
        picture = sent(1);
        picture.jpeg.resize(kMaxPreviewBytes + 1);
        QVERIFY(!m_pictures->take(messageOf(picture)));
        QVERIFY(!m_pictures->take(messageOf(WholeFrame{1, std::uint64_t{1} << 40, 0, {}, {}})));
        QVERIFY(!m_pictures->take(messageOf(WholeFrame{1, 100, 0, std::vector<std::byte>(101), {}})));
        QVERIFY(!m_pictures->take(messageOf(WholeFrame{1, 100, 101, {}, {}})));
        QVERIFY(!m_pictures->take({MessageKind::Picture, std::vector<std::byte>(3)}));
    }

    void aWholeFrameIsFetched()
    {
        const RgbaPicture frame = plain(64, 36);
        const std::vector<std::byte> file = pngOf(frame).value();
        m_pictures->fetchWhole(shown());
        QVERIFY(m_pictures->progress());
        QCOMPARE(contentOf<ReadFrame>(sentOf(MessageKind::ReadFrame).back())->frame, std::optional<std::uint32_t>(7));
        sendFile(fetchId(), file);
        const auto got = whole();
        QVERIFY(got && got->ok());
        QVERIFY(got->value().picture.rgba == frame.rgba);
        QVERIFY(got->value().file == file);
        QCOMPARE(got->value().number, std::uint64_t{1007});
        QVERIFY(!m_pictures->progress());
    }

    void partsOfHostileBoards_data()
    {
        QTest::addColumn<int>("fault");
        for (int fault = 0; fault < 5; ++fault)
            QTest::addRow("%d", fault) << fault;
    }
    void partsOfHostileBoards()
    {
        QFETCH(int, fault);
        std::vector<std::byte> file = pngOf(plain(fault == 0 ? 65 : 64, 36)).value();
        m_pictures->fetchWhole(shown());
        const std::uint32_t id = fetchId();
        if (fault == 1)
            file[file.size() / 2] ^= std::byte{1};
        if (fault <= 1) {
            sendFile(id, file);
        } else if (fault == 2) { // Out of order.
            sendFile(id, file, 1);
        } else if (fault == 3) { // Far larger than such a frame can be.
            QVERIFY(m_pictures->take(messageOf(WholeFrame{id, 100 << 20, 0, std::vector<std::byte>(100), {}})));
        } else { // Another size than before.
            QVERIFY(m_pictures->take(messageOf(WholeFrame{id, 200, 0, std::vector<std::byte>(100), {}})));
            QVERIFY(m_pictures->take(messageOf(WholeFrame{id, 201, 100, std::vector<std::byte>(100), {}})));
        }
        const auto got = whole();
        QVERIFY(got && !got->ok());
        QCOMPARE(m_pictures->broken(), std::uint64_t{1});
        QVERIFY(!m_pictures->progress());
    }

    void aFetchIsCancelled()
    {
        m_pictures->fetchWhole(shown());
        const std::uint32_t id = fetchId();
        m_pictures->cancelWhole();
        QVERIFY(!m_pictures->progress());
        const auto told = contentOf<ReadFrame>(sentOf(MessageKind::ReadFrame).back());
        QVERIFY(told && told->id == id && !told->frame);
        sendFile(id, pngOf(plain(64, 36)).value()); // It was on its way.
        QVERIFY(!m_pictures->takeWhole());
    }

    void aBoardSaysWhyNot()
    {
        m_pictures->fetchWhole(shown());
        QVERIFY(m_pictures->take(messageOf(WholeFrame{fetchId(), 0, 0, {}, "it is gone"})));
        const auto got = whole();
        QVERIFY(got && !got->ok());
        QCOMPARE(got->error().text, std::string("it is gone"));
        QCOMPARE(m_pictures->broken(), std::uint64_t{0});
        QVERIFY(m_pictures->take(messageOf(NoPictures{1, "no JPEG there"})));
        QCOMPARE(m_pictures->trouble(), std::string("no JPEG there"));
        QVERIFY(m_pictures->take(messageOf(NoPictures{2, "of another pipeline"})));
        QCOMPARE(m_pictures->trouble(), std::string("no JPEG there"));
    }

    void afterACutItAsksAgain()
    {
        m_pictures->ask();
        m_pictures->fetchWhole(shown());
        m_pictures->connected();
        QCOMPARE(sentOf(MessageKind::WantPicture).size(), std::size_t{2});
        const auto got = whole();
        QVERIFY(got && !got->ok());
    }
};

JETSCOPE_TEST(TestRemotePictures)
#include "tst_remotepictures.moc"
