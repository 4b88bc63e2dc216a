// Building the page. Every text goes in as a text node; attributes are set by name from this program, never from the graph,
// except addresses, which must pass `safeAddress`.

type Child = Node | string | null | false | undefined;
type Attributes = Record<string, string | number | boolean | ((event: Event) => void)>;

export function el<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (name === "href" || name.startsWith("on") || name === "style" || name === "src") throw new Error(`'${name}' is not set here`);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child): child is Node | string => child !== null && child !== false && child !== undefined));
  return element;
}

export function byId<T extends HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

/** An address that may become a link: http, https, mailto, or relative to this file. Anything else is null and is shown as text. */
export function safeAddress(address: string): string | null {
  if (!address || /[\u0000-\u0020\u007f-\u00a0\\]/.test(address) || address.startsWith("//")) return null;
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(address);
  if (scheme) return /^(https?:\/\/|mailto:)/i.test(address) ? address : null;
  return /^[^/?#]*:/.test(address) ? null : address;
}

export function link(address: string, text: string): HTMLElement {
  const safe = safeAddress(address);
  if (!safe) return el("span", {}, text);
  const anchor = el("a", { target: "_blank", rel: "noopener noreferrer" }, text);
  anchor.href = safe;
  return anchor;
}

/** The way from this page to a file below the sources' root; each part is encoded, so that no part can become a scheme or a query. */
export function fileAddress(sourceRoot: string, uri: string): string {
  if (/^(https?:|mailto:)/i.test(uri)) return uri;
  if (!uri || uri.startsWith("/") || /^[a-zA-Z][a-zA-Z0-9+.-]*:/.test(uri)) return ""; // nothing that could be below the root
  const parts = uri.split("/").map(encodeURIComponent).join("/");
  return `${sourceRoot || "."}/${parts}`;
}

const SVG = "http://www.w3.org/2000/svg";

/** A small picture of a shape, for legends and badges. Decoration only: the word stands beside it. */
export function glyph(outline: readonly (readonly [number, number])[], colour: string, hollow = false): SVGSVGElement {
  const picture = document.createElementNS(SVG, "svg");
  picture.setAttribute("viewBox", "-1.4 -1.4 2.8 2.8");
  picture.setAttribute("aria-hidden", "true");
  picture.setAttribute("class", "glyph");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", `M${outline.map(([x, y]) => `${x.toFixed(3)} ${y.toFixed(3)}`).join("L")}Z`);
  path.setAttribute("fill", hollow ? "none" : colour);
  path.setAttribute("stroke", colour);
  path.setAttribute("stroke-width", hollow ? "0.4" : "0");
  picture.append(path);
  return picture;
}
