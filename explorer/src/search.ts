// Search as you type over names, aliases and descriptions. One folded text for each, searched with the engine's own indexOf.

import type { Graph } from "./graph";

const MOST_HITS = 1500;
const SLICE = 4000;

export function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();
}

class Field {
  private readonly parts: string[] = [];
  private readonly starts: number[] = [];
  private length = 1; // the joined text begins with a line break, so that every item is preceded by one
  private whole: string | null = null;

  add(text: string): void {
    this.starts.push(this.length);
    this.parts.push(text);
    this.length += text.length + 1;
    this.whole = null;
  }

  get size(): number { return this.parts.length; }
  text(item: number): string { return this.parts[item]; }

  /** Items that begin with `word`, then those that hold it, at most `most` of each. */
  holding(word: string, most: number): number[] {
    return [...this.scan("\n" + word, 1, most), ...this.scan(word, 0, most)];
  }

  private scan(word: string, skip: number, most: number): number[] {
    const whole = (this.whole ??= "\n" + this.parts.join("\n"));
    const found: number[] = [];
    let at = whole.indexOf(word);
    while (at >= 0 && found.length < most) {
      const item = this.itemAt(at + skip);
      found.push(item);
      const next = item + 1 < this.starts.length ? this.starts[item + 1] : whole.length;
      at = whole.indexOf(word, next - skip);
    }
    return found;
  }

  private itemAt(position: number): number {
    let low = 0, high = this.starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.starts[middle] <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

export interface Hit {
  node: number;
  where: "name" | "alias" | "description";
  score: number;
}

export class Search {
  private readonly names = new Field();
  private readonly aliases = new Field();
  private readonly descriptions = new Field();
  private words: [string, string][] | null = null;
  complete = false;

  constructor(private readonly graph: Graph) {}

  /** Fold what is not folded yet, a slice at a time so that the page stays awake. */
  async prepare(): Promise<void> {
    const { graph } = this;
    while (this.names.size < graph.n) {
      const end = Math.min(graph.n, this.names.size + SLICE);
      while (this.names.size < end) this.names.add(fold(graph.names[this.names.size]));
      await pause();
    }
    this.words = await graph.words();
    while (this.aliases.size < graph.n) {
      const end = Math.min(graph.n, this.aliases.size + SLICE);
      while (this.aliases.size < end) {
        const [aliases, descriptions] = this.words[this.aliases.size];
        this.aliases.add(fold(aliases));
        this.descriptions.add(fold(descriptions));
      }
      await pause();
    }
    this.words = null;
    this.find("\u0001"); // joins the texts now, not at the first key
    this.complete = true;
  }

  find(query: string, most = 30): Hit[] {
    const terms = fold(query).split(" ").filter(Boolean);
    if (!terms.length) return [];
    const hits = new Map<number, Hit>();
    const take = (field: Field, where: Hit["where"], base: number) => {
      const { nodes, term: longest } = this.candidates(field, terms);
      for (const node of nodes) {
        if (hits.has(node) || !terms.every((term) => this.anywhere(node, term))) continue;
        const text = field.text(node);
        let score = base + Math.min(9, this.graph.degree[node] / 10);
        if (text === terms.join(" ")) score += 60;
        else if (text.startsWith(terms[0])) score += 25;
        else if (text.includes(" " + longest)) score += 12;
        hits.set(node, { node, where, score: score - Math.min(10, text.length / 40) });
      }
    };
    take(this.names, "name", 100);
    take(this.aliases, "alias", 80);
    take(this.descriptions, "description", 20);
    return [...hits.values()].sort((one, other) => other.score - one.score || one.node - other.node).slice(0, most);
  }

  /** Items with the term that fewest hold. Where all are common, every item is looked at: their meeting may be anywhere. */
  private candidates(field: Field, terms: string[]): { nodes: number[]; term: string } {
    let best: number[] = [], rarest = "";
    for (const term of terms) {
      const nodes = field.holding(term, MOST_HITS);
      if (!rarest || nodes.length < best.length) [best, rarest] = [nodes, term];
    }
    if (terms.length > 1 && best.length >= MOST_HITS) {
      const nodes: number[] = [];
      for (let i = 0; i < field.size && nodes.length < MOST_HITS; i++) if (terms.every((term) => this.anywhere(i, term))) nodes.push(i);
      return { nodes, term: rarest };
    }
    return { nodes: best, term: rarest };
  }

  private anywhere(node: number, term: string): boolean {
    return this.names.text(node).includes(term)
      || (node < this.aliases.size && (this.aliases.text(node).includes(term) || this.descriptions.text(node).includes(term)));
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
