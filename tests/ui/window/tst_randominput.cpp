// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Random keys, clicks, commands and sizes over all workspaces and dialogs, while the files that are open change on
// disk. The program must not crash, and the window must answer. JETSCOPE_RANDOM_SECONDS sets the length,
// JETSCOPE_RANDOM_SEED the sequence: the test says both. What random input reaches, it may delete: the test runs only
// where nothing can be written, which tests/support/sealed.sh makes.
#include "tests/support/fakewindow.h"
#include "ui/files/traceopener.h"

#include <QAction>
#include <QApplication>
#include <QContextMenuEvent>
#include <QDesktopServices>
#include <QDialog>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QMap>
#include <QMenu>
#include <QPointer>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>

#include <algorithm>
#include <array>
#include <functional>
#include <random>
#include <utility>
#include <vector>

using namespace jetscope;

namespace {

constexpr int kSeconds = 8;
constexpr qint64 kGoalMs = 250;    ///< For a release build that has the machine for itself; longer ones are listed.
constexpr qint64 kHangMs = 10'000; ///< No event may take longer, in any build and beside other tests.

/// Twenty frames of two threads and a stream.
QByteArray smallTrace(int frames)
{
    QByteArray text = "[";
    for (int i = 0; i < frames; ++i) {
        const auto add = [&](const char *name, const char *category, int thread, int from, int length) {
            text += QStringLiteral(R"({"name":"%1","cat":"%2","ph":"X","pid":1,"tid":%3,"ts":%4,"dur":%5},)")
                        .arg(QLatin1String(name), QLatin1String(category))
                        .arg(thread)
                        .arg(i * 1000 + from)
                        .arg(length)
                        .toLatin1();
        };
        add("step", "user_annotation", 1, 0, 990);
        add("cudaLaunchKernel", "cuda_runtime", 1, 100, 20);
        add("load", "cpu_op", 2, 0, 700);
        add("blur", "kernel", 7, 150, 500);
    }
    text.chop(1);
    return text + "]";
}

constexpr char kLog[] =
    "11-20-2025 10:00:0%1 RAM 2000/7620MB (lfb 10x4MB) CPU [10%@1510,20%@1510,off] GR3D_FREQ 40%@620 "
    "cpu@50C gpu@48C VDD_IN 5000mW/5000mW VDD_CPU_GPU_CV 1200mW/1200mW\n";

/// Whether nothing on this machine can be written but the folder for temporary files, by what the kernel says itself.
bool isSealed()
{
    const auto lines = [](const char *path) {
        QFile file(QString::fromLatin1(path));
        return file.open(QIODevice::ReadOnly) ? file.readAll().split('\n') : QList<QByteArray>();
    };
    QMap<QByteArray, bool> writable; // By place: of several, the last one covers the others.
    for (const QByteArray &line : lines("/proc/self/mountinfo")) {
        const QList<QByteArray> fields = line.split(' ');
        if (fields.size() > 5)
            writable[fields[4]] = !fields[5].split(',').contains("ro");
    }
    const QList<QByteArray> places = writable.keys(true);
    const bool onlyTemporary = places == QList<QByteArray>{QFile::encodeName(QDir::tempPath())};
    return onlyTemporary && lines("/proc/self/status").contains("CapEff:\t0000000000000000");
}

QByteArray boardLog()
{
    QString text;
    for (int second = 0; second < 8; ++second)
        text += QString::fromLatin1(kLog).arg(second);
    return text.toLatin1();
}

} // namespace

class TestRandomInput : public QObject {
    Q_OBJECT
public slots:
    void openNothing(const QUrl &) {} // In place of the desktop's programs.

private slots:
    void initTestCase();
    void cleanupTestCase();
    void theWindowAnswers();

private:
    int number(int below) { return std::uniform_int_distribution<int>(0, below - 1)(m_random); }
    QPoint pointIn(const QWidget &widget)
    {
        return {number(std::max(widget.width(), 1)), number(std::max(widget.height(), 1))};
    }
    QWidget *target();
    void keys();
    void mouse();
    void command();
    void resize();
    void changeFile();
    void openFile();
    void frames();
    void step();
    void closeOne();
    void look();

    std::mt19937 m_random;
    QTemporaryDir m_folder;
    std::unique_ptr<FakeWindow> m_fake;
    std::uint32_t m_frame = 0;
    QElapsedTimer m_all;
    QElapsedTimer m_since; ///< The last step.
    qint64 m_endMs = 0;
    bool m_isOver = false;
    quint64 m_steps = 0;
    std::vector<std::pair<qint64, QString>> m_slow; ///< What took longer than the goal, with its time.
    QString m_last;                                 ///< What was done last.
};

void TestRandomInput::cleanupTestCase()
{
    QDesktopServices::unsetUrlHandler(QStringLiteral("file"));
}

