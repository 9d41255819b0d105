// @ts-check
// A thread that fills in clients' templates and is ended when that takes too long (liquid-apart.ts).
import { parentPort } from "node:worker_threads";
import { makeEngines, render } from "./liquid-engine.mjs";

/** @typedef {{ format: import("./liquid-engine.mjs").Format, template: string, values: object }} Part */
/**
 * What is asked of the thread: a part of a mail, filled in within so many milliseconds, or the names of variables that a
 * template asks for.
 * @typedef {{ part: Part, most: number } | { template: string }} Task
 */
/**
 * What it answers: what was made, or why nothing was, and the milliseconds of the processor that it took.
 * @typedef {({ text: string } | { names: string[] } | { error: string }) & { took: number }} Answer
 */

const engines = makeEngines();

/** @param {Task} task @returns {Answer} */
function work(task) {
  const worked = processorTime();
  try {
    const made =
      "part" in task
        ? { text: render(engines, task.part.format, task.part.template, task.part.values, task.most) }
        : { names: engines.text.globalVariablesSync(task.template) };
    return { ...made, took: processorTime() - worked };
  } catch (error) {
    return { error: /** @type {Error} */ (error).message, took: processorTime() - worked };
  }
}

/** Milliseconds that the processor worked for this thread. */
function processorTime() {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

parentPort?.on("message", (task) => parentPort?.postMessage(work(task)));
parentPort?.postMessage("ready");
