"use client";

import { Check, Copy, Star } from "lucide-react";
import { useTranslations } from "#messages";
import { Button } from "@/components/ui/button";
import { useCopy } from "@/components/ui/copy-text";

/** The address at which search engines fetch accepted reviews, to be submitted to them. */
export function GoogleCard({ address }: { address: string }) {
  const t = useTranslations();
  const { copied, copy } = useCopy(address);
  return (
    <section
      aria-labelledby="google"
      className="flex flex-wrap items-start gap-x-4 gap-y-3 rounded-card border border-line bg-raised p-4 shadow-raised sm:p-5"
    >
      <span className="flex size-10 shrink-0 items-center justify-center rounded-full bg-sunken text-star">
        <Star aria-hidden="true" className="size-5" />
      </span>
      <div className="min-w-0 flex-1 basis-64">
        <h2 id="google" className="font-semibold">
          {t("feeds.googleTitle")}
        </h2>
        <p className="text-sm text-muted">{t("feeds.googleHint")}</p>
        <p className="mt-2 rounded-control bg-sunken px-3 py-2 font-mono text-xs break-all">{address}</p>
      </div>
      <Button size="small" onClick={copy}>
        {copied ? <Check aria-hidden="true" className="size-3.5" /> : <Copy aria-hidden="true" className="size-3.5" />}
        <span aria-live="polite">{copied ? t("common.copied") : t("common.copy")}</span>
      </Button>
    </section>
  );
}
