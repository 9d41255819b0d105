import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { MAX_PAGE_BYTES } from "@/lib/insights/load-page";
import { checkPage } from "@/lib/insights/moving/check-page";
import { env } from "@/lib/platform/env";
import { aClient, hashDatabase } from "@/lib/tools/test/factories";

let server: Server;
let origin: string;
let id: string;
const pages: Record<string, (response: import("node:http").ServerResponse) => void> = {
  "/lamp": (response) => response.end(script(id)),
  "/zipped": (response) => response.setHeader("content-encoding", "gzip").end(gzipSync(script(id))),
  "/moved": (response) => response.writeHead(302, { location: "/lamp" }).end(),
  "/foreign": (response) => response.end(script(`${id}-other`)),
  "/strict": (response) => response.setHeader("content-security-policy", "default-src 'self'").end(script(id)),
  "/plain": (response) => response.end("<h1>Lamp</h1>"),
  "/large": (response) => response.end(Buffer.alloc(MAX_PAGE_BYTES + 1)),
  "/broken": (response) => response.setHeader("content-encoding", "gzip").end("not gzip"),
  "/gone": (response) => response.writeHead(410).end(),
  "/dead": (response) => void response.destroy(),
};
const script = (client: string) => `<script src="https://js.old.example/onpage/${client}/head.js"></script>`;

beforeAll(async () => {
  ({ id } = await aClient());
  server = createServer((request, response) => pages[request.url ?? ""]?.(response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server?.close());

const check = (path: string, clientId?: string) =>
  checkPage(`${origin}${path}`, { ...(clientId && { clientId }), network: { allows: () => true } });

it.each([
  ["/lamp", true],
  ["/zipped", true],
  ["/moved", true],
  ["/foreign", false],
  ["/strict", false],
  ["/plain", false],
])("says of %s whether it works: %s", async (path, works) => {
  const before = await hashDatabase();
  const result = await check(path);
  expect(result).toMatchObject({ works, url: `${origin}${path === "/moved" ? "/lamp" : path}` });
  expect(result.findings.some((finding) => !finding.works)).toBe(!works);
  expect(await hashDatabase()).toBe(before);
});

it("knows the store's settings and this installation's origin", async () => {
  expect((await check("/lamp")).findings).toEqual([
    {
      line: 1,
      found: `script https://js.old.example/onpage/${id}/head.js`,
      works: true,
      note: `Change the host to ${env().PUBLIC_URL}.`,
    },
  ]);
  expect(await check("/lamp", `${id}-other`)).toMatchObject({ works: false });
  const listing = await aClient({ allowed_origins: ["https://shop.example"] });
  const hosted = await aClient({ config: { widget_host: "reviews.shop.example" } });
  pages["/hosted"] = (response) => response.end(script(hosted.id));
  expect((await check("/hosted")).findings).toMatchObject([
    { note: "Change the host to http://reviews.shop.example." },
  ]);
  const policy = "script-src reviews.shop.example; connect-src *; img-src *";
  pages["/hosted-strict"] = (response) => response.setHeader("content-security-policy", policy).end(script(hosted.id));
  expect((await check("/hosted-strict")).findings).toMatchObject([
    { works: false, note: `Blocks Candor: add ${env().PUBLIC_URL} to script-src.` },
    { works: true },
  ]);
  pages["/listing"] = (response) => response.end(script(listing.id));
  expect((await check("/listing")).findings).toMatchObject([{ works: false, note: expect.stringContaining(origin) }]);
});

it.each([
  ["/gone", "unavailable"],
  ["/dead", "unavailable"],
  ["/broken", "unavailable"],
  ["/large", "too_large"],
])("fails for %s with %s", async (path, code) => {
  await expect(check(path)).rejects.toMatchObject({ code });
});

it("reads no internal network", async () => {
  for (const url of [`${origin}/lamp`, "http://localhost/", "ftp://shop.example/", "lamp"])
    await expect(checkPage(url), url).rejects.toMatchObject({ code: "invalid_field", issues: [{ field: "url" }] });
});
