import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { test as base, expect, type Page } from "@playwright/test";
import { root } from "@/lib/launch/bootstrap.mjs";
import { serverEnvironment } from "./server";

type Fixtures = {
  /** What the browser complained about so far. A test that provokes a complaint on purpose takes it out. */
  complaints: string[];
};

/** Playwright's `test`, against the started server; a console error or an uncaught page error fails the test. */
export const test = base.extend<Fixtures>({
  complaints: [
    async ({ page }, use) => {
      const complaints: string[] = [];
      listen(page, complaints);
      page.context().on("page", (other) => other !== page && listen(other, complaints));
      await use(complaints);
      expect(complaints, "the browser's console").toEqual([]);
    },
    { auto: true },
  ],
});

/**
 * The operator's command on the data of the server under test, as `admin("client", "show", "demo.candor.example")`:
 * the JSON it answers. Rejects with what it says on standard error.
 */
export async function admin(...args: string[]): Promise<unknown> {
  const port = Number(new URL(process.env.E2E_URL ?? "").port);
  const child = spawn(process.execPath, ["lib/launch/admin.mjs", ...args, "--json"], {
    cwd: root,
    env: serverEnvironment(process.env.E2E_DATA_DIR ?? "", port),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, fault, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  if (code !== 0) throw new Error(`admin ${args.join(" ")} ended with ${code}: ${fault || out}`);
  return out.trim() === "" ? undefined : JSON.parse(out);
}

function listen(page: Page, complaints: string[]) {
  page.on(
    "console",
    (message) => message.type() === "error" && complaints.push(`${message.text()} (${message.location().url})`),
  );
  page.on("pageerror", (error) => complaints.push(String(error)));
}

export { expect };
