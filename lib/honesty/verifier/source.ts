import { readFile } from "node:fs/promises";
import path from "node:path";

/** Where a log's files are read: `checkpoint`, `key`, and what `tilePath` makes. */
export type Source = {
  /** address or folder */
  name: string;
  /** The file's content; undefined if there is none. */
  read(file: string): Promise<Buffer | undefined>;
};

/** A log in a folder. */
export function folderSource(folder: string): Source {
  const name = path.resolve(folder);
  return {
    name,
    read: async (file) => {
      try {
        return await readFile(path.join(name, file));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
        throw error;
      }
    },
  };
}

/** A log on a server: the address of the log, or of the page of its store, which has the log below it. */
export async function webSource(address: string): Promise<Source> {
  const url = new URL(address);
  const name = `${url.origin}${url.pathname.endsWith("/") ? url.pathname.slice(0, -1) : url.pathname}`;
  const log = { name, read: (file: string) => download(`${name}/${file}`) };
  if (await log.read("checkpoint")) return log;
  return { name: `${name}/log`, read: (file) => download(`${name}/log/${file}`) };
}

const TRIES = 4;
/** The longest file of a log is a bundle of 256 entries with 65,535 bytes. */
const MAX_BYTES = 20 * 1024 * 1024;

/** The response's body; undefined if the server has no such file. Tries again when the server is busy. */
export async function download(address: string, headers: Record<string, string> = {}): Promise<Buffer | undefined> {
  for (let tries = 1; ; tries++) {
    const attempt = await attemptDownload(address, headers);
    if ("body" in attempt) return attempt.body;
    if (tries === TRIES || !attempt.again) throw new Error(`${withoutQuery(address)}: ${attempt.reason}`);
    await new Promise((resolve) => setTimeout(resolve, attempt.seconds * 1000 || 200 * 2 ** tries));
  }
}

type Attempt = { body: Buffer | undefined } | { reason: string; again: boolean; seconds: number };

async function attemptDownload(address: string, headers: Record<string, string>): Promise<Attempt> {
  try {
    const response = await fetch(address, { headers, signal: AbortSignal.timeout(30_000) });
    if (response.ok) return await bodyOf(response);
    await response.body?.cancel();
    if (response.status === 404 || response.status === 410) return { body: undefined };
    const seconds = Math.min(60, Number(response.headers.get("retry-after")) || 0);
    return { reason: `HTTP ${response.status}`, again: response.status === 429 || response.status >= 500, seconds };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return { reason: cause instanceof Error ? cause.message : String(cause), again: true, seconds: 0 };
  }
}

/** The body, unless it is longer than any file of a log: a server could send without end. */
async function bodyOf(response: Response): Promise<Attempt> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.length;
    // Leaving the loop ends the download.
    if (bytes > MAX_BYTES) return { reason: `The file is larger than ${MAX_BYTES} bytes.`, again: false, seconds: 0 };
    pieces.push(piece);
  }
  return { body: Buffer.concat(pieces) };
}

/** Queries may have a key. */
const withoutQuery = (address: string): string => address.replace(/\?.*/, "");
