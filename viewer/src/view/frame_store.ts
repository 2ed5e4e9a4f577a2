// Frames and contacts on demand. What was used longest ago is forgotten when the store is full.
import { read_contacts, read_frame, type Contacts, type Frame } from "./format";
import type { Source } from "./source";

const capacity = 256e6; // bytes

interface Kept {
  content: Promise<Frame | Contacts | null>;
  bytes: number; // 0 until it is there
}

export class FrameStore {
  private readonly kept = new Map<string, Kept>(); // in the order of use
  private total = 0;

  constructor(private readonly source: Source) {}

  frame(index: number): Promise<Frame> {
    return this.get(`frame ${index}`, async () => read_frame(await this.source.frame(index))) as Promise<Frame>;
  }
  contacts(index: number): Promise<Contacts | null> {
    return this.get(`contacts ${index}`, async () => {
      const packet = await this.source.contacts(index);
      return packet ? read_contacts(packet) : null;
    }) as Promise<Contacts | null>;
  }
  // Loads in advance; a failure is told when the frame is asked for.
  prefetch(indices: number[], with_contacts: boolean): void {
    for (const index of indices) {
      this.frame(index).catch(() => {});
      if (with_contacts) this.contacts(index).catch(() => {});
    }
  }

  private get(key: string, load: () => Promise<Frame | Contacts | null>): Promise<Frame | Contacts | null> {
    const known = this.kept.get(key);
    if (known) {
      this.kept.delete(key);
      this.kept.set(key, known);
      return known.content;
    }
    const entry: Kept = { content: load(), bytes: 0 };
    this.kept.set(key, entry);
    entry.content.then(
      (content) => this.weigh(key, entry, content?.bytes ?? 0),
      () => this.kept.delete(key), // it may be there the next time
    );
    return entry.content;
  }
  private weigh(key: string, entry: Kept, bytes: number): void {
    if (this.kept.get(key) !== entry) return;
    entry.bytes = bytes;
    this.total += bytes;
    for (const [oldest, { bytes: freed }] of this.kept) {
      if (this.total <= capacity || this.kept.size <= 2) break;
      if (oldest === key || freed === 0) continue;
      this.kept.delete(oldest);
      this.total -= freed;
    }
  }
}
