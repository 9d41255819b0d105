import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "@/lib/tools/test/temporary-folder";
import { readEnv, readSettings, secretKey } from "./env";

const secret = "0123456789abcdef0123456789abcdef";
const folder = () => temporaryFolder("env");

test("has defaults for all settings except an external database", () => {
  expect(readSettings({})).toMatchObject({
    HOST: "127.0.0.1",
    PORT: 3000,
    PUBLIC_URL: "http://localhost:3000",
    DATA_DIR: path.resolve(".data"),
    PROCESSES: 1,
    RATE_LIMITS: 1,
    CANDOR_DEMO: false,
    ALLOW_PRIVATE_URLS: false,
  });
});

test("reads DNS servers with and without ports", () => {
  const servers = ["192.0.2.1", "192.0.2.1:5353", "2001:db8::1", "[2001:db8::1]:53"];
  expect(readSettings({ DNS_SERVERS: servers.join(", ") }).DNS_SERVERS).toEqual(servers);
});

test("treats an empty value as not set", () => {
  expect(readSettings({ PORT: "", SMTP_URL: "" }).PORT).toBe(3000);
});

test.each([
  [{ PORT: "70000" }, "PORT must be a whole number from 1 to 65535"],
  [{ PORT: "3e3" }, "PORT must be a whole number from 1 to 65535"],
  [{ HOST: "a b" }, "HOST must be an IP address or a host name"],
  [{ PUBLIC_URL: "reviews.example" }, "PUBLIC_URL must be a URL that starts with http:// or https://"],
  [{ PUBLIC_URL: "https://shop.example/reviews" }, "PUBLIC_URL must be an origin"],
  [{ TRUST_PROXY: "yes" }, "TRUST_PROXY must be a number of hops, or IP addresses and CIDRs"],
  [{ DNS_SERVERS: "dns.example" }, "DNS_SERVERS must be IP addresses separated by commas"],
  [{ RATE_LIMITS: "0" }, "RATE_LIMITS must be off or a factor above 0"],
  [{ DATABASE_URL: "mysql://x/y", CANDOR_SECRET: secret }, "DATABASE_URL must be a URL that starts with postgres://"],
  [{ DATABASE_URL: "postgres://x/y" }, "CANDOR_SECRET is required with DATABASE_URL"],
  [{ CANDOR_SECRET: "short" }, "CANDOR_SECRET must be at least 32 bytes long"],
  [{ RESEND_API_KEY: "re_1" }, "MAIL_FROM is required with RESEND_API_KEY or SMTP_URL"],
  [
    { SMTP_URL: "smtp://x", RESEND_API_KEY: "re_1", MAIL_FROM: "a@b.example" },
    "RESEND_API_KEY and SMTP_URL are both set",
  ],
  [{ SMTP_URL: "smtp://x", MAIL_FROM: "Shop" }, "MAIL_FROM must be an email address"],
  [{ INNGEST_DEV: "1", HOST: "0.0.0.0" }, "INNGEST_DEV requires a loopback HOST and PUBLIC_URL"],
  [{ INNGEST_DEV: "1", PUBLIC_URL: "https://reviews.example" }, "INNGEST_DEV requires a loopback HOST and PUBLIC_URL"],
  [
    { INNGEST_DEV: "true", HOST: "0.0.0.0", INNGEST_EVENT_KEY: "k", INNGEST_SIGNING_KEY: "00ff" },
    "INNGEST_DEV requires a loopback HOST",
  ],
  [{ INNGEST_DEV: "later" }, "INNGEST_DEV must be true, false or the URL"],
  [{ INNGEST_EVENT_KEY: "k", INNGEST_SIGNING_KEY: "secret" }, "INNGEST_SIGNING_KEY must be hexadecimal digits"],
  [
    { INNGEST_SIGNING_KEY_FALLBACK: "00ff" },
    "INNGEST_SIGNING_KEY_FALLBACK is the previous key: set INNGEST_SIGNING_KEY",
  ],
  [{ JOB_ENGINE: "inngest" }, "INNGEST_EVENT_KEY and INNGEST_SIGNING_KEY are required with JOB_ENGINE=inngest"],
  [{ INNGEST_EVENT_KEY: "k" }, "INNGEST_EVENT_KEY and INNGEST_SIGNING_KEY belong together"],
  [{ CANDOR_DEMO: "yes" }, "CANDOR_DEMO must be true or false"],
  [{ CANDOR_DEMO_PASSWORD: "too-short" }, "CANDOR_DEMO_PASSWORD must be at least 12 characters long"],
  [{ TRANSLATION_URL: "translate.example" }, "TRANSLATION_URL must be a URL that starts with http:// or https://"],
  [{ TRANSLATION_API_KEY: "k" }, "TRANSLATION_URL is required with TRANSLATION_API_KEY"],
  [{ S3_REGION: "eu-north-1" }, "S3_BUCKET is required with the other S3 settings"],
  [{ S3_BUCKET: "b", S3_ACCESS_KEY_ID: "id" }, "S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY belong together"],
  [{ S3_BUCKET: "b", S3_ENDPOINT: "s3.example" }, "S3_ENDPOINT must be a URL that starts with http:// or https://"],
])("rejects %o", (source: Record<string, string>, message: string) => {
  expect(() => readSettings(source)).toThrow(message);
});

