// @ts-check
// npm run check: format, lint, import directions, and types. Exit code 1 if a check fails.
import { availableParallelism } from "node:os";
import {
  bootstrap,
  childEnvironment,
  exitOnError,
  printLine,
  root,
  runInForeground,
  throwIfStopped,
} from "./bootstrap.mjs";
import { generateCode, generateTypes } from "./prepare.mjs";

/** More checkers repeat each other's work, and the other checks need a processor, too. */
const checkers = Math.min(4, Math.max(1, availableParallelism() - 1));

/** @typedef {{ name: string, program: string, args: string[] }} Check */

/** @type {Check} */
const types = {
  name: "types",
  // By its path: the compiler for openapi-typescript installs a tsc, too.
  program: process.execPath,
  args: ["node_modules/typescript/bin/tsc", "--noEmit", "--project", ".", "--checkers", String(checkers)],
};

/** @type {Check[]} */
const others = [
  { name: "format and lint", program: "biome", args: ["check", "--error-on-warnings"] },
  {
    name: "dependencies",
    program: "depcruise",
    args: ["--config", ".dependency-cruiser.mjs", "app", "components", "inngest", "lib"],
  },
];

/**
 * Checks the types beside everything else, which takes as long.
 * @returns {Promise<{ name: string, ok: boolean }[]>}
 */
export async function check() {
  await generateCode();
  await generateTypes();
  // If a program can't be started, the others still end before this process does.
  const results = await Promise.allSettled([runChecks([types]), runChecks(others)]);
  return results.flatMap((result) => {
    if (result.status === "rejected") throw result.reason;
    return result.value;
  });
}

/**
 * Runs checks one after the other.
 * @param {Check[]} checks
 */
async function runChecks(checks) {
  const results = [];
  for (const { name, program, args } of checks) {
    const began = performance.now();
    const code = await runInForeground(program, args, { env: childEnvironment(), cwd: root });
    throwIfStopped();
    printLine(`${code === 0 ? "✓" : "✗"} ${name} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
    results.push({ name, ok: code === 0 });
  }
  return results;
}

if (process.argv[1] === import.meta.filename) {
  await bootstrap(import.meta.filename);
  process.exit((await exitOnError(async () => ((await check()).every(({ ok }) => ok) ? 0 : 1))) ?? 0);
}
