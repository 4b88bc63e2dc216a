// The server's answers. Reading is a GET, writing a POST with the header that no other site's page can send.

export type Json = any; // what came from JSON: checked where it is shown, since everything is shown as text

export class Refused extends Error {
  constructor(readonly problems: { code: string; message: string; hint: string }[]) {
    super(problems.map((one) => one.message + (one.hint ? `; ${one.hint}` : "")).join("\n") || "refused");
  }
}

type Parameters = Record<string, string | number | boolean | string[]>;

export async function get(name: string, parameters: Parameters = {}): Promise<Json> {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(parameters)) for (const one of Array.isArray(value) ? value : [value]) if (one !== "") query.append(key, String(one));
  return answer(await fetch(`/api/v1/${name}?${query}`));
}

export async function post(name: string, body: Json): Promise<Json> {
  return answer(await fetch(`/api/v1/${name}`, { method: "POST", headers: { "X-Kgraph": "1", "Content-Type": "application/json" }, body: JSON.stringify(body) }));
}

export async function upload(file: File): Promise<Json> {
  return answer(await fetch(`/api/v1/upload?name=${encodeURIComponent(file.name)}`, { method: "POST", headers: { "X-Kgraph": "1" }, body: file }), true);
}

async function answer(response: Response, partial = false): Promise<Json> {
  let body: Json;
  try {
    body = await response.json();
  } catch {
    throw new Refused([{ code: "", message: `the server answered ${response.status}`, hint: "is it still running?" }]);
  }
  const problems = [...(body.errors ?? []), ...(body.invariant_violations ?? [])];
  if (problems.length && !(partial && body.units)) throw new Refused(problems);
  return body;
}

/** Hear of each change of the graph, whoever made it. */
export function listen(changed: () => void): void {
  const events = new EventSource("/api/v1/events");
  let first = true;
  events.addEventListener("heads", () => {
    if (!first) changed();
    first = false;
  });
}
