import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { startDnsFake } from "@/lib/tools/fakes/dns";
import { freePort } from "@/lib/tools/launch/postgres.mjs";
import { startExternalShop } from "./external-shop";
import {
  admin,
  consoleErrorsOutsideMails,
  createPerson,
  csvFile,
  expect,
  expectAccessible,
  openAs,
  test,
  uniqueName,
  waitUntilInteractive,
} from "./fixtures";
import { runAdmin, startServer } from "./server";

// From an empty installation to the widget on a page of another origin, by what is on the screen.

const csv =
  "id,title,link\nLAMP,Oak lamp,https://lanterna.example/lamp\nSHADE,Linen shade,https://lanterna.example/shade\n";

/** A merchant's logo. */
async function logo(): Promise<Buffer> {
  const { default: sharp } = await import("sharp");
  return sharp({ create: { width: 600, height: 150, channels: 4, background: "#2f6b5b" } })
    .png()
    .toBuffer();
}

test("an empty installation becomes a store that shows its first review on its own page", async ({
  page,
  context,
  consoleErrors,
}) => {
  test.setTimeout(240_000);
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "candor-e2e-onboarding-"));
  const port = await freePort();
  // Not a loopback name, so there is no demo; browsers resolve it to this machine.
  const service = `http://candor.localhost:${port}`;
  const dns = await startDnsFake({
    "lanterna.example": ["v=spf1 mx -all"],
    "_dmarc.lanterna.example": ["v=DMARC1; p=none"],
  });
  const settings = { PUBLIC_URL: service, DNS_SERVERS: dns.address };
  const server = await startServer(dataDir, port, "onboarding.log", settings);
  const shop = await startExternalShop(service);
  try {
    const step = (title: string) =>
      page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: title }) });
    const openSteps = async () => {
      await page.getByRole("navigation", { name: "Portal" }).getByRole("link", { name: "Getting started" }).click();
      await expect(page.getByRole("heading", { level: 1, name: "Getting started" })).toBeVisible();
    };
    const save = async () => {
      await page.getByRole("button", { name: "Save" }).click();
      await expect(page.getByRole("button", { name: /^Sav(e|ing…)$/ })).toBeHidden();
    };
    const expectDone = (title: string) =>
      expect(page.getByRole("heading", { name: `${title} (completed)` })).toBeAttached();

    // The first account, as the guide says.
    const operator = ["user", "create", "--username", "me", "--role", "operator"];
    const login = (await runAdmin(dataDir, port, operator, undefined, settings)) as {
      username: string;
      password: string;
    };
    await page.goto(`${service}/portal`);
    await page.getByLabel("Username").fill(login.username);
    await page.getByLabel("Password").fill(login.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByRole("heading", { name: "No stores yet" })).toBeVisible();
    await waitUntilInteractive(page);

    // A store.
    await page.getByRole("link", { name: "Create store" }).click();
    await page.getByRole("textbox", { name: "New account name" }).fill("Lanterna Ltd");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("button", { name: "Create store Lanterna Ltd" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("ID").fill("lanterna.example");
    await dialog.getByLabel("Store name").fill("Lanterna");
    await dialog.getByRole("button", { name: "Create store" }).click();
    await page.getByRole("link", { name: "Lanterna", exact: true }).click();
    await expect(page.getByText("0 of 10 completed")).toBeVisible();
    await expect(page.getByText("Next: Import your products")).toBeVisible();
    await page.getByRole("link", { name: "Continue setup" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Getting started" })).toBeVisible();
    await expectAccessible(page);

    // Products.
    await page.getByRole("link", { name: "Open feeds" }).click();
    await page.getByRole("button", { name: "Upload file" }).click();
    await page.getByLabel("File", { exact: true }).setInputFiles(csvFile("products.csv", csv));
    await page.getByRole("button", { name: "Upload and import" }).click();
    await expect(page.getByText("Completed", { exact: true })).toBeVisible({ timeout: 30_000 });
    await openSteps();
    await expectDone("Import your products");

    // Branding.
    await page.getByRole("link", { name: "Open store settings" }).click();
    await page.getByLabel("Logo file").setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: await logo() });
    const preview = page.getByRole("img", { name: "Your logo" });
    await expect(preview).toBeVisible();
    expect(await preview.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(480);
    await expect(page.getByLabel("Logo width")).toHaveValue("240");
    await page.getByLabel("Support email").fill("help@lanterna.example");
    await save();
    await openSteps();
    await expectDone("Set up your branding");

    // The sender.
    await step("Check your From address").getByRole("link", { name: "Open email settings" }).click();
    await page.getByRole("textbox", { name: "From address" }).fill("reviews@lanterna.example");
    await save();
    await openSteps();
    await page.getByRole("button", { name: "Check DNS records" }).click();
    await expect(page.getByText("The records that can be checked are in place.")).toBeVisible();
    await expectDone("Check your From address");

    // An order to oneself, and its email.
    await page.getByRole("textbox", { name: "Your email address" }).fill("merchant@lanterna.example");
    await page.getByRole("button", { name: "Create test order" }).click();
    await expect(page.getByText(/^Order candor-test-\w+ created/)).toBeVisible();
    await expect(async () => {
      await page.reload();
      await expect(page.getByRole("link", { name: "Open email" })).toBeVisible({ timeout: 500 });
    }).toPass({ timeout: 30_000 });
    await expectDone("Create your first order");
    await page.getByRole("link", { name: "Open email" }).click();
    const email = page.frameLocator("iframe");
    await expect(email.getByRole("img", { name: "Lanterna" })).toBeVisible();
    const [form] = await Promise.all([context.waitForEvent("page"), email.locator('a[href*="/r/"]').first().click()]);

    // The review.
    await form.getByRole("radio", { name: /^5/ }).first().check();
    await form.getByRole("textbox", { name: "Your review" }).first().fill("Warm light, and a steady foot.");
    await form.getByRole("button", { name: "Submit review" }).click();
    await expect(form.getByRole("heading", { name: /thank/i })).toBeVisible();
    await form.close();
    await openSteps();
    await expectDone("Open the email");
    await expectDone("Write the first review");

    // Its approval.
    await page.getByRole("link", { name: "Open queue" }).click();
    await expect(page.getByRole("article")).toContainText("Warm light");
    await page.getByRole("button", { name: "Approve" }).click();
    await expect(page.getByText("All caught up").first()).toBeVisible();
    await openSteps();
    await expectDone("Approve the review");

    // The widget, on a page of another origin.
    await page.getByLabel("URL of a product page").fill(`${shop.origin}/own`);
    await page.getByRole("button", { name: "Check page" }).click();
    await expect(page.getByText("The page doesn’t contain the snippet.")).toBeVisible();
    const snippet = (await page.getByRole("region", { name: "Snippet" }).innerText()).trim();
    shop.paste(snippet);
    await page.getByRole("button", { name: "Check page" }).click();
    await expect(page.getByText("The snippet is on this page, but without a product ID.")).toBeVisible();
    shop.paste(snippet.replace("PRODUCT-ID", "LAMP"));
    const own = await context.newPage();
    await own.goto(`${shop.origin}/own`);
    await expect(own.locator("#candor-reviews")).toContainText("Warm light, and a steady foot.");
    await own.close();
    await page.getByRole("button", { name: "Check page" }).click();
    await expect(page.getByText("The widget is on this page.")).toBeVisible();
    await expectDone("Show reviews on your product pages");

    // The team, and no earlier reviews. The list can be left, and is there again.
    await page.getByRole("link", { name: "Invite people" }).click();
    await page.getByRole("button", { name: "Invite team member" }).click();
    await page.getByRole("dialog").getByLabel("Email address").fill("eva@lanterna.example");
    await page.getByRole("dialog").getByRole("button", { name: "Send invitation" }).click();
    await expect(page.getByText("Invitation sent to eva@lanterna.example.").first()).toBeVisible();
    await page.getByRole("navigation", { name: "Portal" }).getByRole("link", { name: "Home" }).click();
    await expect(page.getByText("9 of 10 completed")).toBeVisible();
    await page.getByRole("link", { name: "Continue setup" }).click();
    await expectDone("Invite your team");
    await page.getByRole("button", { name: "Skip: Import earlier reviews" }).click();
    await expect(page.getByText("10 of 10 completed")).toBeVisible();
    await page.getByRole("navigation", { name: "Portal" }).getByRole("link", { name: "Home" }).click();
    await expect(page.getByRole("heading", { name: "Recent activity" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Continue setup" })).toBeHidden();
    expect(consoleErrorsOutsideMails(consoleErrors)).toEqual([]);
  } finally {
    await shop.close();
    await server.stop();
    await dns.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
});

test("an admin opens the stored invitation of an order from its page, at their own store only", async ({
  page,
  consoleErrors,
}) => {
  const [id, other] = [uniqueName("emails.example"), uniqueName("emails-other.example")];
  for (const client of [id, other]) await admin("client", "create", "--id", client);
  const { secret } = await admin<{ secret: string }>("key", "create", "--client", id);
  const day = new Date(Date.now() - 8 * 86_400_000).toISOString().slice(0, 10);
  const customer = { id: "c-1", name: "Ada Berg", email: `ada@${id}` };
  const items = [{ id: "LAMP", name: "Oak lamp", delivery_date: day, reviewable: true }];
  const posted = await page.request.post("/v1/orders", {
    headers: { Authorization: `Bearer ${secret}` },
    data: { order: { id: "O-1", customer, items } },
  });
  expect(posted.status()).toBe(200);
  await admin("jobs", "run", "send-invitations", "--client", id);
  await openAs(page, await createPerson("emails", "admin", id), "/portal/orders/O-1");
  await page.getByRole("link", { name: /^Open invitation of/ }).click();
  await expect(page.frameLocator("iframe").getByText("Oak lamp").first()).toBeVisible();
  const mail = new URL(page.url()).pathname;
  await expect(page.getByRole("link", { name: "Mailbox" })).toHaveCount(0);
  expect(consoleErrorsOutsideMails(consoleErrors)).toEqual([]);
  await page.context().clearCookies();
  await openAs(page, await createPerson("emails-other", "admin", other));
  for (const query of ["", `?client_id=${id}`, `?client_id=${other}`])
    expect((await page.request.get(`${mail}${query}`)).status(), query).toBe(404);
  for (const role of ["moderator", "viewer"] as const) {
    await page.context().clearCookies();
    await openAs(page, await createPerson(`emails-${role}`, role, id));
    expect((await page.request.get(mail)).status(), role).toBe(404);
  }
});
