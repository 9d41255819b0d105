import { changesOf, type Draft, type Settings, withDraft } from "@/components/settings/model";
import { settingFaults, shapeFaults } from "@/lib/accounts/stores/settings";

/** What is wrong with the changes, by the very schema that judges them at the other end. */
export function judge(settings: Settings, draft: Draft): ReturnType<typeof shapeFaults> {
  const changes = changesOf(settings, draft);
  const faults = shapeFaults(changes);
  return faults.length > 0 ? faults : settingFaults(withDraft(settings, draft), new Set(Object.keys(changes)));
}
