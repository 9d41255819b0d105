import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { publicContracts } from "@/app/_contracts";
import { findMarkup } from "@/lib/insights/moving/find-markup";
import { explainMigration, findingLine } from "@/lib/insights/moving/rules";
import { servedPaths } from "@/lib/insights/served-paths";
import { payloads } from "@/lib/integrations/webhooks/payloads";
import { byteLimits, limits } from "@/lib/platform/http/rate-limit";
import { errorStatus } from "@/lib/platform/issue";
import { root } from "@/lib/tools/launch/bootstrap.mjs";
import { temporaryFolder } from "@/lib/tools/test/temporary-folder";
import { allGuides, guides, readGuide } from "./_guide";

const folder = path.join(root, "docs/guides");
const source = (name: string) => readFileSync(path.join(folder, `${name}.md`), "utf8");
const idsOf = (html: string) => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);

/** Whether a page or route of the app serves a path. */
const isServed = (pathname: string) =>
  [pathname, pathname.replace(/^\/portal/, "/portal/(member)")].some((folder) =>
    ["page.tsx", "route.ts"].some((file) => existsSync(path.join(root, "app", folder, file))),
  );

describe("the guides", () => {
  it("include all files of the folder", () => {
    expect(readdirSync(folder).sort()).toEqual(guides.map((name) => `${name}.md`).sort());
  });

  it.each(guides)("%s has a title, a summary and headings of its own", async (name) => {
    const guide = await readGuide(name);
    expect(guide?.title).toMatch(/^[A-Z]/);
    expect(guide?.summary).toMatch(/^[^`*[\]]+\.$/);
    const ids = idsOf(guide?.html ?? "");
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(3);
  });

  it.each(guides)("%s has no unrendered markup", async (name) => {
    const guide = await readGuide(name);
    const text = guide?.html.replace(/<pre[\s\S]*?<\/pre>/g, "").replace(/<[^>]+>/g, " ");
    expect(text).not.toMatch(/`|\*\*|\]\(|undefined|\[object/);
  });

  it.each(guides)("%s has only working links", async (name) => {
    const guide = await readGuide(name);
    for (const [, href = ""] of guide?.html.matchAll(/href="([^"]+)"/g) ?? []) {
      const url = new URL(href, `http://localhost:3000/docs/guides/${name}`);
      if (url.host !== "localhost:3000") {
        expect(url.protocol, href).toBe("https:");
        continue;
      }
      const [, other] = /^\/docs\/guides\/([\w-]+)$/.exec(url.pathname) ?? [];
      if (!other) expect(isServed(url.pathname), href).toBe(true);
      const target = other && (await readGuide(other));
      expect(target, href).not.toBe(null);
      if (url.hash && target) expect(idsOf(target.html), href).toContain(url.hash.slice(1));
    }
  });

  it("are the only ones", async () => {
    expect(await readGuide("../../README")).toBe(null);
    expect(await allGuides()).toHaveLength(guides.length);
  });
});

describe("the move from a hosted service", () => {
  it("shows what migrate-check prints", () => {
    const [, pageUrl = "", example = ""] =
      /```text\n(\S+)\n([\s\S]*?)```/.exec(source("moving-from-a-hosted-service")) ?? [];
    const lines = Array<string>(14).fill("");
    lines[3] = '<script src="https://js.testfreaks.com/onpage/shop.example/head.js"></script>';
    lines[6] = '<script>testFreaks.push(["setProductId", "LAMP"])</script>';
    lines[9] = '<div id="testfreaks-badge-top"></div>';
    lines[13] = '<div id="testfreaks-videos"></div>';
    const store = { collect_questions: true, allowed_origins: [], config: {} };
    const findings = explainMigration(findMarkup(lines.slice(1).join("\n"), pageUrl), {
      pageUrl,
      policies: ["script-src 'self'; connect-src 'self'"],
      stores: new Map([["shop.example", store]]),
      clientId: "shop.example",
      origin: "http://localhost:3000",
      ownOrigin: "http://localhost:3000",
    });
    expect(findings.map((finding) => `${findingLine(finding)}\n`).join("")).toBe(example);
  });

  it("is checked for every public address but those of servers", () => {
    // A hosted service has no log of its decisions either.
    const ofServers = /^\/(?:v1|api\/(?:health|mail-events)|images|honesty)(?:\/|$)/;
    const paths = publicContracts.map(({ path }) => path).filter((path) => !ofServers.test(path));
    expect(paths).toContain("/badge/{client_id}/head.js");
    const known = servedPaths.map(({ path }) => path);
    expect(paths.filter((path) => !known.includes(path))).toEqual([]);
  });

  it("lists the addresses of older sites", () => {
    const text = source("moving-from-a-hosted-service");
    const old = publicContracts.filter(({ description }) => /^The same (?:as|script)/.test(description ?? ""));
    expect(old.length).toBeGreaterThanOrEqual(7);
    for (const { path } of old) expect(text).toContain(path.replace(/^\/onpage\/{client_id}\//, ""));
  });
});

describe("errors and limits", () => {
  it("lists every code with its status", () => {
    for (const [code, status] of Object.entries(errorStatus))
      expect(source("errors-and-limits")).toContain(`| ${status} | \`${code}\` |`);
  });

  it("lists every limit with its values", () => {
    for (const [name, { burst, perSecond }] of Object.entries({ ...limits, ...byteLimits })) {
      const [unit, one] = name in byteLimits ? [" MiB", 2 ** 20] : ["", 1];
      const rate =
        perSecond >= 1 ? `${perSecond / one}${unit} a second` : `${Math.round(perSecond * 600)}${unit} in 10 minutes`;
      const [row = ""] = new RegExp(`^\\| \`${name}\` .*$`, "m").exec(source("errors-and-limits")) ?? [];
      expect(row, name).toContain(`| ${(burst / one).toLocaleString("en")}${unit} | ${rate} |`);
    }
  });
});

describe("webhooks", () => {
  it("lists every event", () => {
    for (const event of Object.keys(payloads)) expect(source("webhooks")).toContain(`\`${event}\``);
  });
});

/** Code that verifies an event: a function of secret, headers and raw body. */
const samples = [...source("webhooks").matchAll(/^```\w+ (verify\.\w+)\n(.*?)^```$/gms)].map(
  ([, file = "", code = ""]) => ({ file, code }),
);

it("shows verification in four languages", () => {
  expect(samples.map(({ file }) => file)).toEqual(["verify.mjs", "verify.py", "verify.php", "verify.go"]);
});

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const otherSecret = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
const body = JSON.stringify({ type: "review.created", data: { text: "Grüße 👋" } });

/** Headers of an event, signed now with these secrets. */
function headersOf(secrets: string[], moment = new Date()) {
  const signature = secrets.map((one) => new Webhook(one).sign("msg_1", moment, body)).join(" ");
  const timestamp = String(Math.floor(moment.getTime() / 1_000));
  return { "webhook-id": "msg_1", "webhook-timestamp": timestamp, "webhook-signature": signature };
}

const cases = [
  { name: "signed", headers: headersOf([secret]), body, valid: true },
  { name: "signed by two secrets", headers: headersOf([otherSecret, secret]), body, valid: true },
  { name: "signed by another secret", headers: headersOf([otherSecret]), body, valid: false },
  { name: "altered", headers: headersOf([secret]), body: body.replace("review", "Review"), valid: false },
  { name: "old", headers: headersOf([secret], new Date(Date.now() - 3_600_000)), body, valid: false },
];

/** How each language reads the cases from standard input and prints the result of `verify` for each, as JSON. */
const runners: Record<string, { command: string; args: string[]; main: string; file: string }> = {
  "verify.mjs": {
    command: process.execPath,
    args: ["main.mjs"],
    file: "main.mjs",
    main: `import { readFileSync } from "node:fs";
import { verify } from "./verify.mjs";
const cases = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(cases.map(({ headers, body }) => verify(${JSON.stringify(secret)}, headers, body))));`,
  },
  "verify.py": {
    command: "python3",
    args: ["main.py"],
    file: "main.py",
    main: `import json, sys
from verify import verify
cases = json.load(sys.stdin)
print(json.dumps([verify(${JSON.stringify(secret)}, each["headers"], each["body"]) for each in cases]))`,
  },
  "verify.php": {
    command: "php",
    args: ["main.php"],
    file: "main.php",
    main: `<?php
require 'verify.php';
$cases = json_decode(file_get_contents('php://stdin'), true);
echo json_encode(array_map(fn($each) => verify(${JSON.stringify(secret)}, $each['headers'], $each['body']), $cases));`,
  },
  "verify.go": {
    command: "go",
    args: ["run", "main.go", "verify.go"],
    file: "main.go",
    main: `package main

import (
	"encoding/json"
	"os"
)

func main() {
	var cases []struct {
		Headers map[string]string
		Body    string
	}
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil {
		panic(err)
	}
	results := []bool{}
	for _, each := range cases {
		results = append(results, verify(${JSON.stringify(secret)}, each.Headers, each.Body))
	}
	json.NewEncoder(os.Stdout).Encode(results)
}`,
  },
};

const isInstalled = (command: string) => spawnSync(command, [command === "go" ? "version" : "--version"]).status === 0;

describe.each(samples)("the sample $file", ({ file, code }) => {
  const runner = runners[file];
  if (!runner) throw new Error(`no runner for ${file}`);
  it.runIf(isInstalled(runner.command))("accepts only correctly signed events", { timeout: 120_000 }, () => {
    const folder = temporaryFolder("webhook-sample");
    writeFileSync(path.join(folder, file), code);
    writeFileSync(path.join(folder, runner.file), runner.main);
    const printed = execFileSync(runner.command, runner.args, { cwd: folder, input: JSON.stringify(cases) });
    const results = JSON.parse(String(printed)) as boolean[];
    expect(cases.map(({ name }, index) => [name, results[index]])).toEqual(
      cases.map(({ name, valid }) => [name, valid]),
    );
  });
});