void TestRandomInput::initTestCase()
{
    if (!isSealed())
        QSKIP("random input may delete files: run this by tests/support/sealed.sh");
    QVERIFY(m_folder.isValid());
    QDesktopServices::setUrlHandler(QStringLiteral("file"), this, "openNothing");
    const int seed = qEnvironmentVariableIntValue("JETSCOPE_RANDOM_SEED");
    m_random.seed(static_cast<std::mt19937::result_type>(seed));
    qInfo("seed %d", seed);
    m_fake = std::make_unique<FakeWindow>();
    m_fake->window().show();
    changeFile();
    QVERIFY(m_fake->open());
}

/// What the next key or click goes to: a popup or dialog before the window, as on a screen.
QWidget *TestRandomInput::target()
{
    QWidget *top = QApplication::activePopupWidget();
    if (!top)
        top = QApplication::activeModalWidget();
    if (!top) {
        QList<QWidget *> open = {&m_fake->window()};
        for (QDialog *dialog : m_fake->window().findChildren<QDialog *>())
            if (dialog->isVisible())
                open += dialog;
        top = open[number(static_cast<int>(open.size()))];
    }
    return top;
}

void TestRandomInput::keys()
{
    // Few letters: no word that is typed into a field for a program is one.
    static constexpr std::array kKeys = {Qt::Key_A,      Qt::Key_E,           Qt::Key_I,
                                         Qt::Key_O,      Qt::Key_U,           Qt::Key_0,
                                         Qt::Key_1,      Qt::Key_2,           Qt::Key_3,
                                         Qt::Key_9,      Qt::Key_Period,      Qt::Key_Tab,
                                         Qt::Key_Tab,    Qt::Key_Backtab,     Qt::Key_Escape,
                                         Qt::Key_Enter,  Qt::Key_Return,      Qt::Key_Space,
                                         Qt::Key_Left,   Qt::Key_Right,       Qt::Key_Up,
                                         Qt::Key_Down,   Qt::Key_Home,        Qt::Key_End,
                                         Qt::Key_PageUp, Qt::Key_PageDown,    Qt::Key_Z,
                                         Qt::Key_F,      Qt::Key_M,           Qt::Key_P,
                                         Qt::Key_X,      Qt::Key_Y,           Qt::Key_K,
                                         Qt::Key_B,      Qt::Key_D,           Qt::Key_Plus,
                                         Qt::Key_Minus,  Qt::Key_BracketLeft, Qt::Key_BracketRight,
                                         Qt::Key_Delete, Qt::Key_F1,          Qt::Key_F3,
                                         Qt::Key_F5,     Qt::Key_F6,          Qt::Key_Menu};
    static constexpr std::array<Qt::KeyboardModifiers::enum_type, 6> kModifiers = {
        Qt::NoModifier, Qt::NoModifier, Qt::NoModifier, Qt::ControlModifier, Qt::ShiftModifier, Qt::AltModifier};
    QWidget *top = target();
    QWidget *to = top->focusWidget() ? top->focusWidget() : top;
    const Qt::Key key = kKeys[static_cast<std::size_t>(number(static_cast<int>(kKeys.size())))];
    const auto modifiers = kModifiers[static_cast<std::size_t>(number(static_cast<int>(kModifiers.size())))];
    m_last = QStringLiteral("key %1 with %2 to %3")
                 .arg(key)
                 .arg(modifiers)
                 .arg(QLatin1String(to->metaObject()->className()));
    QTest::keyClick(to, key, modifiers);
}

void TestRandomInput::mouse()
{
    QWidget *top = target();
    QPointer<QWidget> under = top->childAt(pointIn(*top));
    if (!under)
        under = top;
    const QPoint at = pointIn(*under);
    QWidget *owner = under->parentWidget() ? under->parentWidget() : top;
    m_last = QStringLiteral("mouse on %1 %2 in %3 %4")
                 .arg(QLatin1String(under->metaObject()->className()), under->objectName(),
                      QLatin1String(owner->metaObject()->className()), owner->objectName());
    switch (number(6)) {
    case 0:
        QTest::mouseDClick(under, Qt::LeftButton, Qt::NoModifier, at);
        break;
    case 1:
        QTest::mousePress(under, Qt::LeftButton, Qt::NoModifier, at);
        for (int i = 0; i < 4 && under; ++i)
            QTest::mouseMove(under, pointIn(*under));
        if (under)
            QTest::mouseRelease(under, Qt::LeftButton, Qt::NoModifier, pointIn(*under));
        break;
    case 2: {
        QWheelEvent event(at, under->mapToGlobal(at), {}, {0, number(2) == 0 ? 120 : -120}, Qt::NoButton,
                          number(2) == 0 ? Qt::ControlModifier : Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(under, &event);
        break;
    }
    case 3: {
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, under->mapToGlobal(at));
        QApplication::sendEvent(under, &event);
        break;
    }
    default:
        QTest::mouseClick(under, Qt::LeftButton, number(4) == 0 ? Qt::ShiftModifier : Qt::NoModifier, at);
    }
}

