"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Eye, EyeOff } from "lucide-react";
import { useTranslations } from "#messages";
import { isSameItem, itemOptions, mapPages, type QueuePages, queryKeys } from "@/components/moderation/queries";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ImageWithFallback } from "@/components/ui/image-with-fallback";
import { useToast } from "@/components/ui/toast";
import type { hidePhotoContract } from "@/lib/moderation/queue/contract";
import type { QueueItem } from "@/lib/moderation/queue/schema";
import { call, messageOf } from "@/lib/platform/http/client";
import type { ImageObject } from "@/lib/reviews/contributions/schema";

type Props = {
  clientId: string;
  item: QueueItem;
  /** all photos, including hidden ones */
  images: readonly ImageObject[];
  /** token of the photo shown; null closes the dialog */
  open: string | null;
  onClose: () => void;
  /** whether the viewer may hide and show photos */
  canDecide: boolean;
};

/** A photo of an item, large, with a button to hide or show it. */
export function PhotoDialog({ clientId, item, images, open, onClose, canDecide }: Props) {
  const t = useTranslations();
  const set = useSetHidden(clientId, item);
  const at = images.findIndex(({ token }) => token === open);
  const shown = images[at];
  const isHidden = shown !== undefined && !item.images.includes(shown);
  return (
    <Dialog
      wide
      open={shown !== undefined}
      onOpenChange={(next) => !next && onClose()}
      title={t("queue.photoPosition", { at: at + 1, all: images.length })}
      description={isHidden ? t("queue.photoHiddenHint") : undefined}
    >
      {shown && (
        <>
          <ImageWithFallback
            src={shown.large}
            alt={t("queue.photoPosition", { at: at + 1, all: images.length })}
            width={shown.large_width}
            height={shown.large_height}
            className="mx-auto max-h-[70dvh] w-auto rounded-control object-contain"
          />
          {canDecide && (
            <div className="mt-4 flex justify-center">
              <Button
                disabled={set.isPending}
                onClick={() => {
                  onClose();
                  set.mutate({ image: shown, hidden: !isHidden });
                }}
              >
                {isHidden ? (
                  <>
                    <Eye aria-hidden="true" className="size-4" />
                    {t("queue.unhidePhoto")}
                  </>
                ) : (
                  <>
                    <EyeOff aria-hidden="true" className="size-4" />
                    {t("queue.hidePhoto")}
                  </>
                )}
              </Button>
            </div>
          )}
        </>
      )}
    </Dialog>
  );
}

/** Hides or shows a photo immediately; each action undoes the other. */
function useSetHidden(clientId: string, item: QueueItem) {
  const t = useTranslations();
  const cache = useQueryClient();
  const toast = useToast();
  const show = ({ image, hidden }: HiddenChange) => {
    const others = item.images.filter(({ token }) => token !== image.token);
    const after = { ...item, images: hidden ? others : [...others, image] };
    cache.setQueriesData<QueuePages>({ queryKey: queryKeys.queues(clientId) }, (pages) => withImages(pages, after));
    cache.setQueryData(
      itemOptions(clientId, item.kind, item.id).queryKey,
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
    mutationFn: ({ image, hidden }: HiddenChange) =>
      call<typeof hidePhotoContract>("PUT /portal/api/v1/queue/{kind}/{id}/photos/{token}", {
        params: { kind: item.kind, id: item.id, token: image.token },
        query: { client_id: clientId },
        body: { hidden },
      }),
    onMutate: show,
    onError: (error, { image, hidden }) => {
      show({ image, hidden: !hidden });
      toast.show({ id: "photo", tone: "bad", text: t("common.errorSaving", { message: messageOf(error, t) }) });
    },
    onSuccess: (_, { hidden }) =>
      toast.show({
        id: "photo",
        text: hidden ? t("queue.photoHidden") : t("queue.photoUnhidden"),
        duration: 4_000,
      }),
    onSettled: () => {
      // This also decides a photo that was pending on its own.
      void cache.invalidateQueries({ queryKey: queryKeys.waiting(clientId) });
      void cache.invalidateQueries({
        queryKey: queryKeys.queues(clientId),
        refetchType: "none",
      });
      return cache.invalidateQueries({
        queryKey: queryKeys.item(clientId, item.kind, item.id),
      });
    },
  });
}

type HiddenChange = { image: ImageObject; hidden: boolean };

/** The loaded pages with an item's current photos. */
const withImages = (pages: QueuePages | undefined, item: QueueItem): QueuePages | undefined =>
  pages &&
  mapPages(pages, (data) => data.map((held) => (isSameItem(held, item) ? { ...held, images: item.images } : held)));
