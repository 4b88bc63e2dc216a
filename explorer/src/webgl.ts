// A small WebGL2 layer: nodes as textured points, edges as hairlines or as quads with dashes and arrows, communities as discs.
// Buffers change with the scene; panning and zooming change a handful of uniforms.

import { Camera, LEAST_RADIUS, MOST_RADIUS } from "./camera";
import { SHAPES, Scene } from "./scene";
import { rgb, styleOf } from "./shapes";

const TILE = 64;
const INSET = 0.78; // of half a tile: room for corners that reach beyond the radius
const EDGES_A_LINE = 512; // of the texture that holds the edges, four texels each: 2048 is the width that every WebGL2 has

const VIEW = `#version 300 es
precision highp float;
uniform vec2 middle; uniform vec2 half_size; uniform float scale; uniform float radius_scale; uniform float ratio;
vec4 place(vec2 pixel) { return vec4(pixel.x / half_size.x, -pixel.y / half_size.y, 0.0, 1.0); }
vec2 seen(vec2 world) { return (world - middle) * scale; }
float seen_radius(float r) { return clamp(r * radius_scale, ${LEAST_RADIUS.toFixed(1)}, ${MOST_RADIUS.toFixed(1)}); }
`;

const NODE_VERTEX = `${VIEW}
in vec2 at; in float radius; in float shape; in float hollow; in vec4 colour;
out vec4 v_colour; out float v_shape; out float v_hollow;
void main() {
  gl_Position = place(seen(at));
  gl_PointSize = 2.0 * seen_radius(radius) * ratio / ${INSET.toFixed(2)};
  v_colour = colour; v_shape = shape; v_hollow = hollow;
}`;
const NODE_FRAGMENT = `#version 300 es
precision mediump float;
uniform sampler2D atlas; uniform float tiles; uniform vec3 ground;
in vec4 v_colour; in float v_shape; in float v_hollow; out vec4 result;
void main() {
  vec4 mask = texture(atlas, vec2((v_shape + gl_PointCoord.x) / tiles, gl_PointCoord.y));
  if (mask.r < 0.04) discard;
  vec3 inside = mix(v_colour.rgb, ground, v_hollow > 0.5 ? 1.0 - mask.g : 0.0);
  result = vec4(inside, v_colour.a * mask.r);
}`;

const THIN_VERTEX = `${VIEW}
in vec2 at; in vec4 colour; out vec4 v_colour;
void main() { gl_Position = place(seen(at)); v_colour = colour; }`;
const PLAIN_FRAGMENT = `#version 300 es
precision mediump float;
in vec4 v_colour; out vec4 result;
void main() { result = v_colour; }`;

// An edge is nine corners, six of its line and three of its arrow, made from its row in a texture: software drivers take tens of
// microseconds for each instance of an instanced draw, whatever its size.
const THICK_VERTEX = `${VIEW}
uniform highp sampler2D rows; uniform int corners;
out vec4 v_colour; out vec3 v_along;
const vec2 CORNERS[9] = vec2[9](vec2(0, -1), vec2(1, -1), vec2(0, 1), vec2(0, 1), vec2(1, -1), vec2(1, 1), vec2(0, 0), vec2(1, -1), vec2(1, 1));
void main() {
  int edge = gl_VertexID / corners, which = gl_VertexID - edge * corners;
  ivec2 row = ivec2((edge % ${EDGES_A_LINE}) * 4, edge / ${EDGES_A_LINE});
  vec4 ends = texelFetch(rows, row, 0), shape = texelFetch(rows, row + ivec2(1, 0), 0);
  float shift = texelFetch(rows, row + ivec2(3, 0), 0).x;
  vec2 corner = CORNERS[which], a = seen(ends.xy), b = seen(ends.zw), way = b - a;
  float whole = max(length(way), 0.001);
  vec2 ahead = way / whole, aside = vec2(-ahead.y, ahead.x);
  float ra = shape.x > 0.0 ? seen_radius(shape.x) : 0.0, rb = shape.y > 0.0 ? seen_radius(shape.y) : 0.0;
  float from = min(ra, whole * 0.4), to = max(whole - rb, whole * 0.6);
  float size = shape.y > 0.0 ? min(4.0 + 1.6 * shape.z, (to - from) * 0.6) : 0.0;
  vec2 pixel;
  if (which > 5) {
    pixel = a + ahead * (to - corner.x * size) + aside * (shift + corner.y * size * 0.45);
    v_along = vec3(0.0, 0.0, 0.0);
  } else {
    float reach = shape.z * 0.5 + 0.75, end = to - (shape.y > 0.0 ? size * 0.8 : 0.0);
    float t = mix(from, end, corner.x);
    pixel = a + ahead * t + aside * (shift + corner.y * reach);
    v_along = vec3(t - from, corner.y * reach / (shape.z * 0.5), shape.w);
  }
  v_colour = texelFetch(rows, row + ivec2(2, 0), 0);
  gl_Position = place(pixel);
}`;
const THICK_FRAGMENT = `#version 300 es
precision mediump float;
in vec4 v_colour; in vec3 v_along; out vec4 result;
void main() {
  if (v_along.z > 0.0 && mod(v_along.x, 2.0 * v_along.z) > v_along.z) discard;
  float soft = clamp(1.6 - abs(v_along.y), 0.0, 1.0);
  result = vec4(v_colour.rgb, v_colour.a * soft);
}`;

