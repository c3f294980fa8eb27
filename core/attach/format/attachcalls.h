// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The table of all functions that Jetscope sees in an inspected program. The library in the program makes a hook from
// each row, the collector learns from it what a record means.

// What a hook does besides calling the function.
enum jsa_action {
    JSA_RECORD,  // A record for each call.
    JSA_COUNT,   // Adds 1 to jsa_ring.counts: too frequent for a record each.
    JSA_SHARED,  // A record for each call once contexts of GL share objects; before, it only passes through.
    JSA_GETPROC, // The function returns the address of the function that its first argument names.
    JSA_GETCUDA, // The same for CUDA: the address is stored where the second argument points.
};

// Which result of the function is an error: 32 bits, or for JSA_ON_NULL a pointer.
enum jsa_failure { JSA_NEVER, JSA_ON_ZERO, JSA_ON_NONZERO, JSA_ON_NULL };

// What a call does, for the timeline and the findings.
enum jsa_work {
    JSA_WORK_OTHER,
    JSA_WORK_TEXT,
    JSA_WORK_FRAME, // A frame begins or ends by jetscope_mark.h: argument 0 is JSA_MARK_*, 1 the number.
    JSA_WORK_SWAP,  // Argument 0: surface, 1: draw calls of this thread since its last swap.
    JSA_WORK_CURRENT,
    JSA_WORK_DRAW,
    JSA_WORK_DRAWN,           // Something is drawn, first since a recorded call. Arguments: the function.
    JSA_WORK_READ,            // The CPU uses a result. Arguments: address, the copy, since when it was watched.
    JSA_WORK_CONTEXT,         // A context of GL is made. Arguments: context, the one whose objects it shares.
    JSA_WORK_ACTIVETEXTURE,   // Arguments: unit.
    JSA_WORK_BINDTEXTURE,     // Arguments: target, texture.
    JSA_WORK_BINDFRAMEBUFFER, // Arguments: target, framebuffer.
    JSA_WORK_BINDBUFFER,      // Arguments: target, buffer.
    JSA_WORK_ATTACHTEXTURE,   // Arguments: target, attachment, texture.
    JSA_WORK_ATTACHBUFFER,    // Arguments: target, attachment, renderbuffer.
    JSA_WORK_NAMESEND,        // Objects of GL but textures go. Arguments: number of names, the first three.
    JSA_WORK_FLUSH,
    JSA_WORK_FINISH,
    JSA_WORK_FENCE,      // Arguments: fence, kind, event of CUDA that it stands for.
    JSA_WORK_GLWAIT,     // The CPU waits for a fence. Arguments: fence, time limit, answer, flags.
    JSA_WORK_SERVERWAIT, // The GPU waits for a fence.
    JSA_WORK_GLQUERY,    // The CPU asks whether a fence is signaled. Arguments: fence.
    JSA_WORK_IMAGE,      // An EGLImage is created.
    JSA_WORK_IMAGEEND,
    JSA_WORK_FENCEEND,
    JSA_WORK_STREAM,      // An EGLStream is created.
    JSA_WORK_ACQUIRE,     // A frame of an EGLStream is taken.
    JSA_WORK_RELEASE,     // Arguments: EGLStream or connection, graphics resource of CUDA.
    JSA_WORK_TEXTURES,    // Textures are made. Arguments: their number.
    JSA_WORK_TEXTURESEND, // Arguments: number of names other than 0, the first three names.
    JSA_WORK_STORAGE,     // A texture gets storage. Arguments: width, height, pointer, format.
    JSA_WORK_UPLOAD,      // Pixels go to a texture. Arguments: width, height, pointer, format.
    JSA_WORK_BUFFERDATA,  // Bytes go to a buffer object. Arguments: bytes, pointer, usage, target.
    JSA_WORK_READBACK,    // Arguments: width, height, pointer, format.
    JSA_WORK_PIXELSTORE,  // Arguments: parameter, value.
    JSA_WORK_MAPBUFFER,   // Arguments: address, bytes, access, target.
    JSA_WORK_LAUNCH,      // Arguments: stream, function.
    JSA_WORK_HOSTFUNC,    // Arguments: stream.
    JSA_WORK_COPY, // Blocking. Arguments: stream, destination, source, bytes, JSA_COPY_*. An address of 0 is in a
                   // CUDA array.
    JSA_WORK_COPYASYNC,
    JSA_WORK_SET, // Arguments: stream, destination, bytes of a row, PAIR(rows, pitch).
    JSA_WORK_SETASYNC,
    JSA_WORK_ALLOC,     // Device memory. Arguments: address, bytes.
    JSA_WORK_HOSTALLOC, // Pinned memory. Arguments: address, bytes, flags.
    JSA_WORK_MANAGED,   // Arguments: address, bytes, flags.
    JSA_WORK_FREE,      // Arguments: address.
    JSA_WORK_POOLALLOC, // From a pool of device memory, which is cheap. Arguments: address, bytes.
    JSA_WORK_POOLFREE,  // Arguments: address, stream.
    JSA_WORK_POOLKEEP,  // Arguments: bytes that a pool keeps.
    JSA_WORK_REGISTER,  // Host memory is pinned. Arguments: address, bytes, flags.
    JSA_WORK_UNREGISTER,
    JSA_WORK_ATTACH,   // Arguments: stream, address, bytes, flags.
    JSA_WORK_GRAPHICS, // A graphics resource is registered with CUDA. Arguments: resource, object, flags.
    JSA_WORK_GRAPHICSEND,
    JSA_WORK_MAP, // Arguments: number of resources, stream.
    JSA_WORK_UNMAP,
    JSA_WORK_CAPTURE, // Later work of the stream goes into a graph and is not executed. Arguments: stream.
    JSA_WORK_CAPTUREEND,
    JSA_WORK_STREAMMADE, // Arguments: stream, flags.
    JSA_WORK_STREAMEND,
    JSA_WORK_STREAMSYNC, // Arguments: stream.
    JSA_WORK_QUERY,
    JSA_WORK_CONTEXTSYNC,
    JSA_WORK_EVENTMADE,     // Arguments: event, flags.
    JSA_WORK_EVENTEND,      // Arguments: event.
    JSA_WORK_EVENTRECORD,   // Arguments: event, stream.
    JSA_WORK_EVENTSYNC,     // Arguments: event.
    JSA_WORK_EVENTQUERY,    // Arguments: event.
    JSA_WORK_STREAMWAIT,    // Arguments: stream, event.
    JSA_WORK_SIGNAL,        // A stream sets semaphores of another API. Arguments: stream.
    JSA_WORK_CONTEXTRECORD, // An event is recorded behind all work of a context. Arguments: event.
    JSA_WORK_CONTEXTWAIT,   // All streams of a context wait. Arguments: event.
    JSA_WORK_VALUEWRITE,    // A stream writes a value. Arguments: stream, address, value, flags, JSA_VALUE_*.
    JSA_WORK_VALUEWAIT,     // A stream waits for a value. Arguments: the same.
    JSA_WORK_VALUES, // Both. Arguments: stream, number of operations; those that are known are in the data records
                     // before.
    JSA_WORK_NAME,   // A function gets a name. Arguments: function; the name is in the text records before.
    JSA_WORK_EGLSTREAMEND,
    JSA_WORK_CONNECT, // CUDA becomes the producer or the consumer of an EGLStream. Arguments: connection, EGLStream.
    JSA_WORK_DISCONNECT,
    // Buffers of libnvbufsurface (JetPack 5 and later) and libnvbuf_utils (up to JetPack 5).
    JSA_WORK_NVBUF,    // Buffers are made. Arguments: their handle, their number.
    JSA_WORK_NVBUFEND, // Arguments: handle.
    JSA_WORK_NVIMAGE,  // A buffer gets an EGLImage. Arguments: handle or image, buffer, index.
    JSA_WORK_NVIMAGEEND,
    JSA_WORK_NVMAP,    // The CPU gets an address. Arguments: handle, index or plane, plane, PAIR(way, kind of memory).
    JSA_WORK_NVUNMAP,  // Arguments: handle.
    JSA_WORK_NVSYNC,   // The CPU's cache is written back or made invalid. Arguments: handle, plane, index.
    JSA_WORK_NVCOPY,   // Another engine copies, and the CPU waits for that. Arguments: source, destination.
    JSA_WORK_NVSUBMIT, // Another engine is to copy. Arguments: the same.
    JSA_WORK_NVWAIT,   // The CPU waits for such a copy.
    // CUDA arrays, with mipmaps, too. Arguments: array, PAIR(width, height), PAIR(depth, levels | flags << 8),
    // PAIR(format, channels).
    JSA_WORK_ARRAY,
    JSA_WORK_ARRAYEND,    // Arguments: array.
    JSA_WORK_PHYSICAL,    // Memory without an address is made. Arguments: handle, bytes.
    JSA_WORK_PHYSICALEND, // It goes when it is mapped nowhere. Arguments: handle.
    JSA_WORK_VIRTUALMAP,  // Arguments: address, bytes, handle.
    JSA_WORK_VIRTUALUNMAP,
    JSA_WORK_EGLFRAME,  // The planes of a graphics resource are asked for. Arguments: resource.
    JSA_WORK_EVENTTIME, // The time between two events is asked for. Arguments: the events.
};

