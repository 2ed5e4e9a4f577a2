// Where frames come from: the server that sent this page, or the page itself.
import type { Range } from "./colours";
import { read_packet, type LiveNews, type Packet, type RunFacts } from "./format";

// What all frames share.
export interface RunRanges {
  frames: number; // of the run, when this was told
  ranges: Partial<Record<string, Range>>; // of colours, by quantity
  strong: number; // [N] as wide as a chain gets
}

export interface Source {
  is_served: boolean;
  facts(): Promise<RunFacts>;
  shapes(): Promise<Packet>;
  frame(index: number): Promise<Packet>;
  contacts(index: number): Promise<Packet | null>; // null: they were left out
  crowd(): Promise<Packet | null>; // null: it was left out
  ranges(): Promise<RunRanges | null>; // null: this file has none
  news(frames: number, lines: number): Promise<LiveNews | null>; // null: nobody to ask
}

// The server says in words what went wrong.
async function asked(address: string): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(address, { cache: "no-store" });
  } catch {
    throw new Error("talus view does not answer; is it still running?");
  }
  if (answer.ok) return answer;
  const words = await answer.json().then((body: { error?: string }) => body.error, () => undefined);
  throw new Error(words ?? `${address}: status ${answer.status}`);
}

// Lists that a run does not have are empty.
function completed(facts: RunFacts): RunFacts {
  const empty = { title: "", materials: [], groups: [], gauges: [], crowd: null, parts: 0, times: [], frames: [], left_out: "", warnings: [], series: { names: [], lines: 0, values: [] } };
  return { ...empty, ...facts };
}

const json = async <T>(address: string): Promise<T> => (await asked(address)).json() as Promise<T>;
const packet = async (address: string): Promise<Packet> => read_packet(await (await asked(address)).arrayBuffer());

const served: Source = {
  is_served: true,
  facts: async () => completed(await json<RunFacts>("api/run.json")),
  shapes: () => packet("api/shapes.bin"),
  frame: (index) => packet(`api/frame/${index}.bin`),
  contacts: (index) => packet(`api/contacts/${index}.bin`),
  crowd: () => packet("api/crowd.bin"),
  ranges: () => json<RunRanges>("api/ranges.json"),
  news: (frames, lines) => json(`api/live.json?frames=${frames}&lines=${lines}`),
};

function bytes_of(base64: string): ArrayBuffer {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let k = 0; k < text.length; ++k) bytes[k] = text.charCodeAt(k);
  return bytes.buffer;
}

function carried(id: string): Packet | null {
  const element = document.getElementById(id);
  return element ? read_packet(bytes_of(element.textContent!.trim())) : null;
}

function required(id: string): Packet {
  const found = carried(id);
  if (!found) throw new Error("it is not in this file");
  return found;
}

const embedded = (facts: RunFacts): Source => ({
  is_served: false,
  facts: async () => completed(facts),
  shapes: async () => required("shapes"),
  frame: async (index) => required(`frame-${index}`),
  contacts: async (index) => carried(`contacts-${index}`),
  crowd: async () => carried("crowd"),
  ranges: async () => JSON.parse(document.getElementById("ranges")?.textContent ?? "null") as RunRanges | null,
  news: async () => null,
});

export function find_source(): Source {
  const facts = JSON.parse(document.getElementById("run")!.textContent!) as RunFacts & { served?: boolean };
  return facts.served ? served : embedded(facts);
}
