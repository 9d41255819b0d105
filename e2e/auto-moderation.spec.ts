import { picture } from "@/lib/tools/test/pictures";
import { startExternalShop } from "./external-shop";
import { admin, axe, colorRules, createPerson, expect, openAs, test } from "./fixtures";

// Rules decide what they can and leave the rest to moderators, marked with their findings. Photos of items that a rule
// published stay pending on their own.

test("rules decide what they can, and show their findings and unmoderated photos to moderators", async ({
  page,
  context,
  request,
  baseURL,
}) => {
  test.setTimeout(240_000); // many page checks, some with axe
  const id = "ruled.example";
  const set = [
    "--set",
    "auto_moderate=true",
    "locale=sv_SE",
    'rules={"wrong_language":{"languages":["en"]},"photo":{"on":false}}',
  ];
  const { public_key } = await admin<{ public_key: string }>("client", "create", "--id", id, ...set);
  const { secret } = await admin<{ secret: string }>("key", "create", "--client", id);
  const person = await createPerson("ruled-moderator", "moderator", id);
  const post = async (fields: object) => {
    const data = {
      client_id: id,
      api_key: public_key,
      product_id: "P-1",
      product_name: "Lamp",
      author: "Ann",
      ...fields,
    };
    expect((await request.post("/collect/reviews", { data })).status()).toBe(201);
  };
  const heldText = "A warm light for 499 kr, and cheaper at www.other.example. Ring mig på 070-123 45 67!";
  const uploaded = async (name: string) => {
    const file = { name, mimeType: "image/png", buffer: await picture(320, 200).png().toBuffer() };
    return (await request.post("/uploader", { multipart: { client_id: id, api_key: public_key, file } })).json();
  };
  const images = [await uploaded("front.png"), await uploaded("back.png")];
  await post({ score: 1, content: "A warm light, and the switch is where it should be.", images });
  await post({ score: 5, content: "A fucking lamp." });
  await post({
    score: 3,
    title: "En jävla bra lampa",
    lang: "sv",
    content: heldText,
    pros: ["mail bob@brand.example"],
  });

  const decided = async () =>
    (await (await request.get("/v1/reviews", { headers: { Authorization: `Bearer ${secret}` } })).json()).data.map(
      ({ accepted, reject_reason }: Record<string, unknown>) => [accepted, reject_reason],
    );
  await expect.poll(decided, { timeout: 20_000 }).toEqual([
    [true, null],
    [false, "profanity"],
    [null, null],
  ]);

  await openAs(page, person, "/portal/reviews");
  await expect(page.locator("mark")).toHaveText([
    "jävla",
    "499 kr",
    "www.other.example",
    "070-123 45 67",
    "bob@brand.example",
  ]);
  await expect(page.getByRole("region", { name: "Held by moderation rules" }).getByRole("listitem")).toHaveCount(5);
  await expect(page.getByText(/^Held for review by the rule “/)).toBeVisible();
  await expect(page.getByRole("list", { name: "Queue" })).toContainText("Offensive word +4");
  await page.emulateMedia({ reducedMotion: "reduce" });
  expect((await axe(page).analyze()).violations).toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  expect((await axe(page).withRules(colorRules).analyze()).violations, "dark").toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)).toBe(false);
  await page.setViewportSize({ width: 1280, height: 800 });

  await page.getByRole("button", { name: "Reject" }).click();
  await expect(page.getByRole("button", { name: "Contains personal data Suggested by rules" })).toBeVisible();
  // The focus starts at the suggested reason, which is also the reason in the email below.
  await expect(page.getByRole("button", { name: "Suggested by rules" }).and(page.locator(":focus"))).toHaveCount(1);
  expect((await axe(page).analyze()).violations).toEqual([]);
  await page.getByRole("button", { name: "Advertising" }).click();
  await expect.poll(decided).toContainEqual([false, "promotion"]);

  // Both photos are displayed with the review that a rule published, until a moderator hides one.
  const displayed = async (): Promise<string[]> => {
    const { your_review_url } = await (await request.get(`/onpage/${id}/reviews.json?key=P-1`)).json();
    const [review] = (await (await request.get(your_review_url)).json()).reviews;
    return review.images.map(({ icon }: { icon: string }) => icon);
  };
  const shop = await startExternalShop(baseURL ?? "");
  const product = await context.newPage();
  // Browsers cache what the store's page fetched for a moment; this forces a request each time.
  await product.route("**/onpage/**", (route) => route.continue());
  const countPhotosInWidget = async (): Promise<number> => {
    await product.goto(`${shop.origin}/?client=${id}&key=P-1&lang=en`);
    await expect(product.getByText("A warm light")).toBeVisible();
    return product
      .locator("#candor-reviews article")
      .getByRole("button", { name: /^Photo / })
      .count();
  };
  const before = await displayed();
  expect(before).toHaveLength(2);
  expect(await countPhotosInWidget()).toBe(2);
  await page.goto("/portal/queue?kind=photo", { waitUntil: "networkidle" });
  const list = page.getByRole("list", { name: "Queue" }).getByRole("listitem");
  await expect(list).toHaveCount(2);
  expect((await axe(page).analyze()).violations).toEqual([]);
  // Freezes the time for undo, so that a slow axe run doesn't use it up.
  await page.clock.setFixedTime(new Date());
  await page.keyboard.press("r");
  await page.getByRole("dialog", { name: "Reason for rejection" }).getByRole("button", { name: "Advertising" }).click();
  await expect(list).toHaveCount(1);
  await expect.poll(displayed).toHaveLength(1);
  const [remainingPhoto] = await displayed();
  expect(before).toContain(remainingPhoto);
  await expect.poll(countPhotosInWidget).toBe(1);
  const [hiddenPhoto] = before.filter((icon) => icon !== remainingPhoto);
  expect((await request.get(hiddenPhoto ?? "")).status()).toBe(404);
  await page.bringToFront();
  await page.keyboard.press("u");
  await expect(list).toHaveCount(2);
  await expect.poll(async () => (await displayed()).toSorted()).toEqual(before.toSorted());
  await expect.poll(countPhotosInWidget).toBe(2);
  await shop.close();
});
