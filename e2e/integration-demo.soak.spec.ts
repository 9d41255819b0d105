import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { root } from "@/lib/tools/launch/bootstrap.mjs";
import { expect, test } from "./fixtures";
import { serverEnvironment } from "./server";

test("the integration demo runs locally and cleans up", async ({ request }) => {
  test.setTimeout(240_000);
  const folder = mkdtempSync(path.join(os.tmpdir(), "cd-"));
  const env = { ...serverEnvironment("", 0), PORT: "", TMPDIR: folder };
  const demo = spawn(process.execPath, ["lib/tools/launch/demo-integrations.mjs"], { cwd: root, env });
  const ended = once(demo, "close");
  let output = "";
  for (const stream of [demo.stdout, demo.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
  try {
    await expect
      .poll(() => /until you press Ctrl-C/.test(output) || demo.exitCode !== null, { timeout: 200_000 })
      .toBe(true);
    expect(output).toContain("Found 1 order in the store.");
    expect(output).toMatch(/Order \d+ of Ada Lindqvist: Pour-over kettle, 1 L, delivered on 20\d\d-/);
    expect(output).toMatch(
      /Its invitation is in the mailbox\.\n +To ada\S*@\S+: “.+”\n +http\S+\/portal\/mailbox\/\S+/,
    );
    expect(output).toMatch(/"productSku":"FF-KETTLE-1L","rating":4,"comment":"Pours like a dream/);
    expect(output).toMatch(/data share\.\n +\d+ [a-z]/);
    expect(output).toMatch(/"reviewLatestValue":4,"reviewAverageGrade":4/);
    const [, state = ""] = /the tenant +(\S+)/.exec(output) ?? [];
    expect(await (await request.get(state)).json()).toMatchObject({ interactions: [{ payload: { rating: 4 } }] });
  } finally {
    demo.kill("SIGINT");
    expect(await ended, output).toEqual([0, null]);
  }
  expect(readdirSync(folder).filter((name) => name.startsWith("candor"))).toEqual([]);
  rmSync(folder, { recursive: true });
});
