import { ScanSearch } from "lucide-react";
import { useTranslations } from "#messages";
import { fieldLabel, fieldText, ruleHints } from "@/components/moderation/finding-labels";
import { reasonLabel } from "@/components/moderation/reject-reasons";
import { Badge } from "@/components/ui/badge";
import type { QueueItem } from "@/lib/moderation/queue/schema";
import type { Finding } from "@/lib/moderation/rules/schema";
import { ruleLabels } from "@/lib/moderation/rules/values";
import { textFor } from "@/lib/platform/i18n/text-for";
import type { Translate } from "@/lib/platform/i18n/translator";

type Props = { item: QueueItem; heading: "h2" | "h3" };

/** Why the rules did not accept an item: each rule with its passage and suggestion. */
export function ItemFindings({ item, heading: Heading }: Props) {
  const t = useTranslations();
  if (item.findings.length === 0) return null;
  return (
    <section
      aria-labelledby={`findings-${item.id}`}
      className="mt-5 rounded-control border border-line bg-surface px-4 py-3"
    >
      <Heading id={`findings-${item.id}`} className="flex items-center gap-2 text-sm font-medium">
        <ScanSearch aria-hidden="true" className="size-4 text-muted" />
        {item.accepted === null ? t("queue.heldByRules") : t("queue.ruleFindings")}
      </Heading>
      <ul className="mt-2 flex flex-col gap-2 text-sm">
        {item.findings.map((finding) => (
          <li
            key={`${finding.rule} ${finding.field} ${finding.start}`}
            className="flex flex-wrap items-baseline gap-x-2.5 gap-y-1"
          >
            <Badge tone={finding.suggested === "reject" ? "bad" : "warn"}>{t(ruleLabels[finding.rule])}</Badge>
            <Passage item={item} finding={finding} />
            <span className="text-muted">{proposal(finding, t)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Passage({ item, finding: { rule, field, start, end } }: { item: QueueItem; finding: Finding }) {
  const t = useTranslations();
  const passage = field === null ? null : fieldText(item, field)?.slice(start, end);
  if (!field || !passage) return <span>{textFor(ruleHints, rule, t)}</span>;
  // A finding may cover a whole field; don't repeat a long text that is shown above.
  return (
    <span className="min-w-0">
      <q className="font-medium break-words">{shortened(passage)}</q> {fieldLabel(field, t)}
    </span>
  );
}

function shortened(passage: string): string {
  const letters = [...passage];
  return letters.length > 80 ? `${letters.slice(0, 80).join("")}…` : passage;
}

const proposal = ({ suggested, reason: code }: Finding, t: Translate): string => {
  if (code === null) return t("queue.suggestReview");
  const reason = reasonLabel(code, t);
  return suggested === "reject" ? t("queue.suggestReject", { reason }) : t("queue.suggestReviewReason", { reason });
};
