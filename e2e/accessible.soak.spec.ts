import { admin, axe, consoleErrorsOutsideMails, demoLogin, expect, signIn, test, uniqueName } from "./fixtures";

// Accessibility of the pages that no other journey opens: detail pages, pages linked from emails, and the demo store.

const demo = "demo.candor.example";
const DAY = 86_400_000;

/** A path in the newest email to an address, from its plain text. */
async function linkTo(to: string, shape: RegExp): Promise<string> {
  let found: string | undefined;
  await expect
    .poll(
      async () => {
        const mails = await admin<{ text: string }[]>("mail", "list", "--to", to);
        found = mails.flatMap(({ text }) => shape.exec(text)?.[0] ?? [])[0];
        return found;
      },
      { timeout: 40_000 },
    )
    .toBeDefined();
  return found as string;
}

test("detail pages, pages linked from emails and the demo store are accessible in light and dark mode", async ({
  page,
  request,
  consoleErrors,
}) => {
  test.setTimeout(240_000); // fourteen pages, each twice
  const shop = `${uniqueName("accessible")}.example`;
  const { public_key } = await admin<{ public_key: string }>(
    ...["client", "create", "--id", shop, "--set", "require_verification=true"],
  );
  const { secret } = await admin<{ secret: string }>("key", "create", "--client", shop);
  const review = { client_id: shop, api_key: public_key, product_id: "P-1", product_name: "Lamp" };
  const submission = { author: "Bo", author_email: `bo@${shop}`, score: 4, content: "Glows warmly." };
  expect((await request.post("/collect/reviews", { data: { ...review, ...submission } })).status()).toBe(201);
  const order = {
    id: "O-1",
    customer: { id: "C-1", name: "Ada Berg", email: `ada@${shop}` },
    items: [{ id: "P-1", name: "Lamp", delivery_date: new Date().toISOString().slice(0, 10) }],
  };
  const headers = { Authorization: `Bearer ${secret}` };
  expect((await request.post("/v1/orders", { headers, data: { order } })).status()).toBe(200);
  const due = new Date(Date.now() + 8 * DAY).toISOString();
  await admin("jobs", "run", "send-invitations", "--client", shop, "--now", due);

  await signIn(page, demoLogin);
  const origin = new URL(page.url()).origin;
  const person = { email: `mia@${shop}`, name: "Mia Lund", role: "moderator" };
  const invited = await page.request.post(`/portal/api/v1/users?client_id=${shop}`, {
    headers: { origin },
    data: person,
  });
  expect(invited.status()).toBe(201);
  const mailedPaths = {
    password: await linkTo(person.email, /\/portal\/password\/[\w-]+/),
    verify: await linkTo(submission.author_email, /\/verify\/[\w.-]+/),
    form: await linkTo(order.customer.email, /\/r\/[\w-]+/),
    optOut: await linkTo(order.customer.email, /\/o\/[\w.-]+/),
  };
  const { id: webhook } = await admin<{ id: string }>(
    ...["webhook", "create", "--client", shop, "--url", "http://127.0.0.1:9/hook"],
  );
  const first = async (list: string): Promise<string> =>
    (await (await page.request.get(`/v1/${list}?client_id=${demo}&limit=1`)).json()).data[0].id;
  const firstItemPath = async (list: string) =>
    `/portal/${list}/${encodeURIComponent(await first(list))}?client_id=${demo}`;
  const mail = (await admin<{ id: string }[]>("mail", "list", "--to", order.customer.email))[0]?.id;

  const expectAccessible = async (path: string, target = page) => {
    for (const [colorScheme, width] of [
      ["light", 1280],
      ["dark", 390],
    ] as const) {
      await target.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await target.setViewportSize({ width, height: 844 });
      const answer = await target.goto(path, { waitUntil: "networkidle" });
      expect(answer?.status(), path).toBe(200);
      // The email preview is a sandboxed frame without scripts: axe would wait for it until its timeout.
      const { violations } = await axe(target).exclude("iframe[sandbox]").analyze();
      expect(
        violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target.join(" "))]),
        `${path} ${colorScheme}`,
      ).toEqual([]);
      expect(await target.evaluate(() => document.documentElement.scrollWidth - innerWidth), path).toBeLessThanOrEqual(
        0,
      );
    }
  };
  for (const path of [
    "/portal/mailbox",
    `/portal/mailbox/${mail}?client_id=${shop}`,
    `/portal/integrations/webhooks/${webhook}?client_id=${shop}`,
    await firstItemPath("products"),
    await firstItemPath("reviews"),
    await firstItemPath("seller_reviews"),
    await firstItemPath("questions"),
    await firstItemPath("orders"),
    "/demo-shop",
    mailedPaths.verify,
    mailedPaths.form,
    mailedPaths.optOut,
  ])
    await expectAccessible(path);

  // An unverified review isn't published, so there would be no summary.
  await page.goto(mailedPaths.verify);
  await page.getByRole("button").first().click();
  await expect(page.getByText("Your email address is confirmed")).toBeVisible();

  // An invited person has no session yet. Signed in, they get a summary email, with a page to turn it off.
  const invitedPage = await (await page.context().browser()?.newContext({ baseURL: process.env.E2E_URL }))?.newPage();
  if (!invitedPage) throw new Error("There is no browser.");
  await expectAccessible(mailedPaths.password, invitedPage);
  const password = "a password of somebody who reads summaries";
  await invitedPage.getByLabel("New password").fill(password);
  await invitedPage.getByLabel("Repeat password").fill(password);
  await invitedPage.getByRole("button", { name: "Set password" }).click();
  await expect(invitedPage.getByText("Your password is set.")).toBeVisible();
  await signIn(invitedPage, { username: person.email, password });
  const chosen = await invitedPage.request.put(`/portal/api/v1/account/digest?client_id=${shop}`, {
    headers: { origin },
    data: { digest: { every: "day", hour: 0 } },
  });
  expect(chosen.status(), await chosen.text()).toBe(204);
  const tomorrow = new Date(Date.now() + DAY).toISOString();
  const run = await admin("jobs", "run", "send-digests", "--client", shop, "--now", tomorrow);
  expect(JSON.stringify(run)).toContain('"mailed":1');
  await expectAccessible(await linkTo(person.email, /\/d\/[\w.-]+/), invitedPage);
  await invitedPage.context().close();
  expect(consoleErrorsOutsideMails(consoleErrors)).toEqual([]);
});
