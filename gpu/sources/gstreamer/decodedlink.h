// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/sources/gstreamer/streampicture.h"

#include <memory>
#include <mutex>
#include <string>

typedef struct _GstElement GstElement;
typedef struct _GstPad GstPad;

namespace jetscope {

/// A name and a password, as they are; empty if there are none. They do not stand in the address that elements get,
/// because those split it otherwise than people write it.
struct StreamLogin {
    std::string name;
    std::string password;

    bool operator==(const StreamLogin &) const = default;
};

/// Links the element that decodes a network stream to the sink once its pictures are known: in between comes what
/// brings them from the decoder's memory into the wanted one. Takes the first stream of pictures; others, such as
/// sound, are not requested from the server. Any thread.
class DecodedLink {
public:
    /// Call before the pipeline starts. `decoder` is an uridecodebin.
    static std::shared_ptr<DecodedLink> watch(GstElement *decoder, GstElement *sink, StreamMemory memory,
                                              StreamLogin login);

    /// The memory of the decoder's pictures: "memory:NVMM"; empty for the CPU's, or while it is unknown.
    std::string memory() const;
    /// How many streams the server offers, and whether one of them has pictures.
    int streamsOffered() const;
    bool picturesOffered() const;

private:
    struct Signals;
    bool select(const char *media);
    void link(GstElement *decoder, GstPad *pad);
    void linkThrough(GstElement *decoder, GstPad *pad, const std::string &converters);

    GstElement *m_sink = nullptr; ///< Not owned: the pipeline owns it and this.
    StreamMemory m_wanted = StreamMemory::Cpu;
    StreamLogin m_login;
    mutable std::mutex m_mutex;
    std::string m_memory;
    int m_offered = 0;
    bool m_pictures = false;
    bool m_linked = false;
};

} // namespace jetscope
