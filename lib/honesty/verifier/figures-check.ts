import type { Entry } from "@/lib/honesty/entry";
import { FiguresReader } from "@/lib/honesty/figures";
import { openCheckpoint } from "@/lib/honesty/log/checkpoint";
import type { Verifier } from "@/lib/honesty/log/signed-note";
import { Mismatch } from "@/lib/honesty/verifier/mismatch";
import type { Source } from "@/lib/honesty/verifier/source";
import type { Check, Head } from "@/lib/honesty/verifier/verify-log";

type PublishedFigures = { checkpoint: string; as_of: string; size: number };

/** The figures of the store's public page. Read them before the log's head, which then is at least as new. */
export async function readFigures(source: Source): Promise<PublishedFigures | undefined> {
  const file = await source.read("../figures.json");
  if (!file) return undefined;
  const figures = JSON.parse(file.toString("utf8")) as PublishedFigures;
  return figures.checkpoint === "" ? undefined : figures;
}

/** Computes the figures again from the entries that they were computed from, and compares each of them. */
export class FiguresCheck implements Check {
  readonly #reader = new FiguresReader();
  readonly #published: PublishedFigures;
  /** The head that they were computed from: the log must be consistent with it. */
  readonly head: Pick<Head, "size" | "root" | "note">;

  constructor(published: PublishedFigures, origin: string, keys: Verifier[]) {
    this.#published = published;
    const { checkpoint: note, size } = published;
    let head: ReturnType<typeof openCheckpoint>;
    try {
      head = openCheckpoint(note, keys);
    } catch (error) {
      throw new Mismatch(`The figures' checkpoint is not valid: ${error instanceof Error ? error.message : error}`, [
        note,
      ]);
    }
    if (head.origin !== origin || head.size !== size)
      throw new Mismatch(`The figures say that they are from ${size} entries of ${origin}; their checkpoint doesn't.`, [
        note,
      ]);
    this.head = { size, root: head.root, note };
  }

  add(entry: Entry, index: number): void {
    if (index < this.#published.size) this.#reader.read(entry);
  }

  end(): void {
    const { checkpoint: _, ...published } = this.#published;
    const computed = this.#reader.figures(new Date(published.as_of));
    const difference = firstDifference(published, JSON.parse(JSON.stringify(computed)), "figures");
    if (difference) throw new Mismatch(`${difference}, computed from its first ${published.size} entries.`);
  }
}

/** The first value that differs, in words. */
function firstDifference(published: unknown, computed: unknown, place: string): string | undefined {
  if (isObject(published) && isObject(computed)) {
    for (const name of new Set([...Object.keys(published), ...Object.keys(computed)])) {
      const found = firstDifference(published[name], computed[name], `${place}.${name}`);
      if (found) return found;
    }
    return undefined;
  }
  if (published === computed) return undefined;
  return `${place} is ${JSON.stringify(published)} on the page, and ${JSON.stringify(computed)} by the log`;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
