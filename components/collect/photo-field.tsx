"use client";

import { ImagePlus, LoaderCircle, X } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { FormWords, UploadedPhoto } from "@/lib/forms/schema";
import { fill } from "@/lib/languages/rules";

/** Uploads one photo: its token, or why it cannot be taken. */
export type UploadPhoto = (form: FormData) => Promise<UploadedPhoto>;

type Photo = { token: string; src: string | null };

type Props = {
  /** as `items.2`; fields are named below it */
  name: string;
  photos: Photo[];
  error: string | undefined;
  words: FormWords;
  upload: UploadPhoto;
  /** told of every upload under way: the form is sent when they are over, and not if one fails */
  onUpload: (done: Promise<boolean>) => void;
};

/**
 * Photos of one item. Without scripts it is a file control whose files go along with the form. With scripts each file is
 * uploaded as soon as it is chosen and shown at once.
 */
export function PhotoField({ name, photos, error, words, upload, onUpload }: Props) {
  const [kept, setKept] = useState(photos);
  const [uploading, setUploading] = useState<string[]>([]);
  const [fault, setFault] = useState(error);
  const [ready, setReady] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const field = `${name}.files`;

  const add = useCallback(
    async (file: File): Promise<boolean> => {
      setUploading((names) => [...names, file.name]);
      const form = new FormData();
      form.set("file", file);
      const result = await upload(form).catch(() => ({ fault: words.fault_busy }));
      // In the page before the form is read: somebody may be waiting to send it.
      flushSync(() => {
        setUploading((names) => names.toSpliced(names.indexOf(file.name), 1));
        if ("fault" in result) setFault(result.fault);
        else setKept((list) => [...list, { token: result.token, src: URL.createObjectURL(file) }]);
      });
      return !("fault" in result);
    },
    [upload, words],
  );

  const take = useCallback(() => {
    const files = [...(input.current?.files ?? [])];
    if (!input.current || files.length === 0) return;
    input.current.value = "";
    setFault(undefined);
    // One after the other: a telephone's line and our server both prefer it.
    let before = Promise.resolve(true);
    for (const file of files) {
      const mine = before.then(() => add(file));
      before = mine;
      onUpload(mine);
    }
  }, [add, onUpload]);

  useEffect(() => {
    setReady(true);
    take(); // chosen before the scripts had arrived
  }, [take]);
  useEffect(() => setFault(error), [error]);

  return (
    <div className="flex flex-col gap-2">
      <ul className="flex flex-wrap gap-2 empty:hidden">
        {kept.map(({ token, src }, index) => (
          <li key={token} className="relative">
            {ready ? (
              <>
                <input type="hidden" name={`${name}.images`} value={token} />
                <span className="grid size-20 place-items-center overflow-hidden rounded-control border border-line bg-sunken text-sm text-muted">
                  {/* biome-ignore lint/performance/noImgElement: a local picture, or one that is served in its size */}
                  {src ? <img src={src} alt="" className="size-full object-cover" /> : index + 1}
                </span>
                <button
                  type="button"
                  onClick={() => setKept((list) => list.filter((photo) => photo.token !== token))}
                  aria-label={fill(words.photo_remove, { number: index + 1 })}
                  className="absolute -top-2 -right-2 grid size-7 place-items-center rounded-full border border-line bg-raised text-ink shadow-raised hover:text-bad"
                >
                  <X className="size-4" aria-hidden="true" />
                </button>
              </>
            ) : (
              <label className="flex items-center gap-2 text-sm">
                <input type="checkbox" name={`${name}.images`} value={token} defaultChecked className="size-4" />
                {fill(words.photo_keep, { number: index + 1 })}
              </label>
            )}
          </li>
        ))}
        {uploading.map((file) => (
          <li
            key={file}
            className="grid size-20 place-items-center rounded-control border border-line border-dashed bg-sunken text-muted"
          >
            <LoaderCircle className="size-5 animate-spin" aria-hidden="true" />
            <span className="sr-only" role="status">
              {fill(words.photo_uploading, { name: file })}
            </span>
          </li>
        ))}
      </ul>
      <label
        htmlFor={field}
        className="relative flex w-fit cursor-pointer items-center gap-2 rounded-control border border-edge border-dashed px-4 py-2.5 text-sm font-medium hover:bg-sunken has-focus-visible:outline-2 has-focus-visible:outline-accent"
      >
        <ImagePlus className="size-5 text-muted" aria-hidden="true" />
        <span className={ready ? undefined : "sr-only"}>{words.photos}</span>
        <input
          ref={input}
          id={field}
          name={ready ? undefined : field}
          type="file"
          multiple
          accept="image/jpeg,image/png,image/webp,image/gif,image/avif,image/heic,.heic"
          onChange={ready ? take : undefined}
          aria-describedby={`${field}-hint${fault ? ` ${field}-error` : ""}`}
          aria-invalid={fault ? true : undefined}
          className={ready ? "absolute inset-0 size-full cursor-pointer opacity-0" : "text-sm"}
        />
      </label>
      <p id={`${field}-hint`} className="text-sm text-muted">
        {words.photos_hint}
      </p>
      {fault && (
        <p id={`${field}-error`} role={ready ? "alert" : undefined} className="text-sm font-medium text-bad">
          {fault}
        </p>
      )}
    </div>
  );
}