const DISC_VERTEX = `${VIEW}
in vec2 corner; in vec2 at; in float radius; in vec4 colour;
out vec4 v_colour; out vec2 v_corner; out float v_size;
void main() {
  float size = max(radius * scale, 5.0);
  gl_Position = place(seen(at) + corner * size);
  v_colour = colour; v_corner = corner; v_size = size;
}`;
const DISC_FRAGMENT = `#version 300 es
precision mediump float;
in vec4 v_colour; in vec2 v_corner; in float v_size; out vec4 result;
void main() {
  float edge = 1.0 - length(v_corner);
  if (edge < 0.0) discard;
  float rim = 1.0 - smoothstep(1.5 / v_size, 3.0 / v_size, edge);
  float soft = smoothstep(0.0, 1.5 / v_size, edge);
  result = vec4(v_colour.rgb, v_colour.a * soft * mix(0.42, 1.0, rim));
}`;

type Attribute = [name: string, size: number, type: number];

class Program {
  readonly program: WebGLProgram;
  private readonly locations = new Map<string, WebGLUniformLocation | null>();
  private readonly buffers = new Map<string, WebGLBuffer>();
  private readonly array: WebGLVertexArrayObject;

  constructor(private readonly gl: WebGL2RenderingContext, vertex: string, fragment: string, attributes: Attribute[]) {
    this.program = gl.createProgram()!;
    const shaders = ([[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]] as const).map(([type, text]) => {
      const shader = gl.createShader(type)!;
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(this.program, shader);
      return shader;
    });
    gl.linkProgram(this.program);
    // each question waits for the driver, so the shaders are asked only where there is something to hear
    if (!gl.getProgramParameter(this.program, gl.LINK_STATUS)) {
      throw new Error([...shaders.map((shader) => gl.getShaderInfoLog(shader)), gl.getProgramInfoLog(this.program)].filter(Boolean).join("; ") || "program");
    }
    this.array = gl.createVertexArray()!;
    gl.bindVertexArray(this.array);
    for (const [name, size, type] of attributes) {
      const buffer = gl.createBuffer()!, location = gl.getAttribLocation(this.program, name);
      this.buffers.set(name, buffer);
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.enableVertexAttribArray(location);
      gl.vertexAttribPointer(location, size, type, type === gl.UNSIGNED_BYTE, 0, 0);
    }
    gl.bindVertexArray(null);
  }

  fill(name: string, values: Float32Array | Uint8Array): void {
    this.gl.bindBuffer(this.gl.ARRAY_BUFFER, this.buffers.get(name)!);
    this.gl.bufferData(this.gl.ARRAY_BUFFER, values, this.gl.DYNAMIC_DRAW);
  }

  use(): void {
    this.gl.useProgram(this.program);
    this.gl.bindVertexArray(this.array);
  }

