import { hkdfSync, randomBytes } from "node:crypto";
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import ipaddr from "ipaddr.js";
import { z } from "zod";

// Settings, read from the environment and checked once. The launcher imports this file with Node's type stripping
// before the build, so it imports no project files and uses erasable types only.

/** A setting is missing or invalid. The message is one line for the operator and never contains a secret. */
export class SettingsError extends Error {
  override name = "SettingsError";
}

const wholeNumber = (min: number, max: number) => {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .refine((n) => n >= min && n <= max, message);
};

const flag = z
  .enum(["true", "false", "1", "0"], "must be true or false")
  .transform((value) => value === "true" || value === "1");

const address = (schemes: string[]) =>
  z.string().refine((value) => URL.canParse(value) && schemes.includes(new URL(value).protocol), {
    message: `must be a URL that starts with ${schemes.map((scheme) => `${scheme}//`).join(" or ")}`,
  });

/** An origin: scheme, host and port. A path is rejected because links would lose it. */
const origin = address(["http:", "https:"]).transform((value, context) => {
  const url = new URL(value);
  if (url.pathname !== "/" || url.search || url.hash || url.username || url.password) {
    context.addIssue({ code: "custom", message: "must be an origin such as https://reviews.example, without a path" });
    return z.NEVER;
  }
  return url.origin;
});

/** Peers whose forwarding headers are trusted for the caller's address: a number of hops, or networks. */
export type TrustProxy = { hops: number } | { networks: [address: ipaddr.IPv4 | ipaddr.IPv6, bits: number][] };

const trustProxy = z.string().transform((value, context): TrustProxy => {
  if (/^\d{1,2}$/.test(value)) return { hops: Number(value) };
  const networks: [ipaddr.IPv4 | ipaddr.IPv6, number][] = [];
  for (const part of value.split(",").map((text) => text.trim())) {
    if (ipaddr.isValidCIDR(part)) networks.push(ipaddr.parseCIDR(part));
    else if (ipaddr.IPv4.isValidFourPartDecimal(part)) networks.push([ipaddr.parse(part), 32]);
    else if (ipaddr.IPv6.isValid(part)) networks.push([ipaddr.parse(part), 128]);
    else {
      context.addIssue({
        code: "custom",
        message: "must be a number of hops, or IP addresses and CIDRs separated by commas",
      });
      return z.NEVER;
    }
  }
  return { networks };
});

const rateLimits = z.string().transform((value, context) => {
  if (value === "off") return "off" as const;
  const factor = Number(value);
  if (Number.isFinite(factor) && factor > 0) return factor;
  context.addIssue({ code: "custom", message: "must be off or a factor above 0" });
  return z.NEVER;
});

/** IP addresses, each with an optional port: `192.0.2.1`, `192.0.2.1:5353`, `[2001:db8::1]:53`. */
const dnsServers = z.string().transform((value, context): string[] => {
  const servers = value.split(/[\s,]+/).filter((one) => one !== "");
  const isServer = (server: string) => {
    const withPort = /^(?:\[(.+)\]|([^:]+)):\d{1,5}$/.exec(server);
    return ipaddr.isValid(withPort ? (withPort[1] ?? withPort[2] ?? "") : server);
  };
  if (servers.length > 0 && servers.every(isServer)) return servers;
  context.addIssue({ code: "custom", message: "must be IP addresses separated by commas, with optional ports" });
  return z.NEVER;
});

/** Secrets separated by commas or spaces, or a JSON array if a secret contains one of these. */
const oldSecrets = z.string().transform((value, context): string[] => {
  const secrets = value.startsWith("[") ? readList(value) : value.split(/[\s,]+/).filter((one) => one !== "");
  if (secrets?.every((one) => Buffer.byteLength(one) >= 32)) return secrets;
  context.addIssue({
    code: "custom",
    message: "must be secrets of at least 32 bytes each, separated by commas, or a JSON array of them",
  });
  return z.NEVER;
});

function readList(value: string): string[] | null {
  try {
    const list: unknown = JSON.parse(value);
    return Array.isArray(list) && list.every((one) => typeof one === "string") ? list : null;
  } catch {
    return null; // the caller reports the issue without the value
  }
}

