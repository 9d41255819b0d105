// @ts-check
// npm run check: format, lint, import directions, and types. Exit code 1 if a check fails.
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

/**
 * @returns {Promise<{ name: string, ok: boolean }[]>}
 */
export async function check() {
  await generateCode();
  await generateTypes();
  const results = [];
  for (const [name, program, args] of /** @type {const} */ ([
    ["format and lint", "biome", ["check", "--error-on-warnings"]],
    ["dependencies", "depcruise", ["--config", ".dependency-cruiser.mjs", "app", "components", "inngest", "lib"]],
    // By its path: the compiler for openapi-typescript installs a tsc, too.
    ["types", process.execPath, ["node_modules/typescript/bin/tsc", "--noEmit", "--project", "."]],
  ])) {
    const began = performance.now();
    const code = await runInForeground(program, [...args], { env: childEnvironment(), cwd: root });
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
