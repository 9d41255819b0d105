import type { PublicIssue, TranslateNotices } from "@/lib/platform/http/client";

export type WithNotices = { readonly notices?: Readonly<Record<string, readonly PublicIssue[]>> };

/** Translates the notices of an object with `translate`. */
export function translateNoticeFields<T extends WithNotices>(record: T, translate: TranslateNotices): T {
  const translated = Object.entries(record.notices ?? {}).map(([member, notices]) => [member, translate(notices)]);
  return { ...record, ...Object.fromEntries(translated) };
}
