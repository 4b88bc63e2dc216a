// The page as a whole: one state, one way to change it, and everything that is drawn from it.

import { Controls } from "./controls";
import { byId } from "./dom";
import { Finder } from "./finder";
import type { Graph } from "./graph";
import { listen } from "./hand";
import { shortened } from "./labels";
import { Panel, PanelHost, count, number } from "./panel";
import { Step, route } from "./paths";
import { bubbleAt, edgeAt, nodeAt } from "./picking";
import { SvgPen, paint } from "./pens";
import { write } from "./labels";
import { scene } from "./scene";
import { Search } from "./search";
import { DARK, LIGHT, Theme } from "./shapes";
import { Marks, Stage } from "./stage";
import { State, View, initial, read, written } from "./state";
import { Visible, edgePasses, filtered, noFilters, nothing, visible } from "./visible";

export class Explorer implements PanelHost {
  theme: Theme = LIGHT;
  readonly stage: Stage;
  readonly search: Search;
  readonly finder: Finder;
  state: State;
  seen!: Visible;
  private steps: Step[] = [];
  private hovered = -1;
  private readonly panel: Panel;
  private controls!: Controls;
  private readonly communityNames: Map<number, string>;
  private addressTimer = 0;

  constructor(readonly graph: Graph) {
    this.state = initial(graph);
    this.communityNames = named(graph);
    this.search = new Search(graph);
    this.panel = new Panel(graph, byId("panel"), this);
    this.finder = new Finder(graph, this.search, () => this.theme, (node) => { this.pickNode(node); this.focusPicked(); });
    this.applyTheme(matchMedia("(prefers-color-scheme: dark)").matches, false);
    this.seen = nothing(graph);
    this.stage = new Stage(graph, byId("gl"), byId("ink"), () => ({ seen: this.seen, theme: this.theme, marks: this.marks(), names: this.communityNames }), (drawn, all) => this.note(drawn, all));
    listen(byId("ink"), { camera: this.stage.camera, moved: () => this.moved(), hover: (x, y) => this.hover(x, y), pick: (x, y, second) => this.click(x, y, second) });
    byId("name").textContent = graph.head.name;
  }

  get folded(): boolean { return this.state.folded; }
  get from(): number { return this.state.from; }
  isOpen(community: number): boolean { return !this.state.overview || this.state.expanded.has(community); }

  /** Take over what the address says; the first picture is drawn by this. */
  async open(address: string): Promise<void> {
    const { state, view } = await read(this.graph, address);
    this.state = state;
    this.finder.query = state.query;
    this.controls = new Controls(this.graph, byId("filters"), state, () => this.changed());
    this.controls.draw(this.theme);
    this.recompute();
    if (view) [this.stage.camera.x, this.stage.camera.y, this.stage.camera.scale] = view;
    else this.fit();
    if (state.from >= 0 && state.to >= 0) this.walk();
    else if (state.edge >= 0) this.pickEdge(state.edge);
    else if (state.node >= 0) this.pickNode(state.node, view === null);
    else void this.panel.about(this.seen, this.communityNames);
  }

  // -- what is shown ----------------------------------------------------------------------------------------------------------------

  changed(): void {
    this.recompute();
    if (this.state.from >= 0 && this.state.to >= 0) this.walk();
    else if (this.state.node < 0 && this.state.edge < 0) void this.panel.about(this.seen, this.communityNames);
    this.remember();
  }

  private recompute(): void {
    const { graph, state } = this;
    this.seen = visible(graph, state.filters, state);
    byId("counts").textContent = `${this.tally(this.seen)}${this.foldedAway()}`;
    this.redraw();
  }

  /** What the picture doesn't show, in its corner. */
  private note(drawn: number, all: number): void {
    const closed = this.seen.bubbles.length, parts: string[] = [];
    if (closed) parts.push(`${number(closed)} ${closed === 1 ? "community" : "communities"} closed: click one to open it`);
    if (drawn < all) parts.push(`${number(drawn)} of ${number(all)} hairlines drawn, since this machine draws slowly`);
    const note = byId("note"), text = parts.join(" \u00b7 ");
    note.hidden = !text;
    if (note.textContent !== text) note.textContent = text;
  }

  private tally({ passing, passingEdges }: Visible): string {
    if (!filtered(this.state.filters)) return `${count(passing, "node")}, ${count(passingEdges, "edge")}`;
    const all = visible(this.graph, noFilters(), this.state);
    return `${number(passing)} of ${count(all.passing, "node")}, ${number(passingEdges)} of ${count(all.passingEdges, "edge")}`;
  }

