import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { expect, it } from "vitest";
import { isPolyglot } from "@/lib/reviews/uploads/polyglot";
import { propertyRuns } from "@/lib/tools/test/property-runs";

const among = (text: string) =>
  Buffer.concat([Buffer.alloc(2_000, 0xd8), Buffer.from(text, "latin1"), Buffer.alloc(99)]);

it.each([
  "<script>alert(1)</script>",
  "<SCRIPT src=x>",
  "<!doctype html>",
  "<html><body>",
  "<html lang=en>",
  '<iframe src="//x">',
  "<?php system($_GET[0]);",
  "*/;<svg/onload=alert(1)>",
  '<svg width="9" xmlns="http://www.w3.org/2000/svg">',
  "<svg>\n<path d='M0 0'/>",
])("detects %j in an image", async (text) => expect(await isPolyglot(among(text))).toBe(true));

it.each([
  "<svg\x81\x02",
  "<SvG\x00",
  "<svg \xe1\x93<",
  "<sVg>\x9f\x01",
  "<html\x93",
  "<?pHp\xff",
  "<scripture",
  "<a href=x>",
])("ignores %j, as photos may contain it", async (text) => expect(await isPolyglot(among(text))).toBe(false));

it("detects archives by their end and PDFs by their start", async () => {
  const end = Buffer.concat([Buffer.from("PK\x05\x06", "latin1"), Buffer.alloc(18)]);
  expect(await isPolyglot(Buffer.concat([among(""), end]))).toBe(true);
  expect(await isPolyglot(Buffer.concat([among(""), end, Buffer.alloc(9)]))).toBe(false);
  expect(await isPolyglot(Buffer.from("GIF89a %PDF-1.7"))).toBe(true);
  expect(await isPolyglot(among("%PDF-1.7"))).toBe(false);
});

/** The tags to detect, as a pattern. The implementation isn't a pattern, since crafted bytes could make one slow. */
const markup =
  /<(?:(?:script|iframe|!doctype)\b|html[\s>]|\?php\s|svg[\s/][^<>]{0,500}?(?:xmlns|on[a-z]{1,30})\s{0,9}=|svg\s{0,9}>\s{0,99}<[a-z])/i;

it("detects in bytes exactly what the pattern matches in their text", async () => {
  const piece = fc.oneof(
    fc.constantFrom(
      "<",
      ">",
      "=",
      " ",
      "/",
      "\xa0",
      "\xff",
      "_",
      "1",
      "<svg",
      "<SVG ",
      "<svg/",
      "on",
      "xmlns",
      "load",
      "onload=",
      "<html",
    ),
    fc.constantFrom(
      "<script",
      "<?php",
      "<!doctype",
      "<iframe",
      "a".repeat(28),
      "a".repeat(31),
      " ".repeat(8),
      " ".repeat(98),
      "-".repeat(490),
    ),
  );
  const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
  await fc.assert(
    fc.asyncProperty(text, async (written) => {
      expect(await isPolyglot(Buffer.from(written, "latin1"))).toBe(markup.test(written));
    }),
    { numRuns: propertyRuns(5_000) },
  );
});

it.each([`<svg/${"on".repeat(250)}`, "<svg/", "<", `<svg ${"a=".repeat(250)}`, "PK\x05\x06"])(
  "doesn't block the event loop over 10 MiB of %j",
  async (text) => {
    const bytes = Buffer.alloc(10 * 1024 * 1024, text, "latin1");
    let longest = 0;
    let turns = 0;
    let isLooking = true;
    const looking = isPolyglot(bytes).finally(() => {
      isLooking = false;
    });
    // Measures CPU time between two turns of the event loop, since wall time is unreliable on a busy machine. A pattern
    // with quadratic time takes seconds; other turns take milliseconds, or tens of them with garbage collection.
    for (let before = process.cpuUsage(); isLooking; ) {
      await nextTurn();
      const { user, system } = process.cpuUsage(before);
      before = process.cpuUsage();
      longest = Math.max(longest, (user + system) / 1_000);
      turns += 1;
    }
    await looking;
    expect(turns).toBeGreaterThanOrEqual(9); // it yields after each MiB
    expect(longest).toBeLessThan(1_000);
  },
);
