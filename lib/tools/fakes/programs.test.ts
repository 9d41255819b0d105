import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { root } from "@/lib/tools/launch/bootstrap.mjs";

// As a newcomer starts them: npm run double -- <partner>.

it.each(["engagement", "commerce", "share"])(
  "%s starts as a program of its own, says how to connect and what can go wrong, and ends when asked",
  async (partner) => {
    const program = spawn(process.execPath, ["lib/tools/launch/double.mjs", partner, "--port", "0"], { cwd: root });
    const ended = once(program, "exit");
    let said = "";
    try {
      await new Promise<void>((resolve, reject) => {
        for (const stream of [program.stdout, program.stderr])
          stream.setEncoding("utf8").on("data", (text: string) => {
            said += text;
            if (/ALLOW_PRIVATE_URLS/.test(said)) resolve();
          });
        program.once("exit", () => reject(new Error(`It ended:\n${said}`)));
      });
      const [, state = ""] = /curl (http:\/\/127\.0\.0\.1:\d+\/_double\/state)/.exec(said) ?? [];
      expect((await fetch(state)).status).toBe(200);
      expect(said).toMatch(/_double\/trouble/);
    } finally {
      program.kill("SIGTERM");
      await ended;
    }
    expect(await ended).toEqual([0, null]);
  },
  60_000,
);
