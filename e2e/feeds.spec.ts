import { admin, breadcrumbs, createPerson, csvFile, expect, expectAccessible, openAs, test } from "./fixtures";

// An admin imports the catalog: a feed by URL, an uploaded file, and their import reports.

const row = (id: string, title = `Lamp ${id}`) => `${id},${title},https://shop.example/${id},4006381333931`;
const file = (...rows: string[]) => csvFile("lamps.csv", `id,title,link,gtin\n${rows.join("\n")}\n`);

test("an admin adds a feed, uploads a file, and views the import reports", async ({ page }) => {
  test.setTimeout(150_000);
  await admin("client", "create", "--id", "feeds.example", "--set", "display_name=Lanterna");
  const person = await createPerson("feeds-admin", "admin", "feeds.example");
  await openAs(page, person, "/portal/feeds");
  await expect(page.getByRole("heading", { name: "No feeds yet" })).toBeVisible();
  await expectAccessible(page, "empty");

  // Nothing listens at this URL, and the page shows that once the run has ended.
  await page.getByRole("button", { name: "Add feed" }).click();
  await page.getByLabel("URL").fill("http://127.0.0.1:9/feed.xml?key=secret");
  await expectAccessible(page, "form");
  await page.getByRole("button", { name: "Add and fetch now" }).click();
  await expect(
    page.getByText("Couldn’t connect to http://127.0.0.1:9/feed.xml, or the connection was interrupted.").first(),
  ).toBeVisible({
    timeout: 20_000,
  });
  await expect(page.getByText("(partly hidden)")).toBeVisible();

  const upload = async (...rows: string[]) => {
    await page.getByRole("button", { name: "Upload file" }).click();
    await page.getByLabel("File", { exact: true }).setInputFiles(file(...rows));
    await page.getByRole("button", { name: "Upload and import" }).click();
    await page.waitForURL(/\/portal\/feeds\/imp_/);
  };
  await upload(
    row("a"),
    row("b", "Lamp &amp;amp; shade"),
    row("c"),
    row("a", "Lamp again"),
    ",No id,x,y",
    `${row("d")}0`,
  );
  await expect(page.getByText("Completed", { exact: true })).toBeVisible({ timeout: 20_000 });
  await expect(page.getByText("Duplicate; only the last row is imported")).toBeVisible();
  await expect(page.getByText("Missing ID")).toBeVisible();
  await expect(page.getByText("isn’t a valid GTIN: wrong length or check digit")).toBeVisible();
  await expect(page.getByText("HTML entities in text were decoded.")).toBeVisible();
  await expectAccessible(page, "report");

  // A file that would empty the catalog needs a confirmation.
  await breadcrumbs(page).getByRole("link", { name: "Feeds" }).click();
  await upload(row("a"));
  await expect(page.getByText(/doesn’t contain 3 of the 4 products/)).toBeVisible({ timeout: 20_000 });
  await expectAccessible(page, "refused");
  const failedImportUrl = page.url();
  await page.getByRole("button", { name: "Import and delete products" }).click();
  await page.waitForURL((url) => url.href !== failedImportUrl);
  await expect(page.getByText("3 no longer in your store")).toBeVisible({ timeout: 20_000 });

  await breadcrumbs(page).getByRole("link", { name: "Feeds" }).click();
  await expect(page.getByRole("region", { name: "Imports" }).getByRole("row")).toHaveCount(5);
  await expectAccessible(page, "full");

  await page.getByRole("button", { name: /^Edit: / }).click();
  await page.getByRole("checkbox", { name: "Fetch on schedule" }).uncheck();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText(/Automatic fetching is off \(once a day when on\)/)).toBeVisible();
  await page.getByRole("button", { name: /^Remove: / }).click();
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await expect(page.getByRole("heading", { name: "No feeds yet" })).toBeVisible();
});
