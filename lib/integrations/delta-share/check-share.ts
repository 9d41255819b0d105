import { buildCheck } from "@/lib/integrations/build-check";
import type { IntegrationWithSecrets } from "@/lib/integrations/rows";
import type { Check } from "@/lib/integrations/schema";
import type { Notice, Reason } from "@/lib/platform/issue";
import { asShareError, type DeltaShareClient, type TableName } from "./client";
import { findTables, requiredParts } from "./find-tables";
import { readProfile } from "./profile";
import { mapTable } from "./read-table";
import { isProfileRefused, setProfileRefused } from "./refused-profile";
import { ShareError } from "./share-error";
import { type Mapping, type PartName, partNames, parts } from "./share-tables";
import { createDeltaShareClient } from "./sync-share";

/**
 * Tests a client's data share: whether the profile is accepted, where the tables are, and whether their columns can be
 * mapped. Reads no rows. Missing optional tables aren't failures.
 */
export async function checkShare(integration: IntegrationWithSecrets<"share">): Promise<Check[]> {
  const { settings, secrets } = integration;
  const { expirationTime } = readProfile(secrets.profile);
  const ends = expirationTime ? Date.parse(expirationTime) : Number.POSITIVE_INFINITY;
  const day = expirationTime?.slice(0, 10) ?? "";
  if (ends < Date.now()) return [failed("Profile", { reason: "profile_ended", params: { day } })];
  const checks: Check[] = [];
  try {
    const share = createDeltaShareClient({ secrets }, { retryDelays: [], timeout: 15_000 });
    const { found, missing } = await findTables(share, settings);
    if (isProfileRefused(integration)) await setProfileRefused(integration, false);
    const soon = ends - Date.now() < 30 * 86_400_000;
    checks.push(
      passed("Profile", soon ? { reason: "profile_ends_soon", params: { day } } : { reason: "share_reached" }),
    );
    if (missing) return [...checks, failed("Tables", missing)];
    const names = partNames.flatMap((part) => (found[part] ? `${found[part].schema}.${found[part].name}` : []));
    checks.push(passed("Tables", { reason: "share_tables_found", params: { names: names.join(", ") } }));
    for (const part of partNames) {
      const table = found[part];
      if (table) checks.push(await checkTable(share, part, table, settings.columns[part]));
      else checks.push(passed(titles[part], ...missingPartNotice(part)));
    }
  } catch (error) {
    const shareError = asShareError(error);
    if (!shareError) throw error;
    checks.push(failed(checks.length === 0 ? "Profile" : "Tables", ...shareError.issues));
  }
  return checks;
}

async function checkTable(
  share: DeltaShareClient,
  part: PartName,
  table: TableName,
  columnSettings: Record<string, string | null>,
): Promise<Check> {
  try {
    const mapping = mapTable(part, table, await share.metadata(table), columnSettings);
    const { unknown } = mapping;
    if (unknown.length === 0) return passed(titles[part], ...describeMapping(part, mapping));
    const missing: Notice = { reason: "unknown_columns", params: { names: unknown.join(", ") } };
    return failed(titles[part], ...describeMapping(part, mapping), missing);
  } catch (error) {
    if (!(error instanceof ShareError)) throw error;
    if (error.kind === "busy" || error.kind === "credential" || requiredParts.includes(part))
      return failed(titles[part], ...error.issues);
    return passed(titles[part], ...missingPartNotice(part), ...error.issues);
  }
}

/** Column of each field, and the fields without one. */
function describeMapping(part: PartName, { columns }: Mapping): Notice[] {
  const mapped = Object.entries(columns).map(([field, column]) => `${field} = ${column}`);
  const unmappedFields = Object.keys(parts[part].fields).filter((field) => !(field in columns));
  const found: Notice = { reason: "columns_mapped", params: { mapping: mapped.join(", ") } };
  return unmappedFields.length > 0
    ? [found, { reason: "fields_without_column", params: { fields: unmappedFields.join(", ") } }]
    : [found];
}

const titles: Record<PartName, string> = {
  stores: "Stores",
  articles: "Articles",
  contacts: "Contacts",
  receipts: "Receipts",
  items: "Receipt items",
};
const missingPartReasons: Partial<Record<PartName, Reason>> = {
  stores: "share_without_stores",
  articles: "share_without_articles",
};

/** Consequences of a missing table. */
const missingPartNotice = (part: PartName): Notice[] => {
  const reason = missingPartReasons[part];
  return reason ? [{ reason }] : [];
};

const passed = (name: string, ...notices: Notice[]): Check => buildCheck(name, true, ...notices);
const failed = (name: string, ...notices: Notice[]): Check => buildCheck(name, false, ...notices);
