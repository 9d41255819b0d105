import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  keyedFingerprint,
  MIN_CHARACTERS,
  publicNetworkOf,
  shinglesOf,
  similarity,
  textFingerprints,
} from "@/lib/moderation/rules/fingerprints";

const text =
  "I bought this lamp for my daughter and she loves the warm light it gives in the evening. The cable could be longer, but the switch is where it should be.";
const share = (a: string, b: string) => similarity(shinglesOf(a), shinglesOf(b));
const inCommon = (a: string, b: string) =>
  textFingerprints(a).filter((print) => textFingerprints(b).includes(print)).length;

describe("text fingerprints", () => {
  it("are equal for equal words, whatever case and punctuation", () => {
    expect(textFingerprints(text.toUpperCase().replaceAll(" ", "  ").replaceAll(".", "!!"))).toEqual(
      textFingerprints(text),
    );
    expect(new Set(textFingerprints(text)).size).toBe(8);
  });

  it("are shared by texts that differ in a few words", () => {
    const changed = [
      text.replace("daughter", "son").replace("she", "he"),
      text.replace("lamp", "lantern"),
      `${text} Recommended!`,
      text.replace("The cable could be longer, but t", "T"),
    ];
    for (const other of changed) {
      expect(share(text, other)).toBeGreaterThan(0.7);
      expect(inCommon(text, other)).toBeGreaterThan(0);
    }
  });

  it("aren't shared by texts about the same subject in other words", () => {
    const other =
      "This lamp was a present for my son, who reads with it at night. A longer cable would help; the switch sits well and the light is soft and warm.";
    expect(share(text, other)).toBeLessThan(0.4);
  });

  it("aren't created for short texts, which are naturally similar", () => {
    expect(textFingerprints("Very good product, fast delivery, recommended.")).toEqual([]);
    expect(textFingerprints("")).toEqual([]);
    expect(textFingerprints("x".repeat(MIN_CHARACTERS))).toHaveLength(8);
  });

  it("find nearly all texts with a similarity of 85 percent or more", () => {
    const letters = fc.array(fc.constantFrom(..."abcdefghijklmnop  "), { minLength: 150, maxLength: 250 });
    let alike = 0;
    let seen = 0;
    fc.assert(
      fc.property(letters, fc.nat(120), (made, at) => {
        const one = made.join("");
        const two = `${one.slice(0, at)}zz${one.slice(at + 2)}`;
        if (share(one, two) < 0.85) return;
        alike += 1;
        if (inCommon(one, two) > 0) seen += 1;
      }),
      { numRuns: 100, seed: 1 },
    );
    expect(alike).toBeGreaterThan(60);
    expect(seen / alike).toBeGreaterThan(0.97);
  });

  it("are signed 64-bit integers, for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (any) => {
        for (const print of textFingerprints(any)) expect(BigInt.asIntN(64, BigInt(print)).toString()).toBe(print);
      }),
      { numRuns: 200 },
    );
  });
});

describe("sender fingerprints", () => {
  it("differ by type, by value and by key", () => {
    const [key, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const prints = [
      keyedFingerprint(key, "author", "a"),
      keyedFingerprint(key, "network", "a"),
      keyedFingerprint(key, "author", "b"),
      keyedFingerprint(other, "author", "a"),
    ];
    expect(new Set(prints).size).toBe(4);
    expect(keyedFingerprint(key, "author", "a")).toBe(prints[0]);
  });

  it("use an address's network: 256 addresses in IPv4, a /64 in IPv6, none for non-public addresses", () => {
    expect(publicNetworkOf("203.0.114.9")).toBe(publicNetworkOf("203.0.114.200"));
    expect(publicNetworkOf("203.0.114.9")).not.toBe(publicNetworkOf("203.0.115.9"));
    expect(publicNetworkOf("2a02:1:2:3::1")).toBe(publicNetworkOf("2a02:1:2:3:ffff::9"));
    expect(publicNetworkOf("2a02:1:2:3::1")).not.toBe(publicNetworkOf("2a02:1:2:4::1"));
    expect(publicNetworkOf("::ffff:203.0.114.9")).toBe(publicNetworkOf("203.0.114.1"));
    for (const none of ["10.0.0.1", "127.0.0.1", "::1", "fe80::1", "x", "", null])
      expect(publicNetworkOf(none)).toBeNull();
  });
});