// Kinds of mark, argument 0 of jetscope_mark_v1.
#define JSA_MARK_FRAME_BEGIN 1u
#define JSA_MARK_FRAME_END 2u
#define JSA_MARK_BUFFER 3u // Arguments: 1 address, 2 bytes; the name is in the text records before.
// Ranges and marks of NVTX; their name is in the text records before, if it is known.
#define JSA_MARK_RANGE_PUSH 4u
#define JSA_MARK_RANGE_POP 5u   // The newest range of its thread that was pushed.
#define JSA_MARK_RANGE_START 6u // Argument 1: number of the range, which any thread may end.
#define JSA_MARK_RANGE_END 7u   // Argument 1: number of the range.
#define JSA_MARK_POINT 8u

// Directions of copies, as far as the function's name says.
#define JSA_COPY_UNKNOWN 0
#define JSA_COPY_TO_DEVICE 1
#define JSA_COPY_TO_HOST 2
#define JSA_COPY_ON_DEVICE 3
#define JSA_COPY_ON_HOST 4
// The data record before says it. Its words: bytes of a row; rows, or JSA_UNEVEN_ROWS; pitch of the destination, of the
// source; direction.
#define JSA_COPY_IN_ROWS 5
#define JSA_UNEVEN_ROWS UINT64_MAX // They are not equally far apart.

// Width of a value, in the place of the direction.
#define JSA_VALUE_32 0
#define JSA_VALUE_64 1

