import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { GET as readImage } from "@/app/images/[key]/[file]/route";
import { POST as upload } from "@/app/uploader/route";
import { pool, transaction } from "@/lib/platform/db/pool";
import { SettingsError } from "@/lib/platform/env";
import { checkBucket, checkStore, writeFile } from "@/lib/platform/storage/files";
import { claimUploads, releaseUploads } from "@/lib/reviews/uploads/claim-uploads";
import { imageObjects } from "@/lib/reviews/uploads/image-objects";
import { removeUnclaimedUploads } from "@/lib/reviews/uploads/remove-unclaimed-uploads";
import type { StoredImage, UploadResult } from "@/lib/reviews/uploads/schema";
import { get, makeClient, setAccepted, uploadImage } from "@/lib/tools/test/collection-rows";
import { emptyDatabase } from "@/lib/tools/test/database";
import { rowsOf } from "@/lib/tools/test/factories";
import { S3Fake } from "@/lib/tools/test/s3-fake";

// Images in a bucket over the network: everything that applies to a folder applies here, and more can fail.

const PORT = 20_000 + (process.pid % 20_000);
vi.hoisted(() => {
  Object.assign(process.env, {
    S3_BUCKET: "candor-images",
    S3_REGION: "eu-north-1",
    S3_ENDPOINT: `http://127.0.0.1:${20_000 + (process.pid % 20_000)}`,
    S3_ACCESS_KEY_ID: "AKIDTEST",
    S3_SECRET_ACCESS_KEY: "a secret / with + signs",
  });
});

const SECRET = "a secret / with + signs";
const shop = { id: "bucket.example" };
const s3 = new S3Fake("candor-images", "AKIDTEST", SECRET);
beforeAll(() => s3.listen(PORT));
afterAll(() => s3.close());
beforeEach(async () => {
  await emptyDatabase();
  await makeClient(shop.id);
  s3.objects.clear();
  s3.requests.length = 0;
  s3.failures.length = 0;
  s3.locked.clear();
});

const picture = () =>
  sharp({ create: { width: 200, height: 100, channels: 3, background: "#c33" } })
    .jpeg()
    .toBuffer();
const send = async () => uploadImage(upload, shop.id, new Blob([new Uint8Array(await picture())]));
async function uploaded(): Promise<StoredImage> {
  const response = await send();
  expect(response.status, await response.clone().text()).toBe(200);
  const { token } = (await response.json()) as UploadResult;
  return (await rowsOf("select * from uploads where token = $1", [token]))[0];
}
const claim = (image: StoredImage, id = "r") =>
  transaction((db) => claimUploads(db, shop, [image.token], { kind: "review", id }));
const aReview = (id = "r") =>
  pool().query(
    "insert into reviews (client_id, id, source, product_id, score, date, feedback_token) values ($1, $2, 'web', 'p', 5, '2026-01-01', $2)",
    [shop.id, id],
  );
const status = async (address: string) => (await get(readImage, address)).status;

describe("an image in a bucket", () => {
  it("is stored, displayed while allowed, and deleted with its subject", async () => {
    const image = await uploaded();
    const folder = `${image.key.slice(0, 2)}/${image.key}`;
    expect([...s3.objects.keys()].sort()).toEqual(
      ["icon", "large", "medium", "original"].map((name) => `${folder}/${name}.jpg`),
    );
    expect(s3.objects.get(`${folder}/icon.jpg`)?.type).toBe("image/jpeg");
    const [plain] = imageObjects([image], { signed: false });
    const [signed] = imageObjects([image], { signed: true });
    expect(await status(signed!.medium)).toBe(404); // An unclaimed image.
    await aReview();
    await claim(image);
    expect([await status(plain!.medium), await status(signed!.medium)]).toEqual([404, 200]);
    await setAccepted(shop.id, "r", true);
    const shown = await get(readImage, plain!.icon);
    expect([shown.status, shown.headers.get("cache-control")]).toEqual([200, "public, max-age=86400"]);
    expect(Buffer.from(await shown.arrayBuffer())).toEqual(s3.objects.get(`${folder}/icon.jpg`)?.bytes);
    await setAccepted(shop.id, "r", false);
    expect(await status(plain!.medium)).toBe(404);

    const other = await uploaded();
    await releaseUploads(pool(), shop, { kind: "review", id: "r" });
    expect((await removeUnclaimedUploads()).removed).toBe(1);
    expect([...s3.objects.keys()].every((key) => key.includes(other.key))).toBe(true);
    expect(s3.objects.size).toBe(4);
  });

  it("isn't requested from the bucket for an invalid URL", async () => {
    await status(`http://localhost/images/${"0".repeat(32)}/medium.jpg`);
    expect(s3.requests).toEqual([]);
  });

  it("returns 404 if the bucket lost it", async () => {
    const image = await uploaded();
    await aReview();
    await claim(image);
    await setAccepted(shop.id, "r", true);
    s3.objects.clear();
    expect(await status(imageObjects([image], { signed: false })[0]!.medium)).toBe(404);
  });
});