const mailbox = z
  .string()
  .regex(
    /^(?:[^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/,
    "must be an email address such as shop@example.org or Shop <shop@example.org>",
  );

/** Whether to use Inngest's development server, or its URL. */
const inngestDevelopment = z.string().transform((value, context): boolean | string => {
  const parsedFlag = flag.safeParse(value);
  if (parsedFlag.success) return parsedFlag.data;
  if (address(["http:", "https:"]).safeParse(value).success) return value;
  context.addIssue({
    code: "custom",
    message: "must be true, false or the URL of Inngest's development server",
  });
  return z.NEVER;
});

/** Inngest hashes the decoded bytes: with other characters both sides would compute different signatures. */
const signingKey = z
  .string()
  .regex(/^(?:signkey-\w+-)?(?:[0-9a-f]{2})+$/i, "must be hexadecimal digits, for example from `openssl rand -hex 32`");

const settings = z.object({
  NODE_ENV: z
    .enum(["development", "production", "test"], "must be development, production or test")
    .default("development"),
  LOG_LEVEL: z
    .enum(
      ["trace", "debug", "info", "warn", "error", "fatal", "silent"],
      "must be trace, debug, info, warn, error, fatal or silent",
    )
    .default("info"),
  HOST: z
    .string()
    .regex(/^[\w.:-]+$/, "must be an IP address or a host name")
    .default("127.0.0.1"),
  PORT: wholeNumber(1, 65_535).default(3000),
  PUBLIC_URL: origin.optional(),
  TRUST_PROXY: trustProxy.optional(),
  PROCESSES: wholeNumber(1, 64).default(1),
  DATA_DIR: z.string().default(".data"),
  DATABASE_URL: address(["postgres:", "postgresql:"]).optional(),
  CANDOR_SECRET: z
    .string()
    .refine((value) => Buffer.byteLength(value) >= 32, "must be at least 32 bytes long")
    .optional(),
  CANDOR_OLD_SECRETS: oldSecrets.optional(),
  CANDOR_OLD_LINKS: flag.default(true),
  CANDOR_DEMO: flag.default(false),
  CANDOR_DEMO_PASSWORD: z
    .string()
    .refine((value) => [...value].length >= 12, "must be at least 12 characters long")
    .optional(),
  RATE_LIMITS: rateLimits.default(1),
  DNS_SERVERS: dnsServers.optional(),
  ALLOW_PRIVATE_URLS: flag.default(false),
  S3_BUCKET: z.string().optional(),
  S3_REGION: z.string().optional(),
  S3_ENDPOINT: address(["http:", "https:"]).optional(),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  S3_PATH_STYLE: flag.optional(),
  RESEND_API_KEY: z.string().optional(),
  RESEND_BASE_URL: address(["http:", "https:"]).optional(),
  RESEND_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]{16,}={0,2}$/, "must be the signing secret of a Resend webhook, such as whsec_…")
    .optional(),
  SMTP_URL: address(["smtp:", "smtps:"]).optional(),
  MAIL_FROM: mailbox.optional(),
  MAIL_TIMEOUT: wholeNumber(1, 300).default(30),
  TRANSLATION_URL: address(["http:", "https:"]).optional(),
  TRANSLATION_API_KEY: z.string().optional(),
  INNGEST_EVENT_KEY: z.string().optional(),
  INNGEST_SIGNING_KEY: signingKey.optional(),
  INNGEST_SIGNING_KEY_FALLBACK: signingKey.optional(),
  INNGEST_ENV: z.string().optional(),
  INNGEST_BASE_URL: address(["http:", "https:"]).optional(),
  INNGEST_SERVE_ORIGIN: origin.optional(),
  INNGEST_DEV: inngestDevelopment.optional(),
  JOB_ENGINE: z.enum(["embedded", "inngest"], "must be embedded or inngest").optional(),
});

export const settingNames: readonly string[] = Object.keys(settings.shape);

/**
 * Unknown names that start with a setting's prefix or are similar to a setting, with the probable setting. Ignores
 * names that Candor's own processes set.
 */
export function misspelledSettings(names: string[]): { name: string; meant: string | null }[] {
  return names.flatMap((name) => {
    if (settingNames.includes(name) || /^CANDOR_(BEGAN|YEAR)$/.test(name)) return [];
    const byDistance = settingNames.map((meant) => ({ meant, distance: distance(name, meant) }));
    const { meant, distance: minDistance } = byDistance.reduce((best, one) =>
      one.distance < best.distance ? one : best,
    );
    // A short name is similar to many: HOME doesn't mean HOST.
    if (minDistance <= Math.min(2, Math.floor(meant.length / 4))) return [{ name, meant }];
    if (!/^(CANDOR|S3|RESEND|SMTP)_/.test(name)) return [];
    return [{ name, meant: minDistance <= meant.length / 2 ? meant : null }];
  });
}

