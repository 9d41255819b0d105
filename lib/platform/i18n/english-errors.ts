import { messageFormatter } from "@/lib/platform/i18n/message-formatter";
import errors from "@/lib/platform/i18n/messages/en/errors.json";
import programErrors from "@/lib/platform/i18n/messages/en/program-errors.json";
import type { Issue, Params, Reason } from "@/lib/platform/issue";

const format = messageFormatter("en", { ...errors, ...programErrors });

/**
 * The API's message of an issue, with the field's path. Returns the reason itself if there is no such message: stored
 * reasons may come from a release with other messages and parameters.
 */
export function englishOf({ reason, params, field }: Pick<Issue, "reason" | "params" | "field">): string {
  try {
    return format(reason, { field: field ?? "The body", ...params }) ?? reason;
  } catch {
    return reason;
  }
}

/** The English message of a reason without a field. */
export const englishReason = (reason: Reason, params?: Params): string => englishOf({ reason, params, field: null });