  at(name: string): WebGLUniformLocation | null {
    if (!this.locations.has(name)) this.locations.set(name, this.gl.getUniformLocation(this.program, name));
    return this.locations.get(name)!;
  }
}

type Kind = "nodes" | "thin" | "thick" | "discs";

const DISC_CORNERS = [-1, -1, 1, -1, -1, 1, -1, 1, 1, -1, 1, 1];

export class WebGL {
  private readonly made = new Map<Kind, Program>();
  private current: Scene | null = null;

  /** Returns null where the browser has no WebGL2: the page then draws on a plain canvas. */
  static on(canvas: HTMLCanvasElement): WebGL | null {
    const gl = canvas.getContext("webgl2", { antialias: false, alpha: false, preserveDrawingBuffer: false, powerPreference: "high-performance" });
    return gl ? new WebGL(gl) : null;
  }

  private constructor(private readonly gl: WebGL2RenderingContext) {
    this.atlas();
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    gl.enable(gl.BLEND);
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }

  /** A program is compiled when something is to be drawn with it: each costs a tenth of a second where there is no graphics card. */
  private program(kind: Kind): Program {
    const known = this.made.get(kind);
    if (known) return known;
    const { gl } = this, f = gl.FLOAT, b = gl.UNSIGNED_BYTE;
    const made = {
      nodes: () => new Program(gl, NODE_VERTEX, NODE_FRAGMENT, [["at", 2, f], ["radius", 1, f], ["shape", 1, f], ["hollow", 1, f], ["colour", 4, b]]),
      thin: () => new Program(gl, THIN_VERTEX, PLAIN_FRAGMENT, [["at", 2, f], ["colour", 4, b]]),
      thick: () => new Program(gl, THICK_VERTEX, THICK_FRAGMENT, []),
      discs: () => new Program(gl, DISC_VERTEX, DISC_FRAGMENT, [["corner", 2, f], ["at", 2, f], ["radius", 1, f], ["colour", 4, b]]),
    }[kind]();
    this.made.set(kind, made);
    return made;
  }

