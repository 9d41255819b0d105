import { useTranslations } from "#messages";
import { ItemStars } from "@/components/moderation/item-stars";
import { KindIcon } from "@/components/moderation/kind-icon";
import { excerptOf, productOf, statusLabels, statusTone, toStatus } from "@/components/moderation/labels";
import { Badge } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import { Ago } from "@/components/ui/time";
import type { QueueItem } from "@/lib/moderation/queue/schema";

export function ItemLine({ item, href, timeZone }: { item: QueueItem; href: string; timeZone: string }) {
  const t = useTranslations();
  const status = toStatus(item.accepted);
  return (
    <li className="border-b border-line last:border-b-0">
      <Link href={href} className="block px-5 py-3 -outline-offset-2 hover:bg-sunken/60">
        <span className="flex items-center gap-2.5 text-sm">
          {item.kind !== "review" && <KindIcon kind={item.kind} className="size-4 shrink-0 text-muted" />}
          <ItemStars item={item} />
          <span className="min-w-0 flex-1 truncate font-medium">{productOf(item, t)}</span>
          <Badge tone={statusTone[status]}>{t(statusLabels[status])}</Badge>
          <Ago at={item.received_at} timeZone={timeZone} className="min-w-16 shrink-0 text-right text-xs text-muted" />
        </span>
        <span className="mt-0.5 block truncate text-sm text-muted">
          <span className="text-ink">{item.author ?? t("common.anonymous")}</span> · {excerptOf(item, t)}
        </span>
      </Link>
    </li>
  );
}
