// @ts-check
// Runs first in every command: on a machine with npm and Node 20.19 or newer, installs the packages and continues under
// the Node they contain. Imports only Node's own modules.
import "./node-version.mjs";
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { withLock } from "./lock.mjs";

/** The folder of the installation; this module is also bundled into dist/. */
export const root = findFolderWith("package.json");

/** False in an image, which has the build output without its sources: there is nothing to install or build. */
export const hasSources = existsSync(path.join(root, "app"));
const modules = path.join(root, "node_modules");
const installedNode = path.join(modules, ".bin", process.platform === "win32" ? "node.cmd" : "node");

/** Lock for everything that writes into this folder: packages, generated code, the build. */
export const folderLock = path.join(root, ".launch/lock");

/** An error the operator can fix: its message is printed without a stack. */
export class LaunchError extends Error {}

/** Seconds since the command was started. */
export function secondsSinceStart() {
  return ((Date.now() - Number(process.env.CANDOR_BEGAN)) / 1000).toFixed(1);
}

/** Where progress is printed: standard output, except for commands whose output is read by programs. */
/** @type {NodeJS.WriteStream} */
let out = process.stdout;
export function logToStderr() {
  out = process.stderr;
}

/** @param {string} line */
export function printLine(line) {
  out.write(`${line}\n`);
}

/**
 * Prints the title while the work runs, then its duration, on one line.
 * @template T
 * @param {string} title
 * @param {() => Promise<T>} work
 */
export async function step(title, work) {
  const began = performance.now();
  out.write(`${title} … `);
  try {
    const result = await work();
    out.write(`${((performance.now() - began) / 1000).toFixed(1)} s\n`);
    return result;
  } catch (error) {
    out.write("failed\n");
    throw error;
  }
}

/** Aborted by the first Ctrl-C or SIGTERM, with the signal as its reason: running work then stops gracefully. */
const stopController = new AbortController();
export const stopSignal = stopController.signal;

/** The work was interrupted by Ctrl-C or SIGTERM. */
class StoppedError extends Error {}

/** Throws if the operator has requested a stop. */
export function throwIfStopped() {
  if (stopSignal.aborted) throw new StoppedError(stopSignal.reason);
}

function listenForSignals() {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => stopController.abort(signal));
  // If npm is killed with kill -9, it can't forward the signal: detect that the parent has changed.
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event && !process.connected)
    setInterval(() => process.ppid !== parent && stopController.abort("SIGTERM"), 200).unref();
  // An older Node that started this one (below) keeps a channel open while it lives.
  if (process.connected) {
    process.once("disconnect", () => stopController.abort("SIGTERM"));
    process.channel?.unref();
  }
}

/** Forwards a stop signal to a child. @param {import("node:child_process").ChildProcess} child */
export function forwardStop(child) {
  const stop = () => void child.kill(stopSignal.reason);
  stopSignal.addEventListener("abort", stop);
  child.once("close", () => stopSignal.removeEventListener("abort", stop));
  if (stopSignal.aborted) stop();
}

/**
 * Runs a program and resolves with its output. The output is shown only if it fails.
 * @param {string} program
 * @param {string[]} args
 * @param {import("node:child_process").SpawnOptions} [options]
 * @returns {Promise<string>}
 */
export function run(program, args, options = {}) {
  return new Promise((resolve, reject) => {
    let output = "";
    const child = spawn(program, args, { cwd: root, ...options, stdio: ["ignore", "pipe", "pipe"] });
    forwardStop(child);
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text) => {
        output = (output + text).slice(-200_000);
      });
    }
    child.once("error", reject);
    child.once("close", (code, signal) => {
      if (code === 0) resolve(output);
      else if (stopSignal.aborted) reject(new StoppedError(stopSignal.reason));
      else {
        const command = `${path.basename(program)} ${args.join(" ")}`;
        reject(new LaunchError(`${output.trim()}\n\n${command} failed (${signal ?? `exit ${code}`}).`));
      }
    });
  });
}

/**
 * Runs a program that shares this terminal; resolves with its exit code.
 * @param {string} program
 * @param {string[]} args
 * @param {import("node:child_process").SpawnOptions} [options]
 * @returns {Promise<number>}
 */