/** The Levenshtein distance between two words. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (const [index, otherLetter] of [...other].entries()) {
      const [left, above, before] = [next[index] ?? 0, row[index + 1] ?? 0, row[index] ?? 0];
      next.push(Math.min(left + 1, above + 1, before + (letter === otherLetter ? 0 : 1)));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}

/** The checked settings with derived values. URLs have no trailing slash, folders are absolute. */
export type Env = Readonly<
  Omit<z.infer<typeof settings>, "PUBLIC_URL" | "DATABASE_URL" | "CANDOR_SECRET" | "CANDOR_OLD_SECRETS"> & {
    PUBLIC_URL: string;
    DATABASE_URL: string;
    /** encrypts and signs new data */
    CANDOR_SECRET: string;
    /** earlier secrets, newest first: they still decrypt their data */
    CANDOR_OLD_SECRETS: readonly string[];
    /** True for the embedded database in DATA_DIR. */
    EMBEDDED_DATABASE: boolean;
  }
>;

/** The settings that can be checked without a database, from `source`. Throws {@link SettingsError} in one line. */
export function readSettings(source: Record<string, string | undefined>) {
  // `KEY=` in a file or a container's form means "not set".
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ""));
  const parsed = settings.safeParse(given);
  const issues = parsed.success ? [] : parsed.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`);
  if (given.DATABASE_URL && !given.CANDOR_SECRET)
    issues.push(
      "CANDOR_SECRET is required with DATABASE_URL: set 32 random bytes or more, for example `openssl rand -hex 32`",
    );
  if ((given.RESEND_API_KEY || given.SMTP_URL) && !given.MAIL_FROM)
    issues.push("MAIL_FROM is required with RESEND_API_KEY or SMTP_URL");
  if (given.RESEND_API_KEY && given.SMTP_URL) issues.push("RESEND_API_KEY and SMTP_URL are both set: keep only one");
  if (given.TRANSLATION_API_KEY && !given.TRANSLATION_URL)
    issues.push("TRANSLATION_URL is required with TRANSLATION_API_KEY");
  if (!given.S3_BUCKET && Object.keys(given).some((name) => /^S3_/.test(name) && name in settings.shape))
    issues.push("S3_BUCKET is required with the other S3 settings");
  if (!given.S3_ACCESS_KEY_ID !== !given.S3_SECRET_ACCESS_KEY)
    issues.push("S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY belong together: set both or neither");
  if (!given.INNGEST_EVENT_KEY !== !given.INNGEST_SIGNING_KEY)
    issues.push("INNGEST_EVENT_KEY and INNGEST_SIGNING_KEY belong together: set both or neither");
  if (given.INNGEST_SIGNING_KEY_FALLBACK && !given.INNGEST_SIGNING_KEY)
    issues.push("INNGEST_SIGNING_KEY_FALLBACK is the previous key: set INNGEST_SIGNING_KEY too");
  const inngestDev = Boolean(parsed.data?.INNGEST_DEV);
  if (given.JOB_ENGINE === "inngest" && !given.INNGEST_EVENT_KEY && !inngestDev)
    issues.push("INNGEST_EVENT_KEY and INNGEST_SIGNING_KEY are required with JOB_ENGINE=inngest");
  // Inngest's development server doesn't sign requests, and with it no signature is required: anyone who can reach this
  // server could run its jobs.
  const hosts = [given.HOST ?? "127.0.0.1", parsed.data?.PUBLIC_URL ? new URL(parsed.data.PUBLIC_URL).hostname : "::1"];
  if (inngestDev && !hosts.every((host) => /^(localhost$|127\.|\[?::1\]?$)/.test(host)))
    issues.push(
      "INNGEST_DEV requires a loopback HOST and PUBLIC_URL: set INNGEST_EVENT_KEY and INNGEST_SIGNING_KEY instead",
    );
  if (!parsed.success || issues.length > 0) throw new SettingsError(`Settings: ${issues.join("; ")}.`);
  const { PUBLIC_URL = `http://localhost:${parsed.data.PORT}`, DATA_DIR, ...rest } = parsed.data;
  return { ...rest, PUBLIC_URL, DATA_DIR: path.resolve(/* turbopackIgnore: true */ DATA_DIR) };
}

/** The settings from `source`, with the embedded database's URL and secret. Reads files. */
export function readEnv(source: Record<string, string | undefined>): Env {
  const { DATABASE_URL, CANDOR_SECRET, CANDOR_OLD_SECRETS = [], ...rest } = readSettings(source);
  const url = DATABASE_URL ?? embeddedDatabaseUrl(rest.DATA_DIR);
  const [current, ...older] =
    CANDOR_SECRET === undefined ? readOrCreateSecrets(rest.DATA_DIR) : ([CANDOR_SECRET] as const);
  return Object.freeze({
    ...rest,
    DATABASE_URL: url,
    CANDOR_SECRET: current,
    CANDOR_OLD_SECRETS: Object.freeze([...older, ...CANDOR_OLD_SECRETS]),
    EMBEDDED_DATABASE: DATABASE_URL === undefined,
  });
}

