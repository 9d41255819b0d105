import type { Finding } from "@/lib/moderation/rules/schema";

/** Splits a text into pieces, each with the finding that marks it, if any. Ignores findings that don't fit the text. */
export function splitByFindings(
  text: string,
  findings: readonly Finding[],
): { text: string; finding: Finding | null }[] {
  const parts: { text: string; finding: Finding | null }[] = [];
  let at = 0;
  for (const finding of [...findings].sort((a, b) => a.start - b.start)) {
    if (finding.start < at || finding.end > text.length) continue;
    parts.push({ text: text.slice(at, finding.start), finding: null });
    parts.push({ text: text.slice(finding.start, finding.end), finding });
    at = finding.end;
  }
  parts.push({ text: text.slice(at), finding: null });
  return parts.filter((part) => part.text !== "");
}
