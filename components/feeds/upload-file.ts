import type { createUploadContract, uploadPartContract } from "@/lib/feeds/contract";
import { MAX_PARTS, PART_BYTES, type UploadKind } from "@/lib/feeds/values";
import { call, isUnavailable } from "@/lib/platform/http/client";

export const MAX_FILE_BYTES = MAX_PARTS * PART_BYTES;

type Upload = {
  clientId: string;
  kind: UploadKind;
  file: File;
  signal: AbortSignal;
  /** gets the part that is uploaded, from 0 to 1 */
  onProgress: (sent: number) => void;
};

/** Uploads a file in parts, and returns the upload with their number. */
export async function uploadFile({
  clientId,
  kind,
  file,
  signal,
  onProgress,
}: Upload): Promise<{ id: string; parts: number }> {
  const query = { client_id: clientId };
  const parts = Math.ceil(file.size / PART_BYTES);
  const { data } = await call<typeof createUploadContract>("POST /portal/api/v1/feed_uploads", {
    query,
    body: { kind, filename: file.name },
    signal,
  });
  for (let part = 0; part < parts; part += 1) {
    const bytes = new File([file.slice(part * PART_BYTES, (part + 1) * PART_BYTES)], file.name);
    await withRetries(() =>
      call<typeof uploadPartContract>("PUT /portal/api/v1/feed_uploads/{id}/parts/{part}", {
        params: { id: data.id, part: String(part) },
        query,
        body: { file: bytes },
        signal,
      }),
    );
    onProgress((part + 1) / parts);
  }
  return { id: data.id, parts };
}

/** Retries a part after a network error. Uploading a part again replaces it. */
async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === 4 || !isUnavailable(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, attempt * 1_000));
    }
  }
}
