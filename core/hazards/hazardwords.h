// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hazards/accesshistory.h"
#include "core/hazards/eglstreams.h"
#include "core/hazards/queueorder.h"
#include "core/hazards/rules.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace jetscope {

// What hazards say. Sentences name no frame and no stream, so that the same hazard has the same sentence; the accesses
// beside them do.

inline constexpr const char *kStreamName = "CUDA stream";
inline constexpr const char *kGlQueueName = "GL queue";
/// Of HazardAccess::queue, in a capture, too.
QueueKind queueKindOf(std::string_view queue);

/// "managed memory, 460800 bytes"
std::string memoryWords(Allocation allocation, std::size_t bytes);
/// "EGLImage, 640x360"
std::string imageWords(int width, int height);
/// "kernels", "copy", "CPU access"
std::string accessWords(const MemoryAccess &access);
/// "CPU stage thread"
std::string threadWords(LaneRole role);

/// "Kernels write memory that GL commands may still read: nothing orders the two"
std::string conflictWords(const MemoryAccess &first, const MemoryAccess &second);
/// A CPU access that breaks A1 to A4.
std::string touchWords(RuleId rule, const MemoryAccess &touch);
/// A1 from the other side: a launch while a CPU scope is open.
std::string launchedIntoWords(const MemoryAccess &scope);
std::string freedWords(bool isImage, const MemoryAccess &last);
/// C6: a texture gets new storage while `work` is in flight.
std::string respecifiedWords(const MemoryAccess &work);
/// C6: work uses an image whose texture got new storage before.
std::string orphanedWords(const MemoryAccess &next);
/// E6: the frame of an EGLStream is used by the wrong side.
std::string outOfTurnWords(FrameTurn turn, const MemoryAccess &next);
std::string releasedWords(const MemoryAccess &work);
/// E4
std::string repeatWords(AccessKind kind);
std::string atomicsWords();
std::string readAgainWords();
std::string refusedWords();
std::string compiledWords();
std::string spinningWords(LaneRole role);
std::string ownedWords(Attach attach);
std::string reattachedWords();
std::string costWords(bool pageable);
/// A9
std::string prefetchWords();
/// A19
std::string poolEmptyWords();
/// A23: memory of a pool is used that was freed before, in the order of a stream.
std::string freedInStreamWords(const MemoryAccess &next);
/// A24: kernels use ordinary memory that they do not reach.
std::string notReachedWords(const MemoryAccess &next);
/// A25: what a prefetch discarded is read.
std::string discardedWords(const MemoryAccess &next);
/// G1: "A kernel" is put behind work of VPI that may not be complete.
std::string vpiWords(const char *what);
/// G2
std::string vpiReadWords(LaneRole role);

} // namespace jetscope
