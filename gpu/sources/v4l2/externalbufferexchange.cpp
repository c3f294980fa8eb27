// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/v4l2/externalbufferexchange.h"

#include <optional>
#include <utility>

namespace jetscope {

namespace {

class CameraBuffer final : public ExternalBuffer {
public:
    CameraBuffer(std::shared_ptr<CameraSession> session, int file, const DmabufApi &api)
        : m_session(std::move(session)), m_api(api), m_file(file)
    {
    }

    ~CameraBuffer() override
    {
        if (m_image != EGL_NO_IMAGE_KHR)
            m_api.destroyImage(m_display, m_image);
        closeFile();
    }

    Result<void *> eglImage(void *display) override
    {
        if (m_error)
            return *m_error;
        if (m_image == EGL_NO_IMAGE_KHR) {
            const Result<EGLImageKHR> image = importBytes(m_api, display, m_file, m_session->layout());
            closeFile(); // The image holds its own reference to the memory, so the file is no longer needed.
            if (!image.ok()) {
                m_error = image.error();
                return image.error();
            }
            m_display = display;
            m_image = image.value();
        }
        return m_image;
    }

private:
    void closeFile()
    {
        if (const int file = std::exchange(m_file, -1); file >= 0)
            m_session->closeExported(file);
    }

    const std::shared_ptr<CameraSession> m_session; ///< Keeps the session's buffers until the image is destroyed.
    const DmabufApi &m_api;
    int m_file;
    EGLDisplay m_display = EGL_NO_DISPLAY;
    EGLImageKHR m_image = EGL_NO_IMAGE_KHR;
    std::optional<Error> m_error;
};

} // namespace

Result<std::shared_ptr<ExternalBuffer>> exportBuffer(const std::shared_ptr<CameraSession> &session, std::uint32_t index,
                                                     const DmabufApi &api)
{
    JETSCOPE_TRY_ASSIGN(const int file, session->queue().exportFile(index));
    return std::shared_ptr<ExternalBuffer>(std::make_shared<CameraBuffer>(session, file, api));
}

Result<std::unique_ptr<ExternalBufferExchange>>
ExternalBufferExchange::create(const std::shared_ptr<CameraSession> &session, const DmabufApi &api)
{
    std::unique_ptr<ExternalBufferExchange> exchange(new ExternalBufferExchange());
    for (std::uint32_t index = 0; index < session->queue().size(); ++index) {
        JETSCOPE_TRY_ASSIGN(std::shared_ptr<ExternalBuffer> buffer, exportBuffer(session, index, api));
        exchange->m_buffers.push_back(std::move(buffer));
    }
    return exchange;
}

ExternalFrame ExternalBufferExchange::handIn(std::uint32_t index, CapturedFrame captured)
{
    ++m_out;
    const auto comeBack = [returns = m_returns, index](void *) {
        {
            const std::lock_guard lock(returns->mutex);
            returns->indices.push_back(index);
        }
        returns->came.raise();
    };
    // Only the release of the hold matters; its pointer is unused.
    return {std::move(captured), m_buffers[index], std::shared_ptr<void>(m_returns.get(), comeBack)};
}

std::vector<std::uint32_t> ExternalBufferExchange::takeReturned()
{
    const std::lock_guard lock(m_returns->mutex);
    m_returns->came.lower();
    m_out -= m_returns->indices.size();
    return std::exchange(m_returns->indices, {});
}

} // namespace jetscope
