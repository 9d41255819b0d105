"use client";

import { useState } from "react";
import { Dialog } from "@/components/ui/dialog";
import type { ImageObject } from "@/lib/contributions/schema";

/** The photos of an item; one click shows them large, in place. */
export function ItemPhotos({ images }: { images: ImageObject[] }) {
  const [open, setOpen] = useState<number | null>(null);
  if (images.length === 0) return null;
  const shown = open === null ? undefined : images[open];
  return (
    <>
      <ul className="mt-5 flex flex-wrap gap-2">
        {images.map((image, index) => (
          <li key={image.token}>
            <button
              type="button"
              data-photo
              aria-label={`Show photo ${index + 1} of ${images.length}`}
              onClick={() => setOpen(index)}
              className="block size-28 overflow-hidden rounded-control border border-line bg-sunken"
            >
              {/* biome-ignore lint/performance/noImgElement: the service itself made it in this size */}
              <img src={image.medium} alt="" loading="lazy" className="size-full object-cover" />
            </button>
          </li>
        ))}
      </ul>
      <Dialog
        wide
        open={shown !== undefined}
        onOpenChange={(next) => !next && setOpen(null)}
        title={`Photo ${(open ?? 0) + 1} of ${images.length}`}
      >
        {shown && (
          // biome-ignore lint/performance/noImgElement: the service itself made it in this size
          <img
            src={shown.large}
            alt={`Part ${(open ?? 0) + 1} of the item`}
            width={shown.large_width}
            height={shown.large_height}
            className="mx-auto max-h-[75dvh] w-auto rounded-control object-contain"
          />
        )}
      </Dialog>
    </>
  );
}
