import { type Decider, deciders, decisionTypes, type Entry, loggedKinds, plainTypes } from "@/lib/honesty/entry";
import { parseVerifier } from "@/lib/honesty/log/signed-note";

// Reads entries strictly: a log can't have a field that nobody checks. Without packages, since the verifier is one file.

type IsValid = (value: unknown) => boolean;
type Fields = Record<string, IsValid>;
type Form = { required: Fields; optional?: Fields };

const matches =
  (pattern: RegExp): IsValid =>
  (value) =>
    typeof value === "string" && pattern.test(value);
const oneOf =
  (values: readonly string[]): IsValid =>
  (value) =>
    values.includes(value as string);
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isCount: IsValid = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isStars: IsValid = (value) => isCount(value) && (value as number) >= 1 && (value as number) <= 5;
const isCode = matches(/^[a-z0-9_]{1,60}$/);
const isHash = matches(/^[0-9a-f]{64}$/);
const isDate = (text: string): boolean =>
  !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text.replace(/Z$/, ""));
const isTime: IsValid = (value) => matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)(value) && isDate(value as string);
const isDay: IsValid = (value) => matches(/^\d{4}-\d\d-\d\d$/)(value) && isDate(value as string);
const isVerifierKey: IsValid = (value) => {
  try {
    return typeof value === "string" && parseVerifier(value).name !== "";
  } catch {
    return false; // throws for what isn't a key
  }
};

const about: Fields = { kind: oneOf(loggedKinds), item: matches(/^[0-9a-f]{32}$/) };
const by: Fields = { by: oneOf(deciders satisfies readonly Decider[]) };
const isImported = oneOf(["reviews", "seller_reviews", "questions"]);
const content: Fields = { stars: isStars, content: isHash };

const forms: Record<Entry["type"], Form> = {
  received: {
    required: about,
    optional: {
      ...content,
      source: oneOf(["invitation", "web", "collect", "api", "import"]),
      verified: oneOf(["buyer", "email"]),
      incentivized: (value) => value === true,
      unconfirmed: (value) => value === true,
    },
  },
  edited: {
    required: { ...about, ...by, fields: (value) => Array.isArray(value) && value.every(isCode) },
    optional: { ...content, incentivized: (value) => typeof value === "boolean" },
  },
  deleted: { required: { ...about, ...by } },
  invitations: {
    required: {
      day: isDay,
      sent: isCount,
      skipped: (value) =>
        isObject(value) && Object.entries(value).every(([code, count]) => isCode(code) && isCount(count)),
    },
  },
  settings: { required: { settings: isObject } },
  import: { required: { of: isImported, created: isCount, updated: isCount } },
  import_undone: { required: { of: isImported, created: isCount } },
  key: { required: { key: isVerifierKey } },
  key_retired: { required: { key: isVerifierKey } },
  began: { required: {} },
  ...(Object.fromEntries(plainTypes.map((type) => [type, { required: about }])) as Record<
    (typeof plainTypes)[number],
    Form
  >),
  ...(Object.fromEntries(
    decisionTypes.map((type) => [
      type,
      { required: { ...about, ...by }, optional: type === "rejected" || type === "removed" ? { reason: isCode } : {} },
    ]),
  ) as Record<(typeof decisionTypes)[number], Form>),
};

/** The entry in these bytes. Throws an error that says what is wrong with it. */
export function parseEntry(bytes: Uint8Array): Entry {
  const value = parseLine(bytes);
  if (!isObject(value)) throw new Error("is not a JSON object");
  const type = value.type as Entry["type"];
  if (typeof type !== "string" || !Object.hasOwn(forms, type))
    throw new Error(`has an unknown type: ${JSON.stringify(type)}`);
  const { required, optional = {} } = forms[type];
  const needed: Fields = { type: () => true, at: isTime, ...required };
  for (const [name, isValid] of Object.entries({ ...needed, ...optional }))
    if (Object.hasOwn(value, name) ? !isValid(value[name]) : name in needed)
      throw new Error(
        Object.hasOwn(value, name)
          ? `(${type}) has a wrong field ${name}: ${JSON.stringify(value[name])}`
          : `(${type}) has no field ${name}`,
      );
  for (const name of Object.keys(value))
    if (!Object.hasOwn(needed, name) && !Object.hasOwn(optional, name))
      throw new Error(`(${type}) has an unknown field ${JSON.stringify(name)}`);
  if (value.kind === "question" && value.stars !== undefined) throw new Error(`(${type}) is a question with stars`);
  return value as Entry;
}

function parseLine(bytes: Uint8Array): unknown {
  let line: string;
  let value: unknown;
  try {
    line = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    value = JSON.parse(line);
  } catch {
    throw new Error("is not JSON");
  }
  // Spaces or a name that occurs twice could hide something.
  if (JSON.stringify(value) !== line)
    throw new Error("is not written as JSON usually is, without spaces and once per name");
  return value;
}
