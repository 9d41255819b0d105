// @ts-check
// What every command begins with: on a machine that has only some Node (20.19 or newer) and npm, install the packages
// and go on under the Node that came with them. Imports nothing but Node's own modules.
import "./node-version.mjs";
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { withLock } from "./lock.mjs";

/** The folder of the installation; this module is also part of what is built into dist/. */
export const root = findFolderWith("package.json");

/** False in an image, which holds what was built and not what it was built of: nothing to install or to build. */
export const hasSources = existsSync(path.join(root, "app"));
const modules = path.join(root, "node_modules");
const installedNode = path.join(modules, ".bin", process.platform === "win32" ? "node.cmd" : "node");

/** The lock for all that writes into this folder: packages, generated code, the build. */
export const folderLock = path.join(root, ".launch/lock");

/** A fault the operator can do something about: told in its own words, without a stack. */
export class LaunchError extends Error {}

/** Seconds since the command was given. */
export function secondsSinceStart() {
  return ((Date.now() - Number(process.env.CANDOR_BEGAN)) / 1000).toFixed(1);
}

/** Where progress is told. Standard output, except for commands whose output is somebody's input. */
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
 * Says what is done while it is done, on one line, with how long it took.
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

/** Aborted by the first Ctrl-C or SIGTERM, with the signal as its reason: what is under way then ends in order. */
const stopController = new AbortController();
export const stopSignal = stopController.signal;

/** The work was cut short by Ctrl-C or SIGTERM. */
class StoppedError extends Error {}

/** Throws when the operator wants us to end. */
export function throwIfStopped() {
  if (stopSignal.aborted) throw new StoppedError(stopSignal.reason);
}

function listenForSignals() {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => stopController.abort(signal));
  // npm does not pass on its own death by kill -9: notice that our parent is another one.
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event && !process.connected)
    setInterval(() => process.ppid !== parent && stopController.abort("SIGTERM"), 200).unref();
  // An older Node that made way for this one (below) holds a channel open as long as it lives.
  if (process.connected) {
    process.once("disconnect", () => stopController.abort("SIGTERM"));
    process.channel?.unref();
  }
}

/** Passes the wish to end on to a child. @param {import("node:child_process").ChildProcess} child */
export function forwardStop(child) {
  const stop = () => void child.kill(stopSignal.reason);
  stopSignal.addEventListener("abort", stop);
  child.once("close", () => stopSignal.removeEventListener("abort", stop));
  if (stopSignal.aborted) stop();
}

/**
 * Runs a program to its end and returns what it wrote. Its output is shown only when it fails.
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

/** What a shell says of a process that ended by a signal. @param {string | null} signal */
function exitCodeOf(signal) {
  return 128 + (os.constants.signals[/** @type {NodeJS.Signals} */ (signal)] ?? 0);
}

/** The environment of our children: this Node and the packages' programs come first. */
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
 * Makes sure of the packages, then returns under Node 24; under another Node it runs `entry` again with the right one
 * and ends with its exit code.
 * @param {string} entry the command's file
 * @param {() => boolean} [isBuilt] whether the command can do without the packages that build
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
 * Runs a command's work and ends the process: a fault for the operator is told in one piece, anything else with its stack.
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
        // Scripts are needed: they bring Node 24 and the database's libraries. Development packages too: they build.
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
 * True when npm's own record of node_modules holds exactly what the lock file wants; packages for other platforms may lack,
 * and with `withoutDev` those that only build.
 */
function isInstalled({ withoutDev = false } = {}) {
  const record = path.join(modules, ".package-lock.json");
  if (!existsSync(record) || !existsSync(installedNode)) return false;
  /** @type {(file: string) => Record<string, { version?: string, optional?: boolean, dev?: boolean }>} */
  const packagesOf = (file) => JSON.parse(readFileSync(file, "utf8")).packages;
  const wanted = packagesOf(path.join(root, "package-lock.json"));
  const present = packagesOf(record);
  return (
    Object.entries(wanted).every(
      ([place, { version, optional, dev }]) =>
        place === "" || present[place]?.version === version || ((optional || (dev && withoutDev)) && !present[place]),
    ) && Object.keys(present).every((place) => place in wanted)
  );
}

/** @param {string} file @returns {string} the closest folder above this module that has it */
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
