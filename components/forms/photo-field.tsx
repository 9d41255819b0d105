"use client";

import { ImageIcon, ImagePlus, X } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { FieldIssue } from "@/components/forms/form-parts";
import { type UploadKey, uploadPhoto } from "@/components/forms/upload-photo";
import { ImageWithFallback } from "@/components/ui/image-with-fallback";
import { MAX_PHOTO_BYTES, MAX_PHOTOS, type ReviewFormText } from "@/lib/forms/schema";

/** `part`: the uploaded share, 0 to 1; null once the photo has its token. */
type Photo = { id: string; name: string; src: string | null; token: string | null; part: number | null };

type Props = {
  /** such as `items.2`; prefix of the field names */
  name: string;
  /** photos already uploaded; `src` if there is a picture to show */
  photos: { token: string; src: string | null }[];
  error: string | undefined;
  t: ReviewFormText;
  uploadKey: UploadKey;
  /** called for every upload in progress: the form is sent after they end, unless one fails */
  onUpload: (done: Promise<boolean>) => void;
};

/**
 * Photos of one item. Without scripts, a file control whose files are sent with the form. With scripts, each file is
 * shown and uploaded as soon as it is selected.
 */
export function PhotoField({ name, photos, error, t, uploadKey, onUpload }: Props) {
  const [shown, setShown] = useState<Photo[]>(() =>
    photos.map(({ token, src }) => ({ id: token, name: "", src, token, part: null })),
  );
  const [issue, setIssue] = useState(error);
  const [ready, setReady] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const uploadsInProgress = useRef(new Map<string, AbortController>());
  const queue = useRef(Promise.resolve(true));
  const field = `${name}.files`;

  const change = useCallback(
    (id: string, news: Partial<Photo>) =>
      setShown((list) => list.map((photo) => (photo.id === id ? { ...photo, ...news } : photo))),
    [],
  );

  const upload = useCallback(
    async (id: string, file: File): Promise<boolean> => {
      const signal = uploadsInProgress.current.get(id)?.signal;
      if (!signal || signal.aborted) return true; // removed before its upload started
      const result = await uploadPhoto(file, { key: uploadKey, onProgress: (part) => change(id, { part }), signal });
      uploadsInProgress.current.delete(id);
      if (signal.aborted) return true;
      // Render the token before the form is read: it may be waiting to be sent.
      flushSync(() => {
        if ("token" in result) change(id, { token: result.token, part: null });
        else {
          setShown((list) => list.filter((photo) => photo.id !== id));
          setIssue(errorText(result.status, file.name, t));
        }
      });
      return "token" in result;
    },
    [change, uploadKey, t],
  );

  const addPhotos = useCallback(() => {
    const chosen = [...(input.current?.files ?? [])];
    if (!input.current || chosen.length === 0) return;
    const remainingPhotos =
      MAX_PHOTOS - (input.current.form?.querySelectorAll(`[data-photo-of="${name}"]`).length ?? 0);
    input.current.value = "";
    const large = chosen.find(({ size }) => size > MAX_PHOTO_BYTES);
    const files = chosen.filter(({ size }) => size <= MAX_PHOTO_BYTES).slice(0, Math.max(0, remainingPhotos));
    const tooMany = chosen.length > remainingPhotos ? t("reviewForm.errorTooManyPhotos") : undefined;
    setIssue(large ? t("reviewForm.errorPhotoSize", { name: large.name }) : tooMany);
    for (const file of files) {
      const id = crypto.randomUUID();
      uploadsInProgress.current.set(id, new AbortController());
      setShown((list) => [...list, { id, name: file.name, src: URL.createObjectURL(file), token: null, part: 0 }]);
      // One at a time: better for mobile connections and for our server.
      queue.current = queue.current.then(() => upload(id, file));
      onUpload(queue.current);
    }
  }, [name, onUpload, upload, t]);

  function remove({ id, src }: Photo) {
    uploadsInProgress.current.get(id)?.abort();
    if (src?.startsWith("blob:")) URL.revokeObjectURL(src);
    setShown((list) => list.filter((photo) => photo.id !== id));
    setIssue(undefined);
    input.current?.focus();
  }

  useEffect(() => {
    setReady(true);
    addPhotos(); // selected before the scripts loaded
  }, [addPhotos]);
  useEffect(() => setIssue(error), [error]);

  return (
    <div className="flex flex-col gap-2">
      <ul className="flex flex-wrap gap-3 empty:hidden">
        {shown.map((photo, index) => (
          <li key={photo.id} data-photo-of={name} className="relative">
            {ready ? (
              <>
                {photo.token && <input type="hidden" name={`${name}.images`} value={photo.token} />}
                <Preview photo={photo} t={t} />
                <button
                  type="button"
                  onClick={() => remove(photo)}
                  aria-label={t("reviewForm.photoRemove", { number: index + 1 })}
                  className="absolute -top-2.5 -right-2.5 grid size-8 place-items-center rounded-full border border-line bg-raised text-ink shadow-raised hover:text-bad"
                >
                  <X className="size-4" aria-hidden="true" />
                </button>
              </>
            ) : (
              <label className="flex items-center gap-2 text-sm">
                <input
                  type="checkbox"
                  name={`${name}.images`}
                  value={photo.token ?? ""}
                  defaultChecked
                  className="size-4"
                />
                {t("reviewForm.photoKeep", { number: index + 1 })}
              </label>
            )}
          </li>
        ))}
      </ul>
      <label
        htmlFor={field}
        className="relative flex min-h-11 w-fit max-w-full cursor-pointer flex-wrap items-center gap-2 rounded-control border border-edge border-dashed px-4 py-2.5 text-sm font-medium hover:bg-sunken has-focus-visible:outline-2 has-focus-visible:outline-accent"
      >
        <ImagePlus className="size-5 text-muted" aria-hidden="true" />
        <span className="shrink-0">{t("reviewForm.photos")}</span>
        <input
          ref={input}
          id={field}
          name={ready ? undefined : field}
          type="file"
          multiple
          accept="image/jpeg,image/png,image/webp,image/gif,image/avif,image/heic,.heic"
          onChange={ready ? addPhotos : undefined}
          aria-describedby={`${field}-hint${issue ? ` ${field}-error` : ""}`}
          aria-invalid={issue ? true : undefined}
          className={ready ? "absolute inset-0 size-full cursor-pointer opacity-0" : "min-w-0 max-w-full text-sm"}
        />
      </label>
      <p id={`${field}-hint`} className="text-sm text-muted">
        {t("reviewForm.photosHint")}
      </p>
      {issue && (
        <FieldIssue id={`${field}-error`} alert={ready}>
          {issue}
        </FieldIssue>
      )}
    </div>
  );
}

