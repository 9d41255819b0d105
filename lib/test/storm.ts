import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { root } from "@/lib/launch/bootstrap.mjs";

/** Processes of ours that a test starts from a script and kills in the middle of their work. */
export class Doomed {
  readonly #script: string;
  readonly #children = new Set<ChildProcess>();

  /** `script`: its path from the project's folder. */
  constructor(script: string) {
    this.#script = script;
  }

  /** Starts one more. Whoever awaits its `exit` learns how it ended by itself. */
  start(...args: string[]): ChildProcess {
    // The pipe ends with the test's process, however that ends, which tells scripts that read it.
    const child = spawn(process.execPath, ["--import", "tsx", this.#script, ...args], {
      cwd: root,
      env: process.env,
      stdio: ["pipe", "ignore", "inherit"],
    });
    this.#children.add(child);
    child.once("exit", () => this.#children.delete(child));
    return child;
  }

  /** Kills all that are left, without a word of warning. */
  async kill(): Promise<void> {
    await Promise.all(
      [...this.#children].map(async (child) => {
        const ended = once(child, "exit");
        child.kill("SIGKILL");
        await ended;
      }),
    );
  }
}

type Passing =
  | { status: number; retryAfter?: number; html?: boolean }
  | "cut"
  | "cut in the middle"
  | "never answer"
  | "slow body";

/** What becomes of the nth answer, of 0 to 99: the same each time, and without a pattern. */
export const diceOf = (n: number): number => (Math.imul(n ^ 0x5bd1e995, 0x9e3779b1) >>> 16) % 100;

/** About a quarter of all answers go wrong, in every way that passes; null: it goes well. */
export function stormOf(n: number): Passing | null {
  const dice = diceOf(n);
  if (dice < 3) return { status: 429, retryAfter: 1 };
  if (dice < 8) return { status: 503, html: true };
  if (dice < 11) return { status: 500, html: true };
  if (dice < 15) return "cut";
  if (dice < 19) return "cut in the middle";
  if (dice < 22) return "never answer";
  return dice < 25 ? "slow body" : null;
}
