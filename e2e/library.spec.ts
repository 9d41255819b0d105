import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { photograph } from "@/lib/tools/test/pictures";
import { admin, axe, breadcrumbs, createPerson, expect, type Login, openAs, test, uniqueName } from "./fixtures";

// The list of all reviews: filters by keyboard and pointer, selection, replies by template, exports and saved views.

const shop = `${uniqueName("library")}.example`;
let ada: Login;
let viewer: Login;
let find: (extract: string) => Promise<{ responses: { extract: string }[]; images: unknown[] } | undefined>;

const lowest = "The hook broke on the first day.";

test.beforeAll(async ({ playwright }) => {
  const { public_key } = await admin<{ public_key: string }>(
    "client",
    "create",
    "--id",
    shop,
    "--set",
    "display_name=Lanterna",
  );
  const { secret } = await admin<{ secret: string }>("key", "create", "--client", shop);
  const headers = { Authorization: `Bearer ${secret}` };
  const request = await playwright.request.newContext({ baseURL: process.env.E2E_URL ?? "" });
  for (let n = 1; n <= 60; n += 1) {
    const answer = await request.post(`/v1/reviews?client_id=${shop}`, {
      headers,
      data: {
        review: {
          author: `Author ${n}`,
          score: n === 7 ? 1 : 3 + (n % 3),
          date: n === 7 ? "2026-08-12" : `2026-0${1 + (n % 7)}-1${n % 10}`,
          extract: n === 7 ? lowest : `Review number ${n}, "good", with a comma.`,
          lang: n % 2 ? "en" : "sv",
          accepted: n % 4 === 0 ? null : true,
          order: { item: { id: `LAMP-${n % 3}`, family_id: "LAMP" } },
        },
      },
    });
    expect(answer.status(), await answer.text()).toBe(201);
  }
  const images: unknown[] = [];
  for (const color of ["#2f6b5b", "#b3541e"]) {
    const buffer = await photograph(400, 300).tint(color).jpeg().toBuffer();
    const file = { name: "a.jpg", mimeType: "image/jpeg", buffer };
    const upload = await request.post("/uploader", {
      multipart: { client_id: shop, api_key: public_key, file },
    });
    images.push(await upload.json());
  }
  await request.post(`/v1/reviews?client_id=${shop}`, {
    headers,
    data: {
      review: {
        ...{ author: "Photographer", score: 5, date: "2026-08-20", extract: "As in the photos.", images },
        ...{ accepted: true, order: { item: { id: "PHOTO-1", family_id: "PHOTO" } } },
      },
    },
  });
  ada = await createPerson("library-ada", "moderator", shop);
  viewer = await createPerson("library-viewer", "viewer", shop);
  find = async (extract) => {
    const answer = await request.get(`/v1/reviews?client_id=${shop}&limit=100`, { headers });
    return (await answer.json()).data.find((review: { extract: string }) => review.extract === extract);
  };
  await admin("jobs", "run", "index-words", "--client", shop);
});

const rows = (page: Page) => page.getByRole("row");
/** The number of results, as the page says it. */
const total = (page: Page, text: string) => page.getByRole("status").filter({ hasText: new RegExp(`^${text}$`) });

