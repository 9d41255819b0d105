import { describe, expect, it } from "vitest";
import { seal, unseal } from "@/lib/platform/secrets/seal";

describe("an encrypted text", () => {
  it("is decrypted again, differs each time and doesn't contain the text", () => {
    for (const text of ["", "ada@example.org", "Å".repeat(1_000)]) {
      const sealed = seal("test/1", text);
      expect(unseal("test/1", sealed)).toBe(text);
      expect(seal("test/1", text).equals(sealed)).toBe(false);
      if (text) expect(sealed.includes(text)).toBe(false);
    }
  });

  it("is rejected if changed or truncated, and for another purpose", () => {
    const sealed = seal("test/1", "ada@example.org");
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] as number) ^ 1;
      expect(() => unseal("test/1", changed)).toThrow();
      expect(() => unseal("test/1", sealed.subarray(0, at))).toThrow();
    }
    expect(() => unseal("test/2", sealed)).toThrow();
  });
});
