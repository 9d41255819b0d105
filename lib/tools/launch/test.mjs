// @ts-check
// npm test: all checks of a change, on a machine with nothing installed; `npm test -- unit`, `-- db`, `-- built`, `--
// e2e`, `-- check` for a part, followed by filters for the runner (`npm test -- db lib/orders`). `npm run test:soak`:
// the slow tests; `-- soak`, `-- oldest`, `-- built`, `-- next`, `-- browser` for a part. Ends with one line that sums
// up all runners.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import {
  bootstrap,
  childEnvironment,
  exitOnError,
  LaunchError,
  printLine,
  root,
  runInForeground,
  throwIfStopped,
} from "./bootstrap.mjs";
import { build, generateCode } from "./prepare.mjs";

await bootstrap(import.meta.filename);
const { check } = await import("./check.mjs");
const { ensureChromium } = await import("./chromium.mjs");

const isSoak = process.argv[2] === "--soak";
const parts = isSoak ? ["soak", "oldest", "built", "next", "browser"] : ["check", "unit", "db", "built", "e2e"];
/**
 * `names` are the failed tests, and `flaky` those that passed at the second try: both are repeated at the end of the output.
 * @typedef {{ passed: number, failed: number, skipped: number, names: string[], flaky?: string[] }} Tally
 */

process.exit((await exitOnError(test)) ?? 1);

