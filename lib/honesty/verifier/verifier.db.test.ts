import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import * as verifier from "@/app/honesty/verify.mjs/route";
import { root } from "@/lib/tools/launch/bootstrap.mjs";
import { call } from "@/lib/tools/test/call";

it("is offered by the server, and cached", async () => {
  const { status, text, headers } = await call(verifier, "GET", "/honesty/verify.mjs");
  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  expect(text).toBe(readFileSync(path.join(root, "lib/honesty/verifier/generated/verify.mjs"), "utf8"));
  const known = { "if-none-match": headers.get("etag") ?? "" };
  expect((await call(verifier, "GET", "/honesty/verify.mjs", { headers: known })).status).toBe(304);
});
