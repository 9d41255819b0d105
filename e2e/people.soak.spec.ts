import type { Page } from "@playwright/test";
import { TOTP, URI } from "otpauth";
import { encode } from "uqr";
import { admin, axe, createPerson, expect, signIn, test, uniqueName } from "./fixtures";

// Access of people and systems: email invitations, roles, keys, password resets, sessions.

const shop = `${uniqueName("people")}.example`;

const [ida, bo] = [`ida@${shop}`, `bo@${shop}`];

test.beforeAll(async () => {
  await admin("client", "create", "--id", shop, "--set", "display_name=Lamp & Sons");
});

/** The path of the link in the newest email to an address. */
async function mailedLink(to: string): Promise<string> {
  let path = "";
  await expect
    .poll(async () => {
      const mails = await admin<{ text: string }[]>("mail", "list", "--to", to);
      path = /\/portal\/password\/[\w-]+/.exec(mails.at(-1)?.text ?? "")?.[0] ?? "";
      return path;
    })
    .not.toBe("");
  return path;
}

async function setPassword(page: Page, path: string, password: string) {
  await page.goto(path);
  await page.getByLabel("New password").fill(password);
  await page.getByLabel("Repeat password").fill(password);
  await page.getByRole("button", { name: "Set password" }).click();
  await expect(page.getByText("Your password is set.")).toBeVisible();
}

test("an invited person sets a password without JavaScript, and sees what the role allows", async ({
  page,
  browser,
  consoleErrors,
}) => {
  test.setTimeout(120_000);
  await signIn(page, await createPerson("people-admin", "admin", shop), "/portal/settings/people");
  await page.getByRole("button", { name: "Invite team member" }).click();
  await page.getByRole("button", { name: "Send invitation" }).click();
  await expect(page.getByText("It must be an email address.")).toBeVisible();
  // The browser logs the error that the test causes.
  expect(consoleErrors.splice(0).filter((text) => !text.includes("422"))).toEqual([]);
  await page.getByLabel("Email address").fill(ida);
  await page.getByRole("radio", { name: "Viewer" }).check();
  await page.getByRole("button", { name: "Send invitation" }).click();
  const row = page.getByRole("row").filter({ hasText: ida });
  await expect(row).toContainText("Invited");

  const pageWithoutJavaScript = await (
    await browser.newContext({ javaScriptEnabled: false, baseURL: process.env.E2E_URL })
  ).newPage();
  const link = await mailedLink(ida);
  await setPassword(pageWithoutJavaScript, link, "lamps are warm");
  await pageWithoutJavaScript.goto(link);
  await expect(pageWithoutJavaScript.getByText("This link has expired or was already used.")).toBeVisible();
  await signIn(pageWithoutJavaScript, { username: ida, password: "lamps are warm" }, "/portal", { javaScript: false });
  for (const path of ["settings/keys", "settings/people", "privacy", "audit"])
    expect((await pageWithoutJavaScript.request.get(`/portal/${path}`)).status(), path).toBe(404);
  await pageWithoutJavaScript.goto("/portal/account");
  await expect(pageWithoutJavaScript.getByText(`You’re signed in as ${ida}.`)).toBeVisible();

  // Deactivation takes effect immediately.
  await page.reload();
  await row.getByRole("button", { name: "Edit ida@" }).click();
  await page.getByRole("button", { name: "Deactivate" }).click();
  await expect(row).toContainText("Deactivated");
  await expect
    .poll(async () => (await pageWithoutJavaScript.request.get("/portal", { maxRedirects: 0 })).status())
    .toBe(307);
  await pageWithoutJavaScript.context().close();
});

