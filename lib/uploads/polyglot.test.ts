import { expect, it } from "vitest";
import { isPolyglot } from "@/lib/uploads/polyglot";

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
])("knows %j in an image", (text) => expect(isPolyglot(among(text))).toBe(true));

it.each([
  "<svg\x81\x02",
  "<SvG\x00",
  "<svg \xe1\x93<",
  "<sVg>\x9f\x01",
  "<html\x93",
  "<?pHp\xff",
  "<scripture",
  "<a href=x>",
])("takes %j for what it is: bytes of a photo", (text) => expect(isPolyglot(among(text))).toBe(false));

it("tells archives by their end and PDFs by their beginning", () => {
  const end = Buffer.concat([Buffer.from("PK\x05\x06", "latin1"), Buffer.alloc(18)]);
  expect(isPolyglot(Buffer.concat([among(""), end]))).toBe(true);
  expect(isPolyglot(Buffer.concat([among(""), end, Buffer.alloc(9)]))).toBe(false);
  expect(isPolyglot(Buffer.from("GIF89a %PDF-1.7"))).toBe(true);
  expect(isPolyglot(among("%PDF-1.7"))).toBe(false);
});
