// @ts-check
// A worker thread that renders clients' templates and is terminated if that takes too long (liquid-worker.ts).
import { parentPort } from "node:worker_threads";
import { makeEngines, render } from "./liquid-engine.mjs";

/** @typedef {{ format: import("./liquid-engine.mjs").Format, template: string, values: object }} Part */
/**
 * A task of the thread: render a part of an email, or list the names of a template's variables.
 * @typedef {{ part: Part } | { template: string }} Task
 */
/**
 * Its result, or the error, and the CPU milliseconds it took.
 * @typedef {({ text: string } | { names: string[] } | { error: string }) & { took: number }} Answer
 */

const engines = makeEngines();

/** @param {Task} task @returns {Answer} */
function work(task) {
  const worked = processorTime();
  try {
    const made =
      "part" in task
        ? { text: render(engines, task.part.format, task.part.template, task.part.values) }
        : { names: engines.text.globalVariablesSync(task.template) };
    return { ...made, took: processorTime() - worked };
  } catch (error) {
    return { error: /** @type {Error} */ (error).message, took: processorTime() - worked };
  }
}

/** CPU milliseconds used by this thread. */
function processorTime() {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

parentPort?.on("message", (task) => parentPort?.postMessage(work(task)));
parentPort?.postMessage("ready");
