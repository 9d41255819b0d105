import { availableParallelism } from "node:os";
import type { Metadata, OutputInfo, Sharp } from "sharp";
import { AppError } from "@/lib/platform/errors";
import type { Params, Reason } from "@/lib/platform/issue";
import { perProcess } from "@/lib/platform/process";
import { isPolyglot } from "@/lib/reviews/uploads/polyglot";
import { type ImageFormat, type ImageSize, LOGO_PIXELS, MAX_PIXELS } from "@/lib/reviews/uploads/schema";

/** An encoded image, with its size in pixels. */
export type Picture = { bytes: Uint8Array; width: number; height: number };
export type ProcessedImage = { format: ImageFormat; original: Picture } & Record<ImageSize, Picture>;

/** Accepted formats, and the stored format of each. Others are rejected, whatever the file name. */
const storedFormats: Partial<Record<string, ImageFormat>> = {
  jpeg: "jpeg",
  png: "png",
  webp: "webp",
  gif: "png",
  heif: "jpeg",
};

/** Maximum images waiting; each holds up to 10 MiB of memory. */
const MAX_WAITING = 32;
const DECODE_SECONDS = 30;

const unusable = (reason: Reason, cause?: unknown, params?: Params) =>
  new AppError("invalid_field", { reason, params, field: "file", cause });
/** The library reads the HEIC container but, because of patents, has no codec for it. */
const undecodable = (header: Metadata, cause: unknown) =>
  unusable(header.compression === "hevc" ? "heic_image" : "damaged_image", cause);
const tooManyPixels = (cause?: unknown) => unusable("too_many_pixels", cause, { max: MAX_PIXELS / 1_000_000 });

/**
 * Decodes an uploaded image and encodes the stored files: the original, a square icon of 100 px, medium (1600 px on the
 * longest side) and large (3840 px); rotated upright, in sRGB, without metadata, never enlarged. Animations keep their
 * first frame. With `keep`, an original already in the stored form is kept byte for byte, since re-encoding would lose
 * quality.
 * Throws `invalid_field` on `file` if it isn't an image of an accepted type, has over 50 megapixels (read from the
 * header, without decoding), is also another kind of file, or is damaged; `unavailable` if too many are waiting.
 */
export async function processImage(
  bytes: Uint8Array,
  { keepOriginal = false }: { keepOriginal?: boolean } = {},
): Promise<ProcessedImage> {
  return withConcurrencyLimit(async () => {
    const open = await reader(bytes);
    const header = await headerOf(open);
    const format = formatOf(header);
    if (await isPolyglot(bytes)) throw unusable("polyglot_image");
    try {
      const asStored = keepOriginal && isAsStored(header);
      const original = asStored
        ? { bytes, width: header.width, height: header.height }
        : await encode(open().autoOrient(), format);
      const longestSide = Math.max(original.width, original.height);
      const within = (side: number) => encode(open().autoOrient().resize(side, side, { fit: "inside" }), format);
      const large = longestSide > 3840 ? await within(3840) : original;
      const medium = longestSide > 1600 ? await within(1600) : large;
      const side = Math.min(100, original.width, original.height);
      const icon = await encode((await reader(medium.bytes))().resize(side, side, { fit: "cover" }), format);
      return { format, original, large, medium, icon };
    } catch (cause) {
      throw undecodable(header, cause);
    }
  });
}

/**
 * A store's logo, shrunk for emails and forms. PNG and JPEG only, since email programs don't show others; transparency
 * stays. Throws as {@link processImage}.
 */
export async function processLogo(bytes: Uint8Array): Promise<ProcessedImage> {
  const shrunk = await withConcurrencyLimit(async () => {
    const open = await reader(bytes);
    const header = await headerOf(open);
    // AVIF is stored as JPEG, which has no transparency.
    const format = formatOf(header) === "jpeg" && !header.hasAlpha ? "jpeg" : "png";
    try {
      const { width, height } = LOGO_PIXELS;
      return await encode(
        open().autoOrient().resize(width, height, { fit: "inside", withoutEnlargement: true }),
        format,
      );
    } catch (cause) {
      throw undecodable(header, cause);
    }
  });
  return processImage(shrunk.bytes, { keepOriginal: true });
}

async function reader(bytes: Uint8Array): Promise<() => Sharp> {
  const library = await guardedSharp();
  return () =>
    library(bytes, { limitInputPixels: MAX_PIXELS, failOn: "truncated" }).timeout({ seconds: DECODE_SECONDS });
}

/**
 * sharp with only the loaders of accepted types: no SVG, PDF, TIFF or others. Loaded with the first image, since it
 * takes 25 MB.
 */
const guardedSharp = () =>
  perProcess("sharp", async () => {
    const { default: sharp } = await import("sharp");
    sharp.block({ operation: ["VipsForeignLoad"] });
    sharp.unblock({
      operation: ["Jpeg", "Png", "Webp", "Nsgif", "Heif"].map((type) => `VipsForeignLoad${type}Buffer`),
    });
    // One thread per image: with the limit below, half of the machine stays free for requests.
    sharp.concurrency(1);
    sharp.cache(false);
    return sharp;
  });

/** Upright, one frame, in a stored format, and without metadata. */
const isAsStored = (header: Metadata): boolean =>
  storedFormats[header.format] === header.format &&
  (header.pages ?? 1) === 1 &&
  [header.orientation, header.exif, header.icc, header.iptc, header.xmp, header.tifftagPhotoshop].every(
    (extra) => extra === undefined,
  ) &&
  (header.comments ?? []).length === 0 &&
  ["srgb", "b-w"].includes(header.space ?? "");

function formatOf({ format, width, height }: Metadata): ImageFormat {
  const storedFormat = storedFormats[format];
  if (!storedFormat) throw unusable("not_an_image");
  if (width * height > MAX_PIXELS) throw tooManyPixels();
  return storedFormat;
}

async function headerOf(open: () => Sharp): Promise<Metadata> {
  try {
    return await open().metadata();
  } catch (cause) {
    if (/pixel limit/.test((cause as Error).message)) throw tooManyPixels(cause);
    throw unusable("not_an_image", cause);
  }
}

async function encode(image: Sharp, format: ImageFormat): Promise<Picture> {
  const shaped =
    format === "jpeg"
      ? image.flatten({ background: "#fff" }).jpeg({ quality: 88 })
      : format === "webp"
        ? image.webp({ quality: 88, effort: 2 })
        : image.png();
  const { data, info }: { data: Buffer; info: OutputInfo } = await shaped.toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.height };
}

/** Runs `work` with limited concurrency: at most half as many images as the machine has processors. */
async function withConcurrencyLimit<T>(work: () => Promise<T>): Promise<T> {
  const slots = perProcess("image-turns", () => ({
    free: Math.max(1, Math.floor(availableParallelism() / 2)),
    waiting: [] as (() => void)[],
  }));
  if (slots.free > 0) slots.free -= 1;
  else if (slots.waiting.length >= MAX_WAITING) {
    throw new AppError("unavailable", { reason: "too_many_images_at_once", headers: { "Retry-After": "5" } });
  } else await new Promise<void>((resolve) => slots.waiting.push(resolve));
  try {
    return await work();
  } finally {
    const next = slots.waiting.shift();
    if (next) next();
    else slots.free += 1;
  }
}
