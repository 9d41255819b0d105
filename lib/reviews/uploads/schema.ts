import { z } from "zod";
import { text } from "@/lib/platform/http/fields";
import { encodeReason } from "@/lib/platform/issue";

/** Maximum bytes of an image file. */
export const MAX_IMAGE_BYTES = 10 * 1024 * 1024;
/** Maximum pixels of an image, by its header. */
export const MAX_PIXELS = 50_000_000;
/** Maximum size of a stored logo: twice that of {@link LOGO_SHOWN}, for sharp screens. */
export const LOGO_PIXELS = { width: 480, height: 128 } as const;

/** Maximum size of a logo in emails. */
export const LOGO_SHOWN = { width: 240, height: 64 } as const;

/** A store's newest logos; older ones are deleted unless in use. Emails in inboxes may still show them. */
export const MAX_LOGOS = 20;

/** Maximum images per submission. */
export const MAX_IMAGES = 10;

/** Sizes an image is displayed in, apart from the stored original. */
export const imageSizes = ["icon", "medium", "large"] as const;
export type ImageSize = (typeof imageSizes)[number];

/** Stored image formats, with their URL extensions. */
export const imageEndings = { jpeg: "jpg", png: "png", webp: "webp" } as const;
export type ImageFormat = keyof typeof imageEndings;

/** A stored image in a review, seller review or question, with everything its URLs are made of. */
export type StoredImage = {
  token: string;
  /** The secret part of its URLs. */
  key: string;
  format: ImageFormat;
  /** Size of the stored original, rotated upright. */
  width: number;
  height: number;
  sizes: Record<ImageSize, [width: number, height: number]>;
};

/** Response of an upload; included unchanged in `images` of a submission. */
export const UploadResult = z
  .object({
    token: z.string().describe("Token of the image. Works once, within 24 hours."),
    format: z.string().describe("Format of the stored file: `jpeg`, `png` or `webp`."),
    width: z.int().describe("Width in pixels, after rotation."),
    height: z.int().describe("Height in pixels, after rotation."),
  })
  .meta({ id: "UploadResult" });
export type UploadResult = z.infer<typeof UploadResult>;

const imageFile = z
  .file({ error: (issue) => (issue.input === undefined ? encodeReason("required") : encodeReason("not_a_file")) })
  .meta({ description: "JPEG, PNG, WebP, GIF or AVIF, at most 10 MiB and 50 megapixels." });

export const UploadForm = z.object({
  client_id: z.string().describe("Store that the image is for."),
  api_key: z.string().describe("Public key of the store."),
  file: imageFile,
});

export const LogoForm = z.object({ file: imageFile });

export const Logo = z
  .object({
    url: z.string().describe("Public URL of the logo."),
    width: z.int().describe("Width in emails, in pixels."),
    height: z.int().describe("Height in emails, in pixels."),
  })
  .meta({ id: "Logo" });
export type Logo = z.infer<typeof Logo>;

/** `images` of a submission: upload responses, of which only the token is used. */
export const SubmittedImages = z
  .array(
    z.object({
      token: text(64).describe("Token from the upload's response."),
      format: z.unknown().optional().describe("Ignored."),
      width: z.unknown().optional().describe("Ignored."),
      height: z.unknown().optional().describe("Ignored."),
    }),
  )
  .max(MAX_IMAGES);

export const ImageParams = z.object({
  key: z.string().regex(/^[0-9a-f]{32}$/),
  file: z.string().regex(/^(icon|medium|large)\.(jpg|png|webp)$/),
});
const signature = z.string().optional().meta({ description: "Part of a signed URL." });
export const ImageQuery = z.object({ expires: signature, signature });
