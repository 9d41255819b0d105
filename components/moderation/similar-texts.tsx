"use client";

import { useTranslations } from "#messages";
import { itemKey, itemPath, statusLabels, statusTone, toStatus } from "@/components/moderation/labels";
import { withStore } from "@/components/portal/with-store";
import { Badge } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import { percent } from "@/components/ui/percent";
import type { ItemContext } from "@/lib/moderation/queue/schema";
import { formatDay } from "@/lib/platform/i18n/format";

/** Texts similar to an item's, and how similar. */
export function SimilarTexts({ clientId, alike }: { clientId: string; alike: ItemContext["alike"] }) {
  const t = useTranslations();
  return (
    <ul className="flex flex-col gap-2">
      {alike.map((other) => (
        <li key={itemKey(other)}>
          <span className="flex items-center gap-2">
            <span className="figures font-medium">{percent(other.similarity, t.language)}</span>
            <span className="min-w-0 flex-1 text-muted">{formatDay(other.date, t.language)}</span>
            <Badge tone={statusTone[toStatus(other.accepted)]}>{t(statusLabels[toStatus(other.accepted)])}</Badge>
          </span>
          <Link className="line-clamp-2 break-words hover:underline" href={withStore(itemPath(other), clientId)}>
            {other.text}
          </Link>
        </li>
      ))}
    </ul>
  );
}
