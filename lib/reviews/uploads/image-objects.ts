import { createHmac, timingSafeEqual } from "node:crypto";
import { now } from "@/lib/platform/clock";
import { env, signingKeys } from "@/lib/platform/env";
import { perProcess } from "@/lib/platform/process";
import type { ImageObject } from "@/lib/reviews/contributions/schema";
import {
  type ImageFormat,
  type ImageSize,
  imageEndings,
  imageSizes,
  type StoredImage,
} from "@/lib/reviews/uploads/schema";

const SIGNED_SECONDS = 3_600;

/** Folder of a stored image; prefixed with two letters to limit entries per folder. */
export const folderOf = (key: string): string => `${key.slice(0, 2)}/${key}`;
/** Files stored per image. */
export const storedFiles = ["original", ...imageSizes] as const;
export const fileName = (size: ImageSize | "original", format: ImageFormat): string =>
  `${size}.${imageEndings[format]}`;

/**
 * Images as in API responses: original size, and URL and size of each smaller one. `signed` URLs work for an hour
 * unless the review is rejected; plain ones while it is accepted.
 */
export function imageObjects(images: StoredImage[], { signed }: { signed: boolean }): ImageObject[] {
  if (images.length === 0) return [];
  const expires = Math.floor(now().getTime() / 1000) + SIGNED_SECONDS;
  return images.map(({ token, key, format, width, height, sizes }) => {
    const query = signed ? `?expires=${expires}&signature=${signatureOf(key, expires)}` : "";
    const address = (size: ImageSize) => `${env().PUBLIC_URL}/images/${key}/${fileName(size, format)}${query}`;
    return {
      token,
      format,
      width,
      height,
      icon: address("icon"),
      icon_width: sizes.icon[0],
      icon_height: sizes.icon[1],
      medium: address("medium"),
      medium_width: sizes.medium[0],
      medium_height: sizes.medium[1],
      large: address("large"),
      large_width: sizes.large[0],
      large_height: sizes.large[1],
    };
  });
}

/** True if an image URL has a valid, unexpired signature. */
export function isSigned(key: string, expires: string | undefined, signature: string | undefined): boolean {
  if (!expires || !signature || !/^\d{1,12}$/.test(expires)) return false;
  if (Number(expires) * 1000 < now().getTime()) return false;
  const given = Buffer.from(signature);
  return signers().some((signer) => {
    const right = Buffer.from(signatureOf(key, Number(expires), signer));
    return given.length === right.length && timingSafeEqual(given, right);
  });
}

/** The current key and those of earlier secrets, so that recently signed URLs still work for their hour. */
const signers = (): Buffer[] => perProcess("image-address-keys", () => signingKeys("image-address/1"));

function signatureOf(key: string, expires: number, secret = signers()[0] as Buffer): string {
  return createHmac("sha256", secret).update(`${key}|${expires}`).digest("base64url");
}
