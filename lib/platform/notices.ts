import { z } from "zod";
import { type AppError, toPublicIssue } from "@/lib/platform/errors";
import type { Issue, Notice } from "@/lib/platform/issue";

// Messages of runs, deliveries and imports are stored as reasons. Responses contain their English text and the reasons,
// which the portal translates to the reader's language.

/** Notices as JSON in a text column. Any other text is a message of an earlier release. */
export type EncodedNotices = string & { readonly encodedNotices: never };

/** Schema for state stored between runs. */
export const EncodedNotices = z.string() as unknown as z.ZodType<EncodedNotices>;

const JSON_PREFIX = '[{"reason":';

export const encodeNotices = (...notices: readonly [Notice, ...Notice[]]): EncodedNotices => encodeNoticeList(notices);
export const encodeNoticeList = (notices: readonly Notice[]): EncodedNotices =>
  JSON.stringify(
    notices.map(({ reason, params, field }) => ({ reason, params, field: field ?? undefined })),
  ) as EncodedNotices;

/** The issues of an error. */
export const encodeError = ({ issues }: AppError): EncodedNotices => encodeNoticeList(issues);

/** Issues, with field paths relative to `under`. */
export const encodeIssues = (issues: readonly Issue[], under: string): EncodedNotices =>
  encodeNoticeList(
    issues.map((issue) => ({
      ...issue,
      field: issue.field === under ? null : (issue.field?.replace(`${under}.`, "") ?? null),
    })),
  );

/** Joins several into one. Null if there are none. */
export function joinNotices(all: readonly EncodedNotices[]): EncodedNotices | null {
  return all.length === 0 ? null : encodeNoticeList(all.flatMap(decodeNotices));
}

/** Decodes stored notices. Any other text becomes a `verbatim` notice. */
export function decodeNotices(encoded: string): Notice[] {
  const verbatim: Notice[] = [{ reason: "verbatim", params: { message: encoded } }];
  if (!encoded.startsWith(JSON_PREFIX)) return verbatim;
  try {
    return JSON.parse(encoded);
  } catch {
    return verbatim; // a plain text with the same beginning
  }
}

/** Stored notices with their English text, as in responses. */
export const toPublicNotices = (encoded: string) =>
  decodeNotices(encoded).map((notice) => toPublicIssue({ ...notice, field: notice.field ?? null }));

/** By the name of the member that contains their text. */
export type Notices = Record<string, ReturnType<typeof toPublicNotices>>;

/**
 * Replaces stored notices in `members` by English text and adds their reasons as `notices`. Codes and texts of earlier
 * releases stay unchanged.
 */
export function withNotices<T extends object>(row: T, ...members: (keyof T & string)[]): T & { notices?: Notices } {
  const notices: Notices = {};
  const messages: Record<string, string> = {};
  for (const member of members) {
    const encoded = row[member];
    if (typeof encoded !== "string" || !encoded.startsWith(JSON_PREFIX)) continue;
    notices[member] = toPublicNotices(encoded);
    messages[member] = notices[member].map(({ message }) => message).join(" ");
  }
  return Object.keys(notices).length === 0 ? row : { ...row, ...messages, notices };
}
