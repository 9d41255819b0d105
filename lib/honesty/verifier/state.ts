import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { parseCheckpoint } from "@/lib/honesty/log/checkpoint";
import { parseVerifier, type Verifier } from "@/lib/honesty/log/signed-note";
import { Mismatch } from "@/lib/honesty/verifier/mismatch";
import type { Head } from "@/lib/honesty/verifier/verify-log";

/** What is remembered of a log: where it was read, the keys that may sign it, and the notes of its heads. */
type Remembered = { from: string; keys: string[]; heads: string[] };

/** The logs verified before, in a file, by the names that they give themselves. Without a file nothing is remembered. */
export class State {
  readonly #logs: Record<string, Remembered>;

  constructor(readonly file?: string) {
    this.#logs = file === undefined ? {} : read(file);
  }

  /** Throws if the same address had a log with another name before, which would let it start afresh. */
  checkName(origin: string, from: string): void {
    const before = Object.entries(this.#logs).find(([name, log]) => log.from === from && name !== origin);
    if (before) throw new Mismatch(`The log at ${from} calls itself ${origin}. It was ${before[0]} before.`);
  }

  /** The keys of the log's last head, which may sign the next one. */
  keysOf(origin: string): Verifier[] {
    return (this.#logs[origin]?.keys ?? []).map(parseVerifier);
  }

  /** The heads remembered, oldest first. */
  headsOf(origin: string): Pick<Head, "size" | "root" | "note">[] {
    return (this.#logs[origin]?.heads ?? []).map((note) => ({ ...parseHead(note), note }));
  }

  /** Remembers a head that was verified: with `all` beside those before, else in place of the last one. */
  remember(head: Head, from: string, keys: string[], all: boolean): void {
    const heads = this.#logs[head.origin]?.heads ?? [];
    const isNew = this.headsOf(head.origin).at(-1)?.size !== head.size;
    this.#logs[head.origin] = { from, keys, heads: [...(all && isNew ? heads : heads.slice(0, -1)), head.note] };
    if (this.file === undefined) return;
    // A half-written file would forget everything.
    writeFileSync(`${this.file}.new`, `${JSON.stringify(this.#logs, null, 2)}\n`);
    renameSync(`${this.file}.new`, this.file);
  }
}

/** The signature was checked before the note was remembered. */
const parseHead = (note: string) => parseCheckpoint(note.slice(0, note.lastIndexOf("\n\n") + 1));

function read(file: string): Record<string, Remembered> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw error;
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${file} is not JSON. It is not the verifier's, or it was damaged.`);
  }
}
