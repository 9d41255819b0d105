import { describe, expect, it } from "vitest";
import type { Entry } from "@/lib/honesty/entry";
import { verifierText } from "@/lib/honesty/log/signed-note";
import { parseEntry } from "@/lib/honesty/parse-entry";
import { newSigner } from "@/lib/tools/test/log-folder";

const at = "2026-11-29T17:00:00Z";
const about = { at, kind: "review", item: "0123456789abcdef0123456789abcdef" } as const;
const content = "ab".repeat(32);
const key = verifierText(newSigner("shop.example.com/log"));

const right: Entry[] = [
  { type: "began", at },
  { type: "received", ...about },
  { type: "received", ...about, stars: 5, source: "import", verified: "email", content },
  { type: "received", ...about, stars: 5, source: "web", unconfirmed: true, content },
  { type: "received", ...about, stars: 5, source: "web", incentivized: true, content },
  { type: "published", ...about, by: "rule" },
  { type: "rejected", ...about, by: "person", reason: "off_topic" },
  { type: "removed", ...about, by: "key" },
  { type: "restored", ...about, by: "system" },
  { type: "reopened", ...about, by: "author" },
  { type: "edited", ...about, by: "key", fields: ["score", "title"], stars: 1, content },
  { type: "edited", ...about, by: "key", fields: ["incentivized"], stars: 1, incentivized: false, content },
  { type: "edited", ...about, kind: "question", by: "author", fields: [] },
  { type: "deleted", ...about, by: "person" },
  { type: "appealed", ...about },
  { type: "photo_hidden", ...about, kind: "photo" },
  { type: "erased", ...about },
  { type: "invitations", at, day: "2026-11-28", sent: 0, skipped: { too_late: 3 } },
  { type: "settings", at, settings: { any: [1.5, "thing", null] } },
  { type: "import", at, of: "seller_reviews", created: 1, updated: 0 },
  { type: "import_undone", at, of: "questions", created: 1 },
  { type: "key", at, key },
  { type: "key_retired", at, key },
];

const parse = (value: unknown): Entry => parseEntry(Buffer.from(JSON.stringify(value)));

describe("parseEntry", () => {
  it("reads each type", () => {
    for (const entry of right) expect(parse(entry)).toEqual(entry);
  });

  it("refuses a field more or less, in each type", () => {
    for (const entry of right) {
      expect(() => parse({ ...entry, note: 1 })).toThrow('has an unknown field "note"');
      expect(() => parse({ ...entry, at: undefined })).toThrow("has no field at");
    }
    expect(() => parse({ type: "published", ...about })).toThrow("(published) has no field by");
    expect(() => parse({ type: "published", ...about, by: "person", reason: "spam" })).toThrow("unknown field");
    expect(() => parse({ type: "deleted", at, by: "key", kind: "review" })).toThrow("has no field item");
  });

  it.each([
    [{ type: "published", ...about, by: "nobody" }, "wrong field by"],
    [{ type: "received", ...about, stars: 6 }, "wrong field stars"],
    [{ type: "received", ...about, stars: 1.5 }, "wrong field stars"],
    [{ type: "received", ...about, incentivized: false }, "wrong field incentivized"],
    [{ type: "edited", ...about, by: "key", fields: [], incentivized: 1 }, "wrong field incentivized"],
    [{ type: "received", ...about, kind: "question", stars: 5 }, "question with stars"],
    [{ type: "received", ...about, item: about.item.toUpperCase() }, "wrong field item"],
    [{ type: "received", ...about, content: null }, "wrong field content"],
    [{ type: "received", ...about, at: "2026-11-29T17:00:00.000Z" }, "wrong field at"],
    [{ type: "received", ...about, at: "2026-02-30T17:00:00Z" }, "wrong field at"],
    [{ type: "received", ...about, at: "2026-11-29T24:00:00Z" }, "wrong field at"],
    [{ type: "invitations", at, day: "2026-11-31", sent: 1, skipped: {} }, "wrong field day"],
    [{ type: "invitations", at, day: "2026-11-30", sent: -1, skipped: {} }, "wrong field sent"],
    [{ type: "invitations", at, day: "2026-11-30", sent: 1, skipped: { ann: "Ann" } }, "wrong field skipped"],
    [{ type: "edited", ...about, by: "key", fields: "title" }, "wrong field fields"],
    [{ type: "key", at, key: key.slice(1) }, "wrong field key"],
    [{ type: "constructor", at }, "unknown type"],
    [{ at }, "unknown type"],
    [[], "is not a JSON object"],
    [null, "is not a JSON object"],
  ])("refuses %j", (value, message) => {
    expect(() => parse(value)).toThrow(message);
  });

  it("refuses other ways to write it", () => {
    const line = JSON.stringify(right[0]);
    for (const other of [
      ` ${line}`,
      `${line}\n`,
      line.replace(",", ', "at":"x",'),
      line.replace("began", "\\u0062egan"),
    ])
      expect(() => parseEntry(Buffer.from(other))).toThrow("JSON usually");
    const twice = line.replace("{", '{"at":"2020-01-01T00:00:00Z",');
    expect(() => parseEntry(Buffer.from(twice))).toThrow("JSON usually");
    expect(() => parseEntry(Buffer.from(line.slice(1)))).toThrow("is not JSON");
    expect(() => parseEntry(Buffer.from([0xff]))).toThrow("is not JSON");
    expect(() => parseEntry(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(line)]))).toThrow(
      "is not JSON",
    );
  });
});
