import type { Check } from "@/lib/integrations/schema";
import { toldIssue } from "@/lib/platform/errors";
import type { Notice, Reason } from "@/lib/platform/issue";
import { type Kept, keepAll } from "@/lib/platform/notices";

/** What a test of a connection found at one point. */
export function checkOf(name: string, ok: boolean, ...notices: readonly Notice[]): Check {
  const told = notices.map((notice) => toldIssue({ ...notice, field: null }));
  return { name, ok, message: told.map(({ message }) => message).join(" "), notices: { message: told } };
}

/** The same, to be kept. */
export const keptOf = ({ notices }: Check): Kept =>
  keepAll((notices?.message ?? []).map(({ reason, params }) => ({ reason: reason as Reason, params })));
