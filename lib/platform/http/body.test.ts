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

describe("a multipart form", () => {
  it("may have a hundred fields and no more", async () => {
    expect(await fieldsOf(form(1))).toBe(1);
    expect(await fieldsOf(form(100))).toBe(100);
    await expect(readBody(form(101), contract)).rejects.toMatchObject({ code: "too_large" });
    const quoted = 'multipart/form-data; charset=utf-8; boundary="a b"';
    expect(await fieldsOf(form(100, "a b", quoted))).toBe(100);
    await expect(readBody(form(101, "a b", quoted), contract)).rejects.toMatchObject({ code: "too_large" });
  });

  it("is refused without its boundary", async () => {
    await expect(readBody(form(1, "b", "multipart/form-data; charset=utf-8"), contract)).rejects.toMatchObject({
      code: "invalid_json",
    });
  });
});
