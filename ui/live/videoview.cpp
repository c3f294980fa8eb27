// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/live/videoview.h"

#include "ui/live/glpictureview.h"
#include "ui/live/videooverlay.h"
#include "ui/style/style.h"

#include <QCoreApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace jetscope {

namespace {

constexpr int kAnswerRepaintMs = 50; ///< Longer than a frame period while frames arrive.

} // namespace

VideoView::VideoView(VideoParts parts, QWidget *parent)
    : QWidget(parent), m_parts(std::move(parts)), m_layout(new QVBoxLayout(this))
{
    setObjectName(QStringLiteral("video"));
    setProperty("focusRing", true);
    setAccessibleName(tr("Video"));
    setAccessibleRole(this, QAccessible::Graphic);
    setAccessibleDescription(
        tr("Input left of the split, output right of it. Ctrl+Left and Ctrl+Right move the split, plus and minus "
           "zoom, arrows pan, 0 fits, 1 shows one pixel per pixel."));
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(320, 180);
    m_layout->setContentsMargins(0, 0, 0, 0);
    connect(&m_converter, &InputConverter::converted, this, &VideoView::inputConverted);
    m_answerRepaint.setSingleShot(true);
    m_answerRepaint.setInterval(kAnswerRepaintMs);
    connect(&m_answerRepaint, &QTimer::timeout, this, &VideoView::repaintSurface);
    setPresentPath(PresentPath::Auto);
}

VideoView::~VideoView()
{
    setFramePort(nullptr);
    m_test.reset();
    m_pictureView.reset();
}

void VideoView::setFramePort(FramePort *port)
{
    if (m_pictureView)
        m_pictureView->detach();
    m_converter.discard();
    m_fetched.reset();
    m_port = port;
    if (port)
        attach();
}

void VideoView::attach()
{
    if (!m_port)
        return;
    m_port->wantInputPictures(m_scene.showBefore);
    const Status status = m_pictureView->attach(*m_port);
    if (status.ok())
        return;
    if (m_path == PresentPath::Readback)
        emit problem(QString::fromStdString(status.error().message()));
    else
        usePath(nextPath(m_path), QString::fromStdString(status.error().message()));
}

void VideoView::setPresentPath(PresentPath wanted)
{
    m_wantedPath = wanted;
    const GlShare &share = m_parts.share;
    if (!share.available()) {
        usePath(PresentPath::Readback, tr("only this path is possible: %1").arg(QString::fromStdString(share.reason)));
        return;
    }
    const bool software = share.display->isSoftwareRasteriser();
    if (wanted == PresentPath::Auto)
        usePath(automaticPath(true, software),
                software ? tr("GL runs on the CPU, where composing a window costs far more")
                         : tr("GL runs on the GPU"));
    else
        usePath(wanted, tr("chosen by you"));
}

void VideoView::stepPresentPath()
{
    setPresentPath(nextPath(m_path));
}

std::unique_ptr<PictureView> VideoView::makePictureView(PresentPath path)
{
    switch (path) {
    case PresentPath::GlWidget:
        return std::make_unique<GlWidgetView>(m_scene, m_parts.share);
    case PresentPath::GlWindow:
        return std::make_unique<GlWindowView>(m_scene, m_parts.share, this);
    case PresentPath::Auto:
    case PresentPath::Readback:
        break;
    }
    return std::make_unique<ReadbackPictureView>(m_scene, m_parts.openReadback);
}

void VideoView::usePath(PresentPath path, const QString &note)
{
    m_presentNote = note;
    if (!m_pictureView || m_path != path) {
        m_test.reset();
        m_converter.discard();
        m_fetched.reset();
        m_pictureView.reset();
        m_path = path;
        m_pictureView = makePictureView(path);
        m_pictureView->setListener(
            {[this] { fetchNext(); },
             [this](std::uint32_t frame) {
                 ++m_framesShown;
                 emit frameShown(frame);
             },
             [this](const Error &error) { emit problem(QString::fromStdString(error.message())); }});
        m_pictureView->inputTarget()->installEventFilter(this);
        m_layout->addWidget(m_pictureView->widget());
        if (path != PresentPath::Readback)
            startTest();
        attach();
    }
    emit presentPathChanged();
}

