import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import sharp from "sharp";
import { beforeEach, expect, it } from "vitest";
import * as image from "@/app/images/[key]/[file]/route";
import * as logos from "@/app/portal/api/v1/logos/route";
import { withNow } from "@/lib/platform/clock";
import { transaction } from "@/lib/platform/db/pool";
import { env } from "@/lib/platform/env";
import { brandingOf } from "@/lib/platform/mail/branding";
import { removeUnclaimedUploads } from "@/lib/reviews/uploads/remove-unclaimed-uploads";
import { type Logo, MAX_IMAGE_BYTES, MAX_LOGOS } from "@/lib/reviews/uploads/schema";
import { storeLogo } from "@/lib/reviews/uploads/store-logo";
import { call, type RequestOptions } from "@/lib/tools/test/call";
import {
  aClient,
  aMember,
  countBlockedQueries,
  hashDatabase,
  rowsOf,
  type TestClient,
} from "@/lib/tools/test/factories";
import { decompressionBomb, picture, rotatedPhoto } from "@/lib/tools/test/pictures";

let shop: TestClient;
beforeEach(async () => {
  shop = await aClient();
});

const upload = (bytes: Uint8Array | string, sent: RequestOptions, name = "logo.png") => {
  const form = new FormData();
  form.set("file", new File([typeof bytes === "string" ? bytes : new Uint8Array(bytes)], name));
  return call(logos, "POST", `/portal/api/v1/logos?client_id=${shop.id}`, { ...sent, body: form });
};
const admin = () => aMember(shop, "admin");
const open = (url: string, headers: Record<string, string> = {}) =>
  call(image, "GET", new URL(url).pathname, { headers });
const files = (): string[] => {
  const root = path.join(env().DATA_DIR, "images");
  return existsSync(root) ? readdirSync(root, { recursive: true, encoding: "utf8" }) : [];
};

it("stores a logo that everybody can load, shrunk and without metadata", async () => {
  const answer = await upload(await picture(1_200, 300).png().toBuffer(), await admin());
  expect([answer.status, answer.json]).toEqual([
    201,
    {
      data: {
        url: expect.stringMatching(`^${env().PUBLIC_URL}/images/[0-9a-f]{32}/medium\\.png$`),
        width: 240,
        height: 60,
      },
    },
  ]);
  const { url } = answer.json.data as Logo;
  const loaded = await open(url);
  expect(loaded.status).toBe(200);
  expect(loaded.headers.get("content-type")).toBe("image/png");
  expect(loaded.headers.get("cache-control")).toBe("public, max-age=86400");
  expect((await open(url, { "If-None-Match": loaded.headers.get("etag") ?? "" })).status).toBe(304);
  const file = files().find((name) => name.endsWith(new URL(url).pathname.slice("/images/".length)));
  const stored = sharp(readFileSync(path.join(env().DATA_DIR, "images", file ?? "")));
  expect(await stored.metadata()).toMatchObject({ format: "png", width: 480, height: 120 });
  // The settings are changed by saving them.
  expect(await rowsOf("select config from clients where id = $1", [shop.id])).toEqual([{ config: {} }]);
  expect(brandingOf({ ...shop.client, config: { logo_url: url } }).logo_url).toBe(url);
});

it("has the format that email programs show, upright and never enlarged", async () => {
  const sent = await admin();
  const stored = async (bytes: Uint8Array) => {
    const { url, width, height } = (await upload(bytes, sent)).json.data as Logo;
    return [path.extname(url), width, height];
  };
  expect(await stored(await picture(100, 40).webp().toBuffer())).toEqual([".png", 100, 40]);
  expect(await stored(await picture(100, 40).gif().toBuffer())).toEqual([".png", 100, 40]);
  expect(await stored(await rotatedPhoto())).toEqual([".jpg", 40, 60]);
  expect(await stored(await picture(20, 2_000).png().toBuffer())).toEqual([".png", 1, 64]);
  const transparent = sharp({ create: { width: 20, height: 20, channels: 4, background: "#0000" } });
  for (const file of [await transparent.png().toBuffer(), await transparent.avif().toBuffer()]) {
    const { url } = (await upload(file, sent)).json.data as Logo;
    const key = new URL(url).pathname.split("/")[2] ?? "";
    const bytes = readFileSync(path.join(env().DATA_DIR, "images", key.slice(0, 2), key, "medium.png"));
    expect(await sharp(bytes).metadata()).toMatchObject({ hasAlpha: true });
  }
});