export function runInForeground(program, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, stdio: "inherit", ...options });
    forwardStop(child);
    child.once("error", reject);
    child.once("close", (code, signal) => resolve(code ?? exitCodeOf(signal)));
  });
}

/** Exit code of a process that ended by a signal, as a shell reports it. @param {string | null} signal */
function exitCodeOf(signal) {
  return 128 + (os.constants.signals[/** @type {NodeJS.Signals} */ (signal)] ?? 0);
}

/** The environment of child processes: this Node and the packages' programs come first in PATH. */
export function childEnvironment() {
  const searchPath = [path.join(modules, ".bin"), process.env.PATH ?? ""].join(path.delimiter);
  return {
    ...process.env,
    PATH: searchPath,
    NEXT_TELEMETRY_DISABLED: "1",
    CHECKPOINT_DISABLE: "1",
    PRISMA_HIDE_UPDATE_MESSAGE: "1",
  };
}

/**
 * Installs missing packages, then returns under Node 24. Under another Node, runs `entry` again with the right one and
 * exits with its code.
 * @param {string} entry the command's file
 * @param {() => boolean} [isBuilt] whether the command can run without the packages used to build
 */
export async function bootstrap(entry, isBuilt = () => false) {
  process.env.CANDOR_BEGAN ??= String(Date.now());
  listenForSignals();
  await exitOnError(() => install(isBuilt));
  if (process.versions.node.split(".")[0] === "24") return;
  const code = await runInForeground(installedNode, [entry, ...process.argv.slice(2)], {
    cwd: process.cwd(),
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env: childEnvironment(),
  });
  process.exit(code);
}

/**
 * Runs a command's work. On an error prints it (an operator error without its stack) and exits.
 * @param {() => Promise<number | void>} work resolves with the exit code
 */
export async function exitOnError(work) {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoppedError) process.exit(exitCodeOf(error.message));
    const isOperatorError = error instanceof LaunchError || (error instanceof Error && error.name === "SettingsError");
    process.stderr.write(`${isOperatorError ? error.message : error instanceof Error ? error.stack : error}\n`);
    process.exit(1);
  }
}

/** @param {() => boolean} isBuilt */
async function install(isBuilt) {
  const done = () => isInstalled() || (isInstalled({ withoutDev: true }) && isBuilt());
  if (!hasSources || done()) return;
  await withLock(
    folderLock,
    async () => {
      if (done()) return;
      await step("Installing packages (npm ci, about a minute)", () =>
        // Install scripts provide Node 24 and the database's libraries. The build needs the development packages.
        run("npm", ["ci", "--include=dev", "--ignore-scripts=false", "--loglevel=error"], {
          env: environmentForNpm(),
        }),
      );
      if (!existsSync(installedNode))
        throw new LaunchError("npm ci didn't install Node 24 (node_modules/.bin/node is missing).");
    },
    (pid) => printLine(`Waiting for process ${pid}, which is setting up this folder …`),
  );
}

/**
 * True if npm's record of node_modules matches the lock file. Optional packages for other platforms may be missing, and
 * with `withoutDev` those needed only to build.
 */
function isInstalled({ withoutDev = false } = {}) {
  const record = path.join(modules, ".package-lock.json");
  if (!existsSync(record) || !existsSync(installedNode)) return false;
  /** @type {(file: string) => Record<string, { version?: string, optional?: boolean, dev?: boolean }>} */
  const packagesOf = (file) => JSON.parse(readFileSync(file, "utf8")).packages;
  const locked = packagesOf(path.join(root, "package-lock.json"));
  const present = packagesOf(record);
  return (
    Object.entries(locked).every(
      ([place, { version, optional, dev }]) =>
        place === "" || present[place]?.version === version || ((optional || (dev && withoutDev)) && !present[place]),
    ) && Object.keys(present).every((place) => place in locked)
  );
}

/** @param {string} file @returns {string} the closest folder above this module that contains it */
function findFolderWith(file) {
  let folder = import.meta.dirname;
  while (!existsSync(path.join(folder, file))) folder = path.dirname(folder);
  return folder;
}

/** npm replaces node_modules, so it must not run on the Node in there. */
function environmentForNpm() {
  const search = (process.env.PATH ?? "").split(path.delimiter).filter((folder) => !folder.startsWith(modules));
  return { ...process.env, PATH: search.join(path.delimiter) };
}
