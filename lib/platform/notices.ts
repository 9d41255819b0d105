import { z } from "zod";
import { type AppError, toPublicIssue } from "@/lib/platform/errors";
import { englishOf } from "@/lib/platform/i18n/english-errors";
import type { Issue, Notice } from "@/lib/platform/issue";

// What a run, a delivery or an import has to say is kept as reasons, and becomes sentences when it is read: in English in
// answers, with the reasons beside it, of which the portal makes the reader's language.

/** Notices where a text is kept: JSON. A text that is no such JSON is a sentence that an earlier release kept. */
export type EncodedNotices = string & { readonly kept: never };

/** Of what is remembered between runs. */
export const EncodedNotices = z.string() as unknown as z.ZodType<EncodedNotices>;

const JSON_PREFIX = '[{"reason":';

export const encodeNotices = (...notices: readonly [Notice, ...Notice[]]): EncodedNotices => encodeNoticeList(notices);
export const encodeNoticeList = (notices: readonly Notice[]): EncodedNotices =>
  JSON.stringify(
    notices.map(({ reason, params, field }) => ({ reason, params, field: field ?? undefined })),
  ) as EncodedNotices;

/** What an error says. */
export const encodeError = ({ issues }: AppError): EncodedNotices => encodeNoticeList(issues);

/** What is wrong with something, each at its place within `under`. */
export const encodeIssues = (issues: readonly Issue[], under: string): EncodedNotices =>
  encodeNoticeList(
    issues.map((issue) => ({
      ...issue,
      field: issue.field === under ? null : (issue.field?.replace(`${under}.`, "") ?? null),
    })),
  );

/** Several of them as one; null for none. */
export function joinNotices(all: readonly EncodedNotices[]): EncodedNotices | null {
  return all.length === 0 ? null : encodeNoticeList(all.flatMap(decodeNotices));
}

/** What is kept, as notices. */
export function decodeNotices(kept: string): Notice[] {
  const verbatim: Notice[] = [{ reason: "verbatim", params: { message: kept } }];
  if (!kept.startsWith(JSON_PREFIX)) return verbatim;
  try {
    return JSON.parse(kept);
  } catch {
    return verbatim; // a sentence that only begins like it
  }
}

/** What is kept, in English. */
export const toEnglish = (kept: string): string => decodeNotices(kept).map(noticeToEnglish).join(" ");

const noticeToEnglish = (notice: Notice): string => englishOf({ ...notice, field: notice.field ?? null });

/** By the member whose sentence is made of them. */
export type Notices = Record<string, ReturnType<typeof toPublicIssue>[]>;

/**
 * An answer some members of which hold what is kept: it becomes English, and `notices` tells what that is made of. Codes and
 * sentences of earlier releases stay as they are.
 */
export function withNotices<T extends object>(row: T, ...members: (keyof T & string)[]): T & { notices?: Notices } {
  const notices: Notices = {};
  const messages: Record<string, string> = {};
  for (const member of members) {
    const kept = row[member];
    if (typeof kept !== "string" || !kept.startsWith(JSON_PREFIX)) continue;
    const publicIssues = decodeNotices(kept).map((notice) => toPublicIssue({ ...notice, field: notice.field ?? null }));
    notices[member] = publicIssues;
    messages[member] = publicIssues.map(({ message }) => message).join(" ");
  }
  return Object.keys(notices).length === 0 ? row : { ...row, ...messages, notices };
}
