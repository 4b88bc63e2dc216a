// The shortest route between two nodes, as `kgraph path` walks it: a Source may be an end but never a step, CONTRADICTS is not crossed.

import type { Graph } from "./graph";

export interface Step {
  edge: number;
  from: number;
  to: number;
}

export interface Route {
  steps: Step[];
  found: boolean;
}

export function route(graph: Graph, start: number, goal: number, folded: boolean, mayCross: (edge: number) => boolean): Route {
  if (start === goal) return { steps: [], found: true };
  const source = graph.head.types.indexOf("Source");
  const arrived = new Int32Array(graph.n).fill(-1);
  const cameFrom = new Int32Array(graph.n).fill(-1);
  let rim = [start];
  cameFrom[start] = start;
  while (rim.length) {
    const next: number[] = [];
    for (const node of rim) {
      if (node !== start && graph.type[node] === source) continue;
      for (const edge of graph.edgesOf(node, folded)) {
        if (!mayCross(edge)) continue;
        const a = graph.end(graph.source[edge], folded), b = graph.end(graph.target[edge], folded);
        const other = a === node ? b : a;
        if (cameFrom[other] >= 0) continue;
        cameFrom[other] = node;
        arrived[other] = edge;
        if (other === goal) return { steps: walked(start, goal, cameFrom, arrived), found: true };
        next.push(other);
      }
    }
    rim = next;
  }
  return { steps: [], found: false };
}

function walked(start: number, goal: number, cameFrom: Int32Array, arrived: Int32Array): Step[] {
  const steps: Step[] = [];
  for (let node = goal; node !== start; node = cameFrom[node]) steps.push({ edge: arrived[node], from: cameFrom[node], to: node });
  return steps.reverse();
}
