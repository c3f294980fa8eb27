// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/openwindow.h"

#include "gpu/remote/pipelinehost.h"
#include "gpu/sources/framesource.h"
#include "gpu/stages/kernelstage.h"
#include "ui/remote/sshconnector.h"
#include "ui/session/displayprobe.h"
#include "ui/session/glshare.h"
#include "ui/session/leavenow.h"
#include "ui/session/relaunch.h"
#include "ui/session/settings.h"
#include "ui/session/worker.h"
#include "ui/style/icons.h"
#include "ui/style/messagebar.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"
#include "ui/window/firstscene.h"
#include "ui/window/liveworkspace.h"
#include "ui/window/mainwindow.h"
#include "ui/window/screenshot.h"
#include "ui/window/traceworkspace.h"
#include "ui/window/windowremote.h"

#include <QApplication>
#include <QDir>
#include <QSocketNotifier>
#include <QTimer>

#include <cstdio>
#include <cstdlib>

namespace jetscope {

namespace {

constexpr int kExitFailed = 1;
constexpr int kExitWrongUsage = 2;

WindowParts realParts()
{
    auto display = std::make_shared<PipelineDisplay>(findGlShare());
    WindowParts parts;
    parts.host = localHost(display);
    parts.connectBoard = sshConnector();
    parts.sshConfig = QDir::home().filePath(QStringLiteral(".ssh/config"));
    parts.openSource = sourceOpener();
    parts.relaunch = relaunch;
    parts.display = [display] { return display->opened(); };
    parts.video.share = display->share();
    parts.video.openReadback = readbackOpener(display);
    return parts;
}

QtMessageHandler g_loud = nullptr; ///< The usual handler of messages, where the user wants them all.

/// Hides messages of Qt below Critical, unless QT_LOGGING_RULES is set.
void silenceQt(QtMsgType type, const QMessageLogContext &context, const QString &text)
{
    leaveIfDisplayIsGone(text);
    if (g_loud)
        return g_loud(type, context, text);
    if (text.startsWith(QLatin1String("QThread::start"))) { // The caller would wait forever for the thread.
        std::fputs("jetscope: the system allows no further thread: end other programs, or allow more threads (\"ulimit "
                   "-u\") and memory "
                   "(\"ulimit -v\").\n",
                   stderr);
        std::_Exit(kExitFailed);
    }
    if (type == QtCriticalMsg || type == QtFatalMsg)
        std::fprintf(stderr, "jetscope: %s\n", qUtf8Printable(text));
}

/// Exits with the code for wrong usage if the device does not support a choice on the command line, as without a
/// window.
void leaveOnImpossibleRequest(Session &session)
{
    QObject::connect(&session, &Session::failed, &session, [&session] {
        if (!isImpossibleRequest(session.failure()))
            return;
        std::fprintf(stderr, "jetscope: %s\n", session.failure().text.c_str());
        QCoreApplication::exit(kExitWrongUsage);
    });
}

/// Closes the window like the user would: recordings are finished and settings saved.
void closeWhenAsked(MainWindow &window, int descriptor)
{
    if (descriptor < 0)
        return;
    auto *request = new QSocketNotifier(descriptor, QSocketNotifier::Read, &window);
    QObject::connect(request, &QSocketNotifier::activated, &window, [&window, request] {
        request->setEnabled(false);
        window.close();
        QCoreApplication::quit(); // A dialog of the window may still be open.
    });
}

/// An own kernel that never ends takes the GPU from this process for good. Another one goes on without it.
void goOnWithoutEndlessKernels(MainWindow &window)
{
    onEndlessKernel([&window](const EndlessKernel &kernel) {
        const auto goOn = [&window, kernel] {
            SessionRequest request = window.live().session().request();
            request.config = window.live().session().ownChoices();
            relaunchAtOnce(withoutKernel(std::move(request), kernel.file),
                           QCoreApplication::translate("jetscope", "%1 Jetscope was started again without it.")
                               .arg(toQString(kernel.text)));
        };
        QMetaObject::invokeMethod(&window, goOn, Qt::QueuedConnection);
    });
}

/// Connects with the board, and shows a capture of it, if one is named.
void openOnBoard(MainWindow &window, const WindowOptions &options)
{
    const QString board = QString::fromStdString(options.board);
    const QString capture = QString::fromStdString(options.traceFilePath);
    QTimer::singleShot(0, &window, [&window, &options, board] {
        window.remote().connectWith(
            board, [&options](SessionRequest remembered) { return windowRequest(options, std::move(remembered)); });
    });
    if (!capture.isEmpty())
        QObject::connect(
            &window.remote(), &WindowRemote::hostChanged, &window,
            [&window, capture] { window.remote().openCapture(capture); }, Qt::SingleShotConnection);
}

/// Until the window is closed and destroyed.
int runWindow(const WindowOptions &options, Settings &settings, const QString &startedAgain)
{
    const bool forScreenshot = !options.screenshotPath.empty();
    SessionRequest request = windowRequest(options, settings.request());
    const bool nothingChosen =
        settings.isFirstStart() && !options.source && options.settings.empty() && options.traceFilePath.empty();
    if (nothingChosen)
        request.config = FirstScene::config();
    MainWindow window(realParts(), std::move(request), settings);
    if (nothingChosen)
        new FirstScene(window.live().session(), *window.messages(), window.live(), &window);
    leaveOnImpossibleRequest(window.live().session());
    closeWhenAsked(window, options.closeRequest);
    if (forScreenshot)
        new Screenshot(window, QString::fromStdString(options.screenshotPath), options.screenshotAfter);
    window.allowMotion(!forScreenshot);
    if (options.mostSpans)
        window.setMostSpans(*options.mostSpans);
    if (!options.recordPath.empty())
        window.live().files().recordFromStart(QString::fromStdString(options.recordPath));
    if (!options.board.empty())
        openOnBoard(window, options);
    else if (options.traceFilePath.empty())
        window.live().session().open();
    else
        window.trace().opener().open(QString::fromStdString(options.traceFilePath),
                                     QString::fromStdString(options.framesBy));
    goOnWithoutEndlessKernels(window);
    if (!settings.trouble().isEmpty())
        window.messages()->show(MessageBar::Kind::Warning, settings.trouble());
    if (!startedAgain.isEmpty())
        window.messages()->show(MessageBar::Kind::Error, startedAgain);
    window.show();
    const int code = QApplication::exec();
    onEndlessKernel({});
    if (options.limitEnd)
        options.limitEnd();
    return code;
}

/// What a normal end destroys is still in use by work that did not return.
void leaveIfWorkIsLate(int code)
{
    std::string what;
    for (const char *work : Worker::leftBehind())
        what += (what.empty() ? "" : ", and ") + std::string(work);
    if (!what.empty())
        leaveNow((what + " did not return in time, so the program ends without it").c_str(), code);
}

} // namespace

int openWindow(int &argc, char **argv, const WindowOptions &options)
{
    const QString startedAgain = takeRelaunchReason(); // Threads may read the environment later.
    if (const Status prepared = prepareForWindow(); !prepared.ok()) {
        std::fprintf(stderr, "jetscope: %s\n", prepared.error().message().c_str());
        return kExitFailed;
    }
    const QtMessageHandler usual = qInstallMessageHandler(silenceQt);
    if (qEnvironmentVariableIsSet("QT_LOGGING_RULES"))
        g_loud = usual;
    QApplication application(argc, argv);
    const ExitGuard guard;
    endDisplayProbe();
    QCoreApplication::setApplicationName(QStringLiteral("jetscope"));
    QGuiApplication::setDesktopFileName(QStringLiteral("io.github.jetscope.jetscope"));
    Settings settings(options.ignoreRemembered || !options.screenshotPath.empty() ? Settings::Use::Ignore
                                                                                  : Settings::Use::Normal);
    QApplication::setFont(windowFont());
    QApplication::setWindowIcon(glyphIcon(Glyph::App));
    applyTheme(application, settings.text("window/theme") == lightTheme().name ? lightTheme() : darkTheme());

    const int code = runWindow(options, settings, startedAgain);
    leaveIfWorkIsLate(code);
    return code;
}

SessionRequest windowRequest(const WindowOptions &options, SessionRequest settings)
{
    SessionRequest request = std::move(settings);
    if (options.source)
        request.source = *options.source;
    if (options.deviceId)
        request.deviceId = *options.deviceId;
    request.asksFirst = !options.source && isOwnPipeline(request.source);
    request.fixed = options.settings;
    request.frameLimit = options.frameLimit;
    return request;
}

} // namespace jetscope
