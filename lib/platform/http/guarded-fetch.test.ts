import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { guardedFetch, isPublicAddress } from "@/lib/platform/http/guarded-fetch";

let server: http.Server;
let port: number;
const seen: { url: string; headers: http.IncomingHttpHeaders }[] = [];

beforeAll(async () => {
  server = http.createServer((request, response) => {
    seen.push({ url: request.url!, headers: request.headers });
    const { pathname, searchParams } = new URL(request.url!, "http://x");
    if (pathname === "/to") response.writeHead(302, { location: searchParams.get("where")! }).end();
    else if (pathname === "/loop") response.writeHead(302, { location: "/loop" }).end();
    else if (pathname === "/broken") {
      response.writeHead(200, { "content-length": "1000" });
      response.write("only this");
      setTimeout(() => response.socket!.destroy(), 20);
    } else if (pathname === "/slow") response.writeHead(200).write("a");
    else response.end("x".repeat(Number(searchParams.get("size") ?? 2)));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** A test network: shop.example resolves to this server and counts as public; other internal addresses don't. */
const names: Record<string, string[]> = {
  "shop.example": ["127.0.0.1"],
  "internal.example": ["10.0.0.7"],
  "mixed.example": ["127.0.0.1", "10.0.0.7"],
};
const network = {
  resolve: async (host: string) => (names[host] ?? []).map((address) => ({ address, family: 4 })),
  allows: (address: string) => address === "127.0.0.1",
};
const text = async (body: AsyncIterable<Uint8Array>) => Buffer.concat(await Array.fromAsync(body)).toString();
const at = (path: string, host = "shop.example") => `http://${host}:${port}${path}`;

describe("isPublicAddress", () => {
  it.each([
    "127.0.0.1",
    "127.9.9.9",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "198.18.0.1",
    "192.0.2.1",
    "::1",
    "::",
    "fe80::1",
    "fc00::1",
    "fd12::1",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::ffff:a00:1",
    "64:ff9b::a00:1",
    "::7f00:1",
    "::10.0.0.1",
    "2002:7f00:1::",
    "2001:db8::1",
    "168.63.129.16",
    "::ffff:168.63.129.16",
    "64:ff9b::a83f:8110",
    "not an address",
  ])("returns false for %s", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
  it.each(["8.8.8.8", "93.184.215.14", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"])(
    "returns true for %s",
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );
});

describe("guardedFetch", () => {
  it.each([
    "http://127.0.0.1:1/",
    "http://localhost:1/",
    "http://[::1]:1/",
    "http://[::ffff:127.0.0.1]:1/",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://127.1/",
    "http://169.254.169.254/latest/meta-data/",
    "ftp://8.8.8.8/x",
    "file:///etc/passwd",
    "nonsense",
    "http://us%er:x@8.8.8.8/",
    "http://user:%zz@8.8.8.8/",
  ])("rejects %s before connecting", async (address) => {
    await expect(guardedFetch(address)).rejects.toMatchObject({ code: "invalid_field", issues: [{ field: "url" }] });
  });

  it("rejects a name with any internal address", async () => {
    for (const host of ["internal.example", "mixed.example"]) {
      await expect(guardedFetch(at("/", host), { network })).rejects.toMatchObject({ code: "invalid_field" });
    }
    await expect(guardedFetch(at("/", "unknown.example"), { network })).rejects.toMatchObject({ code: "unavailable" });
  });

  it("connects to the validated address with the requested host name", async () => {
    const answer = await guardedFetch(`http://user:p%40ss@shop.example:${port}/feed?x=1`, { network });
    expect(answer).toMatchObject({ status: 200, url: `http://shop.example:${port}/feed?x=1` });
    expect(await text(answer.body)).toBe("xx");
    expect(seen.at(-1)!.headers).toMatchObject({
      host: `shop.example:${port}`,
      authorization: `Basic ${Buffer.from("user:p@ss").toString("base64")}`,
    });
  });

  it("calls onConnect only after connecting", async () => {
    let connected = 0;
    const onConnect = () => {
      connected += 1;
    };
    for (const address of [at("/", "internal.example"), at("/", "unknown.example"), "http://shop.example:1/"])
      await expect(guardedFetch(address, { network, onConnect })).rejects.toThrow();
    expect(connected).toBe(0);
    await text((await guardedFetch(at("/"), { network, onConnect })).body);
    expect(connected).toBe(1);
  });

  it("validates every redirect and doesn't send credentials to other origins", async () => {
    const bounce = (where: string) => at(`/to?where=${encodeURIComponent(where)}`);
    for (const where of [
      at("/", "internal.example"),
      "http://10.0.0.7/",
      "http://[::1]/",
      "file:///etc/passwd",
      "http://%zz@shop.example/",
    ]) {
      await expect(guardedFetch(bounce(where), { network })).rejects.toMatchObject({ code: "invalid_field" });
    }
    await expect(guardedFetch(at("/loop"), { network })).rejects.toMatchObject({ code: "invalid_field" });
    names["other.example"] = ["127.0.0.1"];
    const answer = await guardedFetch(bounce(at("/end", "other.example")), {
      network,
      headers: { Authorization: "Bearer secret", Accept: "text/csv" },
    });
    await text(answer.body);
    expect(seen.at(-1)).toMatchObject({ url: "/end", headers: { accept: "text/csv" } });
    expect(seen.at(-1)!.headers.authorization).toBeUndefined();
  });

  it("enforces size and time limits, and detects a broken connection", async () => {
    const large = await guardedFetch(at("/?size=1000"), { network, maxBytes: 999 });
    await expect(text(large.body)).rejects.toMatchObject({ code: "too_large" });
    const broken = await guardedFetch(at("/broken"), { network });
    await expect(text(broken.body)).rejects.toMatchObject({ code: "unavailable" });
    const slow = await guardedFetch(at("/slow"), { network, timeout: 150 });
    await expect(text(slow.body)).rejects.toMatchObject({ code: "unavailable" });
  });
});