test("a key works until it is revoked, and its secret is shown once", async ({ page, playwright }) => {
  await signIn(page, await createPerson("people-keys", "admin", shop), "/portal/settings/keys");
  await page.getByRole("button", { name: "Create key" }).click();
  await page.getByLabel("Name").fill("Warehouse");
  await page.getByRole("button", { name: "Create key" }).click();
  const dialog = page.getByRole("dialog", { name: "Copy your API key" });
  const secret = (await dialog.getByText(/^sk_[0-9a-f]+$/).textContent()) ?? "";
  await page.getByRole("button", { name: "Done, I’ve copied it" }).click();
  await expect(page.getByText(secret)).toHaveCount(0);
  const request = await playwright.request.newContext({ baseURL: process.env.E2E_URL });
  const status = async () =>
    (await request.get("/v1/reviews", { headers: { Authorization: `Bearer ${secret}` } })).status();
  expect(await status()).toBe(200);
  await page.getByRole("button", { name: "Revoke Warehouse" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke", exact: true }).click();
  await expect(page.getByRole("row").filter({ hasText: "Warehouse" })).toContainText("Revoked");
  await expect.poll(status).toBe(401);
  await page.goto("/portal/audit?what=key");
  const lines = page.getByRole("table", { name: "Audit log" }).getByRole("row");
  await expect(lines.nth(1)).toContainText("API key revoked");
  await expect(lines.nth(2)).toContainText("Warehouse");
});

test("a stale tab can't act as the person who signed in since, and is updated", async ({
  page,
  context,
  consoleErrors,
}) => {
  const ada = await createPerson("people-ada", "admin", shop);
  const ben = await createPerson("people-ben", "admin", shop);
  await signIn(page, ada, "/portal/settings/keys");
  // Simulates suspended tabs, which receive no messages.
  const silentTab = async () => {
    const tab = await context.newPage();
    await tab.addInitScript(() => {
      BroadcastChannel.prototype.postMessage = () => undefined;
    });
    return tab;
  };
  const [silent, leaving] = [await silentTab(), await silentTab()];
  await leaving.goto("/portal/account");
  await context.clearCookies();
  await signIn(silent, ben, "/portal/account");
  await page.getByRole("button", { name: "Create key" }).click();
  await page.getByLabel("Name").fill("Not mine");
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByText("Another person signed in to this browser").first()).toBeVisible();
  // The browser logs the errors that the test causes: nobody was signed in for a moment, then another person.
  expect(consoleErrors.splice(0).filter((text) => !/status of 40[13] /.test(text))).toEqual([]);
  await leaving.getByRole("button", { name: "Sign out", exact: true }).click();
  await expect(leaving.locator("body")).toContainText(ben.username);
  await silent.reload();
  await expect(silent.locator("body")).toContainText(ben.username);
  await expect(page.locator("body")).toContainText(ada.username);

  const normalTab = await context.newPage();
  await normalTab.goto("/portal/settings/keys");
  await expect(normalTab.getByText("Not mine")).toHaveCount(0);
  await expect(page.locator("body")).toContainText(ben.username);
  await expect(page.locator("body")).not.toContainText(ada.username);
});

test("a forgotten password is reset by email; sessions are ended from elsewhere", async ({ page, browser }) => {
  test.setTimeout(120_000);
  const login = await createPerson("people-bo", "moderator", shop);
  await signIn(page, login, "/portal/account");
  const details = page.locator("form").filter({ has: page.getByLabel("Email address") });
  await details.getByLabel("Email address").fill(bo);
  await details.getByLabel("Your password").fill(login.password);
  await details.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved.").first()).toBeVisible();

  const otherBrowser = await (await browser.newContext({ baseURL: process.env.E2E_URL })).newPage();
  for (const who of ["nobody at all", bo.replace("bo@", "BO@")]) {
    await otherBrowser.goto("/portal/forgot");
    await otherBrowser.getByLabel("Username or email address").fill(who);
    await otherBrowser.getByRole("button", { name: "Email me a link" }).click();
    await expect(otherBrowser.getByRole("alert").filter({ hasText: "we’ve sent a link to it" })).toBeVisible();
  }
  await setPassword(otherBrowser, await mailedLink(bo), "a brand new word");
  // Sessions started with the old password have ended.
  await expect.poll(async () => (await page.request.get("/portal", { maxRedirects: 0 })).status()).toBe(307);
  await signIn(otherBrowser, { ...login, password: "a brand new word" }, "/portal/account");
  await signIn(page, { ...login, password: "a brand new word" }, "/portal/account");
  await page.getByRole("button", { name: "Sign out all other sessions" }).click();
  await expect(page.getByText("All other sessions were signed out.").first()).toBeVisible();
  await expect.poll(async () => (await otherBrowser.request.get("/portal", { maxRedirects: 0 })).status()).toBe(307);
  await otherBrowser.context().close();
});

test("two-factor authentication is set up, and required at sign-in, without JavaScript too", async ({
  page,
  browser,
}) => {
  test.setTimeout(120_000);
  const login = await createPerson("people-careful", "viewer", shop);
  await signIn(page, login, "/portal/account");
  await page.getByRole("button", { name: "Set up authenticator app" }).click();
  await page.getByLabel("Your password").fill(login.password);
  await page.getByRole("button", { name: "Continue" }).click();
  const qrCode = page.getByRole("img", { name: "QR code for your authenticator app" });
  await expect(qrCode).toBeVisible();
  const secret = (await page.getByText(/^[A-Z2-7]{32}$/).textContent()) ?? "";
  // The code on the screen is that of the link, with a quiet zone, large enough for a camera.
  const uri = (await page.getByRole("link", { name: "Open authenticator app" }).getAttribute("href")) ?? "";
  const factor = URI.parse(uri);
  expect(factor).toMatchObject({ issuer: "Candor", label: `${login.username} (${new URL(page.url()).host})` });
  expect(factor.secret.base32).toBe(secret);
  const { data, size } = encode(uri, { ecc: "M", border: 4 });
  const shown = await qrCode.evaluate((svg) => {
    const [, , width = 0, height = 0] = (svg.getAttribute("viewBox") ?? "").split(" ").map(Number);
    const dark = [...(svg.querySelector("path")?.getAttribute("d") ?? "").matchAll(/M(\d+) (\d+)h1v1h-1z/g)];
    const pixels = svg.getBoundingClientRect().width / width;
    return { width, height, pixels, dark: dark.map(([, x, y]) => `${x} ${y}`) };
  });
  expect(shown).toMatchObject({ width: size, height: size });
  expect(shown.pixels).toBeGreaterThan(3);
  const expected = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`${x} ${y}`] : [])));
  expect(new Set(shown.dark)).toEqual(new Set(expected));
  await page.getByLabel("Code from the app").fill(new TOTP({ secret }).generate());
  await page.getByRole("button", { name: "Turn on" }).click();
  const codes = await page
    .getByRole("dialog", { name: "Save your recovery codes" })
    .getByText(/^[a-z0-9]{5}-/)
    .textContent();
  // Paper has the codes and whose they are, and nothing else.
  await page.evaluate(() => Object.assign(window, { print: () => document.body.setAttribute("data-printed", "") }));
  await page.getByRole("button", { name: "Print" }).click();
  await expect(page.locator("body[data-printed]")).toHaveCount(1);
  await page.emulateMedia({ media: "print" });
  await expect(page.getByText(`Recovery codes of ${login.username}, `)).toBeVisible();
  await expect(page.getByText(/^[a-z0-9]{5}-/)).toBeVisible();
  await expect(page.getByRole("button")).toHaveCount(0);
  await expect(page.getByRole("heading")).toHaveCount(0);
  await page.emulateMedia({ media: "screen" });
  await page.getByRole("button", { name: "Done, I’ve saved them" }).click();
  await expect(page.getByText("10 recovery codes left.")).toBeVisible();
  // They can't be seen again.
  await page.reload();
  await expect(page.getByText("10 recovery codes left.")).toBeVisible();
  for (const code of codes?.split("\n") ?? []) expect(await page.content()).not.toContain(code);

  const plain = await (await browser.newContext({ javaScriptEnabled: false, baseURL: process.env.E2E_URL })).newPage();
  await plain.goto("/portal/account");
  await plain.getByLabel("Username").fill(login.username);
  await plain.getByLabel("Password").fill(login.password);
  await plain.getByRole("button", { name: "Sign in" }).click();
  await plain.getByLabel("Code").fill("no code");
  await plain.getByRole("button", { name: "Sign in" }).click();
  await expect(plain.getByText("That code is incorrect or has expired.")).toBeVisible();
  await plain.getByLabel("Code").fill(codes?.split("\n")[0] ?? "");
  await plain.getByRole("button", { name: "Sign in" }).click();
  await expect(plain.getByText("9 recovery codes left.")).toBeVisible();
  await plain.context().close();
});

