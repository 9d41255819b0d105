import { ScanSearch } from "lucide-react";
import { useWords } from "#words";
import { placeOf, ruleHints, textOf } from "@/components/moderation/findings";
import { reasonWords } from "@/components/moderation/reasons";
import { Badge } from "@/components/ui/badge";
import type { QueueItem } from "@/lib/moderation/queue/schema";
import type { Finding } from "@/lib/moderation/rules/schema";
import { ruleTitles } from "@/lib/moderation/rules/values";
import type { Words } from "@/lib/platform/i18n/rules";

type Props = { item: QueueItem; heading: "h2" | "h3" };

/** Why the rules did not accept an item by themselves: each rule in words, its passage, and what it proposes. */
export function ItemFindings({ item, heading: Heading }: Props) {
  const t = useWords();
  if (item.findings.length === 0) return null;
  return (
    <section
      aria-labelledby={`findings-${item.id}`}
      className="mt-5 rounded-control border border-line bg-surface px-4 py-3"
    >
      <Heading id={`findings-${item.id}`} className="flex items-center gap-2 text-sm font-medium">
        <ScanSearch aria-hidden="true" className="size-4 text-muted" />
        {item.accepted === null ? t("Left to a person by the rules") : t("What the rules found")}
      </Heading>
      <ul className="mt-2 flex flex-col gap-2 text-sm">
        {item.findings.map((finding) => (
          <li
            key={`${finding.rule} ${finding.field} ${finding.start}`}
            className="flex flex-wrap items-baseline gap-x-2.5 gap-y-1"
          >
            <Badge tone={finding.suggested === "reject" ? "bad" : "warn"}>{t(ruleTitles[finding.rule])}</Badge>
            <Passage item={item} finding={finding} />
            <span className="text-muted">{proposal(finding, t)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Passage({ item, finding: { rule, field, start, end } }: { item: QueueItem; finding: Finding }) {
  const t = useWords();
  const passage = field === null ? null : textOf(item, field)?.slice(start, end);
  if (!field || !passage) return <span>{t(ruleHints[rule] ?? "")}</span>;
  // A rule may mean a whole field; what the reader sees above need not stand here once more.
  return (
    <span className="min-w-0">
      <q className="font-medium break-words">{shortened(passage)}</q> {placeOf(field, t)}
    </span>
  );
}

function shortened(passage: string): string {
  const letters = [...passage];
  return letters.length > 80 ? `${letters.slice(0, 80).join("")}…` : passage;
}

const proposal = ({ suggested, reason: code }: Finding, t: Words): string => {
  if (code === null) return t("Suggested: have a look");
  const reason = reasonWords(code, t);
  return suggested === "reject"
    ? t("Suggested: reject – {reason}", { reason })
    : t("Suggested: have a look – {reason}?", { reason });
};
