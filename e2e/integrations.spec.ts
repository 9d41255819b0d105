import { CommerceFake, commerceKeys } from "@/lib/tools/fakes/commerce";
import { manyOrders, sampleCatalog } from "@/lib/tools/fakes/commerce-shop";
import { DeltaShareFake, deltaShareToken } from "@/lib/tools/fakes/delta-share";
import { sampleTenant } from "@/lib/tools/fakes/delta-share-tenant";
import { EngagementFake, engagementKey } from "@/lib/tools/fakes/engagement";
import { admin, axe, breadcrumbs, createPerson, expect, type Login, openAs, test, uniqueName } from "./fixtures";

// A person connects a store's other systems in the portal. The systems are fake servers on this machine.

const CLIENT = `${uniqueName("connected")}.example`;
const shop = new CommerceFake({ ...sampleCatalog(), orders: manyOrders(120) });
const engagement = new EngagementFake();
const deltaShare = new DeltaShareFake(Object.values(sampleTenant()));
let [ordersUrl, tenantUrl] = ["", ""];
let person: Login;

test.beforeAll(async () => {
  [ordersUrl, tenantUrl] = [await shop.listen(), await engagement.listen()];
  await admin("client", "create", "--id", CLIENT, "--set", "display_name=Connected");
  person = await createPerson("connector", "admin", CLIENT);
});
test.afterAll(() => Promise.all([shop.close(), engagement.close(), deltaShare.close()]));

