#version 300 es
// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Left, top, right and bottom of the picture in clip space. The first row of the texture is the top of the picture.
uniform vec4 target;
out vec2 place;

void main()
{
    place = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1));
    gl_Position = vec4(mix(target.xy, target.zw, place), 0.0, 1.0);
}
