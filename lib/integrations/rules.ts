import type { z } from "zod";
import type { IntegrationKind } from "@/lib/integrations/kind";
import { type KindName, kinds } from "@/lib/integrations/kinds";
import { parse } from "@/lib/platform/http/issues";
import type { Issue } from "@/lib/platform/issue";

// Rules for settings and credentials, applied before sending and on receipt. Browser-safe.

type Values = Record<string, unknown>;

const kindOf = (kind: KindName): IntegrationKind => kinds[kind];

/** Default settings; required ones are left out. */
export function defaultSettings(kind: KindName): Values {
  const { shape } = kindOf(kind).settings;
  const read = Object.entries(shape).map(([name, setting]) => [name, setting.safeParse(undefined)] as const);
  return Object.fromEntries(read.flatMap(([name, { success, data }]) => (success ? [[name, data]] : [])));
}

export function requiredSecretNames(kind: KindName, settings: Values): readonly string[] {
  const { requiredSecrets, secrets } = kindOf(kind);
  return requiredSecrets?.(settings) ?? Object.keys(secrets.shape);
}

/** Whether stored credentials may be reused: they are only sent to the server that they were entered for. */
export function isSameServer(kind: KindName, settings: Values, before: Values): boolean {
  const { addressOf, addressField } = kindOf(kind);
  // A credential that contains its address is only sent there.
  if (addressField !== undefined) return true;
  const [one, other] = [settings, before].map((values) => originOf(addressOf(values, {})));
  return one !== null && one === other;
}

const originOf = (address: unknown): string | null =>
  typeof address === "string" && URL.canParse(address) ? new URL(address).origin : null;

/** All issues of an input, with their fields. `storedSecrets`: names of credentials that may be left out. */
export function findInputIssues(
  kind: KindName,
  { settings, secrets }: { settings: Values; secrets: Values },
  storedSecrets: readonly string[],
): Issue[] {
  const schemas = kindOf(kind);
  const issues = [
    ...issuesUnder("settings", schemas.settings, settings),
    ...issuesUnder("secrets", schemas.secrets.partial(), secrets),
  ];
  const missing = requiredSecretNames(kind, settings)
    .filter((name) => !(name in secrets) && !storedSecrets.includes(name))
    .map((name): Issue => ({ reason: "required", field: `secrets.${name}` }));
  return [...issues, ...missing];
}

const issuesUnder = (place: string, schema: z.ZodObject, values: Values): Issue[] =>
  (parse(schema, values).issues ?? []).map((issue) => ({ ...issue, field: joinField(place, issue.field) }));

const joinField = (place: string, field: string | null): string => (field === null ? place : `${place}.${field}`);
