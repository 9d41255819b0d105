import { checkOf } from "@/lib/integrations/check-of";
import type { Opened } from "@/lib/integrations/rows";
import type { Check } from "@/lib/integrations/schema";
import type { Notice, Reason } from "@/lib/platform/issue";
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
  const day = expirationTime?.slice(0, 10) ?? "";
  if (ends < Date.now()) return [failed("Profile", { reason: "profile_ended", params: { day } })];
  const checks: Check[] = [];
  try {
    const share = shareOf({ secrets }, { waits: [], timeout: 15_000 });
    const { found, lacking } = await findTables(share, settings);
    if (isRefused(integration)) await noteRefused(integration, false);
    const soon = ends - Date.now() < 30 * 86_400_000;
    checks.push(
      passed("Profile", soon ? { reason: "profile_ends_soon", params: { day } } : { reason: "share_reached" }),
    );
    if (lacking) return [...checks, failed("Tables", lacking)];
    const names = partNames.flatMap((part) => (found[part] ? `${found[part].schema}.${found[part].name}` : []));
    checks.push(passed("Tables", { reason: "share_tables_found", params: { names: names.join(", ") } }));
    for (const part of partNames) {
      const table = found[part];
      if (table) checks.push(await checkTable(share, part, table, settings.columns[part]));
      else checks.push(passed(titles[part], ...lost(part)));
    }
  } catch (error) {
    const fault = asFault(error);
    if (!fault) throw error;
    checks.push(failed(checks.length === 0 ? "Profile" : "Tables", ...fault.issues));
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
    const { unknown } = mapping;
    if (unknown.length === 0) return passed(titles[part], ...story(part, mapping));
    const lacking: Notice = { reason: "unknown_columns", params: { names: unknown.join(", ") } };
    return failed(titles[part], ...story(part, mapping), lacking);
  } catch (error) {
    if (!(error instanceof ShareFault)) throw error;
    if (error.kind === "busy" || error.kind === "credential" || neededParts.includes(part))
      return failed(titles[part], ...error.issues);
    return passed(titles[part], ...lost(part), ...error.issues);
  }
}

/** Which column is what, and what is not known without one. */
function story(part: PartName, { columns }: Mapping): Notice[] {
  const mapped = Object.entries(columns).map(([field, column]) => `${field} = ${column}`);
  const lost = Object.keys(parts[part].fields).filter((field) => !(field in columns));
  const found: Notice = { reason: "columns_mapped", params: { mapping: mapped.join(", ") } };
  return lost.length > 0 ? [found, { reason: "fields_without_column", params: { fields: lost.join(", ") } }] : [found];
}

const titles: Record<PartName, string> = {
  stores: "Stores",
  articles: "Articles",
  contacts: "Contacts",
  receipts: "Receipts",
  items: "Receipt items",
};
const without: Partial<Record<PartName, Reason>> = {
  stores: "share_without_stores",
  articles: "share_without_articles",
};

/** What is lost without a part. */
const lost = (part: PartName): Notice[] => {
  const reason = without[part];
  return reason ? [{ reason }] : [];
};

const passed = (name: string, ...notices: Notice[]): Check => checkOf(name, true, ...notices);
const failed = (name: string, ...notices: Notice[]): Check => checkOf(name, false, ...notices);