test("shows all reviews with their number, fifty a page, and filters that have an address", async ({ page }) => {
  await openAs(page, ada, "/portal");
  await page.getByRole("link", { name: "Reviews", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Reviews", level: 1 })).toBeVisible();
  await expect(total(page, "61 reviews")).toBeVisible();
  await expect(rows(page)).toHaveCount(51);
  expect((await axe(page).analyze()).violations).toEqual([]);
  await page.getByRole("link", { name: "Next page" }).click();
  await expect(rows(page)).toHaveCount(12);
  await page.getByRole("link", { name: "First page" }).click();
  await expect(rows(page)).toHaveCount(51);

  const oneStar = page.getByRole("checkbox", { name: "1 out of 5 stars" });
  await oneStar.focus();
  await page.keyboard.press("Space");
  await expect(total(page, "1 review")).toBeVisible();
  // Focus stays, so that the next filter is a key away.
  await expect(oneStar).toBeFocused();
  await page.getByLabel("From").fill("2026-08-01");
  await page.getByLabel("To", { exact: true }).fill("2026-08-31");
  await page.getByLabel("To", { exact: true }).press("Enter");
  await expect(page).toHaveURL(/stars=1&from=2026-08-01&to=2026-08-31$/);
  await expect(rows(page)).toHaveCount(2);
  await page.getByRole("link", { name: /hook broke/ }).click();
  await expect(page.getByRole("article")).toContainText(lowest);
  await expect(page).toHaveTitle(/ · Reviews · Candor$/);
  await expect(breadcrumbs(page).getByRole("link", { name: "Reviews" })).toHaveAttribute(
    "href",
    "/portal/library?stars=1&from=2026-08-01&to=2026-08-31",
  );
  await page.goBack();
  await expect(page.getByRole("checkbox", { name: "1 out of 5 stars" })).toBeChecked();
  await page.getByRole("link", { name: "Clear filters" }).click();
  await expect(page.getByRole("checkbox", { name: "1 out of 5 stars" })).not.toBeChecked();
  await expect(total(page, "61 reviews")).toBeVisible();
  await page.getByRole("searchbox", { name: /^Search by words/ }).fill("hook brok");
  await page.keyboard.press("Enter");
  await expect(total(page, "1 review")).toBeVisible();
  await page.getByRole("combobox", { name: "Status" }).selectOption("rejected");
  await expect(page.getByText("No results")).toBeVisible();
});

test("shows the filter of the address after back, forward and links", async ({ page }) => {
  await openAs(page, ada, "/portal/library");
  const oneStar = page.getByRole("checkbox", { name: "1 out of 5 stars" });
  const status = page.getByRole("combobox", { name: "Status" });
  await page.getByText("1★").click();
  await expect(total(page, "1 review")).toBeVisible();
  await page.goBack();
  await expect(total(page, "61 reviews")).toBeVisible();
  await expect(oneStar).not.toBeChecked();
  await page.goForward();
  await expect(total(page, "1 review")).toBeVisible();
  await expect(oneStar).toBeChecked();
  // The next choice keeps the filter.
  await status.selectOption("accepted");
  await expect(page).toHaveURL(/status=accepted&stars=1$/);
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("menuitem", { name: "Rejected as spam" }).click();
  await expect(page).toHaveURL(/status=rejected&reason=spam$/);
  await expect(oneStar).not.toBeChecked();
  await expect(status).toHaveValue("rejected");
  // Only rejected reviews have a reason.
  await status.selectOption("accepted");
  await expect(page).toHaveURL(/library\?status=accepted$/);
});

test("shows a choice while it loads, keeps what is typed meanwhile, and follows a link that replaces it", async ({
  page,
}) => {
  await openAs(page, ada, "/portal/library");
  const status = page.getByRole("combobox", { name: "Status" });
  const search = page.getByRole("searchbox", { name: /^Search by words/ });
  const loading = page.locator("form[aria-busy=true]");
  const hold = async () => {
    const held = Promise.withResolvers<void>();
    await page.route(/library\?status=pending/, async (route) => {
      await held.promise;
      await route.continue();
    });
    await status.selectOption("pending");
    await expect(loading).toBeVisible();
    await expect(status).toHaveValue("pending");
    await expect(page).not.toHaveURL(/pending/);
    return async () => {
      held.resolve();
      await page.unrouteAll({ behavior: "wait" });
    };
  };
  const releaseFirst = await hold();
  await search.pressSequentially("number 8");
  await releaseFirst();
  await expect(page).toHaveURL(/status=pending$/);
  await expect(loading).toBeHidden();
  await expect(search).toHaveValue("number 8");
  await expect(search).toBeFocused();
  await search.press("Enter");
  await expect(page).toHaveURL(/status=pending&q=number\+8$/);
  await page.getByRole("link", { name: "Clear filters" }).first().click();
  await expect(total(page, "61 reviews")).toBeVisible();
  await expect(search).toHaveValue("");
  await expect(status).toHaveValue("");

  const releaseSecond = await hold();
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("menuitem", { name: "Rejected as spam" }).click();
  await expect(page).toHaveURL(/status=rejected&reason=spam$/);
  await expect(status).toHaveValue("rejected");
  await releaseSecond();
  await expect(loading).toBeHidden();
  await expect(status).toHaveValue("rejected");
  await expect(page.getByRole("combobox", { name: "Reason" })).toHaveValue("spam");
  await expect(page).toHaveURL(/status=rejected&reason=spam$/);
});

test("filters by a recent period, and shows other days as custom", async ({ page }) => {
  await openAs(page, ada, "/portal/library?from=2026-08-01&to=2026-08-15");
  const period = page.getByRole("combobox", { name: "Date" });
  await expect(period).toHaveValue("custom");
  await period.selectOption("Last 7 days");
  await expect(page).not.toHaveURL(/from=2026-08-01/);
  await expect(page).toHaveURL(/from=\d{4}-\d\d-\d\d&to=\d{4}-\d\d-\d\d/);
  const [from, to] = ["From", "To"].map((name) => page.getByLabel(name, { exact: true }));
  await expect(period.locator("option:checked")).toHaveText("Last 7 days");
  const days = Date.parse(await to!.inputValue()) - Date.parse(await from!.inputValue());
  expect(days).toBe(6 * 86_400_000);
  await period.selectOption("Any date");
  await expect(page).not.toHaveURL(/from=|to=/);
  await expect(from!).toHaveValue("");
});

test("exports exactly the filtered list, or the selected rows", async ({ page }) => {
  await openAs(page, ada, "/portal/library?lang=sv&sort=lowest");
  await expect(total(page, "30 reviews")).toBeVisible();
  const exported = async (format: string) => {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: new RegExp(`^Export .*${format}$`) }).click(),
    ]);
    return readFileSync(await download.path(), "utf8")
      .trimEnd()
      .split("\n");
  };
  const lines = await exported("JSON Lines");
  const exportedRows = lines.map((line) => JSON.parse(line));
  expect(exportedRows.map(({ lang }) => lang)).toEqual(Array.from({ length: 30 }, () => "sv"));
  const scores = exportedRows.map(({ score }) => score);
  expect(scores).toEqual(scores.toSorted((a, b) => a - b));
  await expect(page.getByText("30 rows exported.").first()).toBeVisible();
  await page.getByRole("checkbox", { name: "Select the review by Author 6", exact: true }).check();
  await page.getByRole("checkbox", { name: "Select the review by Author 12", exact: true }).check();
  const [header, ...two] = await exported("CSV");
  expect(header).toMatch(/^id,/);
  expect(two).toHaveLength(2);
  expect(two.join()).toContain("Review number 6,");
  expect(two.join()).toContain("Review number 12,");
});

