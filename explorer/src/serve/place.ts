// Where the page is: everything that is shown follows from the address, so that a link reopens it and Back works.

export type Place = Record<string, string>;

let changed: (place: Place) => void = () => {};

export function here(): Place {
  return Object.fromEntries(new URLSearchParams(location.search));
}

export function addressOf(place: Place): string {
  return `/?${new URLSearchParams(place)}`;
}

export function go(place: Place, replace = false): void {
  history[replace ? "replaceState" : "pushState"](null, "", addressOf(place));
  changed(place);
}

export function onMove(show: (place: Place) => void): void {
  changed = show;
  addEventListener("popstate", () => show(here()));
}
