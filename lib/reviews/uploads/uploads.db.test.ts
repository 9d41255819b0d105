import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import sharp, { type Sharp } from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { GET as readImage } from "@/app/images/[key]/[file]/route";
import { POST as upload, GET as uploadGet, OPTIONS as uploadOptions } from "@/app/uploader/route";
import { withNow } from "@/lib/platform/clock";
import { pool, transaction } from "@/lib/platform/db/pool";
import { env } from "@/lib/platform/env";
import { claimUploads, releaseUploads } from "@/lib/reviews/uploads/claim-uploads";
import { imageObjects } from "@/lib/reviews/uploads/image-objects";
import { removeUnclaimedUploads } from "@/lib/reviews/uploads/remove-unclaimed-uploads";
import { imageEndings, type StoredImage, type UploadResult } from "@/lib/reviews/uploads/schema";
import { get, makeClient, setAccepted, statusAndFields, uploadImage } from "@/lib/tools/test/collection-rows";
import { decompressionBomb, heic, photograph, picture, rotatedPhoto } from "@/lib/tools/test/pictures";

const shop = { id: "shop.example" };
const root = () => path.join(env().DATA_DIR, "images");
const files = () =>
  existsSync(root())
    ? readdirSync(root(), { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
    : [];

const asBlob = (bytes: Uint8Array) => new Blob([new Uint8Array(bytes)]);
const send = async (bytes: Uint8Array, name?: string) => uploadImage(upload, shop.id, asBlob(bytes), name);
const result = async (bytes: Uint8Array) => {
  const response = await send(bytes);
  expect(response.status, await response.clone().text()).toBe(200);
  return (await response.json()) as UploadResult;
};
const storedOf = async ({ token }: UploadResult): Promise<StoredImage> =>
  (await pool().query("select * from uploads where token = $1", [token])).rows[0];
const fileOf = (image: StoredImage, name: string) =>
  sharp(readFileSync(path.join(root(), image.key.slice(0, 2), image.key, name)));

beforeAll(async () => {
  await makeClient(shop.id);
  await makeClient("other.example");
});

/** Expects nothing but the image in the file. */
async function expectBare(file: Sharp) {
  const { exif, icc, iptc, xmp, orientation, comments } = await file.metadata();
  expect({ exif, icc, iptc, xmp, orientation, comments }).toEqual({});
}

describe("a stored upload", () => {
  it("can't be read by other users of the machine, even in an existing folder with open permissions", async () => {
    mkdirSync(root(), { recursive: true });
    chmodSync(root(), 0o755);
    const before = process.umask(0o022);
    try {
      const { key } = await storedOf(await result(await picture(40, 40).jpeg().toBuffer()));
      const folder = path.join(root(), key.slice(0, 2), key);
      const modes = [
        root(),
        path.dirname(folder),
        folder,
        ...readdirSync(folder).map((name) => path.join(folder, name)),
      ];
      const fileModes = modes.map((place) => (statSync(place).mode & 0o777).toString(8));
      expect(fileModes.slice(0, 3)).toEqual(["700", "700", "700"]);
      expect(new Set(fileModes.slice(3))).toEqual(new Set(["600"]));
    } finally {
      process.umask(before);
    }
  });

  it("is stored in all sizes, never enlarged, and returns its token", async () => {
    const answer = await result(await picture(4000, 2000).jpeg().toBuffer());
    expect(answer).toEqual({
      token: expect.stringMatching(/^[0-9a-f]{32}$/),
      format: "jpeg",
      width: 4000,
      height: 2000,
    });
    const image = await storedOf(answer);
    expect(image.sizes).toEqual({ icon: [100, 100], medium: [1600, 800], large: [3840, 1920] });
    expect(image.key).not.toBe(image.token);
    for (const [name, [width, height]] of Object.entries({ ...image.sizes, original: [4000, 2000] })) {
      expect(await fileOf(image, `${name}.jpg`).metadata()).toMatchObject({ format: "jpeg", width, height });
    }
    const small = await storedOf(await result(await picture(60, 40).png().toBuffer()));
    expect(small.sizes).toEqual({ icon: [40, 40], medium: [60, 40], large: [60, 40] });
  });

  it("is rotated upright and loses its metadata", async () => {
    const bytes = await rotatedPhoto();
    expect(await sharp(bytes).metadata()).toMatchObject({ orientation: 6, width: 60, height: 40 });
    const answer = await result(bytes);
    expect(answer).toMatchObject({ width: 40, height: 60 });
    const image = await storedOf(answer);
    for (const name of ["original", "icon", "medium", "large"]) {
      await expectBare(fileOf(image, `${name}.jpg`));
      const { data, info } = await fileOf(image, `${name}.jpg`).raw().toBuffer({ resolveWithObject: true });
      const color = (row: number) => {
        const at = (row * info.width + Math.floor(info.width / 2)) * info.channels;
        return (data[at] as number) > (data[at + 2] as number) ? "red" : "blue";
      };
      expect([color(2), color(info.height - 3)]).toEqual(["red", "blue"]);
    }
  });

  it("keeps its format, or the nearest one that every browser supports", async () => {
    const formats = async (bytes: Uint8Array) => (await result(bytes)).format;
    expect(await formats(await picture(20, 20).webp().toBuffer())).toBe("webp");
    expect(await formats(await picture(20, 20).avif().toBuffer())).toBe("jpeg");
    expect(await formats(await picture(20, 20).toColourspace("cmyk").jpeg().toBuffer())).toBe("jpeg");
    expect(await formats(await picture(20, 20).gif().toBuffer())).toBe("png");
    const cmyk = await storedOf(await result(await picture(20, 20).toColourspace("cmyk").jpeg().toBuffer()));
    expect((await fileOf(cmyk, "original.jpg").metadata()).space).toBe("srgb");
  });

  it("is identified by its content, not its name", async () => {
    const response = await send(await picture(20, 20).png().toBuffer(), "page.svg");
    expect(await response.json()).toMatchObject({ format: "png" });
  });

  it("keeps the first frame of an animation", async () => {
    const strip = await picture(20, 60).raw().toBuffer();
    const gif = await sharp(strip, { raw: { width: 20, height: 60, channels: 3, pageHeight: 20 } as never })
      .gif({ loop: 0, delay: [100, 100, 100] })
      .toBuffer();
    expect(await result(gif)).toMatchObject({ format: "png", width: 20, height: 20 });
  });
});

describe("a rejected upload changes nothing and explains why", () => {
  const counted = async () => [
    (await pool().query("select count(*)::int as n from uploads")).rows[0].n,
    files().length,
  ];

  const jpeg = () => photograph(400, 400).jpeg().toBuffer();
  const zip = Buffer.concat([Buffer.from("PK\x05\x06", "latin1"), Buffer.alloc(18)]);
  const noImage = "file must be a JPEG, PNG, WebP, GIF or AVIF image.";
  const more = "file contains more than an image. Save the picture as a new file and send that.";
  it.each<[string, string, () => Promise<Uint8Array>]>([
    ["an SVG", noImage, async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ["a page", noImage, async () => Buffer.from("<!doctype html><script>alert(1)</script>")],
    ["text", noImage, async () => Buffer.from("not an image")],
    ["nothing", noImage, async () => Buffer.alloc(0)],
    ["an archive", noImage, async () => zip],
    ["a TIFF", noImage, () => picture(9, 9).tiff().toBuffer()],
    ["a HEIC", "file is a HEIC image, which isn’t supported. Send a JPEG.", async () => heic()],
    [
      "a JPEG cut short",
      "file is damaged: the image can’t be read completely.",
      async () => (await jpeg()).subarray(0, 9000),
    ],
    ["a bomb of 268 megapixels", "file must be at most 50 megapixels.", async () => decompressionBomb(16_384)],
    ["an image just over 50 megapixels", "file must be at most 50 megapixels.", async () => decompressionBomb(7_072)],
    [
      "a photo that is a page too",
      more,
      async () => Buffer.concat([await jpeg(), Buffer.from("<ScRiPt>alert(1)</sCrIpT>")]),
    ],
    [
      "a photo with a program in a comment",
      more,
      async () => withComment(await jpeg(), "<?php system($_GET['c']); ?>"),
    ],
    ["a photo that is an archive too", more, async () => Buffer.concat([await jpeg(), zip])],
    [
      "a GIF that is a script too",
      more,
      async () => Buffer.concat([await picture(9, 9).gif().toBuffer(), Buffer.from("*/;<svg/onload=alert(1)>")]),
    ],
    ["a photo that is a PDF too", more, async () => withComment(await jpeg(), "%PDF-1.7")],
  ])("%s: 406 for the file, with the reason", async (_, message, bytes) => {
    const before = await counted();
    const answer = await send(await bytes(), "photo.jpg");
    expect([answer.status, await answer.json()]).toEqual([
      406,
      {
        errors: [
          { code: "invalid_field", message, field: "file", reason: expect.any(String), params: expect.any(Object) },
        ],
      },
    ]);
    expect(await counted()).toEqual(before);
  });

  /** A JPEG with a comment, as cameras and editors write them. */
  function withComment(photo: Uint8Array, text: string): Buffer {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(text.length + 2);
    return Buffer.concat([
      photo.subarray(0, 2),
      Buffer.from([0xff, 0xfe]),
      length,
      Buffer.from(text),
      photo.subarray(2),
    ]);
  }

  it("removes everything that honest photos contain after or inside the image", async () => {
    const video = Buffer.from("ftypmp42 a few seconds of film, as some telephones append");
    const sent = Buffer.concat([withComment(await jpeg(), "made by Ann's camera"), video]);
    const image = await storedOf(await result(sent));
    for (const name of ["original", "icon", "medium", "large"]) {
      const bytes = await fileOf(image, `${name}.jpg`).toBuffer();
      const storedBytes = readFileSync(path.join(root(), image.key.slice(0, 2), image.key, `${name}.jpg`));
      expect(storedBytes.includes("ftypmp42")).toBe(false);
      expect(storedBytes.includes("Ann's camera")).toBe(false);
      expect(bytes.length).toBeGreaterThan(0);
    }
  });

  // Decoded, its 268 million pixels would take at least as many bytes. Decoding before checking would report a file
  // truncated in its first pixels as damaged; the header alone only says that it is too large.
  it("rejects a decompression bomb by its header, before decoding", async () => {
    const messageFor = async (side: number) => {
      const answer = await send(decompressionBomb(side).subarray(0, 80), "photo.png");
      return [answer.status, ((await answer.json()) as { errors: { message: string }[] }).errors[0]?.message];
    };
    expect(await messageFor(16_384)).toEqual([406, "file must be at most 50 megapixels."]);
    expect(await messageFor(7_072)).toEqual([406, "file must be at most 50 megapixels."]);
    expect(await messageFor(7_071)).toEqual([406, expect.stringContaining("is damaged")]);
  });

  it("returns 413 over 10 MiB", async () => {
    const before = await counted();
    expect((await send(Buffer.alloc(10 * 1024 * 1024 + 1))).status).toBe(413);
    expect((await send(Buffer.alloc(12 * 1024 * 1024))).status).toBe(413);
    expect(await counted()).toEqual(before);
  });

  it("checks credentials before everything else: 403", async () => {
    expect((await uploadImage(upload, shop.id, "text", "", "pk_wrong")).status).toBe(403);
    expect((await uploadImage(upload, "nobody", null)).status).toBe(403);
    expect(
      (await upload(new Request("http://localhost/uploader", { method: "POST", body: new FormData() }))).status,
    ).toBe(403);
  });

  it("returns 406 for the file if it is missing or a text", async () => {
    expect(await statusAndFields(await uploadImage(upload, shop.id, null))).toEqual([406, ["file"]]);
    expect(await statusAndFields(await uploadImage(upload, shop.id, "text"))).toEqual([406, ["file"]]);
  });

  it("returns 415 for another content type, 400 for a broken form, 405 for another method", async () => {
    const post = (body: BodyInit, type: string) =>
      upload(new Request("http://localhost/uploader", { method: "POST", body, headers: { "content-type": type } }));
    expect((await post("{}", "application/json")).status).toBe(415);
    expect((await post("nonsense", "multipart/form-data; boundary=x")).status).toBe(400);
    const wrong = await uploadGet(new Request("http://localhost/uploader"));
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "OPTIONS, POST"]);
  });

  it("allows every origin", async () => {
    const preflight = await uploadOptions(new Request("http://localhost/uploader", { method: "OPTIONS" }));
    expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
    expect((await send(Buffer.alloc(0))).headers.get("access-control-allow-origin")).toBe("*");
  });
});

describe("real photos", () => {
  const folder = path.resolve("../shared/data/photos");
  const acceptedPhotos: Record<string, { format: string; width?: number; height?: number; hasAlpha?: boolean }> = {
    "alpha.png": { format: "png", width: 2048, height: 1536, hasAlpha: true },
    "animated.gif": { format: "png" },
    "animated.webp": { format: "webp" },
    "cmyk.jpg": { format: "jpeg", width: 500, height: 333 },
    "exif-orientation-6.jpg": { format: "jpeg", width: 450, height: 600 },
    "gps-exif.jpg": { format: "jpeg", width: 640, height: 480 },
    "photo.webp": { format: "webp", width: 1024, height: 772 },
  };
  const refused: Record<string, RegExp> = {
    "bomb-16384x16384.png": /at most 50 megapixels/,
    "photo.heif": /is a HEIC image/,
    "text-named-jpg.jpg": /must be a JPEG/,
    "truncated.jpg": /is damaged/,
    "vector.svg": /must be a JPEG/,
    "zip-named-png.png": /must be a JPEG/,
  };
  const there = existsSync(folder);
  it.runIf(there)("are all listed here", () => {
    expect(readdirSync(folder).sort()).toEqual([...Object.keys(acceptedPhotos), ...Object.keys(refused)].sort());
  });

  it.runIf(there).each(Object.keys(acceptedPhotos))(
    "%s is stored without metadata, upright and still",
    async (name) => {
      const answer = await send(readFileSync(path.join(folder, name)), name);
      expect(answer.status, await answer.clone().text()).toBe(200);
      const { format, ...size } = acceptedPhotos[name]!;
      const image = await storedOf((await answer.json()) as UploadResult);
      expect(image.format).toBe(format);
      for (const file of ["original", "icon", "medium", "large"]) {
        const stored = fileOf(image, `${file}.${imageEndings[image.format]}`);
        await expectBare(stored);
        const { pages = 1, space } = await stored.metadata();
        expect([pages, space]).toEqual([1, "srgb"]);
      }
      expect(await fileOf(image, `original.${imageEndings[image.format]}`).metadata()).toMatchObject(size);
    },
  );

  it.runIf(there).each(Object.keys(acceptedPhotos))(
    "%s looks in every size like the original turned upright",
    async (name) => {
      const sent = readFileSync(path.join(folder, name));
      const image = await storedOf((await (await send(sent, name)).json()) as UploadResult);
      // Turned by sharp itself: the test compares small images, which reveal rotation and mirroring.
      const small = (file: Sharp) =>
        file
          .flatten({ background: "#fff" })
          .toColourspace("srgb")
          .resize(24, 24, { fit: "fill" })
          .removeAlpha()
          .raw()
          .toBuffer();
      const wanted = await small(sharp(sent, { page: 0 }).autoOrient());
      const turned = await small(sharp(await sharp(sent, { page: 0 }).autoOrient().rotate(180).png().toBuffer()));
      const differs = (a: Uint8Array, b: Uint8Array) =>
        a.reduce((sum, value, at) => sum + Math.abs(value - (b[at] ?? 0)), 0) / a.length;
      for (const file of ["original", "medium", "large"]) {
        const shown = await small(fileOf(image, `${file}.${imageEndings[image.format]}`));
        expect(differs(shown, wanted), file).toBeLessThan(6);
        expect(differs(shown, turned), file).toBeGreaterThan(2 * differs(shown, wanted) + 1);
      }
    },
  );

  it.runIf(there)("have metadata that isn't stored", async () => {
    const metadataOf = async (name: string) => sharp(readFileSync(path.join(folder, name))).metadata();
    const gps = await metadataOf("gps-exif.jpg");
    expect(gps.exif?.length).toBeGreaterThan(100);
    expect((await metadataOf("exif-orientation-6.jpg")).orientation).toBe(6);
    const image = await storedOf(await result(readFileSync(path.join(folder, "gps-exif.jpg"))));
    for (const file of ["original", "icon", "medium", "large"]) {
      const bytes = readFileSync(path.join(root(), image.key.slice(0, 2), image.key, `${file}.jpg`));
      for (const mark of ["Exif", "GPS", "http://ns.adobe.com", "Photoshop"])
        expect(bytes.includes(mark), mark).toBe(false);
    }
  });

  it.runIf(there).each(Object.keys(refused))(
    "%s is rejected with the reason, and leaves nothing behind",
    async (name) => {
      const before = [
        await pool()
          .query("select count(*) from uploads")
          .then(({ rows }) => rows[0]),
        files().length,
      ];
      const answer = await send(readFileSync(path.join(folder, name)), name);
      const { errors } = (await answer.json()) as { errors: { message: string }[] };
      expect([answer.status, errors.length, errors[0]?.message]).toEqual([
        406,
        1,
        expect.stringMatching(refused[name]!),
      ]);
      expect([
        await pool()
          .query("select count(*) from uploads")
          .then(({ rows }) => rows[0]),
        files().length,
      ]).toEqual(before);
    },
  );

  it.runIf(there)(
    "of 16,384 × 16,384 pixels is rejected by its header, so many concurrent ones cost nothing",
    async () => {
      const bytes = readFileSync(path.join(folder, "bomb-16384x16384.png"));
      expect(await sharp(bytes, { limitInputPixels: false }).metadata()).toMatchObject({
        width: 16_384,
        height: 16_384,
      });
      // Half of the file gets the same response as the whole; decoded, it would be damaged.
      const sent = Array.from({ length: 20 }, (_, at) => bytes.subarray(0, at % 2 ? bytes.length : bytes.length / 2));
      for (const answer of await Promise.all(sent.map((file) => send(file, "photo.png")))) {
        expect(answer.status).toBe(406);
        expect(await answer.json()).toMatchObject({ errors: [{ message: "file must be at most 50 megapixels." }] });
      }
    },
  );
});

describe("claiming", () => {
  const claim = (tokens: string[], id = "r1", client = shop) =>
    transaction((db) => claimUploads(db, client, tokens, { kind: "review", id }));
  const one = async () => (await result(await picture(20, 20).png().toBuffer())).token;

  it("preserves the order, works once, and only for the client's own uploads", async () => {
    const [a, b] = [await one(), await one()];
    expect((await claim([b, a])).map(({ token }) => token)).toEqual([b, a]);
    const fresh = await one();
    const issues = await claim([a, fresh, "no such", fresh]).catch((error) =>
      error.issues.map(({ field }: { field: string }) => field),
    );
    expect(issues).toEqual(["images[0]", "images[2]", "images[3]"]);
    await expect(claim([fresh], "r1", { id: "other.example" })).rejects.toThrow();
    expect(await claim([fresh])).toHaveLength(1);
  });

  it("gives a token to one of two concurrent submissions", async () => {
    const token = await one();
    const outcomes = await Promise.allSettled(Array.from({ length: 6 }, (_, n) => claim([token], `at-once-${n}`)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });
});

describe("cleanup", () => {
  it("deletes rows and files of uploads that weren't claimed for a day, and no others", async () => {
    const [old, fresh, claimedUpload] = await Promise.all(
      Array.from({ length: 3 }, async () => storedOf(await result(await picture(20, 20).png().toBuffer()))),
    );
    await transaction((db) => claimUploads(db, shop, [claimedUpload!.token], { kind: "review", id: "holder" }));
    await pool().query("update uploads set created_at = now() - interval '25 hours' where token = any($1)", [
      [old!.token, claimedUpload!.token],
    ]);
    await expect(
      transaction((db) => claimUploads(db, shop, [old!.token], { kind: "review", id: "late" })),
    ).rejects.toThrow();
    expect((await removeUnclaimedUploads()).removed).toBe(1);
    const left = new Set(files().map((file) => path.basename(file.parentPath)));
    expect([old, fresh, claimedUpload].map((image) => left.has(image!.key))).toEqual([false, true, true]);
    await releaseUploads(pool(), shop, { kind: "review", id: "holder" });
    expect((await removeUnclaimedUploads()).removed).toBe(1);
    expect(new Set(files().map((file) => path.basename(file.parentPath))).has(claimedUpload!.key)).toBe(false);
  });
});

describe("image URLs", () => {
  it("depend on the state of the review", async () => {
    const answer = await result(await picture(200, 100).jpeg().toBuffer());
    const image = await storedOf(answer);
    const [plain] = imageObjects([image], { signed: false });
    const [signed] = imageObjects([image], { signed: true });
    expect(plain).toMatchObject({
      ...answer,
      icon_width: 100,
      medium_width: 200,
      medium_height: 100,
      large_height: 100,
    });
    const status = async (address: string) => (await get(readImage, address)).status;

    expect(await status(signed!.medium)).toBe(404); // An unclaimed image.
    await pool().query(
      "insert into reviews (client_id, id, source, product_id, score, date, feedback_token) values ($1, 'pictured', 'web', 'p', 5, '2026-01-01', 'f')",
      [shop.id],
    );
    await transaction((db) => claimUploads(db, shop, [image.token], { kind: "review", id: "pictured" }));
    expect([await status(plain!.medium), await status(signed!.medium)]).toEqual([404, 200]);
    expect(await status(signed!.medium.replace(/.$/, (last) => (last === "A" ? "B" : "A")))).toBe(404);
    expect(await status(signed!.medium.replace(/expires=\d+/, "expires=9999999999"))).toBe(404);
    const later = new Date(Date.now() + 3_700_000);
    expect(await withNow(later, () => status(signed!.medium))).toBe(404);

    await setAccepted(shop.id, "pictured", true);
    for (const size of ["icon", "medium", "large"] as const) {
      const response = await get(readImage, plain![size]);
      const meta = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
      expect([response.status, meta.width]).toEqual([200, plain![`${size}_width`]]);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        "content-type": "image/jpeg",
        "cache-control": "public, max-age=86400",
        "x-content-type-options": "nosniff",
        "content-disposition": "inline",
        "content-security-policy": "default-src 'none'; sandbox",
      });
      expect((await get(readImage, plain![size], { "if-none-match": response.headers.get("etag")! })).status).toBe(304);
    }
    expect(await status(plain!.medium.replace(".jpg", ".png"))).toBe(404);
    expect(await status(plain!.medium.replace("medium", "original"))).toBe(404);
    expect(await status(plain!.medium.replace("medium", "..%2Fmedium"))).toBe(404);

    await setAccepted(shop.id, "pictured", false);
    expect([await status(plain!.medium), await status(signed!.medium)]).toEqual([404, 404]);
    await pool().query("delete from reviews where id = 'pictured'");
    expect(await status(signed!.medium)).toBe(404);
  });
});