test("publishes, rejects and undoes several at once, and replies to several by template", async ({
  page,
  consoleErrors,
}) => {
  await openAs(page, ada, "/portal/queue");
  // A template comes from a reply.
  await page.getByRole("textbox", { name: "Reply as the store" }).fill("Thank you.");
  await page.getByRole("button", { name: "Templates" }).click();
  await page.getByRole("menuitem", { name: /Save as template/ }).click();
  await page.getByLabel("Name").fill("Thanks");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  // Closed once the template is saved. Leaving the page earlier would cancel the request.
  await expect(page.getByRole("dialog")).toBeHidden();
  await page.goto("/portal/library?status=pending&product=LAMP-0");
  await expect(total(page, "5 reviews")).toBeVisible();
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  await expect(page.getByText("5 selected")).toBeVisible();
  expect((await axe(page).analyze()).violations).toEqual([]);
  await page.getByRole("button", { name: "Approve 5" }).click();
  await expect(page.getByText("No results")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(total(page, "5 reviews")).toBeVisible();
  await page.getByRole("checkbox", { name: "Select the review by Author 12", exact: true }).check();
  await page.getByRole("button", { name: "Reject 1" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Advertising" }).click();
  await expect(total(page, "4 reviews")).toBeVisible();
  // The dialog's button went with the selection: the next key is still in the list's actions. They have the focus once
  // the dialog has closed, which may be after the list is loaded.
  await expect(page.locator(":focus", { has: page.getByRole("button", { name: "Columns" }) })).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Columns" })).toBeFocused();

  await page.goto("/portal/library?status=accepted");
  for (const author of ["Author 7", "Author 1"])
    await page.getByRole("checkbox", { name: `Select the review by ${author}`, exact: true }).check();
  await page.getByRole("button", { name: "Reply to 2" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("Thank you.")).toBeVisible();
  // The response of the first reply is lost: the second isn't tried, and a retry doesn't reply twice.
  await page.route("**/replies?**", async (route) => {
    await route.fetch();
    await route.abort();
  });
  await dialog.getByRole("button", { name: "Publish 2 replies" }).click();
  await expect(dialog.getByText("1 reply wasn’t published:")).toBeVisible();
  await expect(dialog.getByText("Not sent: 1 reply.")).toBeVisible();
  await page.unroute("**/replies?**");
  await dialog.getByRole("button", { name: "Publish 2 replies" }).click();
  await expect(dialog).toBeHidden();
  consoleErrors.splice(0, consoleErrors.length, ...consoleErrors.filter((text) => !/ERR_FAILED/.test(text)));
  await expect(page.getByRole("cell", { name: "Yes" })).toHaveCount(2);
  expect((await find(lowest))?.responses).toEqual([expect.objectContaining({ extract: "Thank you." })]);
});

test("keeps views and columns for the person, and leaves out actions for viewers", async ({ page }) => {
  await openAs(page, viewer, "/portal/library?stars=12");
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("menuitem", { name: "Save view…" }).click();
  await page.getByLabel("Name").fill("Low");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Source" }).click();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("columnheader", { name: "Source" })).toBeHidden();
  await page.goto("/portal/library");
  await expect(page.getByRole("columnheader", { name: "Source" })).toBeHidden();
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("menuitem", { name: "Low", exact: true }).click();
  await expect(page).toHaveURL(/stars=12/);
  await expect(page.getByRole("checkbox", { name: "2 out of 5 stars" })).toBeChecked();
  await page.getByRole("checkbox", { name: "Select the review by Author 7", exact: true }).check();
  await expect(page.getByText("1 selected")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Approve|^Reject|^Reply/ })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Export 1 as CSV" })).toBeVisible();
});

test("shows which photos were hidden before an error, and hides the rest with a retry", async ({
  page,
  consoleErrors,
}) => {
  await openAs(page, ada, "/portal/library/photos");
  const photos = page.getByRole("list", { name: "Photos" }).getByRole("listitem");
  const hidden = photos.getByText("Hidden");
  const shown = async () => (await find("As in the photos."))?.images.length;
  await page.getByRole("button", { name: "Select all on this page" }).click();
  let requests = 0;
  await page.route("**/photos/*?client_id=*", async (route) => {
    requests += 1;
    await (requests === 2 ? route.abort() : route.continue());
  });
  await page.getByRole("button", { name: "Hide 2" }).click();
  await expect(page.getByText(/^Couldn’t save\./).first()).toBeVisible();
  consoleErrors.splice(0, consoleErrors.length, ...consoleErrors.filter((text) => !/ERR_FAILED/.test(text)));
  await expect(hidden).toHaveCount(1);
  expect(await shown()).toBe(1);
  await expect(page.getByText("2 selected")).toBeVisible();
  await page.getByRole("button", { name: "Hide 1", exact: true }).click();
  await expect(page.getByText("1 photo hidden.").first()).toBeVisible();
  await expect(hidden).toHaveCount(2);
  expect(requests).toBe(3);
  expect(await shown()).toBe(0);
  await page.getByRole("button", { name: "Select all on this page" }).click();
  await page.getByRole("button", { name: "Unhide 2" }).click();
  await expect(hidden).toHaveCount(0);
  expect(await shown()).toBe(2);
});

test("hides several photos at once, and shows them again", async ({ page }) => {
  const shown = async () => (await find("As in the photos."))?.images.length;
  await openAs(page, ada, "/portal/library");
  await page.getByRole("link", { name: "Photos", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Photos", level: 1 })).toBeVisible();
  const photos = page.getByRole("list", { name: "Photos" }).getByRole("listitem");
  await expect(photos).toHaveCount(2);
  expect((await axe(page).analyze()).violations).toEqual([]);
  for (const box of await photos.getByRole("checkbox").all()) await box.check();
  await page.getByRole("button", { name: "Hide 2" }).click();
  await expect(page.getByText("2 photos hidden.").first()).toBeVisible();
  await expect(photos.getByText("Hidden")).toHaveCount(2);
  expect(await shown()).toBe(0);
  await page.getByRole("link", { name: "Not hidden" }).click();
  await expect(page.getByText("No results")).toBeVisible();
  await page.getByRole("link", { name: "Hidden", exact: true }).click();
  await photos.getByRole("checkbox").first().check();
  await page.getByRole("button", { name: "Unhide 1" }).click();
  await expect(photos).toHaveCount(1);
  expect(await shown()).toBe(1);
});

test("shows how to get the first reviews and questions to people who may set it up", async ({ page }) => {
  const bare = `${uniqueName("library-empty")}.example`;
  await admin("client", "create", "--id", bare, "--set", "display_name=Empty");
  const first = page.getByRole("link", { name: "Get your first review" });
  await openAs(page, await createPerson("library-admin", "admin", bare), "/portal/library");
  await expect(first).toBeVisible();
  await page.goto("/portal/library?kind=question");
  await expect(page.getByRole("link", { name: "Open settings" })).toBeVisible();
  await expect(first).toBeHidden();
  await page.context().clearCookies();
  await openAs(page, await createPerson("library-moderator", "moderator", bare), "/portal/library");
  await expect(page.getByText("No reviews yet")).toBeVisible();
  await expect(first).toBeHidden();
});

test("fits a phone", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await openAs(page, ada, "/portal/library");
  await expect(page.getByText(lowest)).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});