test("reports all issues on one line, without secret values", () => {
  try {
    readSettings({ PORT: "x", CANDOR_SECRET: "hush-hush" });
    expect.unreachable();
  } catch (error) {
    expect((error as Error).name).toBe("SettingsError");
    expect((error as Error).message).toMatch(/^Settings: PORT .+; CANDOR_SECRET .+\.$/);
    expect((error as Error).message).not.toMatch(/\n|hush/);
  }
});

test("accepts a number of hops or networks as trusted proxies", () => {
  expect(readSettings({ TRUST_PROXY: "2" }).TRUST_PROXY).toEqual({ hops: 2 });
  const networks = readSettings({ TRUST_PROXY: "10.0.0.0/8, ::1" }).TRUST_PROXY;
  expect(networks).toMatchObject({
    networks: [
      [{ octets: [10, 0, 0, 0] }, 8],
      [expect.anything(), 128],
    ],
  });
});

test("creates the secret of an embedded database once, readable only by its owner", () => {
  const dataDir = folder();
  writeFileSync(path.join(dataDir, "postgres.json"), JSON.stringify({ port: 54321, password: "pw" }));
  const first = readEnv({ DATA_DIR: dataDir });
  expect(first).toMatchObject({
    EMBEDDED_DATABASE: true,
    DATABASE_URL: "postgresql://candor:pw@127.0.0.1:54321/candor",
  });
  expect(Buffer.byteLength(first.CANDOR_SECRET)).toBeGreaterThanOrEqual(32);
  expect(statSync(path.join(dataDir, "secret")).mode & 0o777).toBe(0o600);
  expect(readFileSync(path.join(dataDir, "secret"), "utf8").trim()).toBe(first.CANDOR_SECRET);
  expect(readEnv({ DATA_DIR: dataDir }).CANDOR_SECRET).toBe(first.CANDOR_SECRET);
});

test("reads earlier secrets from a setting or from further lines of the file", () => {
  const [current, one, two] = ["n", "o", "p"].map((letter) => letter.repeat(32)) as [string, string, string];
  const database = {
    DATABASE_URL: "postgres://127.0.0.1/none",
    CANDOR_SECRET: current,
  };
  expect(readEnv(database).CANDOR_OLD_SECRETS).toEqual([]);
  expect(readEnv({ ...database, CANDOR_OLD_SECRETS: `${one}, ${two}` }).CANDOR_OLD_SECRETS).toEqual([one, two]);
  const spaced = `with a space, and a comma ${one}`;
  expect(readEnv({ ...database, CANDOR_OLD_SECRETS: JSON.stringify([spaced]) }).CANDOR_OLD_SECRETS).toEqual([spaced]);
  for (const wrong of ["short", `${one},short`, "[", "[1]", '["short"]']) {
    const read = () => readEnv({ ...database, CANDOR_OLD_SECRETS: wrong });
    expect(read).toThrow(/^Settings: CANDOR_OLD_SECRETS must be secrets of at least 32 bytes each[^"]*\.$/);
  }
  const dataDir = folder();
  writeFileSync(path.join(dataDir, "postgres.json"), JSON.stringify({ port: 54321, password: "pw" }));
  writeFileSync(path.join(dataDir, "secret"), `${current}\n\n${one}\n`);
  expect(readEnv({ DATA_DIR: dataDir, CANDOR_OLD_SECRETS: two })).toMatchObject({
    CANDOR_SECRET: current,
    CANDOR_OLD_SECRETS: [one, two],
  });
});

test("rejects a truncated secret file and doesn't replace it", () => {
  const dataDir = folder();
  writeFileSync(path.join(dataDir, "postgres.json"), JSON.stringify({ port: 54321, password: "pw" }));
  writeFileSync(path.join(dataDir, "secret"), "short\n");
  expect(() => readEnv({ DATA_DIR: dataDir })).toThrow("has fewer than 32 bytes");
  writeFileSync(path.join(dataDir, "secret"), `${"n".repeat(32)}\nshort\n`);
  expect(() => readEnv({ DATA_DIR: dataDir })).toThrow("has fewer than 32 bytes");
  writeFileSync(path.join(dataDir, "secret"), "short\n");
  expect(readFileSync(path.join(dataDir, "secret"), "utf8")).toBe("short\n");
});

test("explains how to start the embedded database if no database is set, and writes nothing", () => {
  const dataDir = folder();
  expect(() => readEnv({ DATA_DIR: dataDir })).toThrow("start Candor with `npm start`");
  expect(existsSync(path.join(dataDir, "secret"))).toBe(false);
});

test("derives stable keys that differ by purpose", () => {
  process.env.DATABASE_URL = "postgres://127.0.0.1/none";
  expect(secretKey("session/1")).toHaveLength(32);
  expect(secretKey("session/1")).toEqual(secretKey("session/1"));
  expect(secretKey("session/1")).not.toEqual(secretKey("session/2"));
});
