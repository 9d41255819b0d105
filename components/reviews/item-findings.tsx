import { ScanSearch } from "lucide-react";
import { placeOf, ruleHints, textOf } from "@/components/reviews/findings";
import { reasonWords } from "@/components/reviews/words";
import { Badge } from "@/components/ui/badge";
import { type Finding, ruleTitles } from "@/lib/auto-moderation/schema";
import type { QueueItem } from "@/lib/queue/schema";

type Props = { item: QueueItem; heading: "h2" | "h3" };

/** Why the rules did not accept an item by themselves: each rule in words, its passage, and what it proposes. */
export function ItemFindings({ item, heading: Heading }: Props) {
  if (item.findings.length === 0) return null;
  return (
    <section
      aria-labelledby={`findings-${item.id}`}
      className="mt-5 rounded-control border border-line bg-surface px-4 py-3"
    >
      <Heading id={`findings-${item.id}`} className="flex items-center gap-2 text-sm font-medium">
        <ScanSearch aria-hidden="true" className="size-4 text-muted" />
        {item.accepted === null ? "Left to a person by the rules" : "What the rules found"}
      </Heading>
      <ul className="mt-2 flex flex-col gap-2 text-sm">
        {item.findings.map((finding) => (
          <li
            key={`${finding.rule} ${finding.field} ${finding.start}`}
            className="flex flex-wrap items-baseline gap-x-2.5 gap-y-1"
          >
            <Badge tone={finding.suggested === "reject" ? "bad" : "warn"}>{ruleTitles[finding.rule]}</Badge>
            <Passage item={item} finding={finding} />
            <span className="text-muted">{proposal(finding)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Passage({ item, finding: { rule, field, start, end } }: { item: QueueItem; finding: Finding }) {
  const passage = field === null ? null : textOf(item, field)?.slice(start, end);
  if (!field || !passage) return <span>{ruleHints[rule]}</span>;
  // A rule may mean a whole field; what the reader sees above need not stand here once more.
  return (
    <span className="min-w-0">
      <q className="font-medium break-words">{shortened(passage)}</q> {placeOf(field)}
    </span>
  );
}

function shortened(passage: string): string {
  const letters = [...passage];
  return letters.length > 80 ? `${letters.slice(0, 80).join("")}…` : passage;
}

const proposal = ({ suggested, reason }: Finding): string =>
  reason === null
    ? "Suggested: have a look"
    : suggested === "reject"
      ? `Suggested: reject – ${reasonWords(reason)}`
      : `Suggested: have a look – ${reasonWords(reason)}?`;
