import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { type ClientSettings, settingIssues } from "@/lib/accounts/stores/settings";
import { SendSettings, SimulationQuery } from "@/lib/invitations/schema";
import { parse } from "@/lib/platform/http/issues";
import type { Issue } from "@/lib/platform/issue";

const names = Object.keys(SendSettings.shape) as (keyof SendSettings)[];

type SimulationInput = {
  query: { days: number };
  /** the settings that differ from the client's */
  changes: SendSettings;
  /** issues by field; if there are any, nothing is simulated */
  issues: Map<string, Issue>;
};

/** Parses a simulation's query, and validates the settings together with the client's others. */
export function readSimulationInput(client: ClientRow, value: (name: string) => string | undefined): SimulationInput {
  const given = Object.fromEntries(["days", ...names].map((name) => [name, value(name)]));
  const issues = new Map<string, Issue>();
  const read = parse(SimulationQuery, given);
  if (read.issues) {
    for (const issue of read.issues) issues.set(issue.field ?? "", issue);
    return { query: { days: 30 }, changes: {}, issues };
  }
  const { days, ...settings } = read.data;
  // An empty cooldown means the default; any other empty field means unchanged.
  const withDefaults = { ...settings, ...(given.quarantine_period?.trim() === "" && { quarantine_period: null }) };
  const changes = Object.fromEntries(
    names.flatMap((name) =>
      withDefaults[name] === undefined || withDefaults[name] === client[name] ? [] : [[name, withDefaults[name]]],
    ),
  ) as SendSettings;
  const together = { ...(client as unknown as ClientSettings), ...changes };
  for (const issue of settingIssues(together, new Set(Object.keys(changes))))
    if (issue.field !== null && issue.field in changes) issues.set(issue.field, issue);
  return { query: { days }, changes, issues };
}
