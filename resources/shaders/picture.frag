#version 300 es
// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
precision highp float; // mediump cannot address every texel of a large picture.

uniform sampler2D picture;
in vec2 place;
out vec4 color;

void main()
{
    color = vec4(texture(picture, place).rgb, 1.0);
}
