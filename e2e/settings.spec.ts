import { admin, axe, createPerson, demoLogin, expect, type Login, openAs, test, uniqueName } from "./fixtures";

// An admin's settings: saved changes show to customers, and concurrent changes aren't overwritten.

const id = `${uniqueName("settings")}.example`;
const form = `/reviews/new?client_id=${id}&key=P-1&name=Lamp&lang=en`;
let person: Login;

test.beforeAll(async () => {
  await admin("client", "create", "--id", id, "--set", "display_name=Settings & Sons");
  person = await createPerson("settings-admin", "admin", id);
});

test("links lead from one settings page to another, and away", async ({ page }) => {
  await openAs(page, person, "/portal/settings/forms");
  await page.waitForLoadState("networkidle");
  const pages = page.getByRole("navigation", { name: "Settings" });
  await pages.getByRole("link", { name: "Custom questions" }).click();
  await expect(pages.getByRole("link", { name: "Custom questions" })).toHaveAttribute("aria-current", "page");
  await page.getByRole("navigation", { name: "Portal" }).getByRole("link", { name: "Home" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Settings & Sons" })).toBeVisible();
});

test("a settings change shows in the public form, and a concurrent change is not lost", async ({
  page,
  browser,
  consoleErrors,
}) => {
  test.setTimeout(150_000);
  await page.goto(form);
  await expect(page.getByRole("group", { name: /^Pros/ })).toBeVisible();

  await openAs(page, person, "/portal/settings/forms");
  await page.waitForLoadState("networkidle"); // clicks before the page is interactive are lost
  await page.getByRole("switch", { name: "Pros and cons" }).click();
  await expect(page.getByText("Not asked. If a value is sent anyway, it’s ignored.")).toBeVisible();
  const minimumWords = page.getByLabel("Minimum words", { exact: true });
  await minimumWords.fill("many");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Fix 1 error to continue.")).toBeVisible();
  await expect(minimumWords).toBeFocused();
  await minimumWords.fill("4");
  // Consent can't be required before the terms have a text.
  await page.getByRole("switch", { name: "Everyone else must agree" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText(/requires terms/)).toBeVisible();
  await page.getByLabel("Terms text", { exact: true }).fill("What you write may be published.");
  let saves = 0;
  page.on("request", (request) => {
    if (request.method() === "PUT") saves += 1;
  });
  await page.getByRole("button", { name: "Save" }).evaluate((button: HTMLElement) => {
    button.click();
    button.click();
  });
  await expect(page.getByText("Saved.").first()).toBeVisible();
  expect(saves, "pressed twice, saved once").toBe(1);

  // A custom question, while another person saves a change.
  await page.goto("/portal/settings/questions", { waitUntil: "networkidle" });
  await page.getByRole("button", { name: "Add question" }).click();
  await page.getByLabel("Question 1", { exact: true }).fill("How bright is it?");
  const answer = page.getByLabel("Add another answer");
  for (const text of ["Too dim", "Just right"]) {
    await answer.fill(text);
    await answer.press("Enter");
  }
  expect((await axe(page).analyze()).violations).toEqual([]);
  await admin("client", "set", id, "email_name=Somebody else");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText(/These settings were changed after you opened them/)).toBeVisible();
  await page.getByRole("button", { name: "Show current version" }).click();
  await expect(page.getByRole("textbox", { name: "Answer 2" })).toHaveValue("Just right");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved.").first()).toBeVisible();
  const saved = await admin<{ email_name: string; min_review_words: number }>("client", "show", id);
  expect(saved).toMatchObject({ email_name: "Somebody else", min_review_words: 4, collect_pros_cons: false });
  // The browser logs the conflict response.
  expect(consoleErrors.splice(0).filter((text) => !text.includes("409"))).toEqual([]);

  await page.goto(form);
  await expect(page.getByRole("group", { name: /^Pros/ })).toHaveCount(0);
  await expect(page.getByText("How bright is it?")).toBeVisible();
  await expect(page.getByText("Just right")).toBeVisible();
  await expect(page.getByText("What you write may be published.")).toBeAttached();

  // The test box uses the rules as edited on the page, before they are saved.
  await page.goto("/portal/settings/moderation", { waitUntil: "networkidle" });
  await page.getByRole("combobox", { name: "Price: action" }).selectOption("reject");
  await page.getByLabel("Text", { exact: true }).fill("It was only $49 and shines.");
  await page.getByRole("button", { name: "Test rules" }).click();
  await expect(page.getByText("It would be rejected.")).toBeVisible();
  await expect(page.locator("mark")).toHaveText("$49");
  expect((await axe(page).analyze()).violations).toEqual([]);
  await page.getByRole("button", { name: "Discard" }).click();
  await expect(page.getByRole("button", { name: "Save" })).toHaveCount(0);

  // Viewers can view but not edit.
  const viewer = await createPerson("settings-viewer", "viewer", id);
  const other = await (await browser.newContext({ baseURL: process.env.E2E_URL })).newPage();
  await openAs(other, viewer, "/portal/settings/forms");
  await expect(other.getByText("Only admins can change settings.")).toBeVisible();
  await expect(other.getByLabel("Minimum words", { exact: true })).toBeDisabled();
  await expect(other.getByRole("switch", { name: "Pros and cons" })).toBeDisabled();
  await other.context().close();
});

test("nothing can be changed while settings are being saved, and the focus stays", async ({ page }) => {
  await openAs(page, person, "/portal/settings/forms");
  const minimumWords = page.getByLabel("Minimum words", { exact: true });
  let release = () => {};
  const hold = new Promise<void>((done) => {
    release = done;
  });
  let requests = 0;
  await page.route("**/portal/api/v1/settings?*", async (route) => {
    requests += 1;
    await hold;
    await route.continue();
  });
  await minimumWords.fill("7");
  await minimumWords.press("Enter");
  await expect(page.getByRole("button", { name: "Saving…" })).toBeDisabled();
  await expect(page.getByRole("button", { name: "Discard" })).toBeDisabled();
  await page.keyboard.type("8");
  await page.keyboard.press("Enter");
  release();
  await expect(page.getByText("Settings saved.").first()).toBeVisible();
  await expect(minimumWords).toBeFocused();
  await expect(minimumWords).toHaveValue("7");
  expect(requests).toBe(1);
  await page.keyboard.press("End");
  await page.keyboard.type("0");
  await page.keyboard.press("Enter");
  await expect(page.getByText("unsaved")).toHaveCount(0);
  await page.reload();
  await expect(minimumWords).toHaveValue("70");
});

test("the widget preview starts in the portal's color scheme and fades out at its end", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await openAs(page, demoLogin, "/portal/settings/display?client_id=demo.candor.example");
  const preview = page.frameLocator("iframe").locator("body");
  // The preview works in a sandbox without the portal's origin, so it can't reach the session or pages.
  await expect(preview.locator("#candor-reviews article").first()).toBeVisible();
  expect(await preview.evaluate(() => window.origin)).toBe("null");
  // The frame reloads when its background changes. An evaluation that the reload interrupts is repeated.
  const background = () => preview.evaluate((body) => getComputedStyle(body).backgroundColor).catch(() => "loading");
  await expect.poll(background).toBe("rgb(22, 24, 29)");
  const fadeBackground = () =>
    preview.evaluate((body) => getComputedStyle(body, "::after").backgroundImage).catch(() => "loading");
  await expect.poll(fadeBackground).toContain("rgb(22, 24, 29)");
  await page.getByRole("button", { name: "Light background" }).click();
  await expect.poll(background).toBe("rgb(255, 255, 255)");
  await expect.poll(fadeBackground).toContain("rgb(255, 255, 255)");
});
