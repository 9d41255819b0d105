import { useTranslations } from "#messages";
import { splitByFindings } from "@/components/moderation/split-by-findings";
import type { Finding } from "@/lib/moderation/rules/schema";
import { ruleLabels } from "@/lib/moderation/rules/values";

/** A field's text with findings highlighted; hovering shows the rule's name. */
export function MarkedText({ text, field, findings }: { text: string; field: string; findings: readonly Finding[] }) {
  const t = useTranslations();
  const own = findings.filter((finding) => finding.field === field);
  if (own.length === 0) return text;
  return splitByFindings(text, own).map(({ text: part, finding }, index) =>
    finding ? (
      <mark
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have no identity and never move
        key={index}
        title={t(ruleLabels[finding.rule])}
        className={
          finding.suggested === "reject"
            ? "rounded-[0.2rem] bg-bad-soft px-0.5 text-bad underline decoration-dotted underline-offset-4"
            : "rounded-[0.2rem] bg-warn-soft px-0.5 text-warn underline decoration-dotted underline-offset-4"
        }
      >
        {part}
      </mark>
    ) : (
      part
    ),
  );
}
