import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { type ClientSettings, settingIssues } from "@/lib/accounts/stores/settings";
import { RehearsalQuery, RehearsalSettings } from "@/lib/invitations/schema";
import { parse } from "@/lib/platform/http/issues";
import type { Issue } from "@/lib/platform/issue";

const names = Object.keys(RehearsalSettings.shape) as (keyof RehearsalSettings)[];

type Read = {
  asked: { days: number };
  /** the settings that differ from the client's */
  changes: RehearsalSettings;
  /** what is wrong, by field; nothing is to be rehearsed then */
  issues: Map<string, Issue>;
};

/** Reads what a rehearsal's address asks for, and judges the settings with the client's others. */
export function readRehearsal(client: ClientRow, value: (name: string) => string | undefined): Read {
  const given = Object.fromEntries(["days", ...names].map((name) => [name, value(name)]));
  const issues = new Map<string, Issue>();
  const read = parse(RehearsalQuery, given);
  if (read.issues) {
    for (const issue of read.issues) issues.set(issue.field ?? "", issue);
    return { asked: { days: 30 }, changes: {}, issues };
  }
  const { days, ...settings } = read.data;
  // An emptied quarantine is the default's; any other field left empty says nothing.
  const meant = { ...settings, ...(given.quarantine_period?.trim() === "" && { quarantine_period: null }) };
  const changes = Object.fromEntries(
    names.flatMap((name) => (meant[name] === undefined || meant[name] === client[name] ? [] : [[name, meant[name]]])),
  ) as RehearsalSettings;
  const together = { ...(client as unknown as ClientSettings), ...changes };
  for (const issue of settingIssues(together, new Set(Object.keys(changes))))
    if (issue.field !== null && issue.field in changes) issues.set(issue.field, issue);
  return { asked: { days }, changes, issues };
}
