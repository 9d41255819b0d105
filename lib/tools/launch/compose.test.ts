import { existsSync, globSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import path from "node:path";
import { parseYaml } from "@redocly/openapi-core";
import { buildSync } from "esbuild";
import { parseConnectionUrl } from "nodemailer/lib/shared";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { readSettings, settingNames } from "@/lib/platform/env";
import { root } from "@/lib/tools/launch/bootstrap.mjs";

// Checks the compose files and the image without Docker: structure, names, consistency.

const read = (file: string) => readFileSync(path.join(root, file), "utf8");

const service = z.strictObject({
  image: z.string(),
  build: z.string().optional(),
  restart: z.literal("unless-stopped"),
  init: z.boolean().optional(),
  stop_grace_period: z.string().regex(/^\d+s$/),
  command: z.array(z.string()).optional(),
  depends_on: z.record(z.string(), z.strictObject({ condition: z.literal("service_healthy") })).optional(),
  ports: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).optional(),
  configs: z.array(z.strictObject({ source: z.string(), target: z.string() })).optional(),
  volumes: z.array(z.string()).optional(),
  healthcheck: z.strictObject({
    test: z.tuple([z.enum(["CMD", "CMD-SHELL"]), z.string()]).rest(z.string()),
    interval: z.string(),
    timeout: z.string(),
    retries: z.int(),
    start_period: z.string().optional(),
  }),
});
const file = z.strictObject({
  name: z.string(),
  services: z.record(z.string(), service),
  configs: z.record(z.string(), z.strictObject({ content: z.string() })).default({}),
  volumes: z.record(z.string(), z.null()),
});
const compose = file.parse(parseYaml(read("compose.yaml")));
const minimal = file.parse(parseYaml(read("compose.minimal.yaml")));
const files = [
  ["compose.yaml", compose],
  ["compose.minimal.yaml", minimal],
] as const;
const { services } = compose;

/** Replaces `${NAME:-default}` and `${NAME:?message}` with values from `given`. */
function interpolate(text: string, given: Record<string, string>): string {
  const inner = /\$\{(\w+)(?::([-?])([^${}]*))?\}/;
  for (let found = inner.exec(text); found; found = inner.exec(text)) {
    const [all, name = "", kind, rest = ""] = found;
    if (kind === "?" && !given[name]) throw new Error(`${name} ${rest}`);
    text = text.replace(all, given[name] || (kind === "-" ? rest : ""));
  }
  return text;
}

const secrets = {
  CANDOR_SECRET: "0123456789abcdef".repeat(4),
  POSTGRES_PASSWORD: "p".repeat(16),
  INNGEST_EVENT_KEY: "e".repeat(16),
  INNGEST_SIGNING_KEY: "0123456789abcdef",
  S3_SECRET_ACCESS_KEY: "s".repeat(16),
};
const environmentOf = (name: string, given: Record<string, string>, from = compose) =>
  Object.fromEntries(
    Object.entries(from.services[name]?.environment ?? {}).map(([key, value]) => [key, interpolate(value, given)]),
  );