void VideoView::startTest()
{
    m_test = std::make_unique<PresentTest>(*m_pictureView);
    connect(m_test.get(), &PresentTest::finished, this, &VideoView::testFinished, Qt::QueuedConnection);
    m_test->start();
}

void VideoView::testFinished(PresentTest::Outcome outcome)
{
    m_test.reset();
    switch (outcome) {
    case PresentTest::Outcome::Passed:
        m_presentNote += tr("; a test colour reached the screen");
        break;
    case PresentTest::Outcome::Impossible:
        m_presentNote += tr("; not tested, this platform keeps programs from reading the screen");
        break;
    case PresentTest::Outcome::Failed:
        usePath(nextPath(m_path), tr("\"%1\" showed no picture here").arg(presentPathLabel(m_path)));
        return;
    }
    emit presentPathChanged();
}

void VideoView::fetchNext()
{
    if (m_fetched || !m_port)
        return;
    m_fetched = m_pictureView->fetch();
    if (!m_fetched)
        return;
    auto input = m_scene.showBefore ? m_port->inputPicture(m_fetched->frame) : nullptr;
    if (input && !m_converter.isBusy())
        m_converter.convert(std::move(input));
    else
        showFetched();
}

void VideoView::inputConverted(quint32, const QImage &image)
{
    m_scene.before = image;
    if (m_fetched)
        showFetched();
}

void VideoView::showFetched()
{
    const PictureView::Fetched fetched = *std::exchange(m_fetched, std::nullopt);
    m_scene.number = fetched.number;
    m_scene.picture = fetched.size;
    m_answerRepaint.stop();
    m_pictureView->show();
    emit frameTaken(fetched.frame);
    if (m_inspecting && m_scene.inspected)
        if (const auto color = m_pictureView->pixel(*m_scene.inspected))
            m_scene.inspectedColor = color;
    // A newer frame may have arrived while this one waited for its input.
    QMetaObject::invokeMethod(
        this, [this] { fetchNext(); }, Qt::QueuedConnection);
}

void VideoView::setOutputLabel(const QString &label)
{
    if (m_scene.outputLabel == label)
        return;
    m_scene.outputLabel = label;
    repaintSurface();
}

void VideoView::setAnswer(CpuAnswer answer)
{
    m_scene.answer = std::move(answer);
    if (m_scene.showAnswer && !m_answerRepaint.isActive())
        m_answerRepaint.start();
}

void VideoView::clearAnswer()
{
    m_scene.answer.reset();
    repaintSurface();
}

void VideoView::setBeforeShown(bool shown)
{
    m_scene.showBefore = shown;
    if (!shown)
        m_scene.before = {};
    if (m_port)
        m_port->wantInputPictures(shown);
    repaintSurface();
}

void VideoView::setAnswerShown(bool shown)
{
    m_scene.showAnswer = shown;
    repaintSurface();
}

void VideoView::setInspecting(bool on)
{
    m_inspecting = on;
    m_scene.inspected.reset();
    m_scene.inspectedColor.reset();
    repaintSurface();
}

void VideoView::repaintSurface()
{
    m_pictureView->repaint();
}

QImage VideoView::picture() const
{
    return m_pictureView ? m_pictureView->picture() : QImage();
}

std::optional<FramePicture> VideoView::copy(int width)
{
    return m_pictureView ? m_pictureView->copy(width) : std::nullopt;
}

QImage VideoView::grabContent() const
{
    return m_pictureView->grabContent();
}

void VideoView::setTransform(const ViewTransform &transform)
{
    m_scene.transform = transform;
    repaintSurface();
}

void VideoView::fit()
{
    setTransform({});
}

void VideoView::zoomToPixels()
{
    const QPointF middle(width() / 2.0, height() / 2.0);
    setTransform(zoomedAt(m_scene.transform, size(), m_scene.picture, middle,
                          1 / scaleIn(m_scene.transform, size(), m_scene.picture)));
}

void VideoView::moveSplit(double split)
{
    m_scene.split = std::clamp(split, 0.0, 1.0);
    repaintSurface();
}

void VideoView::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (m_pictureView && event->type() == QEvent::PaletteChange)
        repaintSurface();
}

