// Texts signed by one or more keys: c2sp.org/signed-note, with Ed25519.
import { createPublicKey, hash, type KeyObject, sign, verify } from "node:crypto";

/** Who signs. `key` is a private Ed25519 key. */
export type Signer = { name: string; key: KeyObject };

/** A key that signatures are checked with. `id` is the hash by which signatures name it, in hexadecimal. */
export type Verifier = { text: string; name: string; id: string; key: KeyObject };

/** The type byte of Ed25519 signatures. */
const ED25519 = 1;
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
const ID_BYTES = 4;
/** As in Go's package: a note with more signatures isn't read. */
const MAX_SIGNATURES = 100;

/** Reads a verifier key: `name+id+base64`. Throws if it isn't one with Ed25519. */
export function parseVerifier(text: string): Verifier {
  const match = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(text);
  const bytes = match ? decodeBase64(match[3]!) : undefined;
  if (!match || !isName(match[1]!) || bytes?.length !== 1 + KEY_BYTES || bytes[0] !== ED25519)
    throw new Error(`Not a verifier key with Ed25519: ${JSON.stringify(text)}`);
  const [, name, id] = match as unknown as [string, string, string];
  const publicBytes = bytes.subarray(1);
  if (idOf(name, publicBytes) !== id) throw new Error(`The verifier key ${name} doesn't match its id ${id}.`);
  const x = publicBytes.toString("base64url");
  return { text, name, id, key: createPublicKey({ format: "jwk", key: { kty: "OKP", crv: "Ed25519", x } }) };
}

/** The verifier key of a signer, as text: `name+id+base64`. */
export const verifierText = ({ name, key }: Signer): string => verifierTextOf(name, publicBytesOf(key));

/** The same of a public key of 32 bytes. */
export const verifierTextOf = (name: string, publicBytes: Uint8Array): string =>
  `${name}+${idOf(name, publicBytes)}+${Buffer.of(ED25519, ...publicBytes).toString("base64")}`;

/** Signs a text, which must end with a line feed, with one or more keys. Returns the note. */
export function signNote(text: string, signers: Signer[]): string {
  if (!isText(text) || !text.endsWith("\n")) throw new Error("The text of a note must be whole lines.");
  const lines = signers.map(({ name, key }) => {
    if (!isName(name)) throw new Error(`Not a key's name: ${JSON.stringify(name)}`);
    const id = Buffer.from(idOf(name, publicBytesOf(key)), "hex");
    return `— ${name} ${Buffer.concat([id, sign(null, Buffer.from(text), key)]).toString("base64")}\n`;
  });
  return `${text}\n${lines.join("")}`;
}

/**
 * A note's text, and which of the keys have signed it. Signatures of other keys are ignored. Throws if a known key's
 * signature is wrong, or none is there.
 */
export function openNote(note: string, known: Verifier[]): { text: string; signedBy: Verifier[] } {
  const end = note.lastIndexOf("\n\n");
  if (!isText(note) || end < 0 || !note.endsWith("\n")) throw new Error("Not a signed note.");
  const text = note.slice(0, end + 1);
  const lines = note.slice(end + 2, -1).split("\n");
  if (lines.length > MAX_SIGNATURES) throw new Error(`A note with more than ${MAX_SIGNATURES} signatures.`);
  const signedBy = new Set<Verifier>();
  for (const line of lines) {
    const match = /^— (\S+) (\S+)$/.exec(line);
    const bytes = match ? decodeBase64(match[2]!) : undefined;
    if (!match || !isName(match[1]!) || !bytes || bytes.length <= ID_BYTES)
      throw new Error(`Not a signature of a note: ${JSON.stringify(line)}`);
    const [name, id] = [match[1], bytes.subarray(0, ID_BYTES).toString("hex")];
    for (const verifier of known.filter((each) => each.name === name && each.id === id)) {
      const signature = bytes.subarray(ID_BYTES);
      if (signature.length !== SIGNATURE_BYTES || !verify(null, Buffer.from(text), verifier.key, signature))
        throw new Error(`The signature of ${name}+${id} is wrong.`);
      signedBy.add(verifier);
    }
  }
  if (signedBy.size === 0) throw new Error("Not signed by a known key.");
  return { text, signedBy: [...signedBy] };
}

const publicBytesOf = (key: KeyObject): Buffer =>
  Buffer.from(createPublicKey(key).export({ format: "jwk" }).x!, "base64url");

const idOf = (name: string, publicBytes: Uint8Array): string =>
  hash("sha256", Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(ED25519), publicBytes]), "hex").slice(0, 8);

const isName = (name: string): boolean => /^[^\s+]+$/u.test(name) && isText(name);

/** Without control characters but line feeds, and without halves of characters, which have no UTF-8. */
const isText = (text: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this is what it looks for
  !/[\u0000-\u0009\u000b-\u001f]/.test(text) && Buffer.from(text).toString() === text;

/** Only what an encoder writes: Node's decoder ignores what it doesn't know. */
export function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? bytes : undefined;
}
