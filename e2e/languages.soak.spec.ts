import type { Page } from "@playwright/test";
import {
  admin,
  axe,
  consoleErrorsOutsideMails,
  createPerson,
  expect,
  type Login,
  test,
  uniqueName,
  untranslatedKeys,
} from "./fixtures";

// The portal in languages other than English: from the browser, from a person's choice, from the person's profile.

const id = `${uniqueName("languages")}.example`;
let person: Login;

test.use({ locale: "de-DE" });

test.beforeAll(async ({ playwright }) => {
  const request = await playwright.request.newContext({ baseURL: process.env.E2E_URL });
  const client = await admin<{ public_key: string }>("client", "create", "--id", id);
  for (const content of ["Der Erste.", "Der Zweite.", "Der Dritte."]) {
    const data = {
      client_id: id,
      api_key: client.public_key,
      product_id: "P-1",
      product_name: "Sturdy box",
      author: "Ann",
      score: 3,
      content,
    };
    expect((await request.post("/collect/reviews", { data })).status()).toBe(201);
  }
  const { secret } = await admin<{ secret: string }>("key", "create", "--client", id);
  const order = {
    id: "O-1",
    customer: { id: "C-1", name: "Ann Berg", email: "ann@languages.example" },
    items: [{ id: "P-1", name: "Sturdy box", delivery_date: "2030-01-01" }],
  };
  const headers = { Authorization: `Bearer ${secret}` };
  expect((await request.post("/v1/orders", { headers, data: { order } })).status()).toBe(200);
  person = await createPerson("languages-moderator", "moderator", id);
});

/** Pages with much text, checked in the languages with the longest texts. */
const settings = ["", "/forms", "/moderation", "/display", "/sending", "/templates", "/invitations"]
  .map((page) => `/portal/settings${page}`)
  .concat("/portal/invitations");

/** Pages on which no text may overflow, in any language. */
const shortPages = ["", "/reviews", "/orders", "/account", "/feeds", "/integrations"].map((page) => `/portal${page}`);

const language = (page: Page) => page.locator("html").getAttribute("lang");

async function expectAccessible(page: Page, where: string) {
  const { violations } = await axe(page).analyze();
  expect(
    violations.map(({ id: rule, nodes }) => [rule, nodes.map(({ target }) => target.join(" "))]),
    where,
  ).toEqual([]);
}