  private foldedAway(): string {
    if (!this.state.folded) return "";
    let forms = 0;
    for (let i = 0; i < this.graph.n; i++) if (this.graph.stands[i] !== i) forms++;
    return forms ? ` (${count(forms, "merged form")} folded in)` : "";
  }

  private redraw(): void {
    const { state, theme } = this;
    this.stage.show(scene(this.graph, this.seen, this.emphasis(), { theme, byCommunity: state.byCommunity, folded: state.folded }));
  }

  private emphasis(): { nodes: Set<number> | null; edges: Set<number> } {
    const { graph, state } = this;
    const nodes = new Set<number>(), edges = new Set<number>();
    const take = (edge: number) => {
      edges.add(edge);
      nodes.add(graph.end(graph.source[edge], state.folded)).add(graph.end(graph.target[edge], state.folded));
    };
    if (this.steps.length) this.steps.forEach((step) => take(step.edge));
    else if (state.edge >= 0) take(state.edge);
    else if (state.node >= 0) {
      nodes.add(state.node);
      for (const edge of graph.edgesOf(state.node, state.folded)) take(edge);
    } else return { nodes: null, edges };
    return { nodes, edges };
  }

  private marks(): Marks {
    const { graph, state } = this;
    const marks: Marks = { picked: [], hovered: this.hovered, first: [], ends: new Map(), middles: [] };
    const middle = (edge: number) => {
      const a = graph.end(graph.source[edge], state.folded), b = graph.end(graph.target[edge], state.folded);
      if (this.seen.shown[a] !== 1 || this.seen.shown[b] !== 1) return;
      marks.middles.push({ x: (graph.x[a] + graph.x[b]) / 2, y: (graph.y[a] + graph.y[b]) / 2, text: graph.predicateName(edge) });
    };
    if (this.steps.length) {
      marks.picked = [this.steps[0].from, ...this.steps.map((step) => step.to)];
      this.steps.forEach((step) => middle(step.edge));
    } else if (state.edge >= 0) {
      marks.picked = [graph.end(graph.source[state.edge], state.folded), graph.end(graph.target[state.edge], state.folded)];
      middle(state.edge);
    } else if (state.node >= 0) marks.picked = [state.node];
    marks.first = this.hovered >= 0 ? [this.hovered, ...marks.picked] : [...marks.picked];
    if (state.edge < 0 && state.node >= 0) {
      const near = [...this.neighbours(state.node)];
      marks.first.push(...near.slice(0, 60));
    }
    if (state.from >= 0) marks.ends.set(state.from, "path from");
    return marks;
  }

  private neighbours(node: number): Set<number> {
    const { graph, state } = this, near = new Set<number>();
    for (const edge of graph.edgesOf(node, state.folded)) {
      const a = graph.end(graph.source[edge], state.folded), b = graph.end(graph.target[edge], state.folded);
      near.add(a === node ? b : a);
      if (near.size > 500) break;
    }
    near.delete(node);
    return near;
  }

  // -- picking ----------------------------------------------------------------------------------------------------------------------

  pickNode(node: number, centre = true): void {
    const shown = this.graph.end(node, this.state.folded);
    this.steps = [];
    Object.assign(this.state, { node: shown, edge: -1, to: -1 });
    this.reveal(shown);
    if (centre) this.centre([shown]);
    this.redraw();
    void this.panel.node(shown);
    this.say(`${this.graph.typeName(shown)} ${this.graph.names[shown]}, ${count(this.graph.degree[shown], "edge")}`);
    this.remember();
  }

  pickEdge(edge: number): void {
    const { graph, state } = this;
    this.steps = [];
    Object.assign(state, { node: -1, edge, to: -1 });
    const ends = [graph.end(graph.source[edge], state.folded), graph.end(graph.target[edge], state.folded)];
    ends.forEach((end) => this.reveal(end));
    this.centre(ends);
    this.redraw();
    void this.panel.edge(edge);
    this.say(`${graph.predicateName(edge)} from ${graph.names[graph.source[edge]]} to ${graph.names[graph.target[edge]]}`);
    this.remember();
  }

  startRoute(node: number): void {
    this.state.from = node;
    this.state.to = -1;
    this.say("Path starts here: pick its other end");
    void this.panel.node(node);
    this.stage.draw();
    this.remember();
  }

