import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { type ClientSettings, settingIssues } from "@/lib/accounts/stores/settings";
import { RehearsalQuery, RehearsalSettings } from "@/lib/invitations/schema";
import { issueMessage } from "@/lib/platform/http/validate";

const names = Object.keys(RehearsalSettings.shape) as (keyof RehearsalSettings)[];

type Read = {
  asked: { days: number };
  /** the settings that differ from the client's */
  changes: RehearsalSettings;
  /** what is wrong, by field; nothing is to be rehearsed then */
  issues: Map<string, string>;
};

/** Reads what a rehearsal's address asks for, and judges the settings with the client's others. */
export function readRehearsal(client: ClientRow, value: (name: string) => string | undefined): Read {
  const given = Object.fromEntries(["days", ...names].map((name) => [name, value(name)]));
  const issues = new Map<string, string>();
  const read = RehearsalQuery.safeParse(given);
  if (!read.success) {
    for (const issue of read.error.issues) issues.set(String(issue.path[0]), issueMessage(issue));
    return { asked: { days: 30 }, changes: {}, issues };
  }
  const { days, ...settings } = read.data;
  // An emptied quarantine is the default's; any other field left empty says nothing.
  const meant = { ...settings, ...(given.quarantine_period?.trim() === "" && { quarantine_period: null }) };
  const changes = Object.fromEntries(
    names.flatMap((name) => (meant[name] === undefined || meant[name] === client[name] ? [] : [[name, meant[name]]])),
  ) as RehearsalSettings;
  const together = { ...(client as unknown as ClientSettings), ...changes };
  for (const { field, message } of settingIssues(together, new Set(Object.keys(changes))))
    if (field !== null && field in changes) issues.set(field, message);
  return { asked: { days }, changes, issues };
}