void TestRandomInput::command()
{
    const QList<QAction *> actions = m_fake->window().findChildren<QAction *>();
    QAction *action = actions[number(static_cast<int>(actions.size()))];
    if (QApplication::activeModalWidget() || !action->isEnabled() || action->menu())
        return;
    m_last = QStringLiteral("command ") + action->text();
    action->trigger();
}

void TestRandomInput::resize()
{
    static constexpr std::array kSizes = {QSize(640, 400), QSize(1024, 600), QSize(1366, 768), QSize(1600, 1000)};
    m_last = QStringLiteral("resize");
    m_fake->window().resize(kSizes[static_cast<std::size_t>(number(static_cast<int>(kSizes.size())))]);
}

/// Writes, cuts or removes one of the files, as other programs do under one's feet.
void TestRandomInput::changeFile()
{
    const auto write = [this](const char *name, const QByteArray &content) {
        QFile file(m_folder.filePath(QLatin1String(name)));
        if (file.open(QIODevice::WriteOnly))
            file.write(content);
    };
    m_last = QStringLiteral("files");
    switch (number(4)) {
    case 0:
        write("steps.json", smallTrace(20).left(1500));
        break;
    case 1:
        QFile::remove(m_folder.filePath(QStringLiteral("steps.json")));
        break;
    default:
        write("steps.json", smallTrace(20));
        write("board.log", boardLog());
        write("noise.jscope", QByteArray(5000, 'x'));
    }
}

void TestRandomInput::openFile()
{
    const QStringList names = QDir(m_folder.path()).entryList(QDir::Files);
    m_fake->chosenPath = names.isEmpty() || number(4) == 0
        ? QString()
        : m_folder.filePath(names[number(static_cast<int>(names.size()))]);
    m_last = QStringLiteral("open ") + m_fake->chosenPath;
    if (!QApplication::activeModalWidget() && !m_fake->chosenPath.isEmpty())
        m_fake->window().trace().opener().open(m_fake->chosenPath);
}

void TestRandomInput::frames()
{
    m_last = QStringLiteral("frames");
    if (m_fake->window().live().session().phase() != Session::Phase::Open)
        return;
    scriptFrames(m_fake->pipeline(), m_frame, 5);
    m_frame += 5;
    m_fake->poll();
}

void TestRandomInput::step()
{
    look();
    if (m_isOver)
        return;
    QTimer::singleShot(0, this, &TestRandomInput::step); // First: this one may be in the loop of a menu for long.
    if (m_all.elapsed() >= m_endMs) {
        closeOne(); // Its loop ends, and what waits below it goes on.
        return;
    }
    ++m_steps;
    if (m_fake->window().isHidden())
        m_fake->window().show(); // It was closed.
    const int which = number(100);
    if (which < 40)
        keys();
    else if (which < 80)
        mouse();
    else if (which < 88)
        frames();
    else if (which < 93)
        command();
    else if (which < 95)
        resize();
    else if (which < 98)
        openFile();
    else
        changeFile();
}

void TestRandomInput::closeOne()
{
    if (QWidget *popup = QApplication::activePopupWidget())
        popup->close();
    else if (auto *dialog = qobject_cast<QDialog *>(QApplication::activeModalWidget()))
        dialog->reject();
}

/// How long the event loop was away since the last step.
void TestRandomInput::look()
{
    for (QWidget *top : QApplication::topLevelWidgets())
        if (top->inherits("QFileDialog"))
            qFatal("A real dialog about files is open, after: %s", qPrintable(m_last));
    const qint64 tookMs = m_since.isValid() ? m_since.restart() : 0;
    if (!m_since.isValid())
        m_since.start();
    if (tookMs > kGoalMs)
        m_slow.emplace_back(tookMs, m_last);
}

void TestRandomInput::theWindowAnswers()
{
    const int wanted = qEnvironmentVariableIntValue("JETSCOPE_RANDOM_SECONDS");
    m_endMs = 1000 * (wanted > 0 ? wanted : kSeconds);
    m_all.start();
    step();
    while (m_all.elapsed() < m_endMs || QApplication::activePopupWidget() || QApplication::activeModalWidget())
        QTest::qWait(20);
    m_isOver = true;
    qInfo("%llu steps in %lld ms, %zu of them longer than %lld ms", m_steps, m_all.elapsed(), m_slow.size(), kGoalMs);
    std::sort(m_slow.begin(), m_slow.end(), std::greater<>());
    for (std::size_t i = 0; i < std::min<std::size_t>(m_slow.size(), 8); ++i)
        qInfo("%lld ms: %s", m_slow[i].first, qPrintable(m_slow[i].second));
    QVERIFY(m_steps > 100);
    const auto [longestMs, what] = m_slow.empty() ? std::pair<qint64, QString>() : m_slow.front();
    QVERIFY2(longestMs < kHangMs, qPrintable(what));
    m_fake.reset(); // With whatever is open.
}

QTEST_MAIN(TestRandomInput)
#include "tst_randominput.moc"