  endRoute(node: number): void {
    this.state.to = node;
    this.walk();
    this.remember();
  }

  private walk(): void {
    const { graph, state } = this;
    const mayCross = (edge: number) => graph.predicateName(edge) !== "CONTRADICTS" && edgePasses(graph, edge, state.filters);
    const found = route(graph, state.from, state.to, state.folded, mayCross);
    Object.assign(state, { node: -1, edge: -1 });
    this.steps = found.steps;
    const on = [state.from, state.to, ...found.steps.map((step) => step.to)];
    on.forEach((node) => this.reveal(node));
    this.centre(on);
    this.redraw();
    void this.panel.route(state.from, state.to, found.steps, found.found);
    this.say(found.found ? `Path of ${count(found.steps.length, "hop")}` : "No path");
  }

  drop(): void {
    this.steps = [];
    Object.assign(this.state, { node: -1, edge: -1, from: -1, to: -1 });
    this.redraw();
    void this.panel.about(this.seen, this.communityNames);
    this.remember();
  }

  openCommunity(community: number, open: boolean): void {
    const { state } = this;
    if (!state.overview) {
      const inside = this.seen.nodes.filter((i) => this.graph.community[i] === community);
      this.centre(inside);
      this.stage.draw();
      return;
    }
    if (open) state.expanded.add(community);
    else state.expanded.delete(community);
    this.changed();
    if (open) this.centre(this.seen.nodes.filter((i) => this.graph.community[i] === community));
    this.say(open ? `Opened ${this.communityNames.get(community)}` : "Closed");
  }

  /** Open the community that hides a node. */
  private reveal(node: number): void {
    if (this.seen.shown[node] !== 2) return;
    this.state.expanded.add(this.graph.community[node]);
    this.recompute();
  }

  private click(x: number, y: number, second: boolean): void {
    const { camera } = this.stage;
    const node = nodeAt(this.graph, this.seen, camera, x, y);
    if (node >= 0) {
      if (second && this.state.node >= 0 && this.state.node !== node) { this.state.from = this.state.node; this.endRoute(node); }
      else this.pickNode(node, false);
      return;
    }
    const community = bubbleAt(this.seen, camera, x, y);
    if (community >= 0) { this.openCommunity(community, true); return; }
    const edge = edgeAt(this.graph, this.seen, camera, x, y, this.state.folded);
    if (edge >= 0) this.pickEdge(edge);
    else this.drop();
  }

  private hover(x: number, y: number): void {
    const { camera } = this.stage;
    const node = nodeAt(this.graph, this.seen, camera, x, y);
    byId("ink").classList.toggle("over", node >= 0 || bubbleAt(this.seen, camera, x, y) >= 0);
    if (node === this.hovered) return;
    this.hovered = node;
    this.stage.mark();
  }

  /** Step to the next node: among the neighbours of what is picked, else among all, the best connected first. */
  step(by: number): void {
    const { graph, state } = this;
    const anchor = this.anchor >= 0 && this.ring.includes(state.node) ? this.anchor : state.node;
    if (anchor !== this.anchor || !this.ring.length) {
      this.anchor = anchor;
      const pool = anchor >= 0 ? [anchor, ...this.neighbours(anchor)] : this.seen.nodes.slice();
      this.ring = pool.filter((i) => this.seen.shown[i] === 1).sort((a, b) => (a === anchor ? -1 : b === anchor ? 1 : graph.degree[b] - graph.degree[a])).slice(0, 2_000);
    }
    if (!this.ring.length) return;
    const at = this.ring.indexOf(state.node);
    this.pickNode(this.ring[(at + by + this.ring.length) % this.ring.length]);
  }
  private anchor = -1;
  private ring: number[] = [];

  focusPicked(): void {
    const move = (tries: number) => {
      const heading = document.getElementById("picked");
      if (heading) heading.focus();
      else if (tries) setTimeout(() => move(tries - 1), 30);
    };
    setTimeout(() => move(20), 30);
  }

  // -- the camera -------------------------------------------------------------------------------------------------------------------

  moved(): void {
    this.stage.draw(true);
    this.remember();
  }

