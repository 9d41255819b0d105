"use client";

import { useQuery } from "@tanstack/react-query";
import clsx from "clsx";
import { useState } from "react";
import { useTranslations } from "#messages";
import { itemOptions } from "@/components/moderation/queries";
import { Badge } from "@/components/ui/badge";
import { ImageWithFallback } from "@/components/ui/image-with-fallback";
import { lazyDialog } from "@/components/ui/lazy-dialog";
import type { QueueItem } from "@/lib/moderation/queue/schema";
import type { ImageObject } from "@/lib/reviews/contributions/schema";

const PhotoDialog = lazyDialog(
  async () => (await import("@/components/moderation/photo-dialog")).PhotoDialog,
  ({ open, onClose }) => ({ open: open !== null, close: onClose }),
);

/** `canDecide`: whether the viewer may hide and show photos. */
type Props = { clientId: string; item: QueueItem; canDecide: boolean };

/** An item's photos, hidden ones marked; a click shows them large in place. */
export function ItemPhotos({ clientId, item, canDecide }: Props) {
  const t = useTranslations();
  const [open, setOpen] = useState<string | null>(null);
  const { data } = useQuery(itemOptions(clientId, item.kind, item.id));
  const hidden = data?.context.hidden_photos ?? [];
  const images = [...item.images, ...hidden.filter(({ token }) => !item.images.some((image) => image.token === token))];
  const isHidden = (image: ImageObject) => !item.images.includes(image);
  if (images.length === 0) return null;
  return (
    <>
      <ul className="mt-5 flex flex-wrap gap-2">
        {images.map((image, index) => (
          <li key={image.token}>
            <button
              type="button"
              data-photo
              aria-label={t(isHidden(image) ? "queue.viewHiddenPhoto" : "queue.viewPhoto", {
                at: index + 1,
                all: images.length,
              })}
              onClick={() => setOpen(image.token)}
              className="relative block size-28 overflow-hidden rounded-control border border-line bg-sunken"
            >
              <ImageWithFallback
                src={image.medium}
                alt=""
                loading="lazy"
                className={clsx("size-full object-cover", isHidden(image) && "opacity-30 grayscale")}
              />
              {isHidden(image) && (
                <span className="absolute inset-x-0 bottom-1.5">
                  <Badge tone="warn">{t("common.hidden")}</Badge>
                </span>
              )}
            </button>
          </li>
        ))}
      </ul>
      <PhotoDialog
        clientId={clientId}
        item={item}
        images={images}
        open={open}
        onClose={() => setOpen(null)}
        canDecide={canDecide}
      />
    </>
  );
}
