// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <string>

typedef struct _GError GError;

namespace jetscope {

/// The layers of a network stream, in the order in which they are passed. A failure is said to be of one of them,
/// because each has another remedy.
enum class StreamLayer {
    Address = 1, ///< The name or the path: the camera is another one, or has no such stream.
    Login,       ///< Name and password.
    Network,     ///< Cables, ports, firewalls and time-outs.
    Container,   ///< What the server sends is not understood.
    Codec,       ///< Nothing decodes the pictures.
};

/// An error whose code is the layer. The text reads "the login failed (CAUSE): REMEDY".
Error streamProblem(StreamLayer layer, const std::string &cause, const std::string &remedy);

/// One whose text was made before; the text starts with the layer.
Error streamProblem(const std::string &text);
/// "the login failed".
const char *phraseOf(StreamLayer layer);

/// Whether `streamProblem` made it.
bool isStreamProblem(const Error &error);

/// What stopped a connection that GLib attempted to `host`, "camera.local:554".
Error connectProblem(const GError *error, const std::string &host);

/// What a server's status of 400 or more means, of HTTP as well as of RTSP. `scheme` is that of the address.
Error statusProblem(int status, const std::string &reason, const std::string &scheme, bool hadLogin);

/// Attempts a connection to the host of a URL, for a failure whose cause its element does not tell. Blocks for at most
/// a second; no error if a server accepts.
Status probeConnection(const std::string &url, int standardPort);

} // namespace jetscope
