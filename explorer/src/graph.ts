// The graph as it lies in the page: columns of numbers, and texts that are unpacked when somebody looks at them.

export const INFERENCE = 1;
export const REPLACED = 2;
export const NO_CONFIDENCE = 255;

export interface Head {
  n: number;
  m: number;
  types: string[];
  predicates: string[];
  statuses: string[];
  runs: string[];
  sources: [string, number][]; // id, number of its node or -1
  nodeChunk: number;
  edgeChunk: number;
  rest: number;
  communities: number;
  columns: Record<string, [string, number, number]>;
  name: string;
  objective: string;
  rendered: string;
  sourceRoot: string;
  overview: boolean;
  leftOut: [number, number];
  rules: { count: number; examples: string[] }; // broken ones
  unread: { outcome: string; count: number; examples: string[] }[]; // units that gave nothing or little
  unitsRecorded: boolean;
  layout: string;
  method: string;
  version: string;
}

export interface Said {
  text: string;
  run: number;
  source: number;
  ts: string;
}

export interface NodeDetail {
  id: string;
  qualifier: string;
  aliases: string[];
  descriptions: Said[];
  attrs: Record<string, unknown>;
  fields: Record<string, unknown>; // the type's own: uri, version, rubric …
  from: string;
  to: string;
  assertions: number;
  runs: number[];
  sources: number[];
}

export interface EdgeAssertion {
  run: number;
  sources: number[];
  ts: string;
  sourceDoc: string;
  quote: string;
  confidence: number | null;
  status: string;
  lines: number[];
  page: number | string; // a page's number, or the name of a part
  from: string;
  to: string;
  attrs: Record<string, unknown>;
  support: string; // how well the words carry it, "" where it isn't told
  doubt: string; // what tells against it
}

export interface EdgeDetail {
  id: string;
  kind: string;
  said: EdgeAssertion[];
}

type Column = Float32Array | Uint8Array | Uint16Array | Uint32Array | Int32Array;

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return bytes;
}

async function unpacked(id: string): Promise<Response> {
  const element = document.getElementById("k-" + id);
  if (!element) throw new Error(`the page has lost its block '${id}'`);
  const stream = new Blob([fromBase64(element.textContent ?? "")]).stream();
  return new Response(stream.pipeThrough(new DecompressionStream("deflate")));
}

async function unpackedJson<T>(id: string): Promise<T> {
  return JSON.parse(await (await unpacked(id)).text()) as T;
}

function column(buffer: ArrayBuffer, [code, offset, length]: [string, number, number]): Column {
  switch (code) {
    case "f": return new Float32Array(buffer, offset, length);
    case "B": return new Uint8Array(buffer, offset, length);
    case "H": return new Uint16Array(buffer, offset, length);
    case "i": return new Int32Array(buffer, offset, length);
    default: return new Uint32Array(buffer, offset, length);
  }
}

/** Which edges touch a node, as starts into a list of edge numbers. */
export interface Adjacency {
  starts: Uint32Array;
  edges: Uint32Array;
}

export class Graph {
  readonly n: number;
  readonly m: number;
  // the columns that every loop reads, as fields: looked up once, not at each of a million reads
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly type: Uint8Array;
  readonly flags: Uint8Array;
  readonly community: Uint16Array;
  readonly stands: Uint32Array;
  readonly source: Uint32Array;
  readonly target: Uint32Array;
  readonly predicate: Uint8Array;
  readonly status: Uint8Array;
  readonly confidence: Uint8Array;
  readonly degree: Uint32Array;
  private readonly nodeChunks = new Map<number, Promise<unknown[][]>>();
  private readonly edgeChunks = new Map<number, Promise<unknown[][]>>();
  private readonly adjacencies = new Map<boolean, Adjacency>();
  private readonly byId = new Map<string, number>();

  private constructor(
    readonly head: Head,
    private readonly columns: Record<string, Column>,
    readonly names: string[],
  ) {
    this.n = head.n;
    this.m = head.m;
    this.x = columns.x as Float32Array;
    this.y = columns.y as Float32Array;
    this.type = columns.type as Uint8Array;
    this.flags = columns.flags as Uint8Array;
    this.community = columns.community as Uint16Array;
    this.stands = columns.stands as Uint32Array;
    this.source = columns.source as Uint32Array;
    this.target = columns.target as Uint32Array;
    this.predicate = columns.predicate as Uint8Array;
    this.status = columns.status as Uint8Array;
    this.confidence = columns.confidence as Uint8Array;
    this.degree = degrees(this);
  }

  static async load(): Promise<Graph> {
    const head = JSON.parse(document.getElementById("k-head")?.textContent ?? "{}") as Head;
    const [core, names] = await Promise.all([unpacked("core").then((one) => one.arrayBuffer()), unpackedJson<string[]>("names")]);
    const columns: Record<string, Column> = {};
    for (const [name, where] of Object.entries(head.columns)) columns[name] = column(core, where);
    return new Graph(head, columns, names);
  }

  numbers(name: string): Column { return this.columns[name]; }

