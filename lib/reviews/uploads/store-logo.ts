import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { transaction } from "@/lib/platform/db/pool";
import { env } from "@/lib/platform/env";
import { AppError } from "@/lib/platform/errors";
import { newUploadToken } from "@/lib/platform/ids";
import { fileName } from "@/lib/reviews/uploads/image-objects";
import { processLogo } from "@/lib/reviews/uploads/process-image";
import { LOGO_SHOWN, type Logo, MAX_IMAGE_BYTES, MAX_LOGOS } from "@/lib/reviews/uploads/schema";
import { storeImage } from "@/lib/reviews/uploads/store-upload";
import { uploadedKey } from "@/lib/reviews/uploads/values";
import { claimRows, releaseRows, selectCurrentLogos } from "./sql";

/**
 * Stores a logo, shrunk, and returns its public URL and its size in emails. The settings aren't changed. Releases the
 * store's older logos beyond {@link MAX_LOGOS}, except the one in use. Throws `too_large` over 10 MiB, `invalid_field` on
 * `file` if it isn't a readable image of an accepted type.
 */
export async function storeLogo(client: Pick<ClientRow, "id" | "config">, file: Blob): Promise<Logo> {
  if (file.size > MAX_IMAGE_BYTES)
    throw new AppError("too_large", { reason: "image_too_large", params: { mib: 10 }, field: "file" });
  const image = await processLogo(new Uint8Array(await file.arrayBuffer()));
  const { token, key, format, width, height } = await storeImage(client, newUploadToken(), image);
  const holder = { kind: "logo", id: client.id } as const;
  await transaction(async (db) => {
    // Of two uploads at once, neither would see the other's logo as one to keep.
    await db.query("select from clients where id = $1 for no key update", [client.id]);
    await claimRows(db, client.id, [token], holder);
    await releaseRows(
      db,
      client.id,
      holder.kind,
      [holder.id],
      await selectCurrentLogos(db, client.id, MAX_LOGOS, uploadedKey(client.config.logo_url)),
    );
  });
  const scale = Math.min(1, LOGO_SHOWN.width / width, LOGO_SHOWN.height / height);
  const shown = (side: number) => Math.max(1, Math.round(side * scale));
  return {
    url: `${env().PUBLIC_URL}/images/${key}/${fileName("medium", format)}`,
    width: shown(width),
    height: shown(height),
  };
}
