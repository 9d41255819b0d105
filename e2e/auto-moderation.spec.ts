import AxeBuilder from "@axe-core/playwright";
import { admin, expect, makePerson, signIn, test } from "./fixtures";

// A shop whose rules decide what they can: what they left to a person is marked and named for the person.

test("the rules decide what they can, and show a person what they found in the rest", async ({ page, request }) => {
  test.slow(); // three commands, three submissions and three looks by axe
  const id = "ruled.example";
  const set = ["--set", "auto_moderate=true", "locale=sv_SE", 'rules={"wrong_language":{"languages":["en"]}}'];
  const { public_key } = await admin<{ public_key: string }>("client", "create", "--id", id, ...set);
  const { secret } = await admin<{ secret: string }>("key", "create", "--client", id);
  const person = await makePerson("ruled-moderator", "moderator", id);
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
  const held = "A warm light for 499 kr, and cheaper at www.other.example. Ring mig på 070-123 45 67!";
  await post({ score: 1, content: "A warm light, and the switch is where it should be." });
  await post({ score: 5, content: "A fucking lamp." });
  await post({ score: 3, title: "En jävla bra lampa", lang: "sv", content: held, pros: ["mail bob@brand.example"] });

  const decided = async () =>
    (await (await request.get("/v1/reviews", { headers: { Authorization: `Bearer ${secret}` } })).json()).data.map(
      ({ accepted, reject_reason }: Record<string, unknown>) => [accepted, reject_reason],
    );
  await expect.poll(decided, { timeout: 20_000 }).toEqual([
    [true, null],
    [false, "profanity"],
    [null, null],
  ]);

  await signIn(page, person, "/portal/reviews");
  await expect(page.locator("mark")).toHaveText([
    "jävla",
    "499 kr",
    "www.other.example",
    "070-123 45 67",
    "bob@brand.example",
  ]);
  await expect(page.getByRole("region", { name: "Left to a person by the rules" }).getByRole("listitem")).toHaveCount(
    5,
  );
  await expect(page.getByText(/^Left to a person by the rule “/)).toBeVisible();
  await expect(page.getByRole("list", { name: "Queue" })).toContainText("Offensive word +4");
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    expect((await new AxeBuilder({ page }).analyze()).violations, colorScheme).toEqual([]);
    await page.screenshot({ path: `test-results/findings-${colorScheme}.png` });
  }
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)).toBe(false);
  await page.screenshot({ path: "test-results/findings-phone.png" });
  await page.setViewportSize({ width: 1280, height: 800 });

  await page.getByRole("button", { name: "Reject" }).click();
  await expect(page.getByRole("button", { name: "Holds personal data Suggested by the rules" })).toBeVisible();
  // It begins at a reason that the rules suggest, and so does the mail below.
  await expect(page.getByRole("button", { name: "Suggested by the rules" }).and(page.locator(":focus"))).toHaveCount(1);
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  await page.screenshot({ path: "test-results/findings-reasons.png" });
  await page.getByRole("button", { name: "Advertising" }).click();
  await expect.poll(decided).toContainEqual([false, "promotion"]);
});
