// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/remote/picture/png.h"
#include "gpu/remote/jpegpicture.h"
#include "tests/support/testprogram.h"
#include "ui/remote/boardpictureview.h"

#include <QBuffer>
#include <QImageWriter>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <mutex>
#include <span>

using namespace jetscope;

namespace {

RgbaPicture shaded(int width, int height)
{
    RgbaPicture picture{width, height, {}};
    for (int i = 0; i < width * height; ++i)
        for (const int value : {i % width / 4, i / width / 4, 90, 255})
            picture.rgba.push_back(static_cast<std::byte>(value));
    return picture;
}

} // namespace

/// The pane of a board's pictures, with a board that the test plays.
class TestBoardPictureView : public QObject {
    Q_OBJECT
    std::mutex m_mutex;
    std::vector<Message> m_sent;
    std::shared_ptr<RemotePictures> m_pictures;
    std::unique_ptr<BoardPictureView> m_view;

    std::size_t sent(MessageKind kind)
    {
        const std::lock_guard lock(m_mutex);
        return static_cast<std::size_t>(
            std::count_if(m_sent.begin(), m_sent.end(), [kind](const Message &each) { return each.kind == kind; }));
    }
    ReadFrame lastRead()
    {
        const std::lock_guard lock(m_mutex);
        for (auto message = m_sent.rbegin(); message != m_sent.rend(); ++message)
            if (message->kind == MessageKind::ReadFrame)
                return *contentOf<ReadFrame>(*message);
        return {};
    }
    void sendReduced(std::uint32_t frame, int width = 640, int height = 360)
    {
        QVERIFY(m_pictures->take(
            messageOf(Picture{1, frame, frame + 100, 1280, 720, jpegOf(shaded(width, height), 75).value()})));
    }
    void sendWhole()
    {
        const std::vector<std::byte> file = pngOf(shaded(1280, 720)).value();
        for (std::size_t at = 0; at < file.size(); at += kMaxWholeBlock) {
            const auto from = file.begin() + static_cast<std::ptrdiff_t>(at);
            const auto size = static_cast<std::ptrdiff_t>(std::min(kMaxWholeBlock, file.size() - at));
            QVERIFY(m_pictures->take(messageOf(WholeFrame{lastRead().id, file.size(), at, {from, from + size}, {}})));
        }
    }
    void showOne(std::uint32_t frame)
    {
        sendReduced(frame);
        QTRY_VERIFY(m_view->label().contains(QString::number(frame + 100)));
    }

private slots:
    void init()
    {
        if (*jpegTrouble())
            QSKIP(jpegTrouble());
        m_sent.clear();
        m_pictures = std::make_shared<RemotePictures>([this](Message message) {
            const std::lock_guard lock(m_mutex);
            m_sent.push_back(std::move(message));
        });
        m_pictures->follow(1);
        m_view = std::make_unique<BoardPictureView>();
        m_view->resize(800, 450);
        m_view->setPictures(m_pictures, QStringLiteral("orin-lab-3"));
    }
    void cleanup()
    {
        m_view.reset();
        m_pictures.reset();
    }

    void aWindowThatNobodySeesAsksForNone()
    {
        QCOMPARE(sent(MessageKind::WantPicture), std::size_t{0}); // It was not shown yet.
        m_view->show();
        QCOMPARE(sent(MessageKind::WantPicture), std::size_t{1});
        showOne(1);
        QTRY_COMPARE(sent(MessageKind::WantPicture), std::size_t{2}); // While seen, one after the other.
        m_view->hide();
        showOne(2); // It was on its way.
        QCOMPARE(sent(MessageKind::WantPicture), std::size_t{2});
        m_view->show();
        QCOMPARE(sent(MessageKind::WantPicture), std::size_t{3});
        m_view->showMinimized();
        showOne(3);
        QCOMPARE(sent(MessageKind::WantPicture), std::size_t{3});
        m_view->showNormal();
        QTRY_COMPARE(sent(MessageKind::WantPicture), std::size_t{4});
    }

    void whatWasReducedIsWrittenOnThePicture()
    {
        m_view->show();
        QVERIFY(!m_view->whyNoFetch().isEmpty());
        const QImage before = m_view->grab().toImage();
        showOne(1);
        QCOMPARE(m_view->label(), QStringLiteral("orin-lab-3 · frame 101 · preview 640 × 360 of 1280 × 720, JPEG"));
        QVERIFY(m_view->accessibleDescription().contains(m_view->label()));
        QVERIFY(m_view->grab().toImage() != before);
        QVERIFY(m_view->whyNoFetch().isEmpty());
    }

