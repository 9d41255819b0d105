import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { root } from "./bootstrap.mjs";

/** Runs a command on a Node that reports this version and lacks everything added after Node 18. */
function runOn(version: string, command: string) {
  const older = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } })`;
  return spawnSync(
    process.execPath,
    ["--import", `data:text/javascript,${encodeURIComponent(older)}`, command, "--help"],
    { cwd: root, encoding: "utf8", timeout: 60_000 },
  );
}

test.each(["18.20.8", "20.18.3", "16.0.0"])("on Node %s a command fails with a one-line error", (version) => {
  const { status, stdout, stderr } = runOn(version, "lib/tools/launch/start.mjs");
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr).toMatch(/^Candor needs Node 20\.19 or newer[^\n]*\n$/);
  expect(stderr).toContain(version);
});

test("every command checks the version before it uses anything that an older Node lacks", () => {
  const source = (file: string) => readFileSync(path.join(root, "lib/tools/launch", file), "utf8");
  const { scripts } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  const commands = Object.values(scripts).map((line) => /lib\/tools\/launch\/(\S+\.mjs)/.exec(line)?.[1] ?? line);
  expect(readdirSync(path.join(root, "lib/tools/launch"))).toEqual(expect.arrayContaining(commands));
  // A module's static imports run before it, in this order.
  const imports = (file: string) =>
    [...source(file).matchAll(/^(?:import|\} from) ?(?:.* from )?"(\.[^"]+)";$/gm)].map(([, name]) => name);
  for (const command of commands) expect([command, imports(command)[0]]).toEqual([command, "./bootstrap.mjs"]);
  expect(imports("bootstrap.mjs")[0]).toBe("./node-version.mjs");
});
