import type { Page } from "@playwright/test";
import {
  admin,
  axe,
  consoleErrorsOutsideMails,
  createPerson,
  expect,
  type Login,
  openAs,
  test,
  uniqueName,
  untranslatedKeys,
} from "./fixtures";
import { countActions, greetingField, MAX_ACTIONS, testNewLogoAndGreeting } from "./journeys";

// Email templates without code: blocks, placeholders as chips, tests, versions, and HTML for those who want it.

const id = `${uniqueName("templates")}.example`;
const recipient = `owner@${id}`;
let person: Login;

test.beforeAll(async () => {
  await admin("client", "create", "--id", id, "--set", "display_name=Lanterna", "--set", `contact_email=${recipient}`);
  person = await createPerson("templates-admin", "admin", id);
});

test.afterEach(({ consoleErrors }) => {
  expect(consoleErrorsOutsideMails(consoleErrors)).toEqual([]);
});

const expectAccessible = async (page: Page) =>
  expect((await axe(page).exclude("iframe").analyze()).violations).toEqual([]);

const path = "/portal/settings/templates";
const preview = (page: Page) => page.getByRole("region", { name: "Email preview" });
const email = (page: Page) => preview(page).frameLocator("iframe");
const blocks = (page: Page) => page.getByRole("list", { name: "Blocks" }).locator("> li");
const names = (page: Page) => blocks(page).evaluateAll((items) => items.map((item) => item.getAttribute("aria-label")));
const save = async (page: Page) => {
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Settings saved.").first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Save", exact: true })).toBeHidden();
};

