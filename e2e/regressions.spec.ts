import { writeFile } from "node:fs/promises";
import { photograph } from "@/lib/tools/test/pictures";
import { admin, createPerson, expect, type Login, openAs, signIn, test, uniqueName } from "./fixtures";

// Bugs found in the portal that no other journey covers: photos of a published review, corrected errors.

const shop = `${uniqueName("small-things")}.example`;
let person: Login;
let reviewId: string;

test.beforeAll(async ({ request }) => {
  const { public_key } = await admin<{ public_key: string }>("client", "create", "--id", shop);
  const { secret } = await admin<{ secret: string }>("key", "create", "--client", shop);
  const buffer = await photograph(400, 300).jpeg().toBuffer();
  const uploaded = await request.post("/uploader", {
    multipart: { client_id: shop, api_key: public_key, file: { name: "lamp.jpg", mimeType: "image/jpeg", buffer } },
  });
  const review = {
    order: { id: "o-1", customer: { id: "c-1" }, item: { id: "P-1", name: "Lamp" } },
    author: "Ann",
    score: 5,
    extract: "A warm light.",
    images: [await uploaded.json()],
    accepted: true,
  };
  const posted = await request.post("/v1/reviews", {
    headers: { Authorization: `Bearer ${secret}` },
    data: { review },
  });
  expect(posted.status()).toBe(201);
  reviewId = (await posted.json()).data.id;
  person = await createPerson("small-things", "admin", shop);
});

test("M opens the first photo on a review's page", async ({ page }) => {
  await openAs(page, person, `/portal/reviews/${reviewId}?client_id=${shop}`);
  await expect(page.getByRole("button", { name: "View photo 1 of 1" })).toBeVisible();
  await page.keyboard.press("m");
  await expect(page.getByRole("dialog").getByRole("img", { name: "Photo 1 of 1" })).toBeVisible();
});

test("the list of published photos explains and links to where they are", async ({ page }) => {
  await openAs(page, person, `/portal/queue?client_id=${shop}&kind=photo&status=accepted`);
  const main = page.getByRole("main");
  await expect(main.getByText(/Photos are moderated with their review/)).toBeVisible();
  await main.getByRole("link", { name: "View reviews with photos" }).click();
  await expect(page.getByRole("list", { name: "Queue" }).getByRole("listitem")).toHaveCount(1);
});

test("an error clears once its field changes, and returns if it is wrong again", async ({
  page,
  consoleErrors,
}, testInfo) => {
  await openAs(page, person, "/portal/account");
  const current = page.getByLabel("Current password").first();
  const error = page.getByText("Your current password is incorrect.");
  for (const guess of ["wrong", "wrong again"]) {
    await current.fill(guess);
    await expect(error).toHaveCount(0);
    await page.getByLabel("New password").fill("a lamp and a half");
    await page.getByRole("button", { name: "Change password" }).click();
    await expect(error).toBeVisible();
    await expect(current).toHaveAttribute("aria-invalid", "true");
  }
  expect(consoleErrors.splice(0).filter((text) => !text.includes("422"))).toEqual([]);

  await page.goto(`/portal/products?client_id=${shop}`);
  await page.getByRole("button", { name: "Import ratings" }).click();
  const dialog = page.getByRole("dialog");
  const tooLarge = dialog.getByText(/The file is larger than 10 MB/);
  for (const name of ["large.csv", "larger.csv"]) {
    const file = testInfo.outputPath(name);
    await writeFile(file, Buffer.alloc(11 * 1024 * 1024, "product_id,source,kind,count\n"));
    await dialog.getByLabel("File").setInputFiles(file);
    await expect(tooLarge).toHaveCount(0);
    await dialog.locator("form").getByRole("button").last().click();
    await expect(tooLarge).toBeVisible();
  }
});

test("signing in sets a device cookie that scripts can't read", async ({ page }) => {
  await signIn(page, person);
  const cookies = await page.context().cookies();
  expect(cookies.find(({ name }) => name === "candor-device")).toMatchObject({ httpOnly: true, sameSite: "Lax" });
});