/** Controls of the selection bar that overlap another one or are outside the window. */
const overlappingControls = (page: Page, name: string): Promise<string[]> =>
  page.getByRole("group", { name }).evaluate((bar) => {
    const parts = [...(bar.closest(".border-t") ?? bar).querySelectorAll("button, .figures")]
      .map((part) => ({ label: part.textContent ?? "", box: part.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0);
    const out = parts.filter(({ box }) => box.left < 0 || box.right > window.innerWidth).map(({ label }) => label);
    const overlaps = parts.flatMap(({ label, box }, at) =>
      parts
        .slice(at + 1)
        .filter(
          ({ box: other }) =>
            Math.min(box.right, other.right) - Math.max(box.left, other.left) > 1 &&
            Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top) > 1,
        )
        .map((other) => `${label} on ${other.label}`),
    );
    return [...out, ...overlaps];
  });

test("a German moderator signs in, moderates by keyboard, and selects a language", async ({ page, consoleErrors }) => {
  test.setTimeout(400_000); // many pages, in every language
  await page.emulateMedia({ reducedMotion: "reduce" }); // a dialog that fades in has too little contrast
  await page.goto("/portal/queue");
  await expect(page.getByRole("heading", { name: "Anmelden" })).toBeVisible();
  expect(await language(page)).toBe("de");
  await expectAccessible(page, "the sign-in page");
  await page.getByRole("button", { name: "Svenska" }).click();
  await expect(page.getByRole("heading", { name: "Logga in" })).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("lang", "sv");
  await page.reload();
  await expect(page.getByRole("heading", { name: "Logga in" })).toBeVisible();
  await page.getByRole("button", { name: "Deutsch" }).click();
  await page.getByLabel("Benutzername").fill(person.username);
  await page.getByLabel("Passwort").fill("geraten");
  await page.getByRole("button", { name: "Anmelden" }).click();
  await expect(page.getByText("Benutzername oder Passwort ist falsch.")).toBeVisible();
  await page.getByLabel("Passwort").fill(person.password);
  await page.getByRole("button", { name: "Anmelden" }).click();

  const article = page.getByRole("article");
  await expect(article).toContainText("Der Erste.");
  await expect(page.getByRole("heading", { level: 1, name: "Warteschlange" })).toBeVisible();
  await expectAccessible(page, "the queue");
  await page.keyboard.press("a");
  await expect(page.getByText("Freigegeben. Noch 2.").first()).toBeVisible();
  await page.keyboard.press("u");
  await expect(page.getByText("die Bewertung von Ann wiederhergestellt").first()).toBeVisible();
  await page.keyboard.press("r");
  await expect(page.getByRole("dialog", { name: "Ablehnungsgrund" })).toBeVisible();
  await expectAccessible(page, "the reasons");
  await page.keyboard.press("8");
  await expect(page.getByText("Abgelehnt: Produkt noch nicht verwendet. Noch 2.").first()).toBeVisible();
  // Some decided, some pending, all selected: the bar has all of its buttons.
  await page.goto("/portal/queue?status=all");
  await expect(article).toBeVisible();
  for (const key of ["x", "j", "x", "j", "x"]) await page.keyboard.press(key);
  await expect(page.getByText("3 ausgewählt").first()).toBeVisible();
  for (const [width, height] of [
    [1280, 720],
    [1024, 720],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect.poll(() => overlappingControls(page, "Ausgewählte Einträge"), `at ${width} px`).toEqual([]);
  }
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.getByRole("link", { name: "Bestellungen" }).click();
  await page.getByRole("link", { name: "O-1" }).click();
  await expect(page.getByRole("list", { name: "Artikel" })).toContainText("Einladung wird am 08.01.2030 gesendet");
  await page.goto("/portal");
  await expect(page.getByText("2 Einträge zu moderieren")).toBeVisible();

  // Error messages of the service are translated, too, though the API returns them in English.
  await page.goto("/portal/account");
  await page.getByLabel("Aktuelles Passwort").fill(person.password);
  await page.getByLabel("Neues Passwort").fill("kurz");
  await page.getByRole("button", { name: "Passwort ändern" }).click();
  await expect(page.getByText(/^Muss mindestens \d+ Zeichen lang sein\.$/)).toBeVisible();
  expect(consoleErrorsOutsideMails(consoleErrors).filter((text) => !text.includes("422"))).toEqual([]);

  // A person's choice overrides the browser's language, and no text is too long for a phone in any language.
  await page.setViewportSize({ width: 390, height: 844 });
  for (const [chosen, home] of [
    ["de", "Zuletzt eingegangen"],
    ["fr", "Activité récente"],
    ["es", "Actividad reciente"],
    ["sv", "Senaste aktivitet"],
    ["en", "Recent activity"],
  ] as const) {
    const saved = await page.evaluate(
      async (to) =>
        (
          await fetch("/portal/api/v1/account", {
            method: "PUT",
            headers: { "Content-Type": "application/json" },
            body: JSON.stringify({ language: to }),
          })
        ).status,
      chosen,
    );
    expect(saved).toBe(204);
    const longPages = chosen === "de" || chosen === "fr" ? settings : [];
    for (const path of [...shortPages, "/portal/orders/O-1", ...longPages]) {
      // The server may cache a person's row for a second.
      await expect
        .poll(
          async () => {
            await page.goto(path, { waitUntil: "networkidle" });
            return language(page);
          },
          { timeout: 60_000 },
        )
        .toBe(chosen);
      expect(await untranslatedKeys(page), `${path} in ${chosen}`).toEqual([]);
      if (path === "/portal") await expect(page.getByText(home)).toBeVisible();
      const overflows = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
      expect(overflows, `${path} in ${chosen}`).toBe(false);
    }
  }
  expect(consoleErrorsOutsideMails(consoleErrors)).toEqual([]);
});
