// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/live/videooverlay.h"

#include "ui/live/videoscene.h"
#include "ui/style/theme.h"

#include <QCoreApplication>
#include <QFontDatabase>
#include <QPainter>
#include <QPixmap>
#include <QPolygonF>

#include <algorithm>

namespace jetscope {

namespace {

QString overlayText(const char *text)
{
    return QCoreApplication::translate("jetscope::VideoView", text);
}

QFont labelFont()
{
    return paintedFont(QFontDatabase::systemFont(QFontDatabase::FixedFont), 12);
}

/// Before/after handle, rendered once per pixel ratio.
const QPixmap &handlePixmap(double pixelRatio)
{
    static QPixmap pixmap;
    if (!pixmap.isNull() && pixmap.devicePixelRatio() == pixelRatio)
        return pixmap;
    const int side = 2 * static_cast<int>(kSplitHandleRadius) + 4;
    pixmap = QPixmap(QSize(side, side) * pixelRatio);
    pixmap.setDevicePixelRatio(pixelRatio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(side / 2.0, side / 2.0);
    painter.setPen(QPen(Qt::white, 2));
    painter.setBrush(QColor(20, 24, 28, 230));
    painter.drawEllipse(QPointF(), kSplitHandleRadius, kSplitHandleRadius);
    painter.setPen(QPen(Qt::white, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    for (const double sign : {-1.0, 1.0}) {
        const QPointF tip(sign * 7.5, 0);
        painter.drawLine(QPointF(sign * 2, 0), tip);
        painter.drawPolyline(QPolygonF{tip + QPointF(-sign * 3, -3), tip, tip + QPointF(-sign * 3, 3)});
    }
    return pixmap;
}

void paintSplit(QPainter &painter, double x, int height)
{
    const int middle = qRound(x);
    painter.fillRect(middle - 1, 0, 2, height, Qt::white);
    const QPixmap &handle = handlePixmap(painter.device()->devicePixelRatioF());
    const int radius = qRound(handle.width() / handle.devicePixelRatio() / 2);
    painter.drawPixmap(middle - radius, height / 2 - radius, handle);
}

void paintContours(QPainter &painter, const CpuAnswer &answer, const QRectF &picture)
{
    painter.save();
    painter.translate(picture.topLeft());
    painter.scale(picture.width() / answer.width, picture.height() / answer.height);
    QPen pen(QColor::fromRgb(kAnswerColor), 1.5);
    pen.setCosmetic(true);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    QPolygonF polygon;
    for (const std::vector<Point> &contour : answer.contours) {
        polygon.clear();
        for (const Point point : contour)
            polygon.append(QPointF(point.x + 0.5, point.y + 0.5));
        painter.drawPolygon(polygon);
    }
    painter.restore();
}

void paintHistogram(QPainter &painter, const CpuAnswer &answer, const QRectF &area)
{
    const QSizeF size(256, 90);
    const QPointF corner(area.right() - size.width() - 12, area.bottom() - size.height() - 12);
    painter.fillRect(QRectF(corner, size).adjusted(-4, -4, 4, 4), QColor(10, 12, 14, 225));
    const std::uint32_t most = std::max(1u, *std::max_element(answer.histogram.begin(), answer.histogram.end()));
    for (std::size_t grey = 0; grey < answer.histogram.size(); ++grey) {
        const double height = size.height() * answer.histogram[grey] / most;
        painter.fillRect(QRectF(corner.x() + static_cast<double>(grey), corner.y() + size.height() - height, 1, height),
                         QColor::fromRgb(kAnswerColor));
    }
}

/// Squares around the keypoints, whose middle stays free.
void paintKeypoints(QPainter &painter, const CpuAnswer &answer, const QRectF &picture)
{
    constexpr double kReach = 4;
    painter.setPen(QPen(QColor::fromRgb(kAnswerColor), 1.5));
    painter.setBrush(Qt::NoBrush);
    for (const Point &point : answer.keypoints) {
        const QPointF middle(picture.x() + (point.x + 0.5) * picture.width() / answer.width,
                             picture.y() + (point.y + 0.5) * picture.height() / answer.height);
        painter.drawRect(QRectF(middle - QPointF(kReach, kReach), QSizeF(2 * kReach, 2 * kReach)));
    }
}

void paintAnswer(QPainter &painter, const VideoScene &scene, const QRectF &picture, QSize view)
{
    const CpuAnswer &answer = *scene.answer;
    if (answer.width <= 0 || answer.height <= 0)
        return;
    painter.save();
    painter.setClipRect(outputRegion(scene, view));
    paintKeypoints(painter, answer, picture);
    if (answer.work == CpuWork::Contours)
        paintContours(painter, answer, picture);
    else if (answer.work == CpuWork::Histogram)
        paintHistogram(painter, answer, picture.intersected(QRectF(QPointF(), view)));
    painter.restore();
}

QString footer(const VideoScene &scene, QSize view)
{
    const int percent = qRound(scaleIn(scene.transform, view, scene.picture) * 100);
    QString text = overlayText("frame %1 · %2×%3 · %4%5 %")
                       .arg(scene.number)
                       .arg(scene.picture.width())
                       .arg(scene.picture.height())
                       .arg(scene.transform.fit ? overlayText("fit ") : QString())
                       .arg(percent);
    if (scene.inspected) {
        text += overlayText(" · (%1, %2)").arg(scene.inspected->x()).arg(scene.inspected->y());
        if (const auto &color = scene.inspectedColor)
            text += overlayText(" = %1 %2 %3").arg(color->red()).arg(color->green()).arg(color->blue());
    }
    return text;
}

constexpr int kLabelPadding = 8;
constexpr int kLabelMargin = 12; ///< Distance from the edges of picture and view.

/// One line of text, elided if it does not fit.
struct FittedLabel {
    QRect box;
    QString shown;
};

FittedLabel fittedLabel(QPointF corner, const QString &text, int viewWidth)
{
    const QFontMetrics metrics(labelFont());
    const int room = viewWidth - static_cast<int>(corner.x()) - kLabelMargin - 2 * kLabelPadding;
    const QString shown = metrics.elidedText(text, Qt::ElideRight, std::max(0, room));
    return {QRect(corner.toPoint(), QSize(metrics.horizontalAdvance(shown) + 2 * kLabelPadding, pictureLabelHeight())),
            shown};
}

/// White on a dark box in every theme, because it covers the picture. Opaque and without rounded corners: blending and
/// rounding cost more than the text with the raster engine.
void paintLabel(QPainter &painter, const FittedLabel &label)
{
    painter.setFont(labelFont());
    painter.fillRect(label.box, QColor(0x0e, 0x11, 0x14));
    painter.setPen(QColor(0xe6, 0xea, 0xee));
    painter.drawText(label.box, Qt::AlignCenter, label.shown);
}

/// Right of the split, or in the corner of the picture.
FittedLabel outputLabel(const VideoScene &scene, QSize view)
{
    const QRectF seen = pictureRect(scene.transform, view, scene.picture).intersected(QRectF(QPointF(), view));
    const double left = scene.splits() ? scene.split * view.width() + 14 : seen.left() + kLabelMargin;
    return fittedLabel({left, seen.top() + kLabelMargin}, scene.outputLabel, view.width());
}

} // namespace

int pictureLabelHeight()
{
    return fontScaled(22);
}

void paintPictureLabel(QPainter &painter, QPointF corner, const QString &text, int viewWidth)
{
    paintLabel(painter, fittedLabel(corner, text, viewWidth));
}

QString labelTip(const VideoScene &scene, QSize view, QPoint at)
{
    const FittedLabel label = outputLabel(scene, view);
    return label.box.contains(at) && label.shown != scene.outputLabel ? scene.outputLabel : QString();
}

QRectF outputRegion(const VideoScene &scene, QSize view)
{
    const double left = scene.splits() ? scene.split * view.width() : 0;
    return {left, 0, view.width() - left, static_cast<double>(view.height())};
}

bool hasEdges(const CpuAnswer &answer)
{
    const auto needed =
        static_cast<std::size_t>(std::max(0, answer.width)) * static_cast<std::size_t>(std::max(0, answer.height));
    return answer.work == CpuWork::Canny && needed > 0 && answer.edges.size() >= needed;
}

QImage edgesImage(const CpuAnswer &answer)
{
    if (!hasEdges(answer))
        return {};
    QImage image(answer.width, answer.height, QImage::Format_ARGB32_Premultiplied);
    for (int y = 0; y < answer.height; ++y) {
        const std::uint8_t *edges =
            answer.edges.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(answer.width);
        auto *out = reinterpret_cast<QRgb *>(image.scanLine(y));
        for (int x = 0; x < answer.width; ++x)
            out[x] = edges[x] ? kAnswerColor : 0;
    }
    return image;
}

void paintPictures(QPainter &painter, const VideoScene &scene, QSize view)
{
    const QRectF picture = pictureRect(scene.transform, view, scene.picture);
    if (picture.isEmpty())
        return;
    painter.save();
    if (scene.splits()) {
        const QRectF left(0, 0, scene.split * view.width(), view.height());
        painter.setClipRect(left);
        painter.fillRect(left, theme().window);
        painter.drawImage(picture, scene.before);
    }
    if (scene.showAnswer && scene.answer && hasEdges(*scene.answer)) {
        painter.setClipRect(outputRegion(scene, view));
        painter.drawImage(picture, edgesImage(*scene.answer));
    }
    painter.restore();
}

void paintMarks(QPainter &painter, const VideoScene &scene, QSize view)
{
    const QRectF picture = pictureRect(scene.transform, view, scene.picture);
    if (picture.isEmpty())
        return;
    if (scene.showAnswer && scene.answer)
        paintAnswer(painter, scene, picture, view);
    const QRectF seen = picture.intersected(QRectF(QPointF(), view));
    const double split = scene.split * view.width();
    if (scene.splits()) {
        paintSplit(painter, split, view.height());
        paintPictureLabel(painter, seen.topLeft() + QPointF(kLabelMargin, kLabelMargin), overlayText("input"),
                          view.width());
    }
    paintLabel(painter, outputLabel(scene, view));
    paintPictureLabel(painter, seen.bottomLeft() + QPointF(kLabelMargin, -kLabelMargin - pictureLabelHeight()),
                      footer(scene, view), view.width());
}

} // namespace jetscope