// Rows: X(function, number of arguments, tier, action, failure, work, four arguments of the record,
// direction of a copy or width of a value). The fifth argument of a record is the address to which the function
// returns. All arguments of these functions are integers or pointers, but of one that takes a CUeglFrame, which has
// FRAME as their number. In the arguments of the record:
//   a0 to a10, r         arguments and result of the function
//   LOW(a)               the lower 32 bits
//   PAIR(a, b)           two of 32 bits
//   OUT(a), OUT32(a)     the 64 or 32 bits that it points to
//   WORD(a, i)           word i of 64 bits of what the program passes
//   TEXT(a)              0; puts the text that it points to before the record
//   EVENTOF              the event of CUDA in the attributes of a fence
//   THRESHOLD            the bytes that a pool is to keep
//   NAMES, NAME(n, a, i) how many names are not 0; one of n, or 0
//   OPERATIONS(n, a)     0; puts the operations of cuStreamBatchMemOp before the record
//   COPIED(n, part, a)   reads the copy of n dimensions that a points to; BYTES also puts its rows before the record
// clang-format off
#define JSA_CALLS_GL(X) \
    X(eglGetProcAddress, 1, C, JSA_GETPROC, JSA_NEVER, JSA_WORK_OTHER, 0, 0, 0, 0, 0) \
    X(glXGetProcAddress, 1, C, JSA_GETPROC, JSA_NEVER, JSA_WORK_OTHER, 0, 0, 0, 0, 0) \
    X(glXGetProcAddressARB, 1, C, JSA_GETPROC, JSA_NEVER, JSA_WORK_OTHER, 0, 0, 0, 0, 0) \
    X(eglSwapBuffers, 2, C, JSA_RECORD, JSA_ON_ZERO, JSA_WORK_SWAP, a1, DRAWS, 0, 0, 0) \
    X(eglSwapBuffersWithDamageKHR, 4, C, JSA_RECORD, JSA_ON_ZERO, JSA_WORK_SWAP, a1, DRAWS, 0, 0, 0) \
    X(eglSwapBuffersWithDamageEXT, 4, C, JSA_RECORD, JSA_ON_ZERO, JSA_WORK_SWAP, a1, DRAWS, 0, 0, 0) \
    X(glXSwapBuffers, 2, C, JSA_RECORD, JSA_NEVER, JSA_WORK_SWAP, a1, DRAWS, 0, 0, 0) \
    X(eglMakeCurrent, 4, C, JSA_RECORD, JSA_ON_ZERO, JSA_WORK_CURRENT, a3, a1, a2, 0, 0) \
    X(glXMakeCurrent, 3, C, JSA_RECORD, JSA_ON_ZERO, JSA_WORK_CURRENT, a2, a1, 0, 0, 0) \
    X(eglCreateContext, 4, C, JSA_RECORD, JSA_ON_NULL, JSA_WORK_CONTEXT, r, a2, 0, 0, 0) \
    X(glActiveTexture, 1, C, JSA_SHARED, JSA_NEVER, JSA_WORK_ACTIVETEXTURE, LOW(a0), 0, 0, 0, 0) \
    X(glBindTexture, 2, C, JSA_SHARED, JSA_NEVER, JSA_WORK_BINDTEXTURE, LOW(a0), LOW(a1), 0, 0, 0) \
    X(glBindFramebuffer, 2, C, JSA_SHARED, JSA_NEVER, JSA_WORK_BINDFRAMEBUFFER, LOW(a0), LOW(a1), 0, 0, 0) \
    X(glFramebufferTexture2D, 5, C, JSA_SHARED, JSA_NEVER, JSA_WORK_ATTACHTEXTURE, LOW(a0), LOW(a1), LOW(a3), 0, 0) \
    X(glFramebufferTexture, 4, C, JSA_SHARED, JSA_NEVER, JSA_WORK_ATTACHTEXTURE, LOW(a0), LOW(a1), LOW(a2), 0, 0) \
    X(glFramebufferTextureLayer, 5, C, JSA_SHARED, JSA_NEVER, JSA_WORK_ATTACHTEXTURE, LOW(a0), LOW(a1), LOW(a2), 0, 0) \
    X(glFramebufferRenderbuffer, 4, C, JSA_SHARED, JSA_NEVER, JSA_WORK_ATTACHBUFFER, LOW(a0), LOW(a1), LOW(a3), 0, 0) \
    X(glBindBuffer, 2, C, JSA_SHARED, JSA_NEVER, JSA_WORK_BINDBUFFER, LOW(a0), LOW(a1), 0, 0, 0) \
    X(glDeleteFramebuffers, 2, C, JSA_SHARED, JSA_NEVER, JSA_WORK_NAMESEND, NAMES(a0, a1), NAME(a0, a1, 0), NAME(a0, a1, 1), NAME(a0, a1, 2), 0) \
    X(glDeleteRenderbuffers, 2, C, JSA_SHARED, JSA_NEVER, JSA_WORK_NAMESEND, NAMES(a0, a1), NAME(a0, a1, 0), NAME(a0, a1, 1), NAME(a0, a1, 2), 0) \
    X(glDeleteBuffers, 2, C, JSA_SHARED, JSA_NEVER, JSA_WORK_NAMESEND, NAMES(a0, a1), NAME(a0, a1, 0), NAME(a0, a1, 1), NAME(a0, a1, 2), 0) \
    X(glClear, 1, C, JSA_COUNT, JSA_NEVER, JSA_WORK_DRAW, 0, 0, 0, 0, 0) \
    X(eglCreateSync, 3, C, JSA_RECORD, JSA_ON_NULL, JSA_WORK_FENCE, r, LOW(a1), EVENTOF(a1, a2), 0, 0) \
    X(eglCreateSyncKHR, 3, C, JSA_RECORD, JSA_ON_NULL, JSA_WORK_FENCE, r, LOW(a1), 0, 0, 0) \
    X(eglCreateSync64KHR, 3, C, JSA_RECORD, JSA_ON_NULL, JSA_WORK_FENCE, r, LOW(a1), EVENTOF(a1, a2), 0, 0) \
    X(eglDestroySync, 2, C, JSA_RECORD, JSA_ON_ZERO, JSA_WORK_FENCEEND, a1, 0, 0, 0, 0) \
    X(eglDestroySyncKHR, 2, C, JSA_RECORD, JSA_ON_ZERO, JSA_WORK_FENCEEND, a1, 0, 0, 0, 0) \
    X(eglClientWaitSync, 4, C, JSA_RECORD, JSA_ON_ZERO, JSA_WORK_GLWAIT, a1, a3, LOW(r), LOW(a2), 0) \
    X(eglClientWaitSyncKHR, 4, C, JSA_RECORD, JSA_ON_ZERO, JSA_WORK_GLWAIT, a1, a3, LOW(r), LOW(a2), 0) \
    X(eglWaitSync, 3, C, JSA_RECORD, JSA_ON_ZERO, JSA_WORK_SERVERWAIT, a1, 0, 0, 0, 0) \
    X(eglWaitSyncKHR, 3, C, JSA_RECORD, JSA_ON_ZERO, JSA_WORK_SERVERWAIT, a1, 0, 0, 0, 0) \
    X(eglGetSyncAttrib, 4, C, JSA_RECORD, JSA_ON_ZERO, JSA_WORK_GLQUERY, a1, 0, 0, 0, 0) \
    X(eglGetSyncAttribKHR, 4, C, JSA_RECORD, JSA_ON_ZERO, JSA_WORK_GLQUERY, a1, 0, 0, 0, 0) \
    X(eglWaitClient, 0, C, JSA_RECORD, JSA_ON_ZERO, JSA_WORK_FINISH, 0, 0, 0, 0, 0) \
    X(eglWaitGL, 0, C, JSA_RECORD, JSA_ON_ZERO, JSA_WORK_FINISH, 0, 0, 0, 0, 0) \
    X(eglDupNativeFenceFDANDROID, 2, C, JSA_RECORD, JSA_NEVER, JSA_WORK_OTHER, a1, LOW(r), 0, 0, 0) \
    X(eglCreateImage, 5, C, JSA_RECORD, JSA_ON_NULL, JSA_WORK_IMAGE, r, a3, LOW(a2), 0, 0) \
    X(eglCreateImageKHR, 5, C, JSA_RECORD, JSA_ON_NULL, JSA_WORK_IMAGE, r, a3, LOW(a2), 0, 0) \
    X(eglDestroyImage, 2, C, JSA_RECORD, JSA_ON_ZERO, JSA_WORK_IMAGEEND, a1, 0, 0, 0, 0) \
    X(eglDestroyImageKHR, 2, C, JSA_RECORD, JSA_ON_ZERO, JSA_WORK_IMAGEEND, a1, 0, 0, 0, 0) \
    X(eglCreateStreamKHR, 2, C, JSA_RECORD, JSA_ON_NULL, JSA_WORK_STREAM, r, 0, 0, 0, 0) \
    X(eglDestroyStreamKHR, 2, C, JSA_RECORD, JSA_ON_ZERO, JSA_WORK_EGLSTREAMEND, a1, 0, 0, 0, 0) \
    X(eglStreamConsumerGLTextureExternalKHR, 2, C, JSA_RECORD, JSA_ON_ZERO, JSA_WORK_OTHER, a1, 0, 0, 0, 0) \
    X(eglStreamConsumerAcquireKHR, 2, C, JSA_RECORD, JSA_ON_ZERO, JSA_WORK_ACQUIRE, a1, 0, 0, 0, 0) \
    X(eglStreamConsumerReleaseKHR, 2, C, JSA_RECORD, JSA_ON_ZERO, JSA_WORK_RELEASE, a1, 0, 0, 0, 0) \
    X(glFinish, 0, C, JSA_RECORD, JSA_NEVER, JSA_WORK_FINISH, 0, 0, 0, 0, 0) \
    X(glFlush, 0, C, JSA_RECORD, JSA_NEVER, JSA_WORK_FLUSH, 0, 0, 0, 0, 0) \
    X(glFenceSync, 2, C, JSA_RECORD, JSA_ON_NULL, JSA_WORK_FENCE, r, 0, 0, 0, 0) \
    X(glDeleteSync, 1, C, JSA_RECORD, JSA_NEVER, JSA_WORK_FENCEEND, a0, 0, 0, 0, 0) \
    X(glClientWaitSync, 3, C, JSA_RECORD, JSA_ON_ZERO, JSA_WORK_GLWAIT, a0, a2, LOW(r), LOW(a1), 0) \
    X(glWaitSync, 3, C, JSA_RECORD, JSA_NEVER, JSA_WORK_SERVERWAIT, a0, 0, 0, 0, 0) \
    X(glGetSynciv, 5, C, JSA_RECORD, JSA_NEVER, JSA_WORK_GLQUERY, a0, 0, 0, 0, 0) \
    X(glPixelStorei, 2, C, JSA_RECORD, JSA_NEVER, JSA_WORK_PIXELSTORE, LOW(a0), LOW(a1), 0, 0, 0) \
    X(glGenTextures, 2, C, JSA_RECORD, JSA_NEVER, JSA_WORK_TEXTURES, LOW(a0), 0, 0, 0, 0) \
    X(glCreateTextures, 3, C, JSA_RECORD, JSA_NEVER, JSA_WORK_TEXTURES, LOW(a1), 0, 0, 0, 0) \
    X(glDeleteTextures, 2, C, JSA_RECORD, JSA_NEVER, JSA_WORK_TEXTURESEND, NAMES(a0, a1), NAME(a0, a1, 0), NAME(a0, a1, 1), NAME(a0, a1, 2), 0) \
    X(glTexImage2D, 9, C, JSA_RECORD, JSA_NEVER, JSA_WORK_STORAGE, LOW(a3), LOW(a4), a8, PAIR(a6, a7), 0) \
    X(glTexStorage2D, 5, C, JSA_RECORD, JSA_NEVER, JSA_WORK_STORAGE, LOW(a3), LOW(a4), 0, LOW(a2), 0) \
    X(glTexSubImage2D, 9, C, JSA_RECORD, JSA_NEVER, JSA_WORK_UPLOAD, LOW(a4), LOW(a5), a8, PAIR(a6, a7), 0) \
    X(glReadPixels, 7, C, JSA_RECORD, JSA_NEVER, JSA_WORK_READBACK, LOW(a2), LOW(a3), a6, PAIR(a4, a5), 0) \
    X(glMapBufferRange, 4, C, JSA_RECORD, JSA_ON_NULL, JSA_WORK_MAPBUFFER, r, a2, LOW(a3), LOW(a0), 0) \
    X(glUnmapBuffer, 1, C, JSA_RECORD, JSA_NEVER, JSA_WORK_OTHER, LOW(a0), 0, 0, 0, 0) \
    X(glBufferData, 4, C, JSA_RECORD, JSA_NEVER, JSA_WORK_BUFFERDATA, a1, a2, LOW(a3), LOW(a0), 0) \
    X(glBufferSubData, 4, C, JSA_RECORD, JSA_NEVER, JSA_WORK_BUFFERDATA, a2, a3, 0, LOW(a0), 0) \
    X(glEGLImageTargetTexture2DOES, 2, C, JSA_RECORD, JSA_NEVER, JSA_WORK_OTHER, a1, 0, 0, 0, 0) \
    X(glInvalidateFramebuffer, 3, C, JSA_RECORD, JSA_NEVER, JSA_WORK_OTHER, 0, 0, 0, 0, 0) \
    X(glBlitFramebuffer, 10, C, JSA_COUNT, JSA_NEVER, JSA_WORK_DRAW, 0, 0, 0, 0, 0) \
    X(glDispatchCompute, 3, C, JSA_COUNT, JSA_NEVER, JSA_WORK_DRAW, 0, 0, 0, 0, 0) \
    X(glDrawArrays, 3, C, JSA_COUNT, JSA_NEVER, JSA_WORK_DRAW, 0, 0, 0, 0, 0) \
    X(glDrawElements, 4, C, JSA_COUNT, JSA_NEVER, JSA_WORK_DRAW, 0, 0, 0, 0, 0) \
    X(glDrawArraysInstanced, 4, C, JSA_COUNT, JSA_NEVER, JSA_WORK_DRAW, 0, 0, 0, 0, 0) \
    X(glDrawElementsInstanced, 5, C, JSA_COUNT, JSA_NEVER, JSA_WORK_DRAW, 0, 0, 0, 0, 0) \
    X(glDrawRangeElements, 6, C, JSA_COUNT, JSA_NEVER, JSA_WORK_DRAW, 0, 0, 0, 0, 0) \
    X(glDrawElementsBaseVertex, 5, C, JSA_COUNT, JSA_NEVER, JSA_WORK_DRAW, 0, 0, 0, 0, 0) \
    X(eglCreateStreamAttribKHR, 2, C, JSA_RECORD, JSA_ON_NULL, JSA_WORK_STREAM, r, 0, 0, 0, 0) \
    X(eglCreateStreamAttribNV, 2, C, JSA_RECORD, JSA_ON_NULL, JSA_WORK_STREAM, r, 0, 0, 0, 0) \
    X(eglCreateStreamFromFileDescriptorKHR, 2, C, JSA_RECORD, JSA_ON_NULL, JSA_WORK_STREAM, r, 0, 0, 0, 0) \
    X(eglStreamConsumerGLTextureExternalAttribsNV, 3, C, JSA_RECORD, JSA_ON_ZERO, JSA_WORK_OTHER, a1, 0, 0, 0, 0) \
    X(eglStreamConsumerAcquireAttribKHR, 3, C, JSA_RECORD, JSA_ON_ZERO, JSA_WORK_ACQUIRE, a1, 0, 0, 0, 0) \
    X(eglStreamConsumerAcquireAttribNV, 3, C, JSA_RECORD, JSA_ON_ZERO, JSA_WORK_ACQUIRE, a1, 0, 0, 0, 0) \
    X(eglStreamConsumerReleaseAttribKHR, 3, C, JSA_RECORD, JSA_ON_ZERO, JSA_WORK_RELEASE, a1, 0, 0, 0, 0) \
    X(eglStreamConsumerReleaseAttribNV, 3, C, JSA_RECORD, JSA_ON_ZERO, JSA_WORK_RELEASE, a1, 0, 0, 0, 0) \
    X(eglStreamAcquireImageNV, 4, C, JSA_RECORD, JSA_ON_ZERO, JSA_WORK_ACQUIRE, a1, 0, 0, 0, 0) \
    X(eglStreamReleaseImageNV, 4, C, JSA_RECORD, JSA_ON_ZERO, JSA_WORK_RELEASE, a1, 0, 0, 0, 0) \
    X(eglQueryStreamKHR, 4, C, JSA_RECORD, JSA_ON_ZERO, JSA_WORK_OTHER, a1, LOW(a2), 0, 0, 0) \
    X(eglStreamAttribKHR, 4, C, JSA_RECORD, JSA_ON_ZERO, JSA_WORK_OTHER, a1, LOW(a2), LOW(a3), 0, 0) \
    X(NvBufSurfaceCreate, 3, C, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_NVBUF, OUT(a0), LOW(a1), 0, 0, 0) \
    X(NvBufSurfaceAllocate, 3, C, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_NVBUF, OUT(a0), LOW(a1), 0, 0, 0) \
    X(NvBufSurfaceDestroy, 1, C, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_NVBUFEND, a0, 0, 0, 0, 0) \
    X(NvBufSurfaceFromFd, 2, C, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_OTHER, LOW(a0), OUT(a1), 0, 0, 0) \
    X(NvBufSurfaceMap, 4, C, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_NVMAP, a0, LOW(a1), LOW(a2), PAIR(a3, WORD(a0, 2)), 0) \
    X(NvBufSurfaceUnMap, 3, C, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_NVUNMAP, a0, LOW(a1), LOW(a2), 0, 0) \
    X(NvBufSurfaceSyncForCpu, 3, C, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_NVSYNC, a0, LOW(a2), LOW(a1), 0, 0) \
    X(NvBufSurfaceSyncForDevice, 3, C, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_NVSYNC, a0, LOW(a2), LOW(a1), 0, 0) \
    X(NvBufSurfaceMapEglImage, 2, C, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_NVIMAGE, a0, a0, LOW(a1), 0, 0) \
    X(NvBufSurfaceUnMapEglImage, 2, C, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_NVIMAGEEND, a0, 0, 0, 0, 0) \
    X(NvBufSurfaceCopy, 2, C, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_NVCOPY, a0, a1, 0, 0, 0) \
    X(NvBufSurfTransform, 3, C, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_NVCOPY, a0, a1, 0, 0, 0) \
    X(NvBufSurfTransformAsync, 4, C, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_NVSUBMIT, a0, a1, 0, 0, 0) \
    X(NvBufSurfTransformSyncObjWait, 2, C, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_NVWAIT, a0, 0, 0, 0, 0) \
    X(NvBufferCreate, 5, C, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_NVBUF, OUT32(a0), 1, 0, 0, 0) \
    X(NvBufferCreateEx, 2, C, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_NVBUF, OUT32(a0), 1, 0, 0, 0) \
    X(NvBufferDestroy, 1, C, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_NVBUFEND, LOW(a0), 0, 0, 0, 0) \
    X(NvBufferMemMap, 4, C, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_NVMAP, LOW(a0), LOW(a1), LOW(a1), LOW(a2), 0) \
    X(NvBufferMemUnMap, 3, C, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_NVUNMAP, LOW(a0), LOW(a1), 0, 0, 0) \
    X(NvBufferMemSyncForCpu, 3, C, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_NVSYNC, LOW(a0), LOW(a1), 0, 0, 0) \
    X(NvBufferMemSyncForDevice, 3, C, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_NVSYNC, LOW(a0), LOW(a1), 0, 0, 0) \
    X(NvEGLImageFromFd, 2, C, JSA_RECORD, JSA_ON_NULL, JSA_WORK_NVIMAGE, r, LOW(a1), 0, 0, 0) \
    X(NvDestroyEGLImage, 2, C, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_NVIMAGEEND, a1, 0, 0, 0, 0) \
    X(NvBufferTransform, 3, C, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_NVCOPY, LOW(a0), LOW(a1), 0, 0, 0)