  get rendererName(): string {
    const info = this.gl.getExtension("WEBGL_debug_renderer_info");
    return String(this.gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : this.gl.RENDERER));
  }

  /** One tile a shape: red where the shape is, green where its outline is. */
  private atlas(): void {
    const { gl } = this;
    const canvas = document.createElement("canvas");
    canvas.width = TILE * SHAPES.length;
    canvas.height = TILE;
    const pen = canvas.getContext("2d")!;
    SHAPES.forEach((type, k) => {
      const outline = styleOf(type).outline, radius = (TILE / 2) * INSET;
      pen.beginPath();
      outline.forEach(([x, y], i) => pen[i ? "lineTo" : "moveTo"](TILE * (k + 0.5) + x * radius, TILE / 2 + y * radius));
      pen.closePath();
      pen.fillStyle = "#f00";
      pen.fill();
      pen.strokeStyle = "#ff0";
      pen.lineWidth = 11;
      pen.save();
      pen.clip();
      pen.stroke();
      pen.restore();
    });
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, canvas);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    gl.generateMipmap(gl.TEXTURE_2D);
  }

  show(scene: Scene): void {
    this.current = scene;
    if (scene.nodeX.length) {
      const nodes = this.program("nodes"), at = new Float32Array(2 * scene.nodeX.length);
      for (let k = 0; k < scene.nodeX.length; k++) { at[2 * k] = scene.nodeX[k]; at[2 * k + 1] = scene.nodeY[k]; }
      nodes.fill("at", at);
      nodes.fill("radius", scene.nodeR);
      nodes.fill("shape", scene.nodeShape);
      nodes.fill("hollow", scene.nodeHollow);
      nodes.fill("colour", scene.nodeColour);
    }
    if (scene.thinCount) {
      const thin = this.program("thin");
      thin.fill("at", scene.thinEnds);
      thin.fill("colour", scene.thinColour);
    }
    if (scene.thickCount) this.rows(scene);
    if (scene.discX.length) this.discs(scene);
  }

  /** The thick edges as texels: ends; radii, width, dash; colour; shift. */
  private rows(scene: Scene): void {
    const { gl } = this, lines = Math.ceil(scene.thickCount / EDGES_A_LINE);
    const texels = new Float32Array(16 * EDGES_A_LINE * lines);
    for (let k = 0; k < scene.thickCount; k++) {
      texels.set(scene.thickEnds.subarray(4 * k, 4 * k + 4), 16 * k);
      texels.set(scene.thickRadii.subarray(2 * k, 2 * k + 2), 16 * k + 4);
      texels.set(scene.thickStyle.subarray(3 * k, 3 * k + 2), 16 * k + 6);
      for (let part = 0; part < 4; part++) texels[16 * k + 8 + part] = scene.thickColour[4 * k + part] / 255;
      texels[16 * k + 12] = scene.thickStyle[3 * k + 2];
    }
    gl.activeTexture(gl.TEXTURE1);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, 4 * EDGES_A_LINE, lines, 0, gl.RGBA, gl.FLOAT, texels);
  }

  private discs(scene: Scene): void {
    const discs = this.program("discs"), count = scene.discX.length;
    const corner = new Float32Array(12 * count), at = new Float32Array(12 * count), radius = new Float32Array(6 * count), colour = new Uint8Array(24 * count);
    for (let k = 0; k < count; k++) {
      corner.set(DISC_CORNERS, 12 * k);
      for (let v = 6 * k; v < 6 * k + 6; v++) {
        at[2 * v] = scene.discX[k];
        at[2 * v + 1] = scene.discY[k];
        radius[v] = scene.discR[k];
        colour.set(scene.discColour.subarray(4 * k, 4 * k + 4), 4 * v);
      }
    }
    discs.fill("corner", corner);
    discs.fill("at", at);
    discs.fill("radius", radius);
    discs.fill("colour", colour);
  }

  /** Draw one frame. `mostThin` bounds the hairlines of a hurried frame. */
  draw(camera: Camera, background: string, mostThin: number): void {
    const { gl, current } = this;
    if (!current) return;
    const ground = rgb(background).map((part) => part / 255);
    gl.viewport(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight);
    gl.clearColor(ground[0], ground[1], ground[2], 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    if (current.thinCount) {
      this.prepare("thin", camera);
      gl.drawArrays(gl.LINES, 0, 2 * Math.min(mostThin, current.thinCount));
    }
    if (current.thickCount) {
      const thick = this.prepare("thick", camera), corners = current.arrows ? 9 : 6;
      gl.uniform1i(thick.at("rows"), 1);
      gl.uniform1i(thick.at("corners"), corners);
      gl.drawArrays(gl.TRIANGLES, 0, corners * current.thickCount);
    }
    if (current.discX.length) {
      this.prepare("discs", camera);
      gl.drawArrays(gl.TRIANGLES, 0, 6 * current.discX.length);
    }
    if (current.nodeX.length) {
      const nodes = this.prepare("nodes", camera);
      gl.uniform1i(nodes.at("atlas"), 0);
      gl.uniform1f(nodes.at("tiles"), SHAPES.length);
      gl.uniform3f(nodes.at("ground"), ground[0], ground[1], ground[2]);
      gl.drawArrays(gl.POINTS, 0, current.nodeX.length);
    }
    gl.bindVertexArray(null);
  }

  /** Wait until the frame is there, so that its time can be told. */
  finish(): void {
    this.gl.readPixels(0, 0, 1, 1, this.gl.RGBA, this.gl.UNSIGNED_BYTE, new Uint8Array(4));
  }

  private prepare(kind: Kind, camera: Camera): Program {
    const { gl } = this, program = this.program(kind);
    program.use();
    gl.uniform2f(program.at("middle"), camera.x, camera.y);
    gl.uniform2f(program.at("half_size"), camera.width / 2, camera.height / 2);
    gl.uniform1f(program.at("scale"), camera.scale);
    gl.uniform1f(program.at("radius_scale"), camera.radiusScale);
    gl.uniform1f(program.at("ratio"), gl.drawingBufferWidth / camera.width);
    return program;
  }
}