  fit(): void {
    const { graph, seen } = this;
    let left = Infinity, top = Infinity, right = -Infinity, bottom = -Infinity;
    for (const i of seen.nodes) {
      left = Math.min(left, graph.x[i]); right = Math.max(right, graph.x[i]);
      top = Math.min(top, graph.y[i]); bottom = Math.max(bottom, graph.y[i]);
    }
    for (const { x, y, radius } of seen.bubbles) {
      left = Math.min(left, x - radius); right = Math.max(right, x + radius);
      top = Math.min(top, y - radius); bottom = Math.max(bottom, y + radius);
    }
    if (left > right) return;
    this.stage.camera.fit(left, top, right, bottom);
    this.stage.draw();
    this.remember();
  }

  private centre(nodes: number[]): void {
    if (!nodes.length) return;
    const { camera } = this.stage, { graph } = this;
    if (nodes.length === 1) {
      const [x, y] = camera.toScreen(graph.x[nodes[0]], graph.y[nodes[0]]);
      const inside = x > 60 && y > 60 && x < camera.width - 60 && y < camera.height - 60;
      if (inside && camera.scale > 0.35) return;
      camera.x = graph.x[nodes[0]];
      camera.y = graph.y[nodes[0]];
      camera.scale = Math.max(camera.scale, 0.8);
    } else {
      const xs = nodes.map((i) => graph.x[i]), ys = nodes.map((i) => graph.y[i]);
      const box = [least(xs), least(ys), -least(xs.map((x) => -x)), -least(ys.map((y) => -y))] as const;
      const [ax, ay] = camera.toScreen(box[0], box[1]), [bx, by] = camera.toScreen(box[2], box[3]);
      const inside = ax > 20 && ay > 20 && bx < camera.width - 20 && by < camera.height - 20;
      if (inside && (bx - ax > 80 || by - ay > 80)) return;
      camera.fit(...box, 80);
      camera.scale = Math.min(camera.scale, 1.6);
    }
    this.stage.draw();
  }

  // -- theme, address, files --------------------------------------------------------------------------------------------------------

  applyTheme(dark: boolean, draw = true): void {
    this.theme = dark ? DARK : LIGHT;
    document.documentElement.classList.toggle("dark", dark);
    byId("theme").setAttribute("aria-pressed", String(dark));
    if (!draw) return;
    this.controls.draw(this.theme);
    this.redraw();
    if (this.steps.length) this.walk();
    else if (this.state.edge >= 0) void this.panel.edge(this.state.edge);
    else if (this.state.node >= 0) void this.panel.node(this.state.node);
    else void this.panel.about(this.seen, this.communityNames);
  }

  async address(): Promise<string> {
    const { camera } = this.stage;
    const view: View = [camera.x, camera.y, camera.scale];
    this.state.query = this.finder.query;
    return location.href.split("#")[0] + "#" + (await written(this.graph, this.state, view));
  }

  private remember(): void {
    clearTimeout(this.addressTimer);
    this.addressTimer = window.setTimeout(async () => {
      const address = await this.address();
      try { history.replaceState(null, "", address); } catch { location.hash = address.split("#")[1]; }
    }, 400);
  }

  png(): Promise<Blob | null> {
    return new Promise((resolve) => this.stage.copy(2).toBlob(resolve, "image/png"));
  }

  svg(): string {
    const pen = new SvgPen(), { camera } = this.stage;
    if (this.stage.drawn) paint(pen, this.stage.drawn, camera, this.theme);
    write(pen, this.stage.labels, this.theme);
    return pen.document(camera, this.theme, this.graph.head.name);
  }

  say(words: string): void { byId("spoken").textContent = words; }
}

function least(values: number[]): number {
  return values.reduce((one, other) => Math.min(one, other), Infinity);
}

/** A community is called after its best connected node that is a thing rather than a statement or a file, where it has one. */
function named(graph: Graph): Map<number, string> {
  const best = new Map<number, [number, number]>(), sizes = new Map<number, number>();
  const aside = new Set(["Claim", "Source"].map((type) => graph.head.types.indexOf(type)));
  for (let i = 0; i < graph.n; i++) {
    if (graph.stands[i] !== i) continue;
    const community = graph.community[i], weight = graph.degree[i] + (aside.has(graph.type[i]) ? 0 : 1e6);
    sizes.set(community, (sizes.get(community) ?? 0) + 1);
    if (!best.has(community) || best.get(community)![1] < weight) best.set(community, [i, weight]);
  }
  const names = new Map<number, string>();
  for (const [community, [node]] of best) {
    const name = community === graph.head.rest ? "small parts" : shortened(graph.names[node], 22);
    names.set(community, `${name} \u00b7 ${number(sizes.get(community)!)}`);
  }
  return names;
}
