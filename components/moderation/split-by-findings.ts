import type { Finding } from "@/lib/moderation/rules/schema";

/** A text in pieces: as it is, or with the finding that marks it. Findings of another text than this are left out. */
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
