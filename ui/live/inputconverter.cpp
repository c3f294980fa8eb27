// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/live/inputconverter.h"

namespace jetscope {

InputConverter::InputConverter(QObject *parent) : QObject(parent) {}

QImage InputConverter::toImage(ChainExecutor &executor, const InputPicture &picture)
{
    QImage image(picture.layout.width, picture.layout.height, QImage::Format_RGBX8888);
    if (image.isNull() || picture.bytes.size() < picture.layout.bytes)
        return {};
    ChainWork work;
    work.inputLayout = picture.layout;
    work.input = picture.bytes.data();
    work.output = reinterpret_cast<std::byte *>(image.bits());
    work.outputPitch = static_cast<std::size_t>(image.bytesPerLine());
    executor.run(work);
    return image;
}

void InputConverter::convert(std::shared_ptr<const InputPicture> picture)
{
    Q_ASSERT(!m_busy);
    m_busy = true;
    m_thread.start([this, picture = std::move(picture), executor = m_executor,
                    generation = m_generation](const Worker::Reply &reply) {
        QImage image = toImage(*executor, *picture);
        reply.post([this, image = std::move(image), frame = picture->frame, generation] {
            if (generation != m_generation)
                return;
            m_busy = false;
            emit converted(frame, image);
        });
    });
}

void InputConverter::discard()
{
    ++m_generation;
    m_busy = false;
}

} // namespace jetscope
