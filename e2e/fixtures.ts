import { test as base, expect, type Page } from "@playwright/test";
import { runAdmin } from "./server";

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

/** The operator's command on the data of the server under test: `admin("client", "show", "demo.candor.example")`. */
export async function admin<T = unknown>(...args: string[]): Promise<T> {
  return runAdmin(process.env.E2E_DATA_DIR ?? "", Number(new URL(process.env.E2E_URL ?? "").port), args) as Promise<T>;
}

function listen(page: Page, complaints: string[]) {
  page.on(
    "console",
    (message) => message.type() === "error" && complaints.push(`${message.text()} (${message.location().url})`),
  );
  page.on("pageerror", (error) => complaints.push(String(error)));
}

export { expect };
