// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/eglstream/eglpicture.h"

#include "gpu/cuda/check.h"
#include "gpu/cuda/cudaimage.h"

namespace jetscope {

namespace {

class EglPicture final : public CudaImage {
public:
    EglPicture(const EglFrameApi &api, cudaGraphicsResource_t resource, const ImageLayout &layout)
        : CudaImage(layout.width, layout.height), m_api(api), m_resource(resource)
    {
    }
    ~EglPicture() override
    {
        destroySurface();
        // Fails only if the context is lost, and the registration with it.
        static_cast<void>(m_api.unregister(m_resource));
    }
    EglPicture(const EglPicture &) = delete;
    EglPicture &operator=(const EglPicture &) = delete;

    Status use(const ImageLayout &layout)
    {
        cudaEglFrame frame{};
        JETSCOPE_TRY(cudaStatus("cudaGraphicsResourceGetMappedEglFrame", m_api.mappedFrame(&frame, m_resource, 0, 0)));
        JETSCOPE_TRY(checkEglFrame(frame, layout));
        return useFrame(frame);
    }

private:
    const EglFrameApi &m_api;
    const cudaGraphicsResource_t m_resource;
};

} // namespace

Result<std::unique_ptr<Image>> registerEglPicture(const EglFrameApi &api, void *eglImage, const ImageLayout &layout)
{
    cudaGraphicsResource_t resource = nullptr;
    // Flags 0: "read only" failed on early boards (rule C3).
    JETSCOPE_TRY(cudaStatus("cudaGraphicsEGLRegisterImage",
                            api.registerImage(&resource, eglImage, cudaGraphicsRegisterFlagsNone)));
    auto image = std::make_unique<EglPicture>(api, resource, layout);
    JETSCOPE_TRY(image->use(layout));
    return std::unique_ptr<Image>(std::move(image));
}

} // namespace jetscope
