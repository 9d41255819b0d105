import { changesOf, type Draft, type Faults, faultsOf, type Settings, withDraft } from "@/components/settings/model";
import { OwnSettings, settingFaults } from "@/lib/clients/settings";

/** What is wrong with the changes, by the very schema that judges them at the other end. */
export function judge(settings: Settings, draft: Draft): Faults {
  const changes = changesOf(settings, draft);
  const read = OwnSettings.safeParse(changes);
  if (!read.success)
    return read.error.issues.map(({ path, message }) => ({
      field: path.reduce<string>(
        (place, part) =>
          typeof part === "number" ? `${place}[${part}]` : place ? `${place}.${String(part)}` : String(part),
        "",
      ),
      message,
    }));
  return faultsOf(settingFaults(withDraft(settings, draft), new Set(Object.keys(changes))));
}