test("the pages for people and keys are accessible", async ({ page }) => {
  test.setTimeout(120_000);
  await signIn(page, await createPerson("people-axe", "admin", shop), "/portal/account");
  const check = async (where: string) => {
    const { violations } = await axe(page).analyze();
    expect(
      violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target.join(" "))]),
      where,
    ).toEqual([]);
  };
  const pages = [
    "/portal/account",
    "/portal/settings/people",
    "/portal/settings/keys",
    "/portal/audit",
    "/portal/forgot",
  ];
  for (const [colorScheme, width] of [
    ["light", 1280],
    ["dark", 390],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width, height: 844 });
    for (const path of pages) {
      await page.goto(path, { waitUntil: "networkidle" });
      await check(`${path} ${colorScheme}`);
      const overflows = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
      expect(overflows, `${path} at ${width}`).toBe(false);
      // No table is cut off at its edge.
      const clippedTables = await page
        .locator("section:has(> table)")
        .evaluateAll((tables) => tables.filter((table) => table.scrollWidth > table.clientWidth).length);
      expect(clippedTables, `${path} at ${width}`).toBe(0);
    }
  }
  await page.goto("/portal/settings/keys", { waitUntil: "networkidle" });
  await page.getByRole("button", { name: "Create key" }).click();
  await check("a new key");
  await page.goto("/portal/settings/people", { waitUntil: "networkidle" });
  await page.getByRole("button", { name: "Invite team member" }).click();
  await check("an invitation");
});
