import type { z } from "zod";
import type { IntegrationKind } from "@/lib/integrations/kind";
import { type KindName, kinds } from "@/lib/integrations/kinds";
import { parse } from "@/lib/platform/http/issues";
import type { Issue } from "@/lib/platform/issue";

// What holds of settings and credentials before they are sent and when they arrive. Browser-safe.

type Values = Record<string, unknown>;

const kindOf = (kind: KindName): IntegrationKind => kinds[kind];

/** Settings as they are where nobody says otherwise; what has to be said is left out. */
export function defaultSettings(kind: KindName): Values {
  const { shape } = kindOf(kind).settings;
  const read = Object.entries(shape).map(([name, setting]) => [name, setting.safeParse(undefined)] as const);
  return Object.fromEntries(read.flatMap(([name, { success, data }]) => (success ? [[name, data]] : [])));
}

export function requiredSecretNames(kind: KindName, settings: Values): readonly string[] {
  const { requiredSecrets, secrets } = kindOf(kind);
  return requiredSecrets?.(settings) ?? Object.keys(secrets.shape);
}

/** Whether kept credentials may go on being used: they are sent to the server that they were given for, and to no other. */
export function isSameServer(kind: KindName, settings: Values, before: Values): boolean {
  const { addressOf, addressField } = kindOf(kind);
  // A credential that bears its address itself goes nowhere else.
  if (addressField !== undefined) return true;
  const [one, other] = [settings, before].map((values) => originOf(addressOf(values, {})));
  return one !== null && one === other;
}

const originOf = (address: unknown): string | null =>
  typeof address === "string" && URL.canParse(address) ? new URL(address).origin : null;

/** Every issue of what is about to be sent, at its place in the body. `kept`: credentials that may stay as they are. */
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
