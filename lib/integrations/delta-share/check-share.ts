import type { Opened } from "@/lib/integrations/rows";
import type { Check } from "@/lib/integrations/schema";
import { findTables, neededParts } from "./find-tables";
import { type Mapping, type PartName, partNames, parts } from "./parts";
import { readProfile } from "./profile";
import { ShareFault } from "./read-fault";
import { mapTable } from "./read-table";
import { isRefused, noteRefused } from "./refused-profile";
import { asFault, type Share, type TableName } from "./share";
import { shareOf } from "./sync-share";

/**
 * Tries a client's data share: whether the profile is taken, where the tables are, and whether their columns are
 * understood. Nothing of what they hold is read. What orders can come in without says so and is no failure.
 */
export async function checkShare(integration: Opened<"share">): Promise<Check[]> {
  const { settings, secrets } = integration;
  const { expirationTime } = readProfile(secrets.profile);
  const ends = expirationTime ? Date.parse(expirationTime) : Number.POSITIVE_INFINITY;
  if (ends < Date.now())
    return [failed("Profile", `The profile ended on ${expirationTime?.slice(0, 10)}. Ask for a new activation link.`)];
  const checks: Check[] = [];
  try {
    const share = shareOf({ secrets }, { waits: [], timeout: 15_000 });
    const { found, lacking } = await findTables(share, settings);
    if (isRefused(integration)) await noteRefused(integration, false);
    const soon = ends - Date.now() < 30 * 86_400_000;
    checks.push(
      passed("Profile", soon ? `It is taken, and ends on ${expirationTime?.slice(0, 10)}.` : "The share lets us in."),
    );
    if (lacking) return [...checks, failed("Tables", lacking)];
    const names = partNames.flatMap((part) => (found[part] ? `${found[part].schema}.${found[part].name}` : []));
    checks.push(passed("Tables", `They are ${names.join(", ")}.`));
    for (const part of partNames) {
      const table = found[part];
      if (table) checks.push(await checkTable(share, part, table, settings.columns[part]));
      else checks.push(passed(titles[part], without[part] ?? ""));
    }
  } catch (error) {
    const fault = asFault(error);
    if (!fault) throw error;
    checks.push(failed(checks.length === 0 ? "Profile" : "Tables", fault.message));
  }
  return checks;
}

async function checkTable(
  share: Share,
  part: PartName,
  table: TableName,
  set: Record<string, string | null>,
): Promise<Check> {
  try {
    const mapping = mapTable(part, table, await share.metadata(table), set);
    const unknown = mapping.unknown.length > 0 ? ` There is no column ${mapping.unknown.join(", ")}.` : "";
    return {
      name: titles[part],
      ok: unknown === "",
      message: `${story(part, mapping)}${unknown}`,
    };
  } catch (error) {
    if (!(error instanceof ShareFault)) throw error;
    if (error.kind === "busy" || error.kind === "credential" || neededParts.includes(part))
      return failed(titles[part], error.message);
    return passed(titles[part], `${without[part]} ${error.message}`);
  }
}

/** Which column is what, and what is not known without one. */
function story(part: PartName, { columns }: Mapping): string {
  const mapped = Object.entries(columns).map(([field, column]) => `${field} = ${column}`);
  const lost = Object.keys(parts[part].fields).filter((field) => !(field in columns));
  return `${mapped.join(", ")}.${lost.length > 0 ? ` Without a column: ${lost.join(", ")}.` : ""}`;
}

const titles: Record<PartName, string> = {
  stores: "Stores",
  articles: "Articles",
  contacts: "Contacts",
  receipts: "Receipts",
  items: "Receipt items",
};
const without: Partial<Record<PartName, string>> = {
  stores: "Without stores every receipt counts as bought online.",
  articles: "Without articles the names and families of items are left to the catalogue.",
};

const passed = (name: string, message: string): Check => ({
  name,
  ok: true,
  message,
});
const failed = (name: string, message: string): Check => ({
  name,
  ok: false,
  message,
});
