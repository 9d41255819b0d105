// A log's head at one size: c2sp.org/tlog-checkpoint.
import { decodeBase64, openNote, type Signer, signNote, type Verifier } from "@/lib/honesty/log/signed-note";
import { HASH_BYTES } from "@/lib/honesty/log/tree";

export type Checkpoint = {
  /** The log's name: its address without `https://`. */
  origin: string;
  size: number;
  root: Buffer;
};

/** The checkpoint as a signed note. */
export function signCheckpoint({ origin, size, root }: Checkpoint, signers: Signer[]): string {
  if (origin === "" || origin.includes("\n")) throw new Error(`Not a log's name: ${JSON.stringify(origin)}`);
  return signNote(`${origin}\n${size}\n${root.toString("base64")}\n`, signers);
}

/** Reads a checkpoint that at least one of these keys has signed. Throws as `openNote`, or if it isn't one. */
export function openCheckpoint(note: string, known: Verifier[]): Checkpoint & { signedBy: Verifier[] } {
  const { text, signedBy } = openNote(note, known);
  return { ...parseCheckpoint(text), signedBy };
}

/** Reads a checkpoint's text, without the signatures. Lines after the third are extensions, which are ignored. */
export function parseCheckpoint(text: string): Checkpoint {
  const [origin = "", size = "", root = "", ...extensions] = text.slice(0, -1).split("\n");
  const bytes = decodeBase64(root);
  const isCheckpoint =
    text.endsWith("\n") &&
    origin !== "" &&
    /^(0|[1-9]\d*)$/.test(size) &&
    Number.isSafeInteger(Number(size)) &&
    bytes?.length === HASH_BYTES &&
    !extensions.includes("");
  if (!isCheckpoint) throw new Error("Not a checkpoint: it must have a name, a size and a root.");
  return { origin, size: Number(size), root: bytes };
}
