import { Scale } from "lucide-react";
import { useTranslations } from "#messages";
import { Ago } from "@/components/ui/time";
import type { QueueItem } from "@/lib/moderation/queue/schema";

type Props = { appeal: NonNullable<QueueItem["appeal"]>; timeZone: string };

/** The author's appeal of a rejection, and who may decide it. */
export function Appeal({ appeal: { at, text, rejected_by }, timeZone }: Props) {
  const t = useTranslations();
  return (
    <section aria-label={t("queue.appeal")} className="mt-4 rounded-card border border-line bg-sunken p-4 text-sm">
      <p className="flex flex-wrap items-center gap-2 font-medium">
        <Scale aria-hidden="true" className="size-4 text-warn" />
        {t("queue.appealHeading")} <Ago at={at} timeZone={timeZone} className="font-normal text-muted" />
      </p>
      <p className="mt-2 break-words whitespace-pre-line">
        {text || <span className="text-muted italic">{t("queue.appealNoText")}</span>}
      </p>
      <p className="mt-2 text-muted">
        {rejected_by === null ? t("queue.appealRule") : t("queue.appealRuleNamed", { name: rejected_by })}
      </p>
    </section>
  );
}
