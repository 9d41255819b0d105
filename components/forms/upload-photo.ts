/** Uploads a form's photos before the form is sent; the store's public key permits that. */
export type UploadKey = { client_id: string; api_key: string };

/** An uploaded photo, or the response status; 0 without a response. */
export type PhotoUpload = { token: string } | { status: number };

/**
 * Uploads a photo and reports progress (0 to 1; at 1 the server processes it). `signal` cancels it. Doesn't use
 * `fetch`, which can't report upload progress.
 */
export function uploadPhoto(
  file: File,
  { key, onProgress, signal }: { key: UploadKey; onProgress: (part: number) => void; signal: AbortSignal },
): Promise<PhotoUpload> {
  const form = new FormData();
  form.set("client_id", key.client_id);
  form.set("api_key", key.api_key);
  form.set("file", file);
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open("POST", "/uploader");
    request.responseType = "json";
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onloadend = () => {
      const token = request.status === 200 ? (request.response as { token?: unknown } | null)?.token : null;
      resolve(typeof token === "string" ? { token } : { status: request.status });
    };
    signal.addEventListener("abort", () => request.abort());
    if (signal.aborted) resolve({ status: 0 });
    else request.send(form);
  });
}
