import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { renderToStaticMarkup } from "react-dom/server";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import WebhookDocs from "@/app/docs/webhooks/page";
import { payloads } from "@/lib/integrations/webhooks/payloads";
import { temporaryFolder } from "@/lib/tools/test/folder";
import { samples } from "./_samples";

const html = renderToStaticMarkup(<WebhookDocs />);

describe("/docs/webhooks", () => {
  it("lists every event and shows every sample", () => {
    for (const event of Object.keys(payloads)) expect(html).toContain(`>${event}</td>`);
    for (const { language } of samples) expect(html).toContain(`>${language}</figcaption>`);
    expect(html.replace(/<pre[\s\S]*?<\/pre>/g, "").replace(/<[^>]+>/g, " ")).not.toMatch(/`|undefined|\[object/);
  });
});

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const otherSecret = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
const body = JSON.stringify({ type: "review.created", data: { text: "Grüße 👋" } });

/** Headers as they are sent now, signed by these secrets. */
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

/** How each language reads the cases from standard input and prints what its `verify` says of each, as JSON. */
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

describe.each(samples)("the sample in $language", ({ file, code }) => {
  const runner = runners[file];
  if (!runner) throw new Error(`no runner for ${file}`);
  it.runIf(isInstalled(runner.command))("accepts what is signed, and nothing else", { timeout: 120_000 }, () => {
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