    void aFrameIsFetchedWhole_data()
    {
        QTest::addColumn<bool>("byKey");
        QTest::newRow("by a click") << false;
        QTest::newRow("by a key") << true;
    }
    void aFrameIsFetchedWhole()
    {
        QFETCH(bool, byKey);
        m_view->show();
        showOne(7);
        if (byKey)
            QTest::keyClick(m_view.get(), Qt::Key_Return);
        else
            QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, {400, 200});
        QCOMPARE(lastRead().frame, std::optional<std::uint32_t>(7));
        QVERIFY(m_view->isFetching() && m_view->findChild<QProgressBar *>()->isVisible());
        sendReduced(8); // Of another frame than the one that is fetched.
        sendWhole();
        QTRY_VERIFY(m_view->whole());
        QCOMPARE(m_view->label(), QStringLiteral("orin-lab-3 · whole frame 107 · 1280 × 720, without loss"));
        QCOMPARE(m_view->image().size(), QSize(1280, 720));
        QCOMPARE(m_view->image().pixelColor(403, 204), QColor(100, 51, 90));
        QVERIFY(!m_view->findChild<QProgressBar *>()->isVisible());
        const QImage saved = QImage::fromData(reinterpret_cast<const uchar *>(m_view->whole()->file.data()),
                                              static_cast<int>(m_view->whole()->file.size()), "PNG");
        QCOMPARE(saved.pixelColor(403, 204), QColor(100, 51, 90)); // Other programs read it, too.
        const std::size_t asked = sent(MessageKind::WantPicture);
        QTest::keyClick(m_view.get(), Qt::Key_Escape);
        QVERIFY(!m_view->whole());
        QTRY_COMPARE(sent(MessageKind::WantPicture), asked + 1);
    }

    /// A small file of many passes takes minutes to unpack; none of ours has more than one.
    void filesOfManyPassesAreRefused()
    {
        QImage image(64, 64, QImage::Format_RGB32);
        image.fill(Qt::red);
        for (const bool isProgressive : {false, true}) {
            QByteArray bytes;
            QBuffer buffer(&bytes);
            QImageWriter writer(&buffer, "JPEG");
            writer.setProgressiveScanWrite(isProgressive);
            QVERIFY(writer.write(image));
            const auto file = std::as_bytes(std::span(bytes.constData(), static_cast<std::size_t>(bytes.size())));
            QCOMPARE(readJpeg(file, 640).ok(), !isProgressive);
        }
    }

    void draggingMovesAndFetchesNothing()
    {
        m_view->show();
        showOne(1);
        QTest::keyClick(m_view.get(), Qt::Key_Plus);
        QTest::mousePress(m_view.get(), Qt::LeftButton, {}, {400, 200});
        QTest::mouseMove(m_view.get(), {460, 230});
        QTest::mouseRelease(m_view.get(), Qt::LeftButton, {}, {460, 230});
        QVERIFY(!m_view->isFetching());
    }

    void aFetchIsCancelledOrFails()
    {
        m_view->show();
        showOne(1);
        QSignalSpy failed(m_view.get(), &BoardPictureView::fetchFailed);
        m_view->fetchWhole();
        QTest::mouseClick(m_view->cancelButton(), Qt::LeftButton);
        QVERIFY(!m_view->isFetching() && !lastRead().frame);
        QCOMPARE(failed.count(), 0);
        m_view->fetchWhole();
        QVERIFY(m_pictures->take(messageOf(WholeFrame{lastRead().id, 0, 0, {}, "the board has newer frames only"})));
        QTRY_COMPARE(failed.count(), 1);
        QVERIFY(failed[0][0].toString().contains(QStringLiteral("newer frames")));
        QVERIFY(!m_view->isFetching());
    }

    void whyNoneComeIsTold()
    {
        QSignalSpy troubled(m_view.get(), &BoardPictureView::troubled);
        m_view->show();
        QVERIFY(m_pictures->take(messageOf(NoPictures{1, "the board has no JPEG"})));
        QTRY_COMPARE(troubled.count(), 1);
        QCOMPARE(troubled[0][0].toString(), QStringLiteral("the board has no JPEG"));
    }
};

JETSCOPE_TEST(TestBoardPictureView)
#include "tst_boardpictureview.moc"