describe("compose file", () => {
  it.each(files)("%s only names services, volumes and files that exist", (_, { services, ...compose }) => {
    for (const [name, { depends_on = {}, volumes = [], configs = [] }] of Object.entries(services)) {
      for (const other of Object.keys(depends_on)) expect(Object.keys(services), name).toContain(other);
      for (const volume of volumes) expect(Object.keys(compose.volumes), name).toContain(volume.split(":")[0]);
      for (const { source } of configs) expect(Object.keys(compose.configs), name).toContain(source);
    }
    const used = Object.values(services).flatMap(({ volumes = [] }) => volumes.map((volume) => volume.split(":")[0]));
    expect(used.sort()).toEqual(Object.keys(compose.volumes).sort());
    for (const { image, build } of Object.values(services)) if (!build) expect(image).toMatch(/:v?\d/);
    expect(existsSync(path.join(root, "Dockerfile"))).toBe(true);
  });

  it("gives the app only known settings, with which it starts", () => {
    const given = environmentOf("app", secrets);
    expect(Object.keys(given).filter((name) => !settingNames.includes(name))).toEqual([]);
    expect(readSettings({ NODE_ENV: "production", HOST: "0.0.0.0", DATA_DIR: "/data", ...given })).toMatchObject({
      INNGEST_BASE_URL: "http://inngest:8288",
      INNGEST_SERVE_ORIGIN: "http://app:3000",
      S3_ENDPOINT: "http://store:8333",
      PUBLIC_URL: "http://localhost:3000",
    });
  });

  it.each(files)("%s passes every setting except those that the image sets", (name, { services }) => {
    const image = ["HOST", "PORT", "DATA_DIR", "NODE_ENV"];
    expect(Object.keys(services.app?.environment ?? {}).sort(), name).toEqual(
      settingNames.filter((setting) => !image.includes(setting)).sort(),
    );
  });

  it("uses an external database, bucket or Inngest if set", () => {
    const others = {
      DATABASE_URL: "postgresql://me:secret@db.example/candor",
      S3_BUCKET: "photos",
      S3_ENDPOINT: "https://s3.eu-north-1.amazonaws.com",
      S3_REGION: "eu-north-1",
      INNGEST_BASE_URL: "https://inngest.example",
      MAIL_TIMEOUT: "5",
    };
    const given = environmentOf("app", { ...secrets, ...others });
    expect(given).toMatchObject(others);
  });

  it("needs only a secret and a password in the minimal one, with Candor and PostgreSQL", () => {
    expect(Object.keys(minimal.services).sort()).toEqual(["app", "postgres"]);
    const { CANDOR_SECRET, POSTGRES_PASSWORD } = secrets;
    const given = environmentOf("app", { CANDOR_SECRET, POSTGRES_PASSWORD }, minimal);
    const settings = readSettings({ NODE_ENV: "production", HOST: "0.0.0.0", DATA_DIR: "/data", ...given });
    expect(settings).toMatchObject({ DATABASE_URL: `postgresql://candor:${POSTGRES_PASSWORD}@postgres:5432/candor` });
    expect(settings).not.toHaveProperty("S3_BUCKET");
    expect(settings).not.toHaveProperty("INNGEST_EVENT_KEY");
    expect(() => environmentOf("app", { POSTGRES_PASSWORD }, minimal)).toThrow("CANDOR_SECRET");
  });

  it("links to its public address, with its own port or behind a proxy", () => {
    const at = (given: Record<string, string>) => [
      environmentOf("app", { ...secrets, ...given }).PUBLIC_URL,
      ...(services.app?.ports ?? []).map((port) => interpolate(port, given)),
    ];
    expect(at({})).toEqual(["http://localhost:3000", "127.0.0.1:3000:3000"]);
    expect(at({ PORT: "8080" })).toEqual(["http://localhost:8080", "127.0.0.1:8080:3000"]);
    const PUBLIC_URL = "https://reviews.example";
    expect(at({ PORT: "8080", PUBLIC_URL })).toEqual([PUBLIC_URL, "127.0.0.1:8080:3000"]);
  });

  it("allows time for a graceful stop and persists the queue", () => {
    // The server gives running requests ten seconds and then closes connections; Compose must wait longer.
    expect(Number.parseInt(services.app?.stop_grace_period ?? "", 10)).toBeGreaterThan(20);
    const command = services.queue?.command?.join(" ");
    expect(command).toContain("--appendonly yes");
    expect(command).toContain("--appendfsync always");
    expect(command).toContain("--maxmemory-policy noeviction");
    expect(services.queue?.volumes).toEqual(["queue:/data"]);
  });

  it.each(Object.keys(secrets))("does not start without %s", (name) => {
    expect(() => environmentOf("app", { ...secrets, [name]: "" })).toThrow(name);
  });

  it("uses the same passwords on both sides", () => {
    const [app, inngest, postgres] = ["app", "inngest", "postgres"].map((name) => environmentOf(name, secrets));
    const database = new URL(app?.DATABASE_URL ?? "");
    expect([database.hostname, database.username, database.password, database.pathname]).toEqual([
      "postgres",
      postgres?.POSTGRES_USER,
      postgres?.POSTGRES_PASSWORD,
      `/${postgres?.POSTGRES_DB}`,
    ]);
    const inngestDatabase = new URL(inngest?.INNGEST_POSTGRES_URI ?? "");
    const [role = "", makes = ""] = interpolate(compose.configs["inngest-database"]?.content ?? "", secrets).split(
      "\n",
    );
    expect(role).toBe(`create role ${inngestDatabase.username} login password '${inngestDatabase.password}';`);
    expect(makes).toBe(`create database ${inngestDatabase.pathname.slice(1)} owner ${inngestDatabase.username};`);
    for (const key of ["INNGEST_EVENT_KEY", "INNGEST_SIGNING_KEY"]) expect(inngest?.[key]).toBe(app?.[key]);
    const store = JSON.parse(interpolate(compose.configs["store-keys"]?.content ?? "", secrets));
    expect(store.identities[0].credentials).toEqual([
      { accessKey: app?.S3_ACCESS_KEY_ID, secretKey: app?.S3_SECRET_ACCESS_KEY },
    ]);
    expect(services.store?.command).toContain(`-bucket=${app?.S3_BUCKET}`);
  });

  it.each(files)("%s only publishes ports on localhost", (_, { services }) => {
    for (const { ports = [] } of Object.values(services))
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
  });
});

