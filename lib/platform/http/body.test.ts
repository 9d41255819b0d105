import { describe, expect, it } from "vitest";
import { z } from "zod";
import { readBody } from "@/lib/platform/http/body";
import { endpoint } from "@/lib/platform/http/contract";

const contract = endpoint({
  id: "test",
  method: "POST",
  path: "/test",
  tag: "Service",
  summary: "",
  auth: "public",
  body: z.unknown(),
  accepts: "multipart",
});

const form = (fields: number, boundary = "b", type = `multipart/form-data; boundary=${boundary}`) =>
  new Request("http://localhost/test", {
    method: "POST",
    headers: { "Content-Type": type },
    body: `${Array.from({ length: fields }, (_, n) => `--${boundary}\r\nContent-Disposition: form-data; name="f${n}"\r\n\r\n${n}\r\n`).join("")}--${boundary}--\r\n`,
  });
const fieldsOf = async (request: Request) => Object.keys((await readBody(request, contract)).value as object).length;

/** CPU milliseconds until a body is read or rejected. Wall-clock time isn't reliable on a busy machine. */
async function timeFor(request: Request, accepts: "json" | "form" | "multipart"): Promise<number> {
  const before = process.cpuUsage();
  await readBody(request, { ...contract, accepts, maxBody: 11 * MiB }).catch(() => undefined);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
const MiB = 1024 * 1024;
const filled = (text: string, size = MiB) => text.repeat(Math.floor(size / text.length));
const sent = (type: string, body: string) =>
  new Request("http://localhost/test", { method: "POST", headers: { "Content-Type": type }, body });

describe("a maliciously slow body", () => {
  it.each([
    ["form", "application/x-www-form-urlencoded", filled("a&")],
    ["form", "application/x-www-form-urlencoded", `a=${filled("%")}`],
    ["multipart", "multipart/form-data; boundary=b", `--b\r\n${filled("X: y\r\n", 10 * MiB)}\r\n\r\nc\r\n--b--\r\n`],
    ["multipart", "multipart/form-data; boundary=b", filled("--b\r\n\r\n\r\n", 10 * MiB)],
    ["json", "application/json", `[${filled("{},")}1]`],
    ["json", "application/json", `[${filled("1e308,")}1]`],
  ] as const)("is read or rejected quickly: %s, %s", async (accepts, type, body) => {
    const times = [];
    for (let n = 0; n < 3; n += 1) times.push(await timeFor(sent(type, body), accepts));
    expect(Math.min(...times)).toBeLessThan(250);
  });

  it("is limited to 100 fields when URL-encoded", async () => {
    const fields = (count: number) => Array.from({ length: count }, (_, n) => `f${n}=1`).join("&");
    const read = (count: number) =>
      readBody(sent("application/x-www-form-urlencoded", fields(count)), { ...contract, accepts: "form" });
    expect(Object.keys((await read(100)).value as object)).toHaveLength(100);
    await expect(read(101)).rejects.toMatchObject({ code: "too_large" });
  });
});

describe("a multipart form", () => {
  it("is limited to 100 fields", async () => {
    expect(await fieldsOf(form(1))).toBe(1);
    expect(await fieldsOf(form(100))).toBe(100);
    await expect(readBody(form(101), contract)).rejects.toMatchObject({ code: "too_large" });
    const quoted = 'multipart/form-data; charset=utf-8; boundary="a b"';
    expect(await fieldsOf(form(100, "a b", quoted))).toBe(100);
    await expect(readBody(form(101, "a b", quoted), contract)).rejects.toMatchObject({ code: "too_large" });
  });

  it("is rejected without a boundary", async () => {
    await expect(readBody(form(1, "b", "multipart/form-data; charset=utf-8"), contract)).rejects.toMatchObject({
      code: "invalid_json",
    });
  });
});
