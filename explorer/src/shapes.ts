// Nine shapes and nine colours: each type is told by its shape alone, and by its colour alone with every kind of colour vision.

export type Point = readonly [number, number];

function ring(corners: number, turn: number, radius = 1): Point[] {
  return Array.from({ length: corners }, (_, i) => {
    const angle = turn + (2 * Math.PI * i) / corners;
    return [radius * Math.cos(angle), radius * Math.sin(angle)] as Point;
  });
}

function star(): Point[] {
  return Array.from({ length: 10 }, (_, i) => {
    const angle = -Math.PI / 2 + (Math.PI * i) / 5, radius = i % 2 ? 0.5 : 1.15;
    return [radius * Math.cos(angle), radius * Math.sin(angle)] as Point;
  });
}

function plus(): Point[] {
  const arm = 0.36, reach = 1.05;
  return [
    [-arm, -reach], [arm, -reach], [arm, -arm], [reach, -arm], [reach, arm], [arm, arm],
    [arm, reach], [-arm, reach], [-arm, arm], [-reach, arm], [-reach, -arm], [-arm, -arm],
  ];
}

export interface TypeStyle {
  outline: Point[]; // in units of the node's radius, y downwards
  light: string;
  dark: string;
  word: string; // what a screen reader and the legend call the shape
}

export const STYLES: Record<string, TypeStyle> = {
  Entity: { outline: ring(28, 0, 0.95), light: "#006bb4", dark: "#1cd5ff", word: "circle" },
  Claim: { outline: ring(4, 0, 1.15), light: "#ef5b60", dark: "#ff7f13", word: "diamond" },
  Source: { outline: ring(4, Math.PI / 4, 1.15), light: "#006719", dark: "#00c177", word: "square" },
  Artifact: { outline: ring(6, 0, 1.05), light: "#7c007c", dark: "#bf6eff", word: "hexagon" },
  AgentRun: { outline: ring(3, -Math.PI / 2, 1.2), light: "#2a00c0", dark: "#0090ad", word: "triangle" },
  Evaluation: { outline: star(), light: "#768d00", dark: "#ccdf96", word: "star" },
  Task: { outline: ring(3, Math.PI / 2, 1.2), light: "#c14976", dark: "#f1a5bf", word: "downward triangle" },
  Commit: { outline: plus(), light: "#083a47", dark: "#ffffcc", word: "cross" },
  Metric: { outline: ring(5, -Math.PI / 2, 1.08), light: "#1c96c2", dark: "#9f6266", word: "pentagon" },
};

const UNKNOWN: TypeStyle = { outline: ring(8, 0.4, 1), light: "#5c6670", dark: "#a7b0ba", word: "octagon" };

export function styleOf(type: string): TypeStyle {
  return Object.prototype.hasOwnProperty.call(STYLES, type) ? STYLES[type] : UNKNOWN;
}

export interface Theme {
  dark: boolean;
  background: string;
  text: string;
  edge: string;
  against: string; // contradictions
  doubt: string; // words that don't carry what they are cited for
  accent: string; // selection and routes
}

export const LIGHT: Theme = { dark: false, background: "#ffffff", text: "#17202b", edge: "#8794a2", against: "#b3261e", doubt: "#9a6700", accent: "#0b57d0" };
export const DARK: Theme = { dark: true, background: "#12161c", text: "#e6ebf1", edge: "#5b6775", against: "#ff8a80", doubt: "#e3b341", accent: "#8ab4ff" };

export function typeColour(type: string, theme: Theme): string {
  const style = styleOf(type);
  return theme.dark ? style.dark : style.light;
}

export function communityColour(community: number, theme: Theme): string {
  const styles = Object.values(STYLES);
  const style = styles[community % styles.length];
  return theme.dark ? style.dark : style.light;
}

/** '#rrggbb' as three bytes. */
export function rgb(colour: string): [number, number, number] {
  const value = parseInt(colour.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}
