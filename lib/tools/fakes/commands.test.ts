import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { root } from "@/lib/tools/launch/bootstrap.mjs";

// As a user runs them: npm run fake -- <partner>.

it.each(["engagement", "commerce", "share"])(
  "%s starts as a command, prints how to connect and simulate failures, and stops on SIGTERM",
  async (partner) => {
    const program = spawn(process.execPath, ["lib/tools/launch/fake.mjs", partner, "--port", "0"], { cwd: root });
    const ended = once(program, "exit");
    let output = "";
    try {
      await new Promise<void>((resolve, reject) => {
        for (const stream of [program.stdout, program.stderr])
          stream.setEncoding("utf8").on("data", (text: string) => {
            output += text;
            if (/ALLOW_PRIVATE_URLS/.test(output)) resolve();
          });
        program.once("exit", () => reject(new Error(`It ended:\n${output}`)));
      });
      const [, state = ""] = /curl (http:\/\/127\.0\.0\.1:\d+\/_fake\/state)/.exec(output) ?? [];
      expect((await fetch(state)).status).toBe(200);
      expect(output).toMatch(/_fake\/trouble/);
    } finally {
      program.kill("SIGTERM");
      await ended;
    }
    expect(await ended).toEqual([0, null]);
  },
  60_000,
);
