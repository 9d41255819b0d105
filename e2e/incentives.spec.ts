import { openShopPage, startExternalShop } from "./external-shop";
import { admin, axe, createPerson, expect, openAs, test, uniqueName } from "./fixtures";

// A reward for reviews: a store enters it, the form shows it, the review is labeled, and the public page counts it.

test("a reward is shown in the form, with the review, and on the public page", async ({ page }) => {
  test.setTimeout(150_000);
  const id = `${uniqueName("incentives")}.example`;
  await admin("client", "create", "--id", id, "--set", "display_name=Lanterna");
  const person = await createPerson("incentives-admin", "admin", id);
  await openAs(page, person, "/portal/settings/forms");
  await page.waitForLoadState("networkidle");
  await page.getByLabel("What authors get", { exact: true }).fill("5 € voucher");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved.").first()).toBeVisible();

  await page.goto(`/reviews/new?client_id=${id}&key=P-1&name=Lamp&lang=en`);
  await expect(page.getByText("and your review will say so. You get: 5 € voucher")).toBeVisible();
  expect((await axe(page).analyze()).violations).toEqual([]);
  await page.getByRole("radio", { name: /^2 / }).check();
  await page.getByRole("textbox", { name: "Your review" }).fill("It flickers.");
  await page.getByRole("textbox", { name: "Display name" }).fill("Ada");
  await page.getByRole("button", { name: "Submit review" }).click();
  await expect(page.getByRole("heading", { name: "Thank you!" })).toBeVisible();

  await page.goto("/portal/queue", { waitUntil: "networkidle" });
  await expect(page.getByRole("article").getByText("Reward offered")).toBeVisible();
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByText("Approved.").first()).toBeVisible();

  const shop = await startExternalShop(process.env.E2E_URL ?? "");
  try {
    const label = page.locator("#candor-reviews").getByRole("article").getByText("Reward offered");
    await expect
      .poll(async () => {
        await openShopPage(page, `${shop.origin}/?client=${id}&key=P-1&lang=en`);
        return label.count();
      })
      .toBe(1);
  } finally {
    await shop.close();
  }

  // By requests, since the browser stores the page for a minute.
  const later = new Date(Date.now() + 3_600_000).toISOString();
  await expect
    .poll(async () => {
      await admin("jobs", "run", "compute-figures", "--client", id, "--now", later);
      return (await (await page.request.get(`/honesty/${id}/figures.json`)).json()).reviews.incentivized.total;
    })
    .toBe(1);
  await page.goto(`/honesty/${id}?lang=en`);
  const shown = (await page.locator("#incentives").innerText()).replace(/\s+/g, " ");
  expect(shown).toMatch(
    /“5 € voucher”\. A reward has been offered since .* Of 1 published review: Written when a reward was offered 1 /,
  );
});