#define JSA_CALLS_CUDA(X) \
    X(cuGetProcAddress, 4, B, JSA_GETCUDA, JSA_ON_NONZERO, JSA_WORK_OTHER, 0, 0, 0, 0, 0) \
    X(cuGetProcAddress_v2, 5, B, JSA_GETCUDA, JSA_ON_NONZERO, JSA_WORK_OTHER, 0, 0, 0, 0, 0) \
    X(cuInit, 1, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_OTHER, 0, 0, 0, 0, 0) \
    X(cuModuleGetFunction, 3, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_NAME, OUT(a0), TEXT(a2), 0, 0, 0) \
    X(cuLibraryGetKernel, 3, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_NAME, OUT(a0), TEXT(a2), 0, 0, 0) \
    X(cuLaunchKernel, 11, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_LAUNCH, a8, a0, 0, 0, 0) \
    X(cuLaunchCooperativeKernel, 10, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_LAUNCH, a8, a0, 0, 0, 0) \
    X(cuLaunchKernelEx, 4, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_LAUNCH, LAUNCHSTREAM(a0), a1, 0, 0, 0) \
    X(cuGraphLaunch, 2, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_LAUNCH, a1, 0, 0, 0, 0) \
    X(cuLaunchHostFunc, 3, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_HOSTFUNC, a0, 0, 0, 0, 0) \
    X(cuStreamAddCallback, 4, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_HOSTFUNC, a0, 0, 0, 0, 0) \
    X(cuMemcpy, 3, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_COPY, 0, a0, a1, a2, JSA_COPY_UNKNOWN) \
    X(cuMemcpyHtoD_v2, 3, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_COPY, 0, a0, a1, a2, JSA_COPY_TO_DEVICE) \
    X(cuMemcpyDtoH_v2, 3, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_COPY, 0, a0, a1, a2, JSA_COPY_TO_HOST) \
    X(cuMemcpyDtoD_v2, 3, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_COPY, 0, a0, a1, a2, JSA_COPY_ON_DEVICE) \
    X(cuMemcpyAsync, 4, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_COPYASYNC, a3, a0, a1, a2, JSA_COPY_UNKNOWN) \
    X(cuMemcpyHtoDAsync_v2, 4, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_COPYASYNC, a3, a0, a1, a2, JSA_COPY_TO_DEVICE) \
    X(cuMemcpyDtoHAsync_v2, 4, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_COPYASYNC, a3, a0, a1, a2, JSA_COPY_TO_HOST) \
    X(cuMemcpyDtoDAsync_v2, 4, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_COPYASYNC, a3, a0, a1, a2, JSA_COPY_ON_DEVICE) \
    X(cuMemcpyHtoA_v2, 4, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_COPY, 0, 0, a2, a3, JSA_COPY_TO_DEVICE) \
    X(cuMemcpyHtoAAsync_v2, 5, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_COPYASYNC, a4, 0, a2, a3, JSA_COPY_TO_DEVICE) \
    X(cuMemcpyAtoH_v2, 4, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_COPY, 0, a0, 0, a3, JSA_COPY_TO_HOST) \
    X(cuMemcpyAtoHAsync_v2, 5, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_COPYASYNC, a4, a0, 0, a3, JSA_COPY_TO_HOST) \
    X(cuMemcpyDtoA_v2, 4, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_COPY, 0, 0, a2, a3, JSA_COPY_ON_DEVICE) \
    X(cuMemcpyAtoD_v2, 4, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_COPY, 0, a0, 0, a3, JSA_COPY_ON_DEVICE) \
    X(cuMemcpyAtoA_v2, 5, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_COPY, 0, 0, 0, a4, JSA_COPY_ON_DEVICE) \
    X(cuMemcpyPeer, 5, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_COPY, 0, a0, a2, a4, JSA_COPY_ON_DEVICE) \
    X(cuMemcpyPeerAsync, 6, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_COPYASYNC, a5, a0, a2, a4, JSA_COPY_ON_DEVICE) \
    X(cuMemcpy2D_v2, 1, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_COPY, 0, COPIED(2, TO, a0), COPIED(2, FROM, a0), COPIED(2, BYTES, a0), JSA_COPY_IN_ROWS) \
    X(cuMemcpy2DUnaligned_v2, 1, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_COPY, 0, COPIED(2, TO, a0), COPIED(2, FROM, a0), COPIED(2, BYTES, a0), JSA_COPY_IN_ROWS) \
    X(cuMemcpy2DAsync_v2, 2, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_COPYASYNC, a1, COPIED(2, TO, a0), COPIED(2, FROM, a0), COPIED(2, BYTES, a0), JSA_COPY_IN_ROWS) \
    X(cuMemcpy3D_v2, 1, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_COPY, 0, COPIED(3, TO, a0), COPIED(3, FROM, a0), COPIED(3, BYTES, a0), JSA_COPY_IN_ROWS) \
    X(cuMemcpy3DAsync_v2, 2, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_COPYASYNC, a1, COPIED(3, TO, a0), COPIED(3, FROM, a0), COPIED(3, BYTES, a0), JSA_COPY_IN_ROWS) \
    X(cuMemsetD8_v2, 3, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_SET, 0, a0, a2, 1, 0) \
    X(cuMemsetD32_v2, 3, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_SET, 0, a0, a2 * 4, 1, 0) \
    X(cuMemsetD8Async, 4, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_SETASYNC, a3, a0, a2, 1, 0) \
    X(cuMemsetD32Async, 4, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_SETASYNC, a3, a0, a2 * 4, 1, 0) \
    X(cuMemsetD16_v2, 3, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_SET, 0, a0, a2 * 2, 1, 0) \
    X(cuMemsetD16Async, 4, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_SETASYNC, a3, a0, a2 * 2, 1, 0) \
    X(cuMemsetD2D8_v2, 5, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_SET, 0, a0, a3, PAIR(a4, a1), 0) \
    X(cuMemsetD2D16_v2, 5, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_SET, 0, a0, a3 * 2, PAIR(a4, a1), 0) \
    X(cuMemsetD2D32_v2, 5, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_SET, 0, a0, a3 * 4, PAIR(a4, a1), 0) \
    X(cuMemsetD2D8Async, 6, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_SETASYNC, a5, a0, a3, PAIR(a4, a1), 0) \
    X(cuMemsetD2D16Async, 6, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_SETASYNC, a5, a0, a3 * 2, PAIR(a4, a1), 0) \
    X(cuMemsetD2D32Async, 6, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_SETASYNC, a5, a0, a3 * 4, PAIR(a4, a1), 0) \
    X(cuMemAlloc_v2, 2, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_ALLOC, OUT(a0), a1, 0, 0, 0) \
    X(cuMemAllocPitch_v2, 5, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_ALLOC, OUT(a0), OUT(a1) * a3, 0, 0, 0) \
    X(cuMemAllocAsync, 3, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_POOLALLOC, OUT(a0), a1, 0, 0, 0) \
    X(cuMemFreeAsync, 2, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_POOLFREE, a0, a1, 0, 0, 0) \
    X(cuMemAllocFromPoolAsync, 4, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_POOLALLOC, OUT(a0), a1, 0, 0, 0) \
    X(cuMemPoolSetAttribute, 3, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_POOLKEEP, THRESHOLD(a1, a2), 0, 0, 0, 0) \
    X(cuMemFree_v2, 1, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_FREE, a0, 0, 0, 0, 0) \
    X(cuMemAllocHost_v2, 2, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_HOSTALLOC, OUT(a0), a1, 0, 0, 0) \
    X(cuMemHostAlloc, 3, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_HOSTALLOC, OUT(a0), a1, LOW(a2), 0, 0) \
    X(cuMemFreeHost, 1, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_FREE, a0, 0, 0, 0, 0) \
    X(cuMemHostRegister_v2, 3, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_REGISTER, a0, a1, LOW(a2), 0, 0) \
    X(cuMemHostUnregister, 1, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_UNREGISTER, a0, 0, 0, 0, 0) \
    X(cuMemAllocManaged, 3, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_MANAGED, OUT(a0), a1, LOW(a2), 0, 0) \
    X(cuStreamAttachMemAsync, 4, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_ATTACH, a0, a1, a2, LOW(a3), 0) \
    X(cuMemPrefetchAsync, 5, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_OTHER, a0, a1, 0, 0, 0) \
    X(cuMemPrefetchAsync_v2, 5, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_OTHER, a0, a1, 0, 0, 0) \
    X(cuMemAdvise_v2, 4, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_OTHER, a0, a1, LOW(a2), 0, 0) \
    X(cuMemAdvise, 4, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_OTHER, a0, a1, LOW(a2), 0, 0) \
    X(cuImportExternalMemory, 2, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_GRAPHICS, OUT(a0), 0, 0, 0, 0) \
    X(cuDestroyExternalMemory, 1, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_GRAPHICSEND, a0, 0, 0, 0, 0) \
    X(cuGraphicsGLRegisterImage, 4, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_GRAPHICS, OUT(a0), LOW(a1), LOW(a3), 0, 0) \
    X(cuGraphicsGLRegisterBuffer, 3, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_GRAPHICS, OUT(a0), LOW(a1), LOW(a2), 0, 0) \
    X(cuGraphicsEGLRegisterImage, 3, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_GRAPHICS, OUT(a0), a1, LOW(a2), 0, 0) \
    X(cuGraphicsUnregisterResource, 1, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_GRAPHICSEND, a0, 0, 0, 0, 0) \
    X(cuGraphicsMapResources, 3, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_MAP, LOW(a0), a2, 0, 0, 0) \
    X(cuGraphicsUnmapResources, 3, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_UNMAP, LOW(a0), a2, 0, 0, 0) \
    X(cuEGLStreamConsumerAcquireFrame, 4, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_ACQUIRE, a0, 0, 0, 0, 0) \
    X(cuEGLStreamConsumerReleaseFrame, 3, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_RELEASE, a0, a1, 0, 0, 0) \
    X(cuEGLStreamProducerPresentFrame, FRAME, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_RELEASE, a0, 0, 0, 0, 0) \
    X(cuEGLStreamProducerReturnFrame, 3, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_ACQUIRE, a0, 0, 0, 0, 0) \
    X(cuStreamBeginCapture, 1, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_CAPTURE, a0, 0, 0, 0, 0) \
    X(cuStreamBeginCapture_v2, 2, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_CAPTURE, a0, 0, 0, 0, 0) \
    X(cuStreamBeginCaptureToGraph, 6, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_CAPTURE, a0, 0, 0, 0, 0) \
    X(cuStreamEndCapture, 2, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_CAPTUREEND, a0, 0, 0, 0, 0) \
    X(cuStreamCreate, 2, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_STREAMMADE, OUT(a0), LOW(a1), 0, 0, 0) \
    X(cuGreenCtxStreamCreate, 4, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_STREAMMADE, OUT(a0), LOW(a2), 0, 0, 0) \
    X(cuStreamCreateWithPriority, 3, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_STREAMMADE, OUT(a0), LOW(a1), 0, 0, 0) \
    X(cuStreamDestroy_v2, 1, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_STREAMEND, a0, 0, 0, 0, 0) \
    X(cuStreamSynchronize, 1, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_STREAMSYNC, a0, 0, 0, 0, 0) \
    X(cuStreamQuery, 1, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_QUERY, a0, 0, 0, 0, 0) \
    X(cuStreamWaitEvent, 3, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_STREAMWAIT, a0, a1, 0, 0, 0) \
    X(cuStreamWriteValue32, 4, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_VALUEWRITE, a0, a1, LOW(a2), LOW(a3), JSA_VALUE_32) \
    X(cuStreamWaitValue32, 4, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_VALUEWAIT, a0, a1, LOW(a2), LOW(a3), JSA_VALUE_32) \
    X(cuStreamWriteValue64, 4, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_VALUEWRITE, a0, a1, a2, LOW(a3), JSA_VALUE_64) \
    X(cuStreamWaitValue64, 4, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_VALUEWAIT, a0, a1, a2, LOW(a3), JSA_VALUE_64) \
    X(cuStreamBatchMemOp, 4, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_VALUES, a0, LOW(a1), OPERATIONS(a1, a2), 0, 0) \
    X(cuStreamWriteValue32_v2, 4, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_VALUEWRITE, a0, a1, LOW(a2), LOW(a3), JSA_VALUE_32) \
    X(cuStreamWaitValue32_v2, 4, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_VALUEWAIT, a0, a1, LOW(a2), LOW(a3), JSA_VALUE_32) \
    X(cuStreamWriteValue64_v2, 4, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_VALUEWRITE, a0, a1, a2, LOW(a3), JSA_VALUE_64) \
    X(cuStreamWaitValue64_v2, 4, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_VALUEWAIT, a0, a1, a2, LOW(a3), JSA_VALUE_64) \
    X(cuStreamBatchMemOp_v2, 4, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_VALUES, a0, LOW(a1), OPERATIONS(a1, a2), 0, 0) \
    X(cuWaitExternalSemaphoresAsync, 4, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_VALUES, a3, LOW(a2), 0, 0, 0) \
    X(cuSignalExternalSemaphoresAsync, 4, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_SIGNAL, a3, LOW(a2), 0, 0, 0) \
    X(cuCtxSynchronize, 1, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_CONTEXTSYNC, 0, 0, 0, 0, 0) \
    X(cuEventCreate, 2, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_EVENTMADE, OUT(a0), LOW(a1), 0, 0, 0) \
    X(cuEventCreateFromEGLSync, 3, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_EVENTMADE, OUT(a0), LOW(a2), a1, 0, 0) \
    X(cuEventRecord, 2, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_EVENTRECORD, a0, a1, 0, 0, 0) \
    X(cuEventRecordWithFlags, 3, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_EVENTRECORD, a0, a1, 0, 0, 0) \
    X(cuCtxRecordEvent, 2, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_CONTEXTRECORD, a1, 0, 0, 0, 0) \
    X(cuGreenCtxRecordEvent, 2, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_CONTEXTRECORD, a1, 0, 0, 0, 0) \
    X(cuCtxWaitEvent, 2, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_CONTEXTWAIT, a1, 0, 0, 0, 0) \
    X(cuGreenCtxWaitEvent, 2, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_CONTEXTWAIT, a1, 0, 0, 0, 0) \
    X(cuEventSynchronize, 1, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_EVENTSYNC, a0, 0, 0, 0, 0) \
    X(cuEventQuery, 1, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_EVENTQUERY, a0, 0, 0, 0, 0) \
    X(cuEventDestroy_v2, 1, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_EVENTEND, a0, 0, 0, 0, 0) \
    X(cuEGLStreamConsumerConnect, 2, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_CONNECT, a0, a1, 0, 0, 0) \
    X(cuEGLStreamConsumerConnectWithFlags, 3, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_CONNECT, a0, a1, 0, 0, 0) \
    X(cuEGLStreamConsumerDisconnect, 1, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_DISCONNECT, a0, 0, 0, 0, 0) \
    X(cuEGLStreamProducerConnect, 4, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_CONNECT, a0, a1, 0, 0, 0) \
    X(cuEGLStreamProducerDisconnect, 1, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_DISCONNECT, a0, 0, 0, 0, 0) \
    X(cuArrayCreate_v2, 2, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_ARRAY, OUT(a0), PAIR(WORD(a1, 0), WORD(a1, 1)), PAIR(0, 1), WORD(a1, 2), 0) \
    X(cuArray3DCreate_v2, 2, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_ARRAY, OUT(a0), PAIR(WORD(a1, 0), WORD(a1, 1)), PAIR(WORD(a1, 2), 1 | WORD(a1, 4) << 8), WORD(a1, 3), 0) \
    X(cuArrayDestroy, 1, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_ARRAYEND, a0, 0, 0, 0, 0) \
    X(cuMipmappedArrayCreate, 3, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_ARRAY, OUT(a0), PAIR(WORD(a1, 0), WORD(a1, 1)), PAIR(WORD(a1, 2), LOW(a2) | WORD(a1, 4) << 8), WORD(a1, 3), 0) \
    X(cuMipmappedArrayDestroy, 1, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_ARRAYEND, a0, 0, 0, 0, 0) \
    X(cuMemCreate, 4, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_PHYSICAL, OUT(a0), a1, 0, 0, 0) \
    X(cuMemRelease, 1, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_PHYSICALEND, a0, 0, 0, 0, 0) \
    X(cuMemMap, 5, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_VIRTUALMAP, a0, a1, a3, 0, 0) \
    X(cuMemUnmap, 2, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_VIRTUALUNMAP, a0, a1, 0, 0, 0) \
    X(cuGraphicsResourceGetMappedEglFrame, 4, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_EGLFRAME, a1, LOW(a2), 0, 0, 0) \
    X(cuEventElapsedTime, 3, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_EVENTTIME, a1, a2, 0, 0, 0) \
    X(cuEventElapsedTime_v2, 3, B, JSA_RECORD, JSA_ON_NONZERO, JSA_WORK_EVENTTIME, a1, a2, 0, 0, 0)
// clang-format on

#define JSA_CALLS(X) JSA_CALLS_GL(X) JSA_CALLS_CUDA(X)

// Numbers of the calls, as in records. 0 is none.
enum jsa_call {
    JSA_CALL_NONE = 0,
    JSA_CALL_TEXT,  // The arguments are up to 40 bytes of text, continued by the next record or ended by a 0.
    JSA_CALL_DATA,  // The arguments are 40 bytes of data of the next record.
    JSA_CALL_STACK, // The arguments are five words of the stack of the next record's call
                    // (core/attach/read/callstack.h).
    JSA_CALL_DRAWN, // Something is drawn, first since a recorded call of GL. Arguments: the function.
    JSA_CALL_READ,  // The CPU has used a result that was watched. Arguments: its address, the copy. `begin` is when the
                    // watch began, `end` when the access was reported, the fifth argument the place behind the access.
    JSA_CALL_MARK,  // A call of jetscope_mark.h.
#define JSA_NUMBER(name, ...) JSA_CALL_##name,
    JSA_CALLS(JSA_NUMBER)
#undef JSA_NUMBER
        JSA_CALL_COUNT
};
