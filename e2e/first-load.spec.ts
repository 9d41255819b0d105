import { firstLoad, forgetScripts } from "@/lib/bench/first-load";
import { complaintsBesideMails, demoPerson, expect, signIn, test } from "./fixtures";

// What a page brings before anybody did anything, and what becomes of a press that comes sooner than its script.

/** Bytes of script, gzip, that any page may fetch at first. */
const MOST = 180_000;
/** Those in front of the portal and its usual pages are held to less; the queue, where most is done, needs more. */
const others: Record<string, number> = {
  "/portal/sign-in": 146_000,
  "/portal": 163_000,
  "/portal/orders": 165_000,
  "/portal/queue": 192_000,
  "/portal/reviews?status=all": 192_000,
  "/portal/seller_reviews?status=all": 192_000,
  "/portal/questions?status=all": 192_000,
};

const pages = [
  "/portal",
  "/portal/queue",
  "/portal/reviews?status=all",
  "/portal/seller_reviews?status=all",
  "/portal/questions?status=all",
  "/portal/orders",
  "/portal/products",
  "/portal/invitations",
  "/portal/privacy",
  "/portal/analytics",
  "/portal/feeds",
  "/portal/integrations",
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
test("no page of the portal brings more script than it may", async ({ page, complaints }) => {
  test.setTimeout(240_000);
  await forgetScripts(page);
  const client = "client_id=demo.candor.example";
  const weigh = async (path: string) => {
    // Named each time: other tests make clients, too.
    const { script, files } = await firstLoad(page, `${path}${path.includes("?") ? "&" : "?"}${client}`);
    console.log(`${(script / 1000).toFixed(1).padStart(6)} kB of script in ${files} files  ${path}`);
    return [path, script] as const;
  };
  const loads = [await weigh("/portal/sign-in"), await weigh("/portal/forgot")];
  await signIn(page, demoPerson);
  for (const path of pages) loads.push(await weigh(path));
  const [reviews, orders, products] = await Promise.all(
    ["/v1/reviews", "/v1/orders", "/v1/products"].map(
      async (list): Promise<string> => (await (await page.request.get(`${list}?${client}&limit=1`)).json()).data[0].id,
    ),
  );
  for (const [list, id] of Object.entries({ reviews, orders, products }))
    loads.push(await weigh(`/portal/${list}/${encodeURIComponent(id ?? "")}`));
  const most = (path: string) => others[path] ?? (path.startsWith("/portal/reviews/") ? 183_000 : MOST);
  expect(loads.filter(([path, script]) => script > most(path))).toEqual([]);
  // They are weighed at all.
  expect(loads.filter(([, script]) => script < 50_000)).toEqual([]);
  expect(complaintsBesideMails(complaints)).toEqual([]);
});

test("what is done before a page's script has come is done when it has", async ({ page, complaints }) => {
  await signIn(page, demoPerson);
  let letIn = () => {};
  const holdScripts = async () => {
    const gate = new Promise<void>((resolve) => {
      letIn = resolve;
    });
    await page.unroute("**/_next/static/**/*.js");
    await page.route("**/_next/static/**/*.js", async (route) => {
      await gate;
      await route.continue();
    });
  };
  const slowly = async (path: string) => {
    await holdScripts();
    await page.goto(path, { waitUntil: "commit" });
  };

  // Named: other tests make clients, too.
  const demo = "/portal/reviews?client_id=demo.candor.example";
  await slowly(demo);
  const shown = page.getByRole("article");
  const accept = page.getByRole("button", { name: "Accept" });
  await expect(accept).toBeVisible();
  const lines = page.getByRole("list", { name: "Queue" }).locator("[data-item]");
  const [one, two, three] = await lines.evaluateAll((links) => links.map((link) => link.getAttribute("data-item")));
  // What was taken back is so before the next page is asked for.
  const undo = async (id?: string | null) => {
    await page.keyboard.press("u");
    await expect
      .poll(async () => {
        const list = await page.request.get("/v1/reviews?client_id=demo.candor.example&moderation_status=pending");
        return (await list.json()).data.map((review: { id: string }) => review.id);
      })
      .toContain(id);
  };
  const first = await shown.getAttribute("aria-labelledby");
  const place = await accept.boundingBox();
  // Whoever sees nothing happen presses again: one item is meant.
  await accept.click();
  await accept.click();
  expect(await shown.getAttribute("aria-labelledby")).toBe(first);
  letIn();
  await expect(page.getByText(/^Accepted\. \d+ left\.$/).first()).toBeVisible();
  await expect(shown).not.toHaveAttribute("aria-labelledby", first ?? "");
  expect(await page.getByRole("button", { name: "Accept" }).boundingBox()).toEqual(place);
  await undo(one);
  await expect(shown).toHaveAttribute("aria-labelledby", first ?? "");

  // Keys count too, in their order: two steps, and what is there is accepted. A press that fails takes none of them with it.
  await slowly(demo);
  await expect(shown).toBeVisible();
  await accept.evaluate((button: HTMLElement) => {
    button.click = () => {
      throw new Error("It fails on purpose");
    };
  });
  await accept.click();
  for (const key of ["j", "j", "a", "a"]) await page.keyboard.press(key);
  letIn();
  await expect(page.getByText(/^Accepted\. \d+ left\.$/).first()).toBeVisible();
  expect(complaints.splice(0)).toEqual([expect.stringContaining("It fails on purpose")]);
  const isIn = (id?: string | null) => page.locator(`[data-item="${id}"]`);
  for (const [id, count] of [
    [one, 1],
    [two, 1],
    [three, 0],
  ] as const)
    await expect(isIn(id)).toHaveCount(count);
  await undo(three);
  await expect(isIn(three)).toHaveCount(1);

  // A window that is still on its way answers the keys that were pressed at it.
  await slowly(demo);
  letIn();
  await page.waitForLoadState("networkidle");
  await holdScripts();
  await page.keyboard.press("r");
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("2");
  await expect(isIn(one)).toHaveCount(1);
  letIn();
  await expect(page.getByText(/^Rejected: /).first()).toBeVisible();
  await expect(isIn(one)).toHaveCount(0);
  await undo(one);
  await expect(isIn(one)).toHaveCount(1);

  // What was typed is there, and a form that is sent goes nowhere but where its script sends it.
  await slowly("/portal/privacy");
  const search = page.getByRole("textbox").first();
  await search.fill("nobody@shop.example");
  await search.press("Enter");
  await expect(page).toHaveURL("/portal/privacy");
  letIn();
  await expect(page.getByRole("heading", { name: /Nothing is stored/ })).toBeVisible();
  await expect(page).toHaveURL("/portal/privacy");
});
