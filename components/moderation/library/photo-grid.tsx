"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import clsx from "clsx";
import { Eye, EyeOff } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useTranslations } from "#messages";
import { ItemStars } from "@/components/moderation/item-stars";
import { excerptOf, itemPath, productOf, statusLabels, statusTone, toStatus } from "@/components/moderation/labels";
import { photoAltTexts } from "@/components/moderation/photo-article";
import { invalidateItems } from "@/components/moderation/queries";
import { withStore } from "@/components/portal/with-store";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ImageWithFallback } from "@/components/ui/image-with-fallback";
import { Link } from "@/components/ui/link";
import { useToast } from "@/components/ui/toast";
import type { LibraryPhoto } from "@/lib/moderation/library/schema";
import type { hidePhotoContract } from "@/lib/moderation/queue/contract";
import { call, messageOf } from "@/lib/platform/http/client";

type Props = {
  clientId: string;
  photos: LibraryPhoto[];
  canDecide: boolean;
  /** in item addresses, if the person has several stores */
  clientParam: string | undefined;
};

/** A page of photos, each with its review: to select, and to hide or show again. */
export function PhotoGrid({ clientId, photos, canDecide, clientParam }: Props) {
  const t = useTranslations();
  const router = useRouter();
  const toast = useToast();
  const cache = useQueryClient();
  const [selectedTokens, setSelectedTokens] = useState<ReadonlySet<string>>(new Set());
  const selected = photos.filter(({ image }) => selectedTokens.has(image.token));
  const clear = () => setSelectedTokens(new Set());
  const toggle = ({ image }: LibraryPhoto) => {
    const next = new Set(selectedTokens);
    if (!next.delete(image.token)) next.add(image.token);
    setSelectedTokens(next);
  };
  const { mutate, isPending } = useMutation({
    mutationFn: async ({ changed, hidden }: { changed: LibraryPhoto[]; hidden: boolean }) => {
      // One after the other: photos of one review change the same row.
      for (const { item, image } of changed)
        await call<typeof hidePhotoContract>("PUT /portal/api/v1/queue/{kind}/{id}/photos/{token}", {
          params: { kind: item.kind, id: item.id, token: image.token },
          query: { client_id: clientId },
          body: { hidden },
        });
      return { n: changed.length, hidden };
    },
    onSuccess: ({ n, hidden }) => {
      clear();
      toast.show({
        id: "photos",
        text: t(hidden ? "library.photosHidden" : "library.photosShown", { n }),
        duration: 6_000,
      });
    },
    onError: (error) =>
      toast.show({
        id: "photos",
        tone: "bad",
        text: t("common.errorSaving", { message: messageOf(error, t) }),
        duration: 12_000,
      }),
    // Also after an error: some may have changed before it.
    onSettled: () => {
      void invalidateItems(cache, clientId);
      router.refresh();
    },
  });
  const action = (hidden: boolean) => {
    const changed = selected.filter((photo) => photo.hidden !== hidden);
    const Icon = hidden ? EyeOff : Eye;
    return (
      changed.length > 0 && (
        <Button size="small" className="h-9" disabled={isPending} onClick={() => mutate({ changed, hidden })}>
          <Icon aria-hidden="true" className="size-4" />
          {t(hidden ? "library.hideCount" : "library.unhideCount", { n: changed.length })}
        </Button>
      )
    );
  };
  return (
    <>
      {canDecide && (
        <div className="mb-3 flex min-h-9 flex-wrap items-center gap-2">
          {selected.length > 0 ? (
            <fieldset className="contents">
              <legend className="sr-only">{t("queue.selectedItems")}</legend>
              <span role="status" className="figures text-sm font-medium">
                {t("queue.selectedCount", { n: selected.length })}
              </span>
              {action(true)}
              {action(false)}
              <Button variant="quiet" size="small" className="h-9" onClick={clear}>
                {t("queue.clearSelection")}
              </Button>
            </fieldset>
          ) : (
            <>
              <span className="text-sm text-muted">{t("library.selectPhotosHint")}</span>
              <Button
                variant="quiet"
                size="small"
                className="h-9"
                onClick={() => setSelectedTokens(new Set(photos.map(({ image }) => image.token)))}
              >
                {t("library.selectPage")}
              </Button>
            </>
          )}
        </div>
      )}
      <ul
        aria-label={t("queue.photos")}
        className="grid grid-cols-[repeat(auto-fill,minmax(10rem,1fr))] gap-4 sm:grid-cols-[repeat(auto-fill,minmax(13rem,1fr))]"
      >
        {photos.map((photo) => (
          <PhotoCard
            key={photo.image.token}
            photo={photo}
            href={withStore(itemPath(photo.item), clientParam)}
            selected={selectedTokens.has(photo.image.token)}
            busy={isPending}
            onToggle={canDecide ? () => toggle(photo) : undefined}
          />
        ))}
      </ul>
    </>
  );
}

type CardProps = {
  photo: LibraryPhoto;
  href: string;
  selected: boolean;
  busy: boolean;
  onToggle: (() => void) | undefined;
};

function PhotoCard({ photo: { image, hidden, item }, href, selected, busy, onToggle }: CardProps) {
  const t = useTranslations();
  const subject = productOf(item, t);
  const status = toStatus(item.accepted);
  const label = t(photoAltTexts[item.kind === "photo" ? "review" : item.kind], {
    author: item.author ?? t("queue.anonymousAuthor"),
    subject: item.kind === "seller_review" ? t("queue.theStore") : subject,
  });
  return (
    <li
      className={clsx(
        "relative flex flex-col overflow-hidden rounded-card border bg-raised shadow-raised",
        selected ? "border-accent" : "border-line",
      )}
    >
      <Link href={href} className="group flex flex-1 flex-col">
        <ImageWithFallback
          src={image.medium}
          alt={label}
          loading="lazy"
          className={clsx("aspect-square w-full bg-sunken object-cover", hidden && "opacity-30 grayscale")}
        />
        <span className="flex flex-1 flex-col gap-1 p-3 text-sm">
          <span className="flex flex-wrap items-center gap-1.5">
            <ItemStars item={item} />
            {hidden && <Badge tone="warn">{t("common.hidden")}</Badge>}
            {status !== "accepted" && <Badge tone={statusTone[status]}>{t(statusLabels[status])}</Badge>}
          </span>
          <span className="truncate font-medium group-hover:underline">{subject}</span>
          <span className="line-clamp-2 text-muted">
            {item.author ?? t("common.anonymous")} · {excerptOf(item, t)}
          </span>
        </span>
      </Link>
      {onToggle && (
        <label className="absolute top-2 left-2 grid size-9 cursor-pointer place-items-center rounded-control bg-raised/90 shadow-raised">
          <input
            type="checkbox"
            checked={selected}
            disabled={busy}
            onChange={onToggle}
            aria-label={t("queue.selectNamed", { name: label })}
            className="size-4"
          />
        </label>
      )}
    </li>
  );
}