describe("image", () => {
  const dockerfile = read("Dockerfile");
  /** The source files copied as they are: the launcher and its imports. */
  const copied = (/cp --parents (.*) \/image/.exec(dockerfile)?.[1] ?? "")
    .split(" ")
    .flatMap((pattern) => globSync(pattern, { cwd: root }));

  it("runs existing commands with existing settings", () => {
    const { scripts } = JSON.parse(read("package.json"));
    expect([...dockerfile.matchAll(/npm run -s (\w+)/g)].map(([, name]) => name)).toEqual(["build"]);
    expect(scripts).toHaveProperty("build");
    const [, started = ""] = /^CMD \["node", "(.*)"\]$/m.exec(dockerfile) ?? [];
    expect(scripts.start).toBe(`exec node ${started}`);
    expect(copied).toContain(started);
    const set = [...dockerfile.matchAll(/^ENV (.*)$/gm)].flatMap(([, line = ""]) =>
      line.split(" ").map((part) => part.split("=")[0] ?? ""),
    );
    expect(set.filter((name) => name !== "NEXT_TELEMETRY_DISABLED" && !settingNames.includes(name))).toEqual([]);
    const [, moved = ""] = /mv (.*) \/image\//.exec(dockerfile) ?? [];
    const buildOutput = ["node_modules", ".next", "dist"];
    for (const name of moved.split(" ").filter((name) => !buildOutput.includes(name)))
      expect(existsSync(path.join(root, name)), name).toBe(true);
  });

  it("contains every source file that a copied one imports", () => {
    for (const file of copied)
      for (const [, name = ""] of read(file).matchAll(/(?:from|import\() ?"(\.[^"]+)"/g))
        expect(copied, file).toContain(path.posix.join(path.posix.dirname(file), name));
  });

  it("contains the packages that the build output imports", () => {
    const { dependencies } = JSON.parse(read("package.json"));
    const { outputs } = buildSync({
      entryPoints: ["app/_main.ts", "app/_admin.ts"],
      absWorkingDir: root,
      bundle: true,
      splitting: true,
      format: "esm",
      platform: "node",
      packages: "external",
      outdir: "dist",
      write: false,
      metafile: true,
    }).metafile;
    const imported = Object.values(outputs).flatMap(({ imports }) => imports.filter(({ external }) => external));
    const packages = new Set(imported.map(({ path }) => /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path));
    expect([...packages].filter((name) => !isBuiltin(name) && !(name in dependencies))).toEqual([]);
  });

  it("excludes build output and secrets", () => {
    const ignored = read(".dockerignore").split("\n");
    for (const name of [".git", ".data", ".env", ".env.*", ".next", "node_modules", ".launch"])
      expect(ignored).toContain(name);
  });
});

it(".env.example lists every setting", () => {
  const names = [...read(".env.example").matchAll(/^(\w+)=/gm)].map(([, name]) => name);
  expect(names.sort()).toEqual(settingNames.filter((name) => name !== "NODE_ENV").sort());
});

it("the forms of SMTP_URL in .env.example are parsed as documented there", () => {
  const forms = [...read(".env.example").matchAll(/^#\s+(smtps?:\S+)/gm)].map(([, form = ""]) => form);
  const parsed = forms.map((form) => {
    expect(readSettings({ SMTP_URL: form, MAIL_FROM: "reviews@shop.example" }).SMTP_URL).toBe(form);
    const { host, port, secure, requireTLS, auth } = parseConnectionUrl(form);
    return { host, port, secure: secure ?? false, requireTLS: requireTLS ?? false, auth: auth?.user ?? null };
  });
  const plain = { host: "mail.example", port: 587, secure: false, requireTLS: false, auth: "user" };
  expect(parsed).toEqual([
    plain,
    { ...plain, port: 465, secure: true },
    { ...plain, host: "localhost", port: 25, auth: null },
    { ...plain, requireTLS: true },
  ]);
});
