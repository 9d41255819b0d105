import { randomBytes } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createServer } from "@/lib/api/server";

/** The body that a page read from each request: all of it, as Next does with a form sent without JavaScript. */
const read: Promise<Buffer>[] = [];
const server = createServer([], (request, response) => {
  const body = buffer(request);
  read.push(body);
  body.then(
    () => response.end("read"),
    () => {},
  );
});
beforeAll(() => new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve)));
afterAll(() => server.close());

/** Sends a form in pieces of `size` bytes. Resolves to the status, or null if the connection was closed. */
function send(body: Buffer, size: number, type = "multipart/form-data; boundary=b"): Promise<number | null> {
  return new Promise((resolve) => {
    const { port } = server.address() as AddressInfo;
    const headers = { "Content-Type": type, "Content-Length": body.length };
    const sent = http.request({ port, host: "127.0.0.1", agent: false, method: "POST", path: "/r/token", headers });
    sent.on("response", (answer) => answer.resume().on("end", () => resolve(answer.statusCode ?? null)));
    sent.on("error", () => resolve(null));
    for (let at = 0; at < body.length; at += size) sent.write(body.subarray(at, at + size));
    sent.end();
  });
}

const part = (name: string, content: Buffer | string, more = "") =>
  Buffer.concat([
    Buffer.from(`--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from("\r\n"),
  ]);
const end = Buffer.from("--b--\r\n");
const MiB = 1024 * 1024;

it.each([3, 700, 64 * 1024])("passes a page's form unchanged, in pieces of %i bytes", async (size) => {
  const large = size > 3 ? randomBytes(2 * MiB) : randomBytes(2_000);
  const body = Buffer.concat([
    ...Array.from({ length: 300 }, (_, n) => part(`items.${n}.content`, "\r\n\r\n--a\r\n")),
    part("photo", large, '; filename="a.jpg"\r\nContent-Type: image/jpeg'),
    end,
  ]);
  expect(await send(body, size)).toBe(200);
  expect((await read.at(-1))?.equals(body)).toBe(true);
});

it.each([
  ["a million tiny parts", Buffer.concat([Buffer.alloc(30 * MiB, part("a", "b")), end])],
  ["parts without headers", Buffer.concat([Buffer.alloc(30 * MiB, "--b\r\n\r\n\r\n"), end])],
  ["a part behind megabytes of headers", Buffer.concat([Buffer.from("--b\r\n"), Buffer.alloc(30 * MiB, "X: y\r\n")])],
  [
    "many parts with long headers",
    Buffer.concat([Buffer.alloc(30 * MiB, part("a", "b", `\r\n${"X: y\r\n".repeat(600)}Z: z`)), end]),
  ],
])("closes the connection for a maliciously slow form: %s", async (_, body) => {
  for (const type of ["multipart/form-data; boundary=b", 'Multipart/Form-Data; charset=utf-8; boundary="b"']) {
    expect(await send(body, 64 * 1024, type)).toBeNull();
    await expect(read.at(-1)).rejects.toThrow();
  }
});