test("a store is connected, explains errors, imports orders, and is paused and disconnected", async ({
  page,
  consoleErrors,
}) => {
  test.setTimeout(120_000);
  await openAs(page, person, "/portal/integrations");
  await page.getByRole("link", { name: "Connect Magento / Adobe Commerce" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Connect Magento / Adobe Commerce");

  // Errors show at their fields, and nothing is sent.
  await page.getByLabel("Order list URL").fill("shop");
  await page.getByRole("button", { name: "Connect and test" }).click();
  await expect(page.getByText("It must be a URL")).toBeVisible();
  await expect(page.getByLabel("Order list URL")).toBeFocused();
  await expect(page.getByText("is required.").first()).toBeVisible();
  expect((await axe(page).analyze()).violations).toEqual([]);

  // Leaving the page doesn't discard the input without asking.
  await breadcrumbs(page).getByRole("link", { name: "Integrations" }).click();
  await page.getByRole("button", { name: "Stay on page" }).click();
  await expect(page.getByLabel("Order list URL")).toHaveValue("shop");

  // Wrong credentials show an error. Then correct ones are entered; credentials are never displayed.
  await page.getByLabel("Order list URL").fill(ordersUrl);
  await page.getByRole("radio", { name: /^Integration access token/ }).check();
  await page.getByLabel("Access token", { exact: true }).fill("wrong-token");
  await page.getByRole("button", { name: "Connect and test" }).click();
  await expect(page.getByRole("dialog")).toContainText("Saved, but");
  await page.getByRole("button", { name: "Edit settings" }).click();
  await page.getByRole("radio", { name: /OAuth 1.0a/ }).check();
  await page.getByLabel("Consumer key").fill(commerceKeys.consumer_key);
  await page.getByLabel("Consumer secret").fill(commerceKeys.consumer_secret);
  await page.getByLabel("Access token", { exact: true }).fill(commerceKeys.access_token);
  await page.getByLabel("Access token secret").fill(commerceKeys.token_secret);
  await page.getByLabel("Transit time").fill("3");
  await page.getByRole("button", { name: "Save and test" }).click();
  await expect(page.getByRole("dialog")).toContainText("Found 120 orders in the store.");
  await page.getByRole("button", { name: "View integration" }).click();

  // Orders are imported on request. During the import, the button is unavailable.
  await page.getByRole("button", { name: "Sync now" }).click();
  await expect(page.getByRole("table", { name: "Syncs" })).toContainText("120 orders imported", { timeout: 60_000 });
  await expect(page.getByRole("button", { name: "Sync now" })).toBeEnabled();
  expect((await axe(page).analyze()).violations).toEqual([]);
  await page.getByRole("link", { name: "Settings" }).last().click();
  await expect(page.getByLabel("Transit time")).toHaveValue("3");
  await expect(page.getByText("Saved", { exact: true })).toHaveCount(4);
  expect(await page.content()).not.toContain(commerceKeys.consumer_secret);

  // If another person changes the settings in the meantime, saving doesn't overwrite them and the input remains.
  await admin("integration", "set", "commerce", "--client", CLIENT, "--set", "transit_days=5");
  await page.getByLabel("Transit time").fill("4");
  await page.getByRole("button", { name: "Save and test" }).click();
  await expect(
    page.getByRole("alert").filter({ hasText: "This integration was changed after you opened it" }),
  ).toContainText("Nothing was saved.");
  await expect(page.getByLabel("Transit time")).toHaveValue("4");
  expect(consoleErrors.splice(0).filter((text) => !text.includes("409"))).toEqual([]);
  await page.getByRole("link", { name: "Magento / Adobe Commerce" }).click();
  await page.getByRole("button", { name: "Leave page" }).click();

  await page.getByRole("button", { name: "Pause" }).click();
  await expect(page.getByRole("button", { name: "Sync now" })).toBeDisabled();
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(page.getByRole("button", { name: "Sync now" })).toBeEnabled();
  await page.getByRole("button", { name: "Disconnect" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click();
  await expect(page.getByRole("link", { name: "Connect Magento / Adobe Commerce" })).toBeVisible();

  // A bookmarked integration page lets an admin connect it again.
  await page.goto("/portal/integrations/commerce");
  await expect(page.getByRole("heading", { name: "Not connected" })).toBeVisible();
  expect((await axe(page).analyze()).violations).toEqual([]);
  await page.getByRole("link", { name: "Connect Magento / Adobe Commerce" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Connect Magento / Adobe Commerce");

  // The log shows which integration a change belongs to.
  await page.goto("/portal/audit?what=integration");
  await expect(page.getByRole("row").filter({ hasText: "Integration disconnected" })).toContainText(
    "Magento / Adobe Commerce",
  );
  expect(consoleErrors).toEqual([]);
});

test("a Delta Share is connected by its profile, shows its column mapping, and imports receipts", async ({
  page,
  consoleErrors,
}) => {
  test.setTimeout(120_000);
  const profile = await deltaShare.listen();
  await openAs(page, person, "/portal/integrations/share/settings");
  await page.getByLabel("Profile").fill("{");
  await page.getByRole("button", { name: "Connect and test" }).click();
  await expect(page.getByText(/full contents of the profile file/)).toBeVisible();
  await page.getByLabel("Profile").fill(JSON.stringify(profile, null, 2));
  await page.getByRole("button", { name: "Connect and test" }).click();
  await expect(page.getByRole("dialog")).toContainText("is connected", { timeout: 30_000 });
  await page.keyboard.press("Escape");

  // The table is matched by name and shows its first rows. Another column is selected, and the choice is saved.
  await expect(page.getByText("engage_share.engage_data.receiptslatest")).toBeVisible({ timeout: 30_000 });
  await page.getByText("Receipt items", { exact: true }).click();
  const sku = page.locator("#share-column-items-sku");
  await expect(sku).toContainText("sku");
  await expect(page.getByText("LAMP-OAK-S").first()).toBeVisible();
  await sku.selectOption("articleNumber");
  await expect(page.getByText("You have unsaved changes.")).toBeVisible();
  expect((await axe(page).analyze()).violations).toEqual([]);
  await page.getByRole("button", { name: "Save and test" }).click();
  await expect(page.getByRole("dialog")).toContainText("is connected", { timeout: 30_000 });
  await expect(sku).toHaveValue("articleNumber");
  await page.getByRole("button", { name: "View integration" }).click();

  await page.getByRole("button", { name: "Sync now" }).click();
  const runs = page.getByRole("table", { name: "Syncs" });
  await expect(runs).toContainText(/\b3 orders imported/, { timeout: 60_000 });
  await expect(runs).toContainText("2 rows without a contact");
  await expect(page.getByRole("button", { name: "Sync now" })).toBeEnabled({ timeout: 30_000 });
  await expect(page.getByRole("table", { name: "Entries" })).toContainText("Imported");
  expect((await axe(page).analyze()).violations).toEqual([]);
  await page.getByRole("link", { name: "r-1", exact: true }).click();
  await expect(page.getByRole("main")).toContainText("LAMP-OAK");
  expect(await page.content()).not.toContain(deltaShareToken);
  expect(consoleErrors).toEqual([]);
});

test("a review shows what was sent to the engagement platform, and can be retried from there", async ({
  page,
  request,
}) => {
  test.setTimeout(120_000);
  const client = await admin<{ public_key: string }>("client", "set", CLIENT, "require_verification=true");
  const { secret } = await admin<{ secret: string }>("key", "create", "--client", CLIENT);
  await openAs(page, person, "/portal/integrations/engagement/settings");
  await page.getByLabel("Tenant URL").fill(tenantUrl);
  await page.getByLabel("API key").fill(engagementKey);
  await page.getByRole("button", { name: "Connect and test" }).click();
  await expect(page.getByRole("dialog")).toContainText("Voyado Engage is connected");

  const data = {
    ...{ client_id: CLIENT, api_key: client.public_key, product_id: "P-1", author: "Ann", score: 5 },
    ...{ author_email: `ann@${CLIENT}`, content: "As bright as they say." },
  };
  expect((await request.post("/collect/reviews", { data })).status()).toBe(201);
  const list = await request.get("/v1/reviews", { headers: { Authorization: `Bearer ${secret}` } });
  const [{ id }] = (await list.json()).data;
  await page.goto(`/portal/reviews/${id}`);
  const sentRegion = page.getByRole("region", { name: "Connected systems" });
  await expect(sentRegion).toContainText("The author hasn’t verified their email address.", { timeout: 30_000 });
  expect((await axe(page).analyze()).violations).toEqual([]);

  // The author confirms the address. The platform doesn't have the contact until it is created there.
  const mails = () => admin<{ id: string; text: string }[]>("mail", "list", "--to", data.author_email);
  await expect.poll(async () => (await mails()).length, { timeout: 30_000 }).toBe(1);
  const link = /https?:\/\/\S+\/verify\/[\w-]+/.exec((await mails())[0]?.text ?? "")?.[0] ?? "";
  await page.goto(link);
  await page.getByRole("button").first().click();
  await expect(page.getByText("Your email address is confirmed")).toBeVisible();
  await expect(async () => {
    await page.goto(`/portal/reviews/${id}`);
    await expect(sentRegion).toContainText("The platform has no contact for this person.", { timeout: 2_000 });
  }).toPass({ timeout: 30_000 });
  const contact = engagement.addContact({ email: data.author_email });
  await sentRegion.getByRole("button", { name: /^Retry:/ }).click();
  await expect(sentRegion).toContainText("Remote ID:", { timeout: 30_000 });
  expect(engagement.interactionsOf(contact.id)).toMatchObject([{ payload: { productSku: "P-1", rating: 5 } }]);
  await expect.poll(() => contact.attributes.reviewLatestValue, { timeout: 30_000 }).toBe(5);
});
