import { changesOf, type Draft, type Settings, withDraft } from "@/components/settings/settings-draft";
import { settingIssues, shapeIssues } from "@/lib/accounts/stores/settings";

/** The issues of the changes, found with the service's own schema. */
export function validateDraft(settings: Settings, draft: Draft): ReturnType<typeof shapeIssues> {
  const changes = changesOf(settings, draft);
  const issues = shapeIssues(changes);
  return issues.length > 0 ? issues : settingIssues(withDraft(settings, draft), new Set(Object.keys(changes)));
}
