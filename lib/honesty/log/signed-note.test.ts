import { createPrivateKey, generateKeyPairSync } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openCheckpoint, parseCheckpoint, signCheckpoint } from "@/lib/honesty/log/checkpoint";
import { openNote, parseVerifier, type Signer, signNote, verifierText } from "@/lib/honesty/log/signed-note";
import { emptyRoot, leafHash } from "@/lib/honesty/log/tree";
import { propertyRuns } from "@/lib/tools/test/property-runs";

// The keys and the note in the documentation of Go's package golang.org/x/mod/sumdb/note.
const peterKey = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
const peterSecret = "AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz";
const enochKey = "EnochRoot+af0cfe78+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop";
const text = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
const peterLine =
  "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n";
const enochLine =
  "— EnochRoot rwz+eBzmZa0SO3NbfRGzPCpDckykFXSdeX+MNtCOXm2/5n2tiOHp+vAF1aGrQ5ovTG01oOTGwnWLox33WWd1RvMc+QQ=\n";

/** A private key from its 32 bytes, which PKCS #8 writes after these. */
const privateKey = (bytes: Uint8Array) =>
  createPrivateKey({
    key: Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), bytes]),
    format: "der",
    type: "pkcs8",
  });
const peter: Signer = { name: "PeterNeumann", key: privateKey(Buffer.from(peterSecret, "base64").subarray(1)) };
const newSigner = (name: string): Signer => ({ name, key: generateKeyPairSync("ed25519").privateKey });
const known = (...signers: Signer[]) => signers.map((signer) => parseVerifier(verifierText(signer)));
const names = (verifiers: { name: string }[]) => verifiers.map(({ name }) => name);

describe("signed notes", () => {
  it("are those of Go's package", () => {
    expect(verifierText(peter)).toBe(peterKey);
    expect(signNote(text, [peter])).toBe(`${text}\n${peterLine}`);
    const both = openNote(`${text}\n${peterLine}${enochLine}`, [parseVerifier(peterKey), parseVerifier(enochKey)]);
    expect(both.text).toBe(text);
    expect(names(both.signedBy)).toEqual(["PeterNeumann", "EnochRoot"]);
  });

  it("may have unknown signatures, but no wrong one of a known key", () => {
    const note = `${text}\n${peterLine}${enochLine}`;
    expect(names(openNote(note, [parseVerifier(enochKey)]).signedBy)).toEqual(["EnochRoot"]);
    expect(() => openNote(note, known(newSigner("PeterNeumann")))).toThrow("Not signed by a known key.");
    expect(() => openNote(note, [])).toThrow("Not signed by a known key.");
    const wrong = note.replace("x08go/Z", "x08go/a");
    expect(() => openNote(wrong, [parseVerifier(peterKey), parseVerifier(enochKey)])).toThrow(
      "The signature of PeterNeumann+c74f20a3 is wrong.",
    );
    expect(names(openNote(wrong, [parseVerifier(enochKey)]).signedBy)).toEqual(["EnochRoot"]);
    expect(() => openNote(note.replace("think", "thing"), [parseVerifier(enochKey)])).toThrow("is wrong");
  });

  it("refuse what isn't one", () => {
    const [verifier] = [parseVerifier(peterKey)];
    const notes = [
      "",
      text,
      `${text}\n`,
      `${text}${peterLine}`,
      `${text}\n${peterLine.trimEnd()}`,
      `${text}\n${peterLine}\n`,
      `${text}\n${peterLine.replace("— ", "- ")}`,
      `${text}\n${peterLine.replace("=", "")}`,
      `${text}\n${peterLine.replace("x08g", "x08 g")}`,
      `${text}\n— PeterNeumann x08g\n${peterLine}`,
      `tab\there\n\n${peterLine}`,
      `${text}\n${peterLine.repeat(101)}`,
    ];
    for (const note of notes) expect(() => openNote(note, [verifier]), note).toThrow();
    expect(() => signNote("no line", [peter])).toThrow("whole lines");
    expect(() => signNote("\ud83d\n", [peter])).toThrow("whole lines");
    expect(() => signNote(text, [{ ...peter, name: "two words" }])).toThrow("name");
    expect(() => signNote(text, [{ ...peter, name: "a+b" }])).toThrow("name");
  });

  it("read verifier keys strictly", () => {
    const keys = [
      "",
      "PeterNeumann",
      peterKey.replace("PeterNeumann", ""),
      peterKey.replace("PeterNeumann", "CarmenSandiego"),
      peterKey.replace("c74f20a3", "c74f20a4"),
      peterKey.replace("c74f20a3", "C74F20A3"),
      `${peterKey}=`,
      "PeterNeumann+cc469956+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TWBADKEY==",
      "PeterNeumann+173116ae+ZRpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
    ];
    for (const key of keys) expect(() => parseVerifier(key), key).toThrow();
  });

  it("don't open after one bit is flipped", () => {
    const signer = newSigner("example.com/log");
    const verifiers = known(signer);
    fc.assert(
      fc.property(fc.stringMatching(/^[a-zå-ö \n]{0,60}$/u), fc.nat(), (lines, bit) => {
        const note = Buffer.from(signNote(`${lines}\n`, [signer]));
        expect(openNote(note.toString(), verifiers).text).toBe(`${lines}\n`);
        const at = bit % (note.length * 8);
        note[at >> 3]! ^= 1 << (at & 7);
        expect(() => openNote(note.toString(), verifiers)).toThrow();
      }),
      { numRuns: propertyRuns(200) },
    );
  });
});

describe("checkpoints", () => {
  const root = leafHash(Buffer.from("entry"));
  const signer = newSigner("example.com/log");

  it("name the log, its size and its root", () => {
    const head = { origin: "example.com/log", size: 1, root };
    const note = signCheckpoint(head, [signer, peter]);
    expect(note.split("\n").slice(0, 4)).toEqual(["example.com/log", "1", root.toString("base64"), ""]);
    const { signedBy, ...opened } = openCheckpoint(note, known(signer));
    expect(opened).toEqual(head);
    expect(names(signedBy)).toEqual(["example.com/log"]);
    expect(names(openCheckpoint(note, known(peter, signer)).signedBy)).toEqual(["example.com/log", "PeterNeumann"]);
    expect(openCheckpoint(signCheckpoint({ ...head, size: 0, root: emptyRoot() }, [signer]), known(signer)).size).toBe(
      0,
    );
    expect(() => signCheckpoint({ ...head, origin: "two\nlines" }, [signer])).toThrow("name");
  });

  it("are read strictly", () => {
    const known = "go.sum database tree\n123456789012\nTszzRgjTG6xce+z2AG31kAXYKBgQVtCSCE40HmuwBb0=\n";
    expect(parseCheckpoint(known)).toEqual({
      origin: "go.sum database tree",
      size: 123456789012,
      root: Buffer.from("TszzRgjTG6xce+z2AG31kAXYKBgQVtCSCE40HmuwBb0=", "base64"),
    });
    expect(parseCheckpoint(`${known}extension\n`).size).toBe(123456789012);
    const wrong = [
      "",
      known.trimEnd(),
      `${known}\n`,
      known.replace("go.sum database tree", ""),
      known.replace("123456789012", "0123"),
      known.replace("123456789012", "-1"),
      known.replace("123456789012", "0xabc"),
      known.replace("123456789012", "9007199254740993"),
      known.replace("Bb0=", "Bb1="),
      known.replace("Bb0=", "BTOOBIG="),
    ];
    for (const text of wrong) expect(() => parseCheckpoint(text), text).toThrow("Not a checkpoint");
  });
});