let checked: Env | undefined;

/**
 * The settings, read and checked at the first call. Throws {@link SettingsError}; entry points print its message and
 * exit.
 */
export function env(): Env {
  checked ??= readEnv(process.env);
  return checked;
}

/** Reads the settings again at the next call, for tests. */
export function forgetEnv(): void {
  checked = undefined;
}

/**
 * 32 bytes derived from CANDOR_SECRET for one purpose (HKDF-SHA256). The purpose has a version, as in
 * `secretKey("session/1")`, so that a single key can be changed.
 */
export const secretKey = (purpose: string): Buffer => deriveKey(env().CANDOR_SECRET, purpose);

/**
 * The key for stored data that can't be recreated: keyed hashes of erased people, of recovery codes. Derived from the
 * oldest secret, so it stays the same if the secret changes.
 */
export const lastingKey = (purpose: string): Buffer => deriveKey(oldestSecret(), purpose);

/** The demo's password: CANDOR_DEMO_PASSWORD, or derived from the installation's secret and not stored. */
export const demoPassword = (): string => env().CANDOR_DEMO_PASSWORD ?? demoPasswordFrom(env().CANDOR_SECRET);

/** The demo's password for a secret. */
export const demoPasswordFrom = (secret: string): string =>
  deriveKey(secret, "demo-password/1").toString("base64url").slice(0, 20);

/** The keys that verify signatures, the current one first; only that one if CANDOR_OLD_LINKS is false. */
export const signingKeys = (purpose: string): Buffer[] =>
  (env().CANDOR_OLD_LINKS ? allSecrets() : [env().CANDOR_SECRET]).map((secret) => deriveKey(secret, purpose));

/** The id of a secret, stored with the data it encrypts. 8 hex digits. */
export const keyIdOf = (secret: string): string => deriveKey(secret, "key-id/1").subarray(0, 4).toString("hex");

/** The key of a secret for a purpose, by the secret's id. Null if no such secret is set. */
export function keyById(id: string, purpose: string): Buffer | null {
  const secret = allSecrets().find((one) => keyIdOf(one) === id);
  return secret === undefined ? null : deriveKey(secret, purpose);
}

/** The ids of the secrets: the current one, the one of {@link lastingKey}, and all. */
export const keyIds = (): { current: string; lasting: string; all: string[] } => ({
  current: keyIdOf(env().CANDOR_SECRET),
  lasting: keyIdOf(oldestSecret()),
  all: [...new Set(allSecrets().map(keyIdOf))],
});

const allSecrets = (): string[] => [env().CANDOR_SECRET, ...env().CANDOR_OLD_SECRETS];
const oldestSecret = (): string => env().CANDOR_OLD_SECRETS.at(-1) ?? env().CANDOR_SECRET;

const deriveKey = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, "candor", purpose, 32));

/** The URL of the embedded database, from the file that lib/tools/launch/postgres.mjs writes. */
function embeddedDatabaseUrl(dataDir: string): string {
  const file = path.join(/* turbopackIgnore: true */ dataDir, "postgres.json");
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (cause) {
    throw new SettingsError(
      `Settings: DATABASE_URL is not set, and there is no embedded database in ${dataDir}: start Candor with \`npm start\`.`,
      { cause },
    );
  }
  const { port, password } = JSON.parse(text) as { port: number; password: string };
  return `postgresql://candor:${password}@127.0.0.1:${port}/candor`;
}

/**
 * The secrets of an installation with the embedded database, one per line, the current one first. Creates the first if
 * there is none, readable only by its owner.
 */
export function readOrCreateSecrets(dataDir: string): [string, ...string[]] {
  const file = path.join(/* turbopackIgnore: true */ dataDir, "secret");
  const read = () => {
    const [current = "", ...older] = readFileSync(file, "utf8")
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean);
    if ([current, ...older].every((secret) => Buffer.byteLength(secret) >= 32))
      return [current, ...older] as [string, ...string[]];
    throw new SettingsError(
      `Settings: a line of ${file} has fewer than 32 bytes: restore it from a backup, or set CANDOR_SECRET.`,
    );
  };
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  // Written to another file and linked: of several processes that start concurrently one wins, and none reads a partial
  // file.
  mkdirSync(dataDir, { recursive: true });
  const draft = `${file}.${process.pid}.${randomBytes(4).toString("hex")}`;
  writeFileSync(draft, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600, flag: "wx" });
  chmodSync(draft, 0o600);
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(draft);
  }
  return read();
}
