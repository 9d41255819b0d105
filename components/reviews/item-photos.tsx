"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import clsx from "clsx";
import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { useWords } from "#words";
import { caseOptions, keys, type QueuePages, withImages } from "@/components/reviews/queries";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { useToast } from "@/components/ui/toast";
import type { ImageObject } from "@/lib/contributions/schema";
import { call, messageOf } from "@/lib/http/client";
import type { hidePhotoContract } from "@/lib/queue/contract";
import type { QueueItem } from "@/lib/queue/schema";

/** `canDecide`: whether one may be hidden or shown again. */
type Props = { clientId: string; item: QueueItem; canDecide: boolean };

/** The photos of an item, those that the shop hides marked; one click shows them large, in place. */
export function ItemPhotos({ clientId, item, canDecide }: Props) {
  const t = useWords();
  const [open, setOpen] = useState<string | null>(null);
  const { data } = useQuery(caseOptions(clientId, item.kind, item.id));
  const hidden = data?.context.hidden_photos ?? [];
  const images = [...item.images, ...hidden.filter(({ token }) => !item.images.some((image) => image.token === token))];
  const isHidden = (image: ImageObject) => !item.images.includes(image);
  const set = useHiding(clientId, item);
  if (images.length === 0) return null;
  const at = images.findIndex(({ token }) => token === open);
  const shown = images[at];
  const last = shown !== undefined && isHidden(shown);
  return (
    <>
      <ul className="mt-5 flex flex-wrap gap-2">
        {images.map((image, index) => (
          <li key={image.token}>
            <button
              type="button"
              data-photo
              aria-label={t(isHidden(image) ? "Show photo {at} of {all}, hidden" : "Show photo {at} of {all}", {
                at: index + 1,
                all: images.length,
              })}
              onClick={() => setOpen(image.token)}
              className="relative block size-28 overflow-hidden rounded-control border border-line bg-sunken"
            >
              {/* biome-ignore lint/performance/noImgElement: the service itself made it in this size */}
              <img
                src={image.medium}
                alt=""
                loading="lazy"
                className={clsx("size-full object-cover", isHidden(image) && "opacity-30 grayscale")}
              />
              {isHidden(image) && (
                <span className="absolute inset-x-0 bottom-1.5">
                  <Badge tone="warn">{t("Hidden")}</Badge>
                </span>
              )}
            </button>
          </li>
        ))}
      </ul>
      <Dialog
        wide
        open={shown !== undefined}
        onOpenChange={(next) => !next && setOpen(null)}
        title={t("Photo {at} of {all}", { at: at + 1, all: images.length })}
        description={last ? t("Hidden: it shows nowhere but here.") : undefined}
      >
        {shown && (
          <>
            {/* biome-ignore lint/performance/noImgElement: the service itself made it in this size */}
            <img
              src={shown.large}
              alt={t("Photo {at} of {all}", { at: at + 1, all: images.length })}
              width={shown.large_width}
              height={shown.large_height}
              className="mx-auto max-h-[70dvh] w-auto rounded-control object-contain"
            />
            {canDecide && (
              <div className="mt-4 flex justify-center">
                <Button
                  disabled={set.isPending}
                  onClick={() => {
                    setOpen(null);
                    set.mutate({ image: shown, hidden: !last });
                  }}
                >
                  {last ? (
                    <>
                      <Eye aria-hidden="true" className="size-4" />
                      {t("Show this photo again")}
                    </>
                  ) : (
                    <>
                      <EyeOff aria-hidden="true" className="size-4" />
                      {t("Hide this photo, keep the rest")}
                    </>
                  )}
                </Button>
              </div>
            )}
          </>
        )}
      </Dialog>
    </>
  );
}

/** Hides a photo or shows it again, at once; both can be undone by the other. */
function useHiding(clientId: string, item: QueueItem) {
  const t = useWords();
  const cache = useQueryClient();
  const toast = useToast();
  const show = ({ image, hidden }: Hiding) => {
    const others = item.images.filter(({ token }) => token !== image.token);
    const after = { ...item, images: hidden ? others : [...others, image] };
    cache.setQueriesData<QueuePages>({ queryKey: keys.queues(clientId) }, (pages) => withImages(pages, after));
    cache.setQueryData(
      caseOptions(clientId, item.kind, item.id).queryKey,
      (held) =>
        held && {
          item: { ...held.item, images: after.images },
          context: {
            ...held.context,
            hidden_photos: [
              ...held.context.hidden_photos.filter(({ token }) => token !== image.token),
              ...(hidden ? [image] : []),
            ],
          },
        },
    );
  };
  return useMutation({
    mutationFn: ({ image, hidden }: Hiding) =>
      call<typeof hidePhotoContract>("PUT /portal/api/v1/queue/{kind}/{id}/photos/{token}", {
        params: { kind: item.kind, id: item.id, token: image.token },
        query: { client_id: clientId },
        body: { hidden },
      }),
    onMutate: show,
    onError: (error, { image, hidden }) => {
      show({ image, hidden: !hidden });
      toast.show({ id: "photo", tone: "bad", text: t("Not saved. {message}", { message: t(messageOf(error)) }) });
    },
    onSuccess: (_, { hidden }) =>
      toast.show({
        id: "photo",
        text: hidden ? t("The photo is hidden.") : t("The photo is shown again."),
        duration: 4_000,
      }),
    onSettled: () => {
      // A photo that waited by itself is decided with this.
      void cache.invalidateQueries({ queryKey: keys.waiting(clientId) });
      void cache.invalidateQueries({
        queryKey: keys.queues(clientId),
        refetchType: "none",
      });
      return cache.invalidateQueries({
        queryKey: keys.case(clientId, item.kind, item.id),
      });
    },
  });
}

type Hiding = { image: ImageObject; hidden: boolean };
