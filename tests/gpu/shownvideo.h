// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/sources/framesource.h"
#include "tests/support/clipwriter.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <bit>
#include <cmath>
#include <functional>

namespace jetscope::testing {

inline QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

inline void putContent(const QString &path, const QByteArray &bytes)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        qFatal("cannot write %s", qPrintable(path));
}

struct Rgb {
    int red = 0;
    int green = 0;
    int blue = 0;
};

/// Everything that a video showed.
struct Shown {
    QByteArray refused; ///< Why it was not opened.
    QByteArray error;
    SourceInfo info;
    SourceState state;
    std::vector<std::vector<std::byte>> frames;

    Rgb at(std::size_t frame, int x, int y) const
    {
        const std::size_t offset =
            static_cast<std::size_t>(y) * info.layout.planes[0].pitch + static_cast<std::size_t>(x) * 3;
        const auto value = [&](std::size_t i) { return std::to_integer<int>(frames[frame][offset + i]); };
        return {value(2), value(1), value(0)};
    }
    /// Green in the middle of each quarter.
    QList<int> quarters(std::size_t frame) const
    {
        const int w = info.layout.width;
        const int h = info.layout.height;
        return {at(frame, w / 4, h / 4).green, at(frame, 3 * w / 4, h / 4).green, at(frame, w / 4, 3 * h / 4).green,
                at(frame, 3 * w / 4, 3 * h / 4).green};
    }
    QString fact(const char *key) const
    {
        for (const StreamFactRow &row : streamFactRows(state.facts))
            if (row.key == key)
                return QString::fromStdString(row.text);
        return {};
    }
};

inline Shown show(const QString &uri, std::size_t most = 1000)
{
    Shown shown;
    Result<std::unique_ptr<FrameSource>> source = openSource(uri.toStdString(), Pacing::Unpaced);
    if (!source.ok()) {
        shown.refused = QByteArray::fromStdString(source.error().message());
        return shown;
    }
    shown.info = source.value()->info();
    std::vector<std::byte> frame(shown.info.layout.bytes);
    while (shown.frames.size() < most) {
        const auto read = source.value()->read(frame.data());
        if (!read.ok())
            shown.error = QByteArray::fromStdString(read.error().message());
        if (!read.ok() || !read.value())
            break;
        shown.frames.push_back(frame);
    }
    shown.state = source.value()->state();
    return shown;
}

inline bool isNear(int a, int b, int most)
{
    return std::abs(a - b) <= most;
}

/// The colour of a luma and two chroma values, by the definitions of the matrices.
inline Rgb colourOfYuv(const std::array<int, 3> &yuv, double red, double blue, bool full)
{
    const double y = full ? yuv[0] / 255.0 : (yuv[0] - 16) / 219.0;
    const double cb = (yuv[1] - 128) / (full ? 255.0 : 224.0);
    const double cr = (yuv[2] - 128) / (full ? 255.0 : 224.0);
    const double r = y + 2 * (1 - red) * cr;
    const double b = y + 2 * (1 - blue) * cb;
    const double g = (y - red * r - blue * b) / (1 - red - blue);
    const auto byte = [](double value) { return static_cast<int>(std::lround(std::clamp(value, 0.0, 1.0) * 255)); };
    return {byte(r), byte(g), byte(b)};
}

/// Puts bytes at a place behind a name that must be in the file.
inline void patch(QByteArray &file, const QByteArray &name, int behind, const QByteArray &bytes)
{
    const qsizetype at = file.indexOf(name);
    QVERIFY2(at >= 0, name.constData());
    file.replace(at + name.size() + behind, bytes.size(), bytes);
}

/// Value of a float element of Matroska with 8 bytes: id, 0x88, value.
inline void patchDuration(QByteArray &file, double factor)
{
    const QByteArray head("\x44\x89\x88", 3);
    const qsizetype at = file.indexOf(head);
    QVERIFY(at >= 0);
    quint64 bits = 0;
    for (int i = 0; i < 8; ++i)
        bits = bits << 8 | static_cast<quint8>(file[at + 3 + i]);
    const double value = std::bit_cast<double>(bits) * factor;
    bits = std::bit_cast<quint64>(value);
    for (int i = 7; i >= 0; --i, bits >>= 8)
        file[at + 3 + i] = static_cast<char>(bits & 0xff);
}

inline QByteArray bigEndian(std::initializer_list<qint32> values)
{
    QByteArray bytes;
    for (const qint32 value : values)
        for (int shift = 24; shift >= 0; shift -= 8)
            bytes.append(static_cast<char>(value >> shift & 0xff));
    return bytes;
}

inline QByteArray littleEndian(qint32 value)
{
    QByteArray bytes;
    for (int shift = 0; shift < 32; shift += 8)
        bytes.append(static_cast<char>(value >> shift & 0xff));
    return bytes;
}

/// A file of tests/gpu/corpus.
inline QString givenVideo(const char *name)
{
    return QStringLiteral(JETSCOPE_TEST_VIDEOS "/") + QLatin1String(name);
}

using Change = std::function<void(Clip &)>;

/// Writes a clip into a folder.
inline QString madeVideo(const QTemporaryDir &folder, const QString &name, const Change &change = {})
{
    Clip clip;
    clip.path = folder.filePath(name).toStdString();
    if (change)
        change(clip);
    writeClip(clip);
    return folder.filePath(name);
}

} // namespace jetscope::testing
