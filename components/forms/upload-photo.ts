/** Where a form's photos go, ahead of it: the shop's public key lets anybody leave one. */
export type UploadKey = { client_id: string; api_key: string };

/** A photo that was taken, or the status of the answer that says why not; 0 where there was none. */
export type PhotoUpload = { token: string } | { status: number };

/**
 * Uploads one photo and tells how far it is (0 to 1; at 1 it is being looked at). `signal` calls it off. Not `fetch`:
 * that cannot tell how much of a body has gone out.
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