bool VideoView::eventFilter(QObject *watched, QEvent *event)
{
    if (!m_pictureView || watched != m_pictureView->inputTarget())
        return QWidget::eventFilter(watched, event);
    if (event->type() == QEvent::KeyPress && watched->isWindowType()) {
        // Keys in the native window must reach the program.
        QCoreApplication::sendEvent(this, event);
        return true;
    }
    return handleMouse(event) || QWidget::eventFilter(watched, event);
}

bool VideoView::handleMouse(QEvent *event)
{
    switch (event->type()) {
    case QEvent::MouseButtonPress: {
        const auto *pressed = static_cast<QMouseEvent *>(event);
        if (pressed->button() == Qt::LeftButton)
            press(pressed->position());
        return pressed->button() == Qt::LeftButton;
    }
    case QEvent::MouseMove: {
        const auto *moved = static_cast<QMouseEvent *>(event);
        moved->buttons().testFlag(Qt::LeftButton) ? drag(moved->position()) : inspect(moved->position());
        return true;
    }
    case QEvent::MouseButtonRelease:
        m_movingSplit = false;
        m_panFrom.reset();
        return true;
    case QEvent::MouseButtonDblClick:
        fit();
        return true;
    case QEvent::Wheel: {
        const auto *turned = static_cast<QWheelEvent *>(event);
        wheel(turned->position(), turned->angleDelta().y());
        return true;
    }
    case QEvent::ToolTip: {
        const auto *asked = static_cast<QHelpEvent *>(event);
        QToolTip::showText(asked->globalPos(), labelTip(m_scene, size(), asked->pos()), this); // Empty: hidden.
        return true;
    }
    default:
        return false;
    }
}

void VideoView::press(QPointF at)
{
    setFocus(Qt::MouseFocusReason);
    m_movingSplit = m_scene.splits() && std::abs(at.x() - m_scene.split * width()) <= kSplitHandleRadius;
    if (!m_movingSplit)
        m_panFrom = at;
}

void VideoView::drag(QPointF at)
{
    if (m_movingSplit) {
        moveSplit(at.x() / std::max(1, width()));
    } else if (m_panFrom) {
        setTransform(panned(m_scene.transform, size(), m_scene.picture, at - *m_panFrom));
        m_panFrom = at;
    }
}

void VideoView::inspect(QPointF at)
{
    if (!m_inspecting || m_scene.picture.isEmpty())
        return;
    const QPointF exact = pictureAt(m_scene.transform, size(), m_scene.picture, at);
    const QPoint pixel(static_cast<int>(std::floor(exact.x())), static_cast<int>(std::floor(exact.y())));
    m_scene.inspected.reset();
    m_scene.inspectedColor.reset();
    if (QRect(QPoint(), m_scene.picture).contains(pixel)) {
        m_scene.inspected = pixel;
        const bool input = m_scene.splits() && at.x() < m_scene.split * width();
        m_scene.inspectedColor =
            input && m_scene.before.valid(pixel) ? m_scene.before.pixelColor(pixel) : m_pictureView->pixel(pixel);
    }
    repaintSurface();
}

void VideoView::wheel(QPointF at, int delta)
{
    setTransform(zoomedAt(m_scene.transform, size(), m_scene.picture, at, std::pow(1.2, delta / 120.0)));
}

void VideoView::keyPressEvent(QKeyEvent *event)
{
    const QPointF middle(width() / 2.0, height() / 2.0);
    const double sideways = event->key() == Qt::Key_Left ? 1 : event->key() == Qt::Key_Right ? -1 : 0;
    const double upwards = event->key() == Qt::Key_Up ? 1 : event->key() == Qt::Key_Down ? -1 : 0;
    if (sideways != 0 && event->modifiers().testFlag(Qt::ControlModifier))
        moveSplit(m_scene.split - sideways * 0.02);
    else if (sideways != 0 || upwards != 0)
        setTransform(panned(m_scene.transform, size(), m_scene.picture, {sideways * 40, upwards * 40}));
    else if (event->key() == Qt::Key_Plus)
        wheel(middle, 120);
    else if (event->key() == Qt::Key_Minus)
        wheel(middle, -120);
    else if (event->key() == Qt::Key_0)
        fit();
    else if (event->key() == Qt::Key_1)
        zoomToPixels();
    else
        QWidget::keyPressEvent(event);
}

} // namespace jetscope
