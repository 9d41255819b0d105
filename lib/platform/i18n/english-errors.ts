import { messageFormatter } from "@/lib/platform/i18n/message-formatter";
import errors from "@/lib/platform/i18n/messages/en/errors.json";
import programErrors from "@/lib/platform/i18n/messages/en/program-errors.json";
import type { Issue, Params, Reason } from "@/lib/platform/issue";

const format = messageFormatter("en", { ...errors, ...programErrors });

/**
 * The API's sentence about an issue: it names the field as programs do. The reason itself where no sentence can be made of it:
 * rows keep reasons for longer than a release keeps a message and its parameters.
 */
export function englishOf({ reason, params, field }: Pick<Issue, "reason" | "params" | "field">): string {
  try {
    return format(reason, { field: field ?? "The body", ...params }) ?? reason;
  } catch {
    return reason;
  }
}

/** The English of a reason that is about no field. */
export const englishReason = (reason: Reason, params?: Params): string => englishOf({ reason, params, field: null });
