import type { Locator, Page } from "@playwright/test";
import { csvFile, expect } from "./fixtures";

// What a person does from the home page on, with each action counted, and steps that several specs share.

/** Clicks, choices, keys and typed texts that a merchant needs at most for what they want to know or do. */
export const MAX_ACTIONS = 6;

/** Counts what a person does. A typed text is one action. */
export function countActions() {
  let actions = 0;
  const count = async (work: Promise<unknown>) => {
    actions += 1;
    await work;
  };
  return {
    click: (target: Locator) => count(target.click()),
    type: (target: Locator, text: string) => count(target.fill(text)),
    select: (target: Locator, option: string) => count(target.selectOption(option)),
    press: (page: Page, key: string) => count(page.keyboard.press(key)),
    /** Any other action. */
    act: count,
    total: () => actions,
  };
}

type Actions = ReturnType<typeof countActions>;

/** On the page of imports, opens the browser's dialog and selects a file: two actions. */
export async function selectFileToImport(page: Page, does: Actions, name: string, text: string): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    does.click(page.getByRole("button", { name: "Select file" })),
  ]);
  await does.act(chooser.setFiles(csvFile(name, text)));
}

/** Undoes the import shown: two actions. */
export async function undoImport(page: Page, does: Actions, deletes: string): Promise<void> {
  await does.click(page.getByRole("button", { name: "Undo import…" }));
  const dialog = page.getByRole("dialog", { name: "Undo this import?" });
  await does.click(dialog.getByRole("button", { name: deletes }));
  await expect(page.getByText("Undone", { exact: true })).toBeVisible({ timeout: 20_000 });
}

/** A file as Judge.me exports it. */
export const judgemeExport = (rows: readonly string[]): string =>
  [
    "title,body,rating,review_date,reviewer_name,reviewer_email,product_id,product_handle,reply,picture_urls,curated",
    ...rows,
  ].join("\n");

/** The field of the invitation's greeting. */
export const greetingField = (page: Page): Locator => page.getByRole("textbox", { name: "Greeting content" });

/** From the home page, changes the logo and the greeting of the invitation and sends a test email: five actions. */
export async function testNewLogoAndGreeting(
  page: Page,
  does: Actions,
  { logo, greeting }: { logo: string; greeting: string },
): Promise<void> {
  await page.route(logo, (route) =>
    route.fulfill({ contentType: "image/svg+xml", body: '<svg xmlns="http://www.w3.org/2000/svg"/>' }),
  );
  await does.click(page.getByRole("navigation", { name: "Portal" }).getByRole("link", { name: "Settings" }));
  await does.click(page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "Templates" }));
  // The settings page before has a field for the logo, too.
  await expect(page.getByRole("heading", { level: 1, name: "Email templates" })).toBeVisible();
  await does.type(page.getByRole("textbox", { name: "Logo", exact: true }), logo);
  await does.type(greetingField(page), greeting);
  await does.click(page.getByRole("button", { name: "Send test email" }));
  await expect(page.getByText(/Test email sent/)).toBeVisible();
}
