/** The texts of episodes: packed blocks in the page, unpacked when somebody asks. */

import { unpacked } from "./unpack";

export interface BodyMessage {
  role: "system" | "agent" | "user" | "tool";
  text?: string;
  calls?: [number, number];
  answers?: number;
}

export interface BodyCall {
  name: string;
  party: "agent" | "user";
  message: number;
  arguments: string;
  result: string;
  answered: boolean;
  failed: boolean;
  history?: true;
}

export interface Body {
  id: string;
  reward: number | null;
  record: string;
  termination: string;
  note: string;
  messages: BodyMessage[];
  calls: BodyCall[];
}

const keptBlocks = 8;

/** True if any text of the episode holds `wanted`, which is in lower case. */
export function bodyHolds(body: Body, wanted: string): boolean {
  const holds = (text: string | undefined): boolean => text !== undefined && text.toLowerCase().includes(wanted);
  return (
    holds(body.id) ||
    holds(body.note) ||
    body.messages.some((message) => holds(message.text)) ||
    body.calls.some((call) => holds(call.name) || holds(call.arguments) || holds(call.result))
  );
}

/** Where packed blocks come from. */
export interface BlockSource {
  readonly size: number;
  text(number: number): Promise<string>;
}

export class Blocks {
  private readonly kept = new Map<number, Promise<Body[]>>();
  constructor(private readonly source: BlockSource) {}

  get size(): number {
    return this.source.size;
  }

  /** A block's episodes. The last few stay unpacked. */
  block(number: number): Promise<Body[]> {
    const known = this.kept.get(number);
    if (known !== undefined) {
      this.kept.delete(number);
      this.kept.set(number, known);
      return known;
    }
    const loading = this.source
      .text(number)
      .then(unpacked)
      .then((json) => JSON.parse(json) as Body[]);
    this.kept.set(number, loading);
    loading.catch(() => this.kept.delete(number)); // it is asked for again when somebody looks again
    const oldest = this.kept.keys().next();
    if (this.kept.size > keptBlocks && oldest.done !== true) this.kept.delete(oldest.value);
    return loading;
  }

  async episode(block: number, place: number): Promise<Body> {
    const body = (await this.block(block))[place];
    if (body === undefined) throw new Error(`block ${block} has no episode ${place}`);
    return body;
  }

  /** Goes through all blocks and tells of each what it found; stops when `onBlock` returns false. */
  async search(query: string, onBlock: (done: number, hits: [block: number, place: number][]) => boolean): Promise<void> {
    const wanted = query.toLowerCase();
    const escaped = JSON.stringify(wanted).slice(1, -1); // as JSON text has it
    for (let number = 0; number < this.size; ++number) {
      const hits: [number, number][] = [];
      // A file of a folder that is gone: what is in the others is found all the same.
      const json = await this.source.text(number).then(unpacked, () => "[]");
      // Most blocks don't hold it: their text tells, without being parsed.
      if (json.toLowerCase().includes(escaped)) {
        const bodies = JSON.parse(json) as Body[];
        bodies.forEach((body, place) => {
          if (bodyHolds(body, wanted)) hits.push([number, place]);
        });
      }
      if (!onBlock(number + 1, hits)) return;
      await new Promise((resume) => setTimeout(resume, 0));
    }
  }
}