describe("a failing bucket", () => {
  it("retries after a temporary error", async () => {
    s3.failures.push({ status: 503, code: "SlowDown" }, "hang up");
    await uploaded();
    expect(s3.objects.size).toBe(4);
  });

  it("returns 503 with Retry-After if the bucket rejects the request; cleanup removes the partial upload", async () => {
    for (const code of ["AccessDenied", "SignatureDoesNotMatch", "NoSuchBucket"]) {
      s3.failures.push(...Array.from({ length: 4 }, () => ({ status: 403, code })));
      const answer = await send();
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
      const text = await answer.text();
      expect(text).toContain('"unavailable"');
      expect(text).not.toMatch(/AccessDenied|Signature|candor-images/);
      s3.failures.length = 0;
    }
    await pool().query("update uploads set created_at = now() - interval '2 days'");
    expect((await removeUnclaimedUploads()).removed).toBe(3);
    expect([...s3.objects.keys()]).toEqual([]);
  });

  it("stores nothing with a wrong access key", async () => {
    s3.secretAccessKey = "another secret";
    expect((await send()).status).toBe(503);
    expect(s3.objects.size).toBe(0);
    s3.secretAccessKey = SECRET;
    expect((await send()).status).toBe(200);
  });

  it("returns 503, not 404, if the bucket is unavailable", async () => {
    const image = await uploaded();
    await aReview();
    await claim(image);
    await setAccepted(shop.id, "r", true);
    s3.failures.push(...Array.from({ length: 4 }, () => ({ status: 500, code: "InternalError" })));
    expect(await status(imageObjects([image], { signed: false })[0]!.medium)).toBe(503);
    s3.failures.length = 0;
    expect(await status(imageObjects([image], { signed: false })[0]!.medium)).toBe(200);
  });

  it("retries a failed delete and keeps the row until the file is deleted", async () => {
    const image = await uploaded();
    await pool().query("update uploads set created_at = now() - interval '2 days'");
    const key = [...s3.objects.keys()][0] as string;
    s3.locked.add(key);
    await uploaded();
    await pool().query("update uploads set created_at = now() - interval '25 hours' where token <> $1", [image.token]);
    expect(await removeUnclaimedUploads()).toMatchObject({
      continueAfter: null,
      error: "The file storage is unavailable. Try again shortly.",
    });
    // The next one is deleted nevertheless.
    expect(await rowsOf("select token from uploads")).toEqual([{ token: image.token }]);
    s3.locked.clear();
    expect((await removeUnclaimedUploads()).removed).toBe(1);
    expect([s3.objects.size, (await rowsOf("select from uploads")).length]).toEqual([0, 0]);
  });
});

describe("the fake bucket", () => {
  it("rejects requests that are unsigned, signed with another key, or altered", async () => {
    const put = (headers: Record<string, string>) =>
      fetch(`http://127.0.0.1:${PORT}/candor-images/x`, { method: "PUT", body: "x", headers });
    expect((await put({})).status).toBe(403);
    expect(
      (
        await put({
          authorization:
            "AWS4-HMAC-SHA256 Credential=AKIDTEST/20260101/eu-north-1/s3/aws4_request, SignedHeaders=host, Signature=" +
            "0".repeat(64),
        })
      ).status,
    ).toBe(403);
    expect(s3.objects.size).toBe(0);
  });
});

describe("an unusable bucket", () => {
  const wrong = { status: 404, code: "NoSuchBucket" };

  it("is reported with the reason on the first line, at startup and when a file is needed", async () => {
    s3.failures.push(wrong);
    await expect(checkBucket()).rejects.toThrow(
      new SettingsError("Settings: The bucket candor-images can't be used: NoSuchBucket"),
    );
    s3.failures.push(wrong);
    await expect(writeFile("a/b.txt", new Uint8Array(1))).rejects.toMatchObject({
      code: "unavailable",
      cause: { message: "The bucket candor-images can't be used: NoSuchBucket" },
    });
  });

  it("is reported to monitoring, and checked at most once in ten seconds", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      s3.failures.push(wrong);
      await expect(checkStore()).rejects.toMatchObject({ code: "unavailable" });
      await expect(checkStore()).rejects.toMatchObject({ cause: { message: expect.stringContaining("NoSuchBucket") } });
      expect(s3.requests).toHaveLength(1);
      vi.setSystemTime(Date.now() + 10_000);
      await expect(checkStore()).resolves.toBeUndefined();
    } finally {
      vi.useRealTimers();
    }
  });

  it("doesn't block startup if it is unreachable or recovers", async () => {
    s3.failures.push("hang up", "hang up", "hang up");
    await expect(checkBucket()).resolves.toBeUndefined();
    await expect(checkBucket()).resolves.toBeUndefined();
    expect(s3.failures).toEqual([]);
  });
});
