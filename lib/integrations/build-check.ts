import type { Check } from "@/lib/integrations/schema";
import { toPublicIssue } from "@/lib/platform/errors";
import type { Notice, Reason } from "@/lib/platform/issue";
import { type EncodedNotices, encodeNoticeList } from "@/lib/platform/notices";

/** Result of one step of a connection test. */
export function buildCheck(name: string, ok: boolean, ...notices: readonly Notice[]): Check {
  const issues = notices.map((notice) => toPublicIssue({ ...notice, field: null }));
  return { name, ok, message: issues.map(({ message }) => message).join(" "), notices: { message: issues } };
}

/** A check's notices, encoded for storage. */
export const checkNotice = ({ notices }: Check): EncodedNotices =>
  encodeNoticeList((notices?.message ?? []).map(({ reason, params }) => ({ reason: reason as Reason, params })));
