import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isStorable, quotedText, storableText, truncateText } from "@/lib/platform/storable-text";

const anything = fc.string({
  unit: fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom("\0", "\ud83d", "\ude00", " ", "\n", "\t")),
  maxLength: 60,
});

describe("storableText", () => {
  it("removes NUL and replaces lone surrogates", () => {
    expect(storableText("Å 😀\n\tx")).toBe("Å 😀\n\tx");
    expect(storableText("a\0b\0")).toBe("ab");
    expect(storableText("a\ud83db \ude00")).toBe("a\ufffdb \ufffd");
    expect(storableText("\0")).toBe("");
    expect([
      isStorable("Å 😀"),
      isStorable("a\0"),
      isStorable("\ud83d"),
      isStorable("abc", 2),
      isStorable("abc", 3),
    ]).toEqual([true, false, false, false, true]);
  });

  it("limits the length without splitting a character", () => {
    expect(storableText("abc", 2)).toBe("ab");
    expect(storableText("a😀", 2)).toBe("a");
    expect(storableText("a\0😀b", 3)).toBe("a😀");
    expect([truncateText("a😀b", 3), truncateText("a😀b", 2), truncateText("ab", 5)]).toEqual(["a😀", "a", "ab"]);
  });

  it("always returns text that the database accepts", () => {
    fc.assert(
      fc.property(anything, fc.integer({ min: 1, max: 40 }), (text, most) => {
        const [stored, quoted] = [storableText(text, most), quotedText(text, most)];
        for (const one of [stored, quoted]) {
          expect(one.isWellFormed()).toBe(true);
          expect(one).not.toContain("\0");
          expect(isStorable(one)).toBe(true);
        }
        expect(stored.length).toBeLessThanOrEqual(most);
        expect(quoted.length).toBeLessThanOrEqual(most + 1);
        expect(quoted).not.toMatch(/^\s|\s{2}|[\n\t]/);
      }),
    );
  });
});

it("quotes any text on one line, with an ellipsis if it's cut", () => {
  expect(quotedText(" No\0t\n like  this. ", 20)).toBe("Not like this.");
  expect(quotedText("abcd", 3)).toBe("abc…");
  expect(quotedText("ab😀", 3)).toBe("ab…");
  expect(quotedText("x".repeat(50_000_000), 300)).toHaveLength(301);
});
