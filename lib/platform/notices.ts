import { z } from "zod";
import { type AppError, toldIssue } from "@/lib/platform/errors";
import { englishOf } from "@/lib/platform/i18n/english-errors";
import type { Issue, Notice } from "@/lib/platform/issue";

// What a run, a delivery or an import has to say is kept as reasons, and becomes sentences when it is read: in English in
// answers, with the reasons beside it, of which the portal makes the reader's language.

/** Notices where a text is kept: JSON. A text that is no such JSON is a sentence that an earlier release kept. */
export type Kept = string & { readonly kept: never };

/** Of what is remembered between runs. */
export const Kept = z.string() as unknown as z.ZodType<Kept>;

const START = '[{"reason":';

export const keep = (...notices: readonly [Notice, ...Notice[]]): Kept => keepAll(notices);
export const keepAll = (notices: readonly Notice[]): Kept =>
  JSON.stringify(notices.map(({ reason, params, field }) => ({ reason, params, field: field ?? undefined }))) as Kept;

/** What an error says. */
export const keepError = ({ issues }: AppError): Kept => keepAll(issues);

/** What is wrong with something, each at its place within `under`. */
export const keepIssues = (issues: readonly Issue[], under: string): Kept =>
  keepAll(
    issues.map((issue) => ({
      ...issue,
      field: issue.field === under ? null : (issue.field?.replace(`${under}.`, "") ?? null),
    })),
  );

/** Several of them as one; null for none. */
export function joinKept(all: readonly Kept[]): Kept | null {
  return all.length === 0 ? null : keepAll(all.flatMap(noticesIn));
}

/** What is kept, as notices. */
export function noticesIn(kept: string): Notice[] {
  const verbatim: Notice[] = [{ reason: "verbatim", params: { message: kept } }];
  if (!kept.startsWith(START)) return verbatim;
  try {
    return JSON.parse(kept);
  } catch {
    return verbatim; // a sentence that only begins like it
  }
}

/** What is kept, in English. */
export const englishOfKept = (kept: string): string => noticesIn(kept).map(sentenceOf).join(" ");

const sentenceOf = (notice: Notice): string => englishOf({ ...notice, field: notice.field ?? null });

/** By the member whose sentence is made of them. */
export type Notices = Record<string, ReturnType<typeof toldIssue>[]>;

/**
 * An answer some members of which hold what is kept: it becomes English, and `notices` tells what that is made of. Codes and
 * sentences of earlier releases stay as they are.
 */
export function withNotices<T extends object>(row: T, ...members: (keyof T & string)[]): T & { notices?: Notices } {
  const notices: Notices = {};
  const said: Record<string, string> = {};
  for (const member of members) {
    const kept = row[member];
    if (typeof kept !== "string" || !kept.startsWith(START)) continue;
    const told = noticesIn(kept).map((notice) => toldIssue({ ...notice, field: notice.field ?? null }));
    notices[member] = told;
    said[member] = told.map(({ message }) => message).join(" ");
  }
  return Object.keys(notices).length === 0 ? row : { ...row, ...said, notices };
}
