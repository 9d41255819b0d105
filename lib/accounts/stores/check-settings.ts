import { ClientSettings } from "@/lib/accounts/stores/settings";
import { throwIssues } from "@/lib/platform/errors";
import { validate } from "@/lib/platform/http/validate";

/** Validates each setting by itself. Throws `invalid_field` with all issues. */
export function checkSettings(changes: Record<string, unknown>): Partial<ClientSettings> {
  throwIssues(
    Object.keys(changes)
      .filter((field) => !(field in ClientSettings.shape))
      .map((field) => ({ field, reason: "not_a_setting" })),
  );
  return validate(ClientSettings.partial(), changes, "invalid_field");
}
