import { disableScriptCache, firstLoad } from "@/lib/tools/bench/first-load";
import {
  admin,
  consoleErrorsOutsideMails,
  createPerson,
  demoLogin,
  expect,
  signIn,
  test,
  uniqueName,
} from "./fixtures";

// What a page loads before any interaction.

/** Maximum bytes of script, gzipped, that a page may load at first. */
const MAX_SCRIPT_BYTES = 200_000;

const pages = [
  "/portal",
  "/portal/queue",
  "/portal/library",
  "/portal/library/photos",
  "/portal/reviews?status=all",
  "/portal/seller_reviews?status=all",
  "/portal/questions?status=all",
  "/portal/questions?status=accepted",
  "/portal/questions?product=none",
  "/portal/orders",
  "/portal/products",
  "/portal/invitations",
  "/portal/privacy",
  "/portal/notifications",
  "/portal/analytics",
  "/portal/bias",
  "/portal/feeds",
  "/portal/setup",
  "/portal/imports",
  "/portal/integrations",
  "/portal/integrations/engagement",
  "/portal/integrations/engagement/settings",
  "/portal/failures",
  "/portal/settings",
  "/portal/settings/forms",
  "/portal/settings/questions",
  "/portal/settings/moderation",
  "/portal/settings/display",
  "/portal/settings/sending",
  "/portal/settings/templates",
  "/portal/settings/invitations",
  "/portal/settings/people",
  "/portal/settings/keys",
  "/portal/audit",
  "/portal/account",
  "/portal/mailbox",
  "/portal/jobs",
  "/portal/accounts",
];
test("no portal page loads more script than the limit", async ({ page, consoleErrors }) => {
  test.setTimeout(240_000);
  await disableScriptCache(page);
  const client = "client_id=demo.candor.example";
  const measureScripts = async (path: string) => {
    // The client is in each URL because other tests create clients, too.
    const { scriptBytes, files, usableMs } = await firstLoad(page, `${path}${path.includes("?") ? "&" : "?"}${client}`);
    const after = usableMs === null ? "" : `, usable after ${Math.round(usableMs)} ms`;
    console.log(`${(scriptBytes / 1000).toFixed(1).padStart(6)} kB of script in ${files} files${after}  ${path}`);
    return [path, scriptBytes] as const;
  };
  const signedOutPages = ["/portal/sign-in", "/portal/forgot", "/portal/password/none"];
  const loads: (readonly [string, number])[] = [];
  for (const path of signedOutPages) loads.push(await measureScripts(path));
  await signIn(page, demoLogin);
  for (const path of pages) loads.push(await measureScripts(path));
  for (const list of ["reviews", "seller_reviews", "questions", "orders", "products"]) {
    const first = (await (await page.request.get(`/v1/${list}?${client}&limit=1`)).json()).data[0].id;
    loads.push(await measureScripts(`/portal/${list}/${encodeURIComponent(first)}`));
  }
  const { id } = await admin<{ id: string }>(
    ...["webhook", "create", "--client", "demo.candor.example", "--url", "http://127.0.0.1:9/hook"],
  );
  loads.push(await measureScripts(`/portal/integrations/webhooks/${id}`));
  const deleteResponse = await page.request.delete(`/portal/api/v1/webhooks/${id}?${client}`, {
    headers: { origin: new URL(page.url()).origin },
  });
  expect(deleteResponse.ok()).toBe(true);
  expect(loads.filter(([, script]) => script > MAX_SCRIPT_BYTES)).toEqual([]);
  // A page without a script would mean that the measurement is broken.
  expect(loads.filter(([, script]) => script < 50_000)).toEqual([]);
  expect(consoleErrorsOutsideMails(consoleErrors)).toEqual([]);
});

test("a link navigates without reloading the page, and fetches nothing before it is clicked", async ({ page }) => {
  await signIn(page, demoLogin);
  const requestedPaths: string[] = [];
  page.on("request", (request) => {
    if (request.headers().rsc) requestedPaths.push(new URL(request.url()).pathname);
  });
  await page.goto("/portal/orders?client_id=demo.candor.example", { waitUntil: "networkidle" });
  const link = page.getByRole("link", { name: "Products", exact: true });
  await link.hover();
  await page.evaluate(() => {
    document.documentElement.dataset.kept = "yes";
  });
  // Ctrl-click opens a new tab and leaves this page unchanged.
  const [other] = await Promise.all([
    page.context().waitForEvent("page"),
    link.click({ modifiers: ["ControlOrMeta"] }),
  ]);
  await expect(other.getByRole("heading", { level: 1, name: "Products" })).toBeVisible();
  await other.close();
  await expect(page.getByRole("heading", { level: 1, name: "Orders" })).toBeVisible();
  expect(requestedPaths).toEqual([]);
  await link.click();
  await expect(page.getByRole("heading", { level: 1, name: "Products" })).toBeVisible();
  await expect(page).toHaveURL(/^[^?]*\/portal\/products\?client_id=demo\.candor\.example$/);
  expect(await page.evaluate(() => document.documentElement.dataset.kept)).toBe("yes");
  expect(new Set(requestedPaths)).toEqual(new Set(["/portal/products"]));

  // Parts of the portal share fetched data, also across a page that doesn't use it.
  const views: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/queue_views")) views.push(request.url());
  });
  const navigation = page.getByRole("navigation", { name: "Portal" });
  for (const name of ["Queue", "Orders", "Queue"]) {
    // The queue's link ends with how many items are pending.
    await navigation.getByRole("link", { name: new RegExp(`^${name}`) }).click();
    await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
    await page.waitForLoadState("networkidle");
    await expect.poll(() => views.length).toBe(1);
  }
});

test("sends a test order from the page with the first steps", async ({ page }) => {
  const id = uniqueName("steps.example");
  await admin("client", "create", "--id", id);
  await signIn(page, await createPerson("steps", "admin", id), "/portal/setup");
  await page.getByRole("textbox", { name: "Your email address" }).fill("merchant@shop.example");
  await page.getByRole("button", { name: "Create test order" }).click();
  await expect
    .poll(async () => (await (await page.request.get(`/v1/orders?client_id=${id}`)).json()).data.length)
    .toBe(1);
});
