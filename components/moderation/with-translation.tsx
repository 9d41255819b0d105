"use client";

import { Languages } from "lucide-react";
import { type ReactNode, useState, useSyncExternalStore } from "react";
import { useTranslations } from "#messages";
import { itemKey } from "@/components/moderation/labels";
import { Button } from "@/components/ui/button";
import { lazyPart } from "@/components/ui/lazy-dialog";
import type { QueueItem } from "@/lib/moderation/queue/schema";

const ItemTranslation = lazyPart(
  async () => (await import("@/components/moderation/item-translation")).ItemTranslation,
);

type Props = {
  clientId: string;
  item: QueueItem;
  /** whether the operator set up a translation service */
  hasService: boolean;
  /** the item's text */
  children: ReactNode;
};

const subscribe = () => () => undefined;

/** An item's text with its translation beside it, on request, if the browser or the operator's service can translate. */
export function WithTranslation({ clientId, item, hasService, children }: Props) {
  const t = useTranslations();
  // As browser-translator.ts finds it, which is only loaded on request. It may not have all languages.
  const hasBrowserTranslator = useSyncExternalStore(
    subscribe,
    () => "Translator" in globalThis,
    () => false,
  );
  const [shown, setShown] = useState<string | null>(null);
  const isShown = shown === itemKey(item);
  const isForeign = item.lang?.split("-")[0] !== t.language.split("-")[0];
  const hasText = item.extract !== "" || item.title !== null || item.pros.length > 0 || item.cons.length > 0;
  // Only a service finds out the language of a text.
  const canTranslate = isForeign && hasText && (hasService || (hasBrowserTranslator && item.lang !== null));
  if (!canTranslate) return children;
  return (
    <>
      <div className={isShown ? "gap-x-8 xl:grid xl:grid-cols-2" : undefined}>
        <div className="min-w-0">{children}</div>
        {isShown && <ItemTranslation key={itemKey(item)} clientId={clientId} item={item} hasService={hasService} />}
      </div>
      <Button
        variant="quiet"
        size="small"
        className="mt-3 -ml-2.5"
        aria-expanded={isShown}
        onClick={() => setShown(isShown ? null : itemKey(item))}
      >
        <Languages aria-hidden="true" className="size-4" />
        {t(isShown ? "queue.hideTranslation" : "queue.translate")}
      </Button>
    </>
  );
}
