import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it, test } from "vitest";
import { misspelledSettings, settingNames } from "@/lib/platform/env";
import { temporaryFolder } from "@/lib/tools/test/temporary-folder";
import { root } from "./bootstrap.mjs";
import { openDatabase } from "./database.mjs";
import { checkDataDir } from "./settings.mjs";

describe("an unknown setting", () => {
  it.each([
    ["PUBLIC_ULR", "PUBLIC_URL"],
    ["DATABSE_URL", "DATABASE_URL"],
    ["RATE_LIMIT", "RATE_LIMITS"],
    ["TRUSTPROXY", "TRUST_PROXY"],
    ["PROCESES", "PROCESSES"],
    ["CANDOR_SECERT", "CANDOR_SECRET"],
    ["S3_ACCES_KEY", "S3_ACCESS_KEY_ID"],
    ["HOSTT", "HOST"],
    ["SMTP_FLAVOUR_OF_THE_DAY", null],
  ])("%s is reported with the closest known name: %s", (name, meant) => {
    expect(misspelledSettings([name])).toEqual([{ name, meant }]);
  });

  it("is ignored if it belongs to another program", () => {
    const others = [
      "HOME",
      "PATH",
      "POSTGRES_PASSWORD",
      "AWS_REGION",
      "NODE_OPTIONS",
      "INNGEST_LOG_LEVEL",
      "TZ",
      "HOSTNAME",
      "PORT",
    ];
    expect(misspelledSettings([...others, ...settingNames])).toEqual([]);
  });

  it("is reported on standard error at startup", () => {
    const load = `const { loadSettings } = await import(${JSON.stringify(path.join(root, "lib/tools/launch/settings.mjs"))}); loadSettings();`;
    const { stderr, stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", load], {
      encoding: "utf8",
      env: { PATH: process.env.PATH, DATA_DIR: temporaryFolder("settings"), MAIL_TIMOUT: "5", NODE_ENV: "test" },
    });
    expect(stderr).toContain("Warning: MAIL_TIMOUT is not a setting; did you mean MAIL_TIMEOUT?\n");
    expect(stdout).toBe("");
  });
});

describe("refuses an unusable data folder with a one-line error", () => {
  const errorFor = (folder: string) => {
    try {
      checkDataDir(folder);
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  };

  it("a file, or below one", () => {
    const file = path.join(temporaryFolder("data"), "file");
    writeFileSync(file, "");
    expect(errorFor(file)).toBe(`DATA_DIR ${file} can't be used: it is a file.`);
    expect(errorFor(path.join(file, "deep"))).toMatch(/can't be used: it or one of its parent folders is a file\.$/);
  });

  it("another user's", () => {
    const folder = temporaryFolder("data");
    chmodSync(folder, 0o500);
    const asOther = process.getuid?.() === 0;
    if (asOther) process.seteuid?.(65_534);
    try {
      expect(errorFor(folder)).toBe(`DATA_DIR ${folder} can't be used: this user isn't allowed to write there.`);
    } finally {
      if (asOther) process.seteuid?.(0);
    }
  });

  it("accepts a usable folder and leaves nothing in it", () => {
    const folder = path.join(temporaryFolder("data"), "a/b");
    expect(errorFor(folder)).toBeNull();
    expect(readdirSync(folder)).toEqual([]);
  });
});

test("refuses a folder restored without its secret before writing anything", async () => {
  const DATA_DIR = temporaryFolder("restored");
  mkdirSync(path.join(DATA_DIR, "postgres"));
  writeFileSync(path.join(DATA_DIR, "postgres/PG_VERSION"), "18\n");
  await expect(openDatabase({ DATA_DIR })).rejects.toThrow(/^[^\n]*\/secret is missing[^\n]*CANDOR_SECRET\.$/);
  expect(readdirSync(DATA_DIR, { recursive: true }).sort()).toEqual(["postgres", "postgres/PG_VERSION"]);
});