  typeName(node: number): string { return this.head.types[this.type[node]]; }
  predicateName(edge: number): string { return this.head.predicates[this.predicate[edge]]; }

  /** The node that is drawn for this end: the canonical one when merged forms are folded. */
  end(node: number, folded: boolean): number { return folded ? this.stands[node] : node; }

  /** Whether the list `name` (CSR) of `item` holds one of the wanted numbers. */
  holds(name: string, item: number, wanted: Set<number>): boolean {
    const starts = this.columns[name + "Starts"], values = this.columns[name + "s"];
    for (let i = starts[item]; i < starts[item + 1]; i++) if (wanted.has(values[i])) return true;
    return false;
  }

  adjacency(folded: boolean): Adjacency {
    const known = this.adjacencies.get(folded);
    if (known) return known;
    const { n, m } = this;
    const starts = new Uint32Array(n + 1);
    for (let e = 0; e < m; e++) {
      const a = this.end(this.source[e], folded), b = this.end(this.target[e], folded);
      starts[a + 1]++;
      if (a !== b) starts[b + 1]++;
    }
    for (let i = 0; i < n; i++) starts[i + 1] += starts[i];
    const free = starts.slice(0, n);
    const edges = new Uint32Array(starts[n]);
    for (let e = 0; e < m; e++) {
      const a = this.end(this.source[e], folded), b = this.end(this.target[e], folded);
      edges[free[a]++] = e;
      if (a !== b) edges[free[b]++] = e;
    }
    const made = { starts, edges };
    this.adjacencies.set(folded, made);
    return made;
  }

  edgesOf(node: number, folded: boolean): Uint32Array {
    const { starts, edges } = this.adjacency(folded);
    return edges.subarray(starts[node], starts[node + 1]);
  }

  async node(number: number): Promise<NodeDetail> {
    const size = this.head.nodeChunk, chunk = Math.floor(number / size);
    let rows = this.nodeChunks.get(chunk);
    if (!rows) this.nodeChunks.set(chunk, (rows = unpackedJson<unknown[][]>("n" + chunk)));
    const row = (await rows)[number - chunk * size];
    const said = row[3] as [string, number, number, string][];
    return {
      id: row[0] as string, qualifier: row[1] as string, aliases: row[2] as string[],
      descriptions: said.map(([text, run, source, ts]) => ({ text, run, source, ts })),
      attrs: row[4] as Record<string, unknown>, from: row[5] as string, to: row[6] as string, assertions: row[7] as number,
      runs: row[8] as number[], sources: row[9] as number[], fields: row[10] as Record<string, unknown>,
    };
  }

  async edge(number: number): Promise<EdgeDetail> {
    const size = this.head.edgeChunk, chunk = Math.floor(number / size);
    let rows = this.edgeChunks.get(chunk);
    if (!rows) this.edgeChunks.set(chunk, (rows = unpackedJson<unknown[][]>("e" + chunk)));
    const row = (await rows)[number - chunk * size];
    const said = (row[2] as unknown[][]).map((one) => ({
      run: one[0] as number, sources: one[1] as number[], ts: one[2] as string, sourceDoc: one[3] as string, quote: one[4] as string,
      confidence: one[5] as number | null, status: one[6] as string, lines: one[7] as number[], page: one[8] as number | string,
      from: one[9] as string, to: one[10] as string, attrs: one[11] as Record<string, unknown>, support: one[12] as string, doubt: one[13] as string,
    }));
    return { id: row[0] as string, kind: row[1] as string, said };
  }

  words(): Promise<[string, string][]> { return unpackedJson<[string, string][]>("words"); }

  /** The number of a node by its id, found by halving: nodes lie in order of id. Chunks are read as needed. */
  async find(id: string): Promise<number> {
    const known = this.byId.get(id);
    if (known !== undefined) return known;
    const chunks = Math.ceil(this.n / this.head.nodeChunk);
    let low = 0, high = chunks - 1;
    while (low <= high) {
      const middle = (low + high) >> 1, start = middle * this.head.nodeChunk;
      const last = Math.min(this.n, start + this.head.nodeChunk) - 1;
      if (before(id, (await this.node(start)).id)) high = middle - 1;
      else if (before((await this.node(last)).id, id)) low = middle + 1;
      else {
        for (let i = start; i <= last; i++) if ((await this.node(i)).id === id) { this.byId.set(id, i); return i; }
        return -1;
      }
    }
    return -1;
  }
}

/** Edges of each node, those of the forms merged into it with it; a form's edge to its own node counts for neither. */
function degrees({ n, m, source, target, stands }: Graph): Uint32Array {
  const degree = new Uint32Array(n);
  for (let e = 0; e < m; e++) {
    const a = stands[source[e]], b = stands[target[e]];
    if (a === b) continue;
    degree[a]++;
    degree[b]++;
  }
  return degree;
}

/** Order by code point, as Python sorts; JavaScript's own order of texts is by UTF-16 units. */
function before(one: string, other: string): boolean {
  const a = Array.from(one), b = Array.from(other);
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const x = a[i].codePointAt(0)!, y = b[i].codePointAt(0)!;
    if (x !== y) return x < y;
  }
  return a.length < b.length;
}