async function test() {
  const args = process.argv.slice(isSoak ? 3 : 2);
  const chosen = args.filter((arg) => parts.includes(arg));
  const rest = args.filter((arg) => !parts.includes(arg));
  if (rest.length > 0 && chosen.length !== 1)
    throw new LaunchError(
      `Specify which tests to run: ${isSoak ? "npm run test:soak" : "npm test"} -- ${parts.join("|")} ${rest.join(" ")}`,
    );
  const wants = (/** @type {string} */ part) => parts.includes(part) && (chosen.length === 0 || chosen.includes(part));

  const reports = mkdtempSync(path.join(os.tmpdir(), "candor-test-reports-"));
  /** @type {Tally} */
  const total = { passed: 0, failed: 0, skipped: 0, names: [] };
  /** @type {string[]} */
  const flakyTests = [];
  const add = (/** @type {Tally} */ { passed, failed, skipped, names, flaky = [] }) => {
    total.passed += passed;
    total.failed += failed;
    total.skipped += skipped;
    total.names.push(...names);
    flakyTests.push(...flaky);
  };
  try {
    // The slow download first, so that its progress is visible right away.
    if (wants("e2e") || wants("browser")) await ensureChromium();
    await generateCode();
    if (wants("check")) {
      heading("Format, lint, types");
      const results = await check();
      add({
        passed: results.filter(({ ok }) => ok).length,
        failed: results.filter(({ ok }) => !ok).length,
        skipped: 0,
        names: results.filter(({ ok }) => !ok).map(({ name }) => name),
      });
    }
    const projects = ["unit", "db"].filter(wants).flatMap((part) => [part, `${part}, own process`]);
    if (wants("soak")) projects.push("soak");
    const oldestProject = wants("db") ? "PostgreSQL 15" : wants("oldest") ? "PostgreSQL 15, all" : null;
    // Not available for every platform: skipped with a message then.
    if (oldestProject && existsSync(path.join(root, "node_modules/postgres-15"))) projects.push(oldestProject);
    else if (oldestProject) printLine("PostgreSQL 15 isn't available for this platform. Skipping its tests.");
    if (projects.length > 0) {
      heading(`Vitest: ${projects.join(", ")}`);
      add(await vitest(projects, rest, path.join(reports, "vitest.json")));
    }
    const built = isSoak ? "npm start, all" : "npm start";
    for (const projectName of [...(wants("built") ? [built] : []), ...(wants("next") ? ["next start"] : [])]) {
      heading(`Vitest: the API over HTTP, by ${projectName}`);
      add(await afterBuild(() => vitest([projectName], rest, path.join(reports, `${projectName}.json`))));
    }
    if (wants("e2e")) {
      heading("Playwright");
      add(await afterBuild(() => playwright("e2e/playwright.config.ts", rest, path.join(reports, "playwright.json"))));
    }
    if (wants("browser")) {
      heading("Playwright: soak tests");
      add(await afterBuild(() => playwright("e2e/soak.config.ts", rest, path.join(reports, "browser.json"))));
    }
  } finally {
    rmSync(reports, { recursive: true, force: true });
  }
  if (flakyTests.length > 0)
    printLine(`\nPassed at the second try:\n${flakyTests.map((name) => `  ${name}`).join("\n")}`);
  if (total.names.length > 0) printLine(`\nFailed:\n${total.names.map((name) => `  ${name}`).join("\n")}`);
  printLine(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
  return total.failed === 0 && total.passed > 0 ? 0 : 1;
}

/** @param {string} title */
function heading(title) {
  printLine(`\n── ${title} ${"─".repeat(Math.max(0, 100 - title.length))}`);
}

/** @param {string[]} projects @param {string[]} filters @param {string} report @returns {Promise<Tally>} */
async function vitest(projects, filters, report) {
  const code = await runInForeground(
    "vitest",
    [
      "run",
      "--config=lib/tools/test/vitest.config.ts",
      ...projects.map((project) => `--project=${project}`),
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${report}`,
      ...filters,
    ],
    { env: { ...childEnvironment(), NODE_ENV: "test" } },
  );
  throwIfStopped();
  const result = read(report);
  if (!result) return missingReport(projects.join(", "));
  const tally = {
    passed: result.numPassedTests,
    failed: result.numFailedTests,
    skipped: result.numPendingTests + result.numTodoTests,
  };
  // A file that can't be loaded, or an error outside any test, is a failure too.
  const broken = result.testResults.filter(
    (/** @type {any} */ file) =>
      file.status === "failed" && file.assertionResults.every((/** @type {any} */ each) => each.status !== "failed"),
  );
  const names = result.testResults.flatMap((/** @type {any} */ file) =>
    file.assertionResults
      .filter((/** @type {any} */ each) => each.status === "failed")
      .map(
        (/** @type {any} */ each) =>
          `${nameOf(file)}: ${each.fullName}\n    ${each.failureMessages[0]?.split("\n")[0]}`,
      ),
  );
  return withExitCode(
    { ...tally, failed: tally.failed + broken.length, names: [...names, ...broken.map(describeBrokenFile)] },
    code,
    projects.join(", "),
  );
}

/** @param {() => Promise<Tally>} run @returns {Promise<Tally>} */
async function afterBuild(run) {
  try {
    await build();
  } catch (error) {
    printLine(error instanceof LaunchError ? error.message : String(error));
    return missingReport("the build of the pages");
  }
  return run();
}

/** @param {string} config @param {string[]} filters @param {string} report @returns {Promise<Tally>} */
async function playwright(config, filters, report) {
  const code = await runInForeground("playwright", ["test", `--config=${config}`, "--reporter=list,json", ...filters], {
    env: { ...childEnvironment(), PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  });
  throwIfStopped();
  const result = read(report);
  if (!result?.stats) return missingReport("Playwright");
  const { expected, flaky, unexpected, skipped } = result.stats;
  return withExitCode(
    {
      passed: expected + flaky,
      failed: unexpected,
      skipped,
      names: result.suites.flatMap((/** @type {any} */ suite) => specsOf(suite, "unexpected")),
      flaky: result.suites.flatMap((/** @type {any} */ suite) => specsOf(suite, "flaky")),
    },
    code,
    "Playwright",
  );
}

/** @param {any} suite of Playwright's report, which is nested @param {string} status of a test @returns {string[]} */
function specsOf(suite, status) {
  return [
    ...suite.specs
      .filter((/** @type {any} */ spec) => spec.tests.some((/** @type {any} */ test) => test.status === status))
      .map((/** @type {any} */ spec) => `e2e/${spec.file}:${spec.line}: ${spec.title}`),
    ...(suite.suites ?? []).flatMap((/** @type {any} */ inner) => specsOf(inner, status)),
  ];
}

/** @param {{ name: string }} file of Vitest's report @returns {string} */
function nameOf(file) {
  return path.relative(process.cwd(), file.name);
}

/**
 * Describes a file that failed outside its tests (it can't be loaded, or its setup failed). @param {any} file of
 * Vitest's report @returns {string}
 */
function describeBrokenFile(file) {
  return `${nameOf(file)}\n    ${file.message?.split("\n")[0] || "says no reason"}`;
}

/** @param {string} what the runner that didn't finish @returns {Tally} */
function missingReport(what) {
  return { passed: 0, failed: 1, skipped: 0, names: [`${what}: left no report`] };
}

/**
 * Counts a runner that fails without naming a failed test as a failure. @param {Tally} tally @param {number} code
 * @param {string} runner
 */
function withExitCode(tally, code, runner) {
  if (code === 0 || tally.failed > 0) return tally;
  return { ...tally, failed: 1, names: [`${runner}: ended with ${code}, though no test failed`] };
}

/** @param {string} report */
function read(report) {
  try {
    return JSON.parse(readFileSync(report, "utf8"));
  } catch (error) {
    printLine(`The runner left no report (${/** @type {Error} */ (error).message}).`);
    return null;
  }
}
