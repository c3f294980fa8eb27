// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/cameras.h"

#include <filesystem>
#include <system_error>

namespace jetscope {

namespace {

bool isThere(const std::filesystem::path &path)
{
    std::error_code failed;
    return std::filesystem::exists(path, failed);
}

} // namespace

std::vector<std::string> cameraHints(const std::vector<CameraInfo> &cameras, const std::string &root)
{
    const std::filesystem::path base(root);
    const bool container =
        isThere(base / ".dockerenv") || isThere(base / "run/.containerenv") || isThere(base / "run/systemd/container");
    const bool jetson = isThere(base / "etc/nv_tegra_release");
    std::vector<std::string> hints;
    if (cameras.empty())
        hints.emplace_back(
            container ? "No camera can be seen from inside this container: start it with --device /dev/video0 and "
                        "--group-add video."
                      : "No USB camera is connected: plug one in; if it does not appear, dmesg shows the kernel's "
                        "messages about it.");
    if (jetson && !isThere(base / "tmp/argus_socket"))
        hints.emplace_back(
            container
                ? "CSI cameras need the Jetson's camera service, which this container cannot reach: start it with "
                  "-v /tmp/argus_socket:/tmp/argus_socket."
                : "CSI cameras need the Jetson's camera service, which does not run: sudo systemctl restart "
                  "nvargus-daemon.");
    return hints;
}

} // namespace jetscope