/** The photo, if this browser can show it, with its upload progress. */
function Preview({ photo: { name, src, part }, t }: { photo: Photo; t: ReviewFormText }) {
  const icon = <ImageIcon className="size-6" aria-hidden="true" />;
  const percent = Math.round((part ?? 1) * 100);
  return (
    <span className="relative grid size-20 place-items-center overflow-hidden rounded-control border border-line bg-sunken text-muted sm:size-24">
      {src ? <ImageWithFallback src={src} alt={name} fallback={icon} className="size-full object-cover" /> : icon}
      {part !== null && (
        <span
          role="progressbar"
          aria-label={t("reviewForm.photoUploading", { name })}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent}
          className="absolute inset-0 grid items-end bg-shade p-2"
        >
          <span className="h-1.5 overflow-hidden rounded-control bg-raised/50">
            <span
              className={`block h-full bg-accent transition-[width] ${percent === 100 ? "animate-pulse" : ""}`}
              style={{ width: `${percent}%` }}
            />
          </span>
        </span>
      )}
    </span>
  );
}

const errorText = (status: number, name: string, t: ReviewFormText): string =>
  status === 413
    ? t("reviewForm.errorPhotoSize", { name })
    : status === 406
      ? t("reviewForm.errorPhoto", { name })
      : t("form.errorBusy");