it("rejects what is no image, with nothing stored", async () => {
  const sent = await admin();
  const [rows, stored] = [await hashDatabase(), files().length];
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
  const png = await picture(40, 40).png().toBuffer();
  const bad: [what: string, bytes: Uint8Array | string, status: number, reason: string][] = [
    ["an SVG", svg, 422, "not_an_image"],
    ["an SVG named as a PNG", svg, 422, "not_an_image"],
    ["no bytes", "", 422, "not_an_image"],
    ["a text", "logo", 422, "not_an_image"],
    ["half a PNG", png.subarray(0, png.length - 40), 422, "damaged_image"],
    ["268 million pixels", decompressionBomb(16_384), 422, "too_many_pixels"],
    ["too many bytes", new Uint8Array(MAX_IMAGE_BYTES + 1), 413, "image_too_large"],
  ];
  for (const [what, bytes, status, reason] of bad) {
    const answer = await upload(bytes, sent, what === "an SVG" ? "logo.svg" : "logo.png");
    expect([what, answer.status, JSON.stringify(answer.json)]).toEqual([what, status, expect.stringContaining(reason)]);
  }
  expect(
    (await call(logos, "POST", `/portal/api/v1/logos?client_id=${shop.id}`, { ...sent, body: new FormData() })).status,
  ).toBe(422);
  expect(await hashDatabase()).toBe(rows);
  expect(files()).toHaveLength(stored);
});

it("is for the store's own admins", async () => {
  const png = await picture(9, 9).png().toBuffer();
  expect((await upload(png, await aMember(shop, "moderator"))).status).toBe(403);
  expect((await upload(png, await aMember(await aClient(), "admin"))).status).toBe(403);
  expect(await rowsOf("select token from uploads where client_id = $1", [shop.id])).toEqual([]);
});

it("keeps logos that are uploaded at once", async () => {
  const file = new Blob([new Uint8Array(await picture(9, 9).png().toBuffer())]);
  for (let n = 0; n < MAX_LOGOS; n += 1) await storeLogo(shop.client, file);
  // They take turns, or each would release those of the others that it doesn't see yet.
  const uploads = await transaction(async (db) => {
    await db.query("select from clients where id = $1 for no key update", [shop.id]);
    const begun = Array.from({ length: 3 }, () => storeLogo(shop.client, file));
    await expect.poll(countBlockedQueries).toBe(3);
    return begun;
  });
  const added = await Promise.all(uploads);
  expect(await Promise.all(added.map(async ({ url }) => (await open(url)).status))).toEqual([200, 200, 200]);
  expect(
    await rowsOf("select count(*)::int from uploads where client_id = $1 and subject_kind = 'logo'", [shop.id]),
  ).toEqual([{ count: MAX_LOGOS }]);
});

it("keeps the newest logos and the one in use, and deletes the others", async () => {
  const file = new Blob([new Uint8Array(await picture(9, 9).png().toBuffer())]);
  const urls: string[] = [];
  const other = await storeLogo((await aClient()).client, file);
  let { client } = shop;
  for (let n = 0; n < MAX_LOGOS + 2; n += 1) {
    const { url } = await storeLogo(client, file);
    if (n === 0) client = { ...client, config: { logo_url: url } };
    urls.push(url);
  }
  const statuses = async () => Promise.all(urls.map(async (url) => (await open(url)).status));
  const expected = [200, 404, ...Array<number>(MAX_LOGOS).fill(200)];
  expect(await statuses()).toEqual(expected);
  await withNow(new Date(), () => removeUnclaimedUploads());
  expect(await statuses()).toEqual(expected);
  expect(files().some((name) => name.includes(new URL(urls[1] ?? "").pathname.split("/")[2] ?? "none"))).toBe(false);
  expect((await open(other.url)).status).toBe(200);
});
