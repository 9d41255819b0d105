"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "#messages";
import { translateInBrowser } from "@/components/moderation/browser-translator";
import { Button } from "@/components/ui/button";
import { percent } from "@/components/ui/percent";
import { Skeleton } from "@/components/ui/skeleton";
import type { QueueItem } from "@/lib/moderation/queue/schema";
import type { translateContract } from "@/lib/moderation/translation/contract";
import type { Translation } from "@/lib/moderation/translation/schema";
import { call, messageOf } from "@/lib/platform/http/client";

type Props = {
  clientId: string;
  item: QueueItem;
  /** whether the operator set up a translation service */
  hasService: boolean;
};

type Translated = Translation & { by: "browser" | "service" };

/** An item's text in the reader's language: by the browser if it can, otherwise by the operator's service. */
export function ItemTranslation({ clientId, item, hasService }: Props) {
  const t = useTranslations();
  const target = t.language.split("-")[0] ?? t.language;
  const [downloaded, setDownloaded] = useState<number | null>(null);
  const { data, error, isFetching, refetch } = useQuery({
    // By revision, since the author may have changed the text.
    queryKey: ["translation", clientId, item.kind, item.id, item.revision, target],
    queryFn: async ({ signal }): Promise<Translated | null> => {
      const texts = [item.title ?? "", item.extract, ...item.pros, ...item.cons];
      const inBrowser =
        item.lang === null
          ? null
          : await translateInBrowser(
              texts,
              { sourceLanguage: item.lang, targetLanguage: target },
              { onDownload: setDownloaded, signal },
            ).catch((failure) => {
              if (signal.aborted || !hasService) throw failure;
              return null;
            });
      if (inBrowser) {
        const [title = "", extract = "", ...points] = inBrowser;
        const pros = points.slice(0, item.pros.length);
        return { title: item.title && title, extract, pros, cons: points.slice(item.pros.length), by: "browser" };
      }
      if (!hasService) return null;
      const { data: translation } = await call<typeof translateContract>(
        "GET /portal/api/v1/queue/{kind}/{id}/translation",
        { params: { kind: item.kind, id: item.id }, query: { client_id: clientId, lang: target }, signal },
      );
      return { ...translation, by: "service" };
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return (
    <section
      aria-label={t("queue.translation")}
      aria-busy={isFetching}
      className="mt-5 rounded-control border-l-2 border-line pl-4"
    >
      {isFetching ? (
        <div role="status" className="flex flex-col gap-2 text-sm text-muted">
          {downloaded !== null && downloaded < 1
            ? t("queue.downloadingLanguage", { share: percent(downloaded, t.language) })
            : t("queue.translating")}
          <Skeleton className="h-4 w-full" />
          <Skeleton className="h-4 w-2/3" />
        </div>
      ) : error ? (
        <div role="alert" className="text-sm text-bad">
          <p>{t("queue.errorTranslating", { message: messageOf(error, t) })}</p>
          <Button size="small" className="mt-2" onClick={() => void refetch()}>
            {t("common.tryAgain")}
          </Button>
        </div>
      ) : data ? (
        <>
          <div lang={target} className="flex max-w-[65ch] flex-col gap-3 break-words whitespace-pre-line">
            {data.title && <p className="font-semibold">{data.title}</p>}
            {data.extract && <p>{data.extract}</p>}
            <Points title={t("queue.pros")} points={data.pros} />
            <Points title={t("queue.cons")} points={data.cons} />
          </div>
          <p className="mt-3 text-xs text-muted">
            {t(data.by === "browser" ? "queue.translatedInBrowser" : "queue.translatedByService")}
          </p>
        </>
      ) : (
        <p role="status" className="text-sm text-muted">
          {t("queue.cannotTranslate")}
        </p>
      )}
    </section>
  );
}

function Points({ title, points }: { title: string; points: string[] }) {
  if (points.length === 0) return null;
  return (
    <div>
      <p className="text-sm font-medium">{title}</p>
      <ul aria-label={title} className="ml-5 list-disc">
        {points.map((point, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: points have no identity and never move
          <li key={index}>{point}</li>
        ))}
      </ul>
    </div>
  );
}
