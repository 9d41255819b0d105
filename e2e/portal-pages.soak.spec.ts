import {
  admin,
  axe,
  consoleErrorsOutsideMails,
  createPerson,
  expect,
  signIn,
  test,
  uniqueName,
  untranslatedKeys,
} from "./fixtures";

// Accessibility of every page of the portal, in light and dark mode and on a phone.

const wide = { width: 1280, height: 720 };
const phone = { width: 390, height: 844 };
/** Each page is checked in full in one of these modes, in turn. */
const displayModes = [
  { colorScheme: "light", size: wide },
  { colorScheme: "dark", size: phone },
  { colorScheme: "light", size: phone },
  { colorScheme: "dark", size: wide },
] as const;

test("every page is accessible and no wider than a phone", async ({ page, request, consoleErrors }) => {
  test.setTimeout(240_000); // every page is checked in full
  await page.emulateMedia({ reducedMotion: "reduce" });
  const check = async (where: string) => {
    // axe would wait for a sandboxed frame without scripts until its timeout, half a minute per page.
    const { violations } = await axe(page).exclude("iframe[sandbox]").analyze();
    expect(
      violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target.join(" "))]),
      where,
    ).toEqual([]);
  };
  const colorsOf = async (colorScheme: "light" | "dark", where: string) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const { violations } = await axe(page).exclude("iframe[sandbox]").withRules("color-contrast").analyze();
    expect(
      violations.flatMap(({ nodes }) => nodes.map(({ target }) => target.join(" "))),
      where,
    ).toEqual([]);
  };
  const shop = `${uniqueName("accessible-pages")}.example`;
  const { public_key } = await admin<{ public_key: string }>("client", "create", "--id", shop);
  const { secret } = await admin<{ secret: string }>("key", "create", "--client", shop);
  const headers = { Authorization: `Bearer ${secret}` };
  const product = { client_id: shop, api_key: public_key, product_id: "P-1", product_name: "Sturdy box" };
  for (const content of ["The first to come.", "The second to come."]) {
    const data = { ...product, author: "Ann", score: 3, content };
    expect((await request.post("/collect/reviews", { data })).status()).toBe(201);
  }
  const order = {
    id: "O/1",
    customer: { id: "C-1", name: "Ann Berg", email: `ann@${shop}` },
    items: [{ id: "P-1", name: "Sturdy box", delivery_date: "2030-01-01" }],
  };
  expect((await request.post("/v1/orders", { headers, data: { order } })).status()).toBe(200);
  const person = await createPerson("accessible-pages", "moderator", shop);
  const [review] = (await (await request.get("/v1/reviews", { headers })).json()).data;

  await page.goto("/portal/sign-in");
  await check("sign-in");
  await signIn(page, person);
  const pages = [
    "/portal",
    "/portal/library",
    "/portal/library/photos",
    "/portal/reviews",
    "/portal/queue",
    "/portal/integrations",
    "/portal/seller_reviews",
    "/portal/questions?status=all",
    "/portal/reviews?q=none",
    `/portal/reviews/${review?.id}`,
    "/portal/orders",
    "/portal/orders/O%2F1",
    "/portal/invitations",
    "/portal/settings/invitations?send_limit=1",
    "/portal/settings",
    "/portal/settings/forms",
    "/portal/settings/questions",
    "/portal/settings/moderation",
    "/portal/settings/display",
    "/portal/settings/sending",
    "/portal/settings/templates",
    "/portal/failures",
    "/portal/products",
    "/portal/analytics",
    "/portal/bias",
  ];
  for (const [index, path] of pages.entries()) {
    const { colorScheme, size } = displayModes[index % displayModes.length] as (typeof displayModes)[number];
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize(size);
    await page.goto(path, { waitUntil: "networkidle" });
    const where = `${path}, ${colorScheme}, ${size.width} wide`;
    await check(where);
    expect(await untranslatedKeys(page), where).toEqual([]);
    // In the other color scheme only colors differ, so only contrast is checked.
    await colorsOf(colorScheme === "light" ? "dark" : "light", `${where}, in the other colours`);
    await page.setViewportSize(phone);
    const overflows = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    expect(overflows, `${path} on a phone`).toBe(false);
  }
  await page.setViewportSize(wide);
  await page.goto("/portal/reviews", { waitUntil: "networkidle" });
  await page.getByRole("button", { name: "Reject" }).click();
  await check("the reasons");
  expect(consoleErrorsOutsideMails(consoleErrors)).toEqual([]);
});