test("from Home, the logo and the greeting are changed and a test is sent within six actions", async ({ page }) => {
  await openAs(page, person, "/portal");
  const does = countActions();
  const logo = "https://shop.example/new-logo.png";
  await testNewLogoAndGreeting(page, does, { logo, greeting: "Dear friend of lamps," });
  expect(does.total()).toBeLessThanOrEqual(MAX_ACTIONS);

  await expect(page.getByLabel("Send a test email to")).toHaveValue(recipient);
  // The outbox sends it a moment later.
  const mails = () => admin<{ id: string; subject: string }[]>("mail", "list", "--to", recipient);
  await expect
    .poll(mails, { timeout: 30_000 })
    .toEqual([expect.objectContaining({ subject: expect.stringContaining("[Test] ") })]);
  const mail = await admin<{ html: string; text: string }>("mail", "show", (await mails())[0]?.id ?? "");
  expect(mail.text).toMatch(/^Dear friend of lamps,/);
  expect(mail.html).toContain(`src="${logo}"`);
  // Nothing is saved yet, and leaving asks.
  expect((await admin<{ config: object }>("client", "show", id)).config).toEqual({});
  await page.getByRole("navigation", { name: "Portal" }).getByRole("link", { name: "Home" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Stay on page" }).click();
  await expect(greetingField(page)).toHaveText("Dear friend of lamps,");
});

test("texts with placeholders are shown as written, saved and restored", async ({ page, consoleErrors }) => {
  test.setTimeout(150_000);
  await openAs(page, person, path);
  await expect(names(page)).resolves.toEqual([
    "Logo",
    "Greeting",
    "Heading",
    "Text",
    "Products with stars",
    "Button",
    "Seller review",
    "Footer",
  ]);
  // The default greeting is a chip, which the keyboard deletes; another one is inserted where the caret is.
  await expect(greetingField(page)).toHaveText("Default greeting");
  await greetingField(page).click();
  await page.keyboard.press("End");
  await page.keyboard.press("Backspace");
  await page.keyboard.type("Hej , <script>alert(1)</script> {{ customer_email }} {% if");
  await page.keyboard.press("Home");
  for (let at = 0; at < "Hej ".length; at += 1) await page.keyboard.press("ArrowRight");
  await page.getByRole("button", { name: "Greeting content: insert placeholder" }).click();
  await page.getByRole("menuitem", { name: "Customer name" }).click();
  // Typing goes on behind it.
  await expect(greetingField(page)).toBeFocused();
  await page.keyboard.type("!");
  const typed = "!, <script>alert(1)</script> {{ customer_email }} {% if";
  await expect(greetingField(page)).toHaveText(`Hej Customer name${typed}`);
  await expect(email(page).getByText(`Hej Anna Berg${typed}`)).toBeVisible();

  // A second paragraph, in a new block that is moved by keyboard.
  await page.getByRole("button", { name: "Add block" }).click();
  await page.getByRole("menuitem", { name: "Text", exact: true }).click();
  await expect(page.getByText("Text added above the footer.")).toBeAttached();
  await page.getByRole("textbox", { name: "Text content" }).nth(1).click();
  await page.keyboard.type("First line");
  await page.keyboard.press("Enter");
  await page.keyboard.type("second line");
  await expect(email(page).getByText("First line")).toContainText("second line");
  const up = blocks(page).nth(7).getByRole("button", { name: "Text: move up" });
  await up.focus();
  for (const position of [7, 6, 5]) {
    await page.keyboard.press("Enter");
    await expect(page.getByText(`Text is now at position ${position} of 9.`)).toBeAttached();
  }
  await expect(blocks(page).nth(4).getByRole("button", { name: "Text: move up" })).toBeFocused();
  await expect(names(page)).resolves.toEqual([
    "Logo",
    "Greeting",
    "Heading",
    "Text",
    "Text",
    "Products with stars",
    "Button",
    "Seller review",
    "Footer",
  ]);

  // Without a button to the form it can't be saved, and says so before.
  await page.getByRole("button", { name: "Button: remove" }).click();
  await expect(page.getByText(/Add a button that opens the review form/)).toBeVisible();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText(/Blocks: .*button that opens the review form/).first()).toBeVisible();
  // The browser logs the rejection.
  expect(consoleErrorsOutsideMails(consoleErrors).filter((text) => !text.includes("422"))).toEqual([]);
  await page.getByRole("button", { name: "Add block" }).click();
  await page.getByRole("menuitem", { name: "Button", exact: true }).click();
  await expect(page.getByText(/Add a button that opens the review form/)).toBeHidden();
  await expectAccessible(page);
  expect(await untranslatedKeys(page)).toEqual([]);
  await save(page);
  const versions = page.getByRole("list", { name: "Versions" }).getByRole("listitem");
  await expect(versions).toHaveCount(1);
  await page.reload();
  await expect(greetingField(page)).toHaveText(`Hej Customer name${typed}`);
  const { config } = await admin<{ config: Record<string, string> }>("client", "show", id);
  expect(config.html_template).toContain("&lt;script&gt;");

  // HTML: the blocks are no longer what the email is made of.
  await page.getByRole("button", { name: "Advanced (HTML)" }).click();
  await page.getByLabel("Subject", { exact: true }).fill("{{ client_name }} asks");
  await save(page);
  await page.getByRole("button", { name: "Blocks", exact: true }).click();
  await expect(page.getByText(/This template was edited as HTML/)).toBeVisible();
  await expect(versions).toHaveCount(2);
  await page.getByRole("button", { name: "Start again from blocks" }).click();
  await expect(greetingField(page)).toHaveText("Default greeting");
  await page.getByRole("button", { name: "Advanced (HTML)" }).click();
  await expect(page.getByText(/The blocks have unsaved changes/)).toBeVisible();
  await page.getByRole("button", { name: "Discard" }).click();
  await page.getByRole("button", { name: "Blocks", exact: true }).click();

  await page.getByRole("button", { name: "Preview version 1" }).click();
  const dialog = page.getByRole("dialog", { name: "Version 1" });
  await expect(dialog.frameLocator("iframe").getByText(/^Hej Anna Berg/)).toBeVisible();
  await dialog.getByRole("button", { name: "Restore" }).click();
  await expect(page.getByText("Version 1 restored.").first()).toBeVisible();
  await expect(greetingField(page)).toHaveText(`Hej Customer name${typed}`);
  await expect(versions).toHaveCount(3);
});

test("a language has its own email, and a concurrent save isn't overwritten", async ({ page, consoleErrors }) => {
  await openAs(page, person, path);
  const languages = page.getByRole("group", { name: "Template language" });
  await languages.getByRole("button", { name: "German" }).click();
  await page.getByRole("textbox", { name: "Heading content" }).fill("Wie leuchtet sie?");
  await expect(email(page).getByRole("heading", { name: "Wie leuchtet sie?" })).toBeVisible();
  await expect(languages.getByRole("button", { name: "German" })).toContainText("(customized)");
  await languages.getByRole("button", { name: "Swedish" }).click();
  await expect(email(page).getByRole("heading", { name: "Wie leuchtet sie?" })).toBeHidden();
  await languages.getByRole("button", { name: "German" }).click();
  await admin("client", "set", id, "email_name=Somebody else");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText(/These settings were changed after you opened them/)).toBeVisible();
  await page.getByRole("button", { name: "Show current version" }).click();
  await expect(page.getByRole("textbox", { name: "Heading content" })).toHaveText("Wie leuchtet sie?");
  await save(page);
  await page.getByRole("button", { name: "Use the one for all languages" }).click();
  await save(page);
  await expect(languages.getByRole("button", { name: "German" })).not.toContainText("(customized)");
  // The browser logs the conflict response.
  const others = consoleErrorsOutsideMails(consoleErrors).filter((text) => !text.includes("409"));
  expect(others).toEqual([]);
});

test("the email is previewed on a phone and in dark mode, and the page fits a phone", async ({ page }) => {
  await openAs(page, person, path);
  const card = email(page).locator(".card").first();
  await expect(card).toHaveCSS("background-color", "rgb(255, 255, 255)");
  await page.getByRole("button", { name: "Dark mode" }).click();
  await expect(card).toHaveCSS("background-color", "rgb(28, 31, 36)");
  const frame = preview(page).locator("iframe");
  const width = () => frame.evaluate((element: HTMLElement) => element.offsetWidth);
  expect(await width()).toBe(680);
  await page.getByRole("button", { name: "Mobile view" }).click();
  await expect.poll(width).toBe(375);
  await page.setViewportSize({ width: 375, height: 800 });
  await expect(greetingField(page)).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375);
  await expectAccessible(page);
});
