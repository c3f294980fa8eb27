// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/scriptedboard.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QFile>

#include <atomic>
#include <mutex>

using namespace jetscope;
using jetscope::testing::ScriptedBoard;
using jetscope::testing::socketEnds;

/// Boards and laptops that say of captures what cannot be.
class TestHostileCaptures : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> m_laptop;

    std::string here() const { return m_laptop->filePath("fetched.jscope").toStdString(); }

private slots:
    void init() { m_laptop = std::make_unique<QTemporaryDir>(); }

    /// A board that sends of files what cannot be.
    void aHostileBoardIsLeft()
    {
        const std::vector<Message> bad{
            messageOf(FileBlock{9, 0, std::vector<std::byte>(10)}), // Nobody asked for it.
            messageOf(FileEnd{9, 0, "", ""}),
            messageOf(CancelFile{1}),
            messageOf(ClockSaid{"a", 1, 2, 3}),
            messageOf(RecordingState{1, true, "../../etc/passwd.jscope", 1, 1, 0, 0, "", ""}),
            {MessageKind::Recording, {std::byte{1}}},
        };
        for (const Message &message : bad)
            QVERIFY(isLeft([&](Link &far, const Message &came) {
                if (const auto ask = contentOf<Ask>(came); came.kind == MessageKind::Ask && ask) {
                    Answer answer;
                    answer.id = ask->id;
                    far.send(messageOf(answer));
                    far.send(message);
                }
            }));
    }

    void hostileFilesAreNotTaken_data()
    {
        QTest::addColumn<int>("kind");
        QTest::newRow("a name that is a path") << 0;
        QTest::newRow("a hole") << 1;
        QTest::newRow("a block that is too large") << 2;
        QTest::newRow("more than there is") << 3;
        QTest::newRow("less than there is") << 4;
        QTest::newRow("another sum") << 5;
        QTest::newRow("no sum") << 6;
        QTest::newRow("larger than any disk") << 7;
        QTest::newRow("it refuses for ever") << 8;
    }
    void hostileFilesAreNotTaken()
    {
        QFETCH(int, kind);
        std::unique_ptr<Link> far;
        const auto answers = [&](Link &link, const Message &came) {
            if (came.kind == MessageKind::Join)
                link.send(messageOf(Joined{"session", true, 0, {}}));
            if (const auto ask = contentOf<Ask>(came); came.kind == MessageKind::Ask && ask) {
                Answer answer;
                answer.id = ask->id;
                if (ask->question == Ask::Question::Captures)
                    answer.captures.captures = {{kind == 0 ? "../big.jscope" : "big.jscope",
                                                 kind == 7 ? kMostCaptureBytes : std::uint64_t{1000}, 0, 0, false, "1",
                                                 ""}};
                link.send(messageOf(answer));
            }
            if (const auto wish = contentOf<ReadFile>(came); came.kind == MessageKind::ReadFile && wish) {
                const std::size_t size = kind == 2 ? kMaxFileBlock + 1 : kind == 3 ? 2000 : kind == 4 ? 500 : 1000;
                if (kind != 8)
                    link.send(messageOf(FileBlock{wish->id, std::uint64_t{kind == 1}, std::vector<std::byte>(size)}));
                link.send(messageOf(FileEnd{wish->id, 1000, kind == 8 ? "no\x1b[2J" : "", kind == 5 ? "abc" : ""}));
            }
        };
        auto host = RemoteHost::connect([&]() -> Result<LinkEnds> {
            far.reset();
            auto ends = socketEnds().value();
            far = std::make_unique<Link>(std::move(ends.second));
            far->start([&, link = far.get()](const Message &came) { answers(*link, came); },
                       [](const std::optional<Error> &) {});
            return std::move(ends.first);
        });
        QVERIFY(host.ok());
        // What breaks the protocol cuts the connection; then a fetch tries again until it is cancelled.
        std::atomic<int> aways{0};
        const Status fetched = host.value()->fetchCapture("big.jscope", here(), [&](const FetchProgress &progress) {
            aways += progress.step == FetchProgress::Step::Away ? 1 : 0;
            return aways < 3;
        });
        QVERIFY(!fetched.ok());
        QVERIFY2(fetched.error().text.find('\x1b') == std::string::npos, fetched.error().text.c_str());
        QVERIFY(!QFile::exists(QString::fromStdString(here())));
        QVERIFY(!QFile::exists(m_laptop->path() + "/../big.jscope"));
        host = Error{"", 0, ""};
        far.reset();
    }

    /// A laptop that asks for what is not in the folder, or for what cannot be.
    void hostileLaptopsGetNothing()
    {
        ScriptedBoard board;
        QDir().mkpath(QString::fromStdString(board.captures()));
        QFile big(QString::fromStdString(board.captures() + "/big.jscope"));
        QVERIFY(big.open(QIODevice::WriteOnly) && big.write(QByteArray(1 << 20, 'x')) == 1 << 20);
        big.close();
        const auto connecting = RemoteHost::connect(board.dialer());
        QVERIFY(connecting.ok());
        const auto &good = connecting.value();
        auto ends = socketEnds().value();
        board.server->add(std::move(ends.second));
        std::mutex mutex;
        std::vector<FileEnd> ended;
        std::atomic<std::size_t> blocks{0};
        std::atomic<bool> isLeft{false};
        Link link(std::move(ends.first));
        link.start(
            [&](const Message &came) {
                blocks += came.kind == MessageKind::FileBlock ? 1 : 0;
                const std::lock_guard lock(mutex);
                if (const auto end = contentOf<FileEnd>(came); came.kind == MessageKind::FileEnd && end)
                    ended.push_back(*end);
            },
            [&](const std::optional<Error> &) { isLeft = true; });
        link.send(messageOf(Join()));
        std::uint32_t id = 0;
        for (const char *path : {"/etc/passwd", "../captures/big.jscope", "", "big.jscope\n", "none.jscope"}) {
            link.send(messageOf(ReadFile{++id, path, 0, ""}));
            QTRY_COMPARE(
                [&] {
                    const std::lock_guard lock(mutex);
                    return ended.size();
                }(),
                std::size_t{id});
            QVERIFY(!ended.back().error.empty());
        }
        QCOMPARE(blocks.load(), std::size_t{0});
        link.send(messageOf(ReadFile{++id, "big.jscope", std::uint64_t{1} << 60, ""})); // Behind its end.
        QTRY_COMPARE(
            [&] {
                const std::lock_guard lock(mutex);
                return ended.size();
            }(),
            std::size_t{id});
        QCOMPARE(blocks.load(), std::size_t{0});
        for (int i = 0; i < 100; ++i) // Only the newest wish counts.
            link.send(messageOf(ReadFile{++id, "big.jscope", 0, ""}));
        QTRY_VERIFY([&] {
            const std::lock_guard lock(mutex);
            return ended.back().id == id && ended.back().error.empty() && !ended.back().sum.empty();
        }());
        QVERIFY(!isLeft);
        link.send({MessageKind::ReadFile, {std::byte{1}}});
        QTRY_VERIFY(isLeft);
        QVERIFY(good->captures().ok());
    }

private:
    /// Whether a board that answers so is left by a laptop.
    static bool isLeft(const std::function<void(Link &, const Message &)> &answers)
    {
        std::unique_ptr<Link> far;
        std::atomic<int> dials{0};
        std::atomic<bool> isLeft{false};
        auto host = RemoteHost::connect([&]() -> Result<LinkEnds> {
            if (++dials > 1)
                return Error{"", 0, "it is not dialled again here"};
            auto ends = socketEnds().value();
            far = std::make_unique<Link>(std::move(ends.second));
            far->start(
                [&](const Message &came) {
                    if (came.kind == MessageKind::Join)
                        far->send(messageOf(Joined{"session", true, 0, {}}));
                    answers(*far, came);
                },
                [&](const std::optional<Error> &) { isLeft = true; });
            return std::move(ends.first);
        });
        const bool left = QTest::qWaitFor([&] { return isLeft.load(); }, 10'000);
        host = Error{"", 0, ""};
        far.reset();
        return left;
    }
};

JETSCOPE_TEST(TestHostileCaptures)
#include "tst_hostilecaptures.moc"
