// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A plug-in that makes no call itself: the library that it was linked to does, and nothing opened that one by itself.

extern void linked_frames(int frames);

void outer_frames(int frames)
{
    linked_frames(frames);
}
