import { firstLoad, forgetScripts } from "@/lib/tools/bench/first-load";
import { admin, complaintsBesideMails, demoPerson, expect, fresh, makePerson, signIn, test } from "./fixtures";

// What a page brings before anybody did anything, and what becomes of a press that comes sooner than its script.

/** Bytes of script, gzip, that any page may fetch at first. */
const MOST = 173_000;
/** The queue, where most is done, needs more; none of its lists more than another, whatever comes along with what it shows. */
const QUEUE = 179_000;
/** Those that ask nothing of the service after they have come are held to less. */
const others: Record<string, number> = {
  "/portal/sign-in": 138_000,
  "/portal/forgot": 138_000,
  "/portal": 142_000,
  "/portal/orders": 141_000,
  "/portal/invitations": 141_000,
  "/portal/analytics": 141_000,
  "/portal/audit": 141_000,
  "/portal/mailbox": 141_000,
  "/portal/queue": QUEUE,
  "/portal/reviews?status=all": QUEUE,
  "/portal/seller_reviews?status=all": QUEUE,
  "/portal/questions?status=all": QUEUE,
  "/portal/questions?status=accepted": QUEUE,
  "/portal/questions?product=none": QUEUE,
};

const pages = [
  "/portal",
  "/portal/queue",
  "/portal/reviews?status=all",
  "/portal/seller_reviews?status=all",
  "/portal/questions?status=all",
  "/portal/questions?status=accepted",
  "/portal/questions?product=none",
  "/portal/orders",
  "/portal/products",
  "/portal/invitations",
  "/portal/privacy",
  "/portal/analytics",
  "/portal/feeds",
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
test("no page of the portal brings more script than it may", async ({ page, complaints }) => {
  test.setTimeout(240_000);
  await forgetScripts(page);
  const client = "client_id=demo.candor.example";
  const weigh = async (path: string) => {
    // Named each time: other tests make clients, too.
    const { script, files, usable } = await firstLoad(page, `${path}${path.includes("?") ? "&" : "?"}${client}`);
    const after = usable === null ? "" : `, usable after ${Math.round(usable)} ms`;
    console.log(`${(script / 1000).toFixed(1).padStart(6)} kB of script in ${files} files${after}  ${path}`);
    return [path, script] as const;
  };
  const doors = ["/portal/sign-in", "/portal/forgot", "/portal/password/none"];
  const loads: (readonly [string, number])[] = [];
  for (const path of doors) loads.push(await weigh(path));
  await signIn(page, demoPerson);
  for (const path of pages) loads.push(await weigh(path));
  for (const list of ["reviews", "seller_reviews", "questions", "orders", "products"]) {
    const first = (await (await page.request.get(`/v1/${list}?${client}&limit=1`)).json()).data[0].id;
    loads.push(await weigh(`/portal/${list}/${encodeURIComponent(first)}`));
  }
  const { id } = await admin<{ id: string }>(
    ...["webhook", "create", "--client", "demo.candor.example", "--url", "http://127.0.0.1:9/hook"],
  );
  loads.push(await weigh(`/portal/integrations/webhooks/${id}`));
  const gone = await page.request.delete(`/portal/api/v1/webhooks/${id}?${client}`, {
    headers: { origin: new URL(page.url()).origin },
  });
  expect(gone.ok()).toBe(true);
  expect(loads.filter(([path, script]) => script > (others[path] ?? MOST))).toEqual([]);
  // They are weighed at all.
  expect(loads.filter(([, script]) => script < 50_000)).toEqual([]);
  expect(complaintsBesideMails(complaints)).toEqual([]);
});

test("a link keeps the page around it, and asks for nothing before it is pressed", async ({ page }) => {
  await signIn(page, demoPerson);
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.headers().rsc) asked.push(new URL(request.url()).pathname);
  });
  await page.goto("/portal/orders?client_id=demo.candor.example", { waitUntil: "networkidle" });
  const link = page.getByRole("link", { name: "Products", exact: true });
  await link.hover();
  await page.evaluate(() => {
    document.documentElement.dataset.kept = "yes";
  });
  // Whoever wants another window gets one, and this one stays.
  const [other] = await Promise.all([
    page.context().waitForEvent("page"),
    link.click({ modifiers: ["ControlOrMeta"] }),
  ]);
  await expect(other.getByRole("heading", { level: 1, name: "Products" })).toBeVisible();
  await other.close();
  await expect(page.getByRole("heading", { level: 1, name: "Orders" })).toBeVisible();
  expect(asked).toEqual([]);
  await link.click();
  await expect(page.getByRole("heading", { level: 1, name: "Products" })).toBeVisible();
  await expect(page).toHaveURL(/^[^?]*\/portal\/products\?client_id=demo\.candor\.example$/);
  expect(await page.evaluate(() => document.documentElement.dataset.kept)).toBe("yes");
  expect(new Set(asked)).toEqual(new Set(["/portal/products"]));

  // What one part of the portal was told another one knows, also over a page that asks for nothing.
  const views: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/queue_views")) views.push(request.url());
  });
  for (const name of ["Queue", "Orders", "Questions"]) {
    await page.getByRole("link", { name, exact: true }).first().click();
    await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
    await page.waitForLoadState("networkidle");
    await expect.poll(() => views.length).toBe(1);
  }
});

test("the form for a test order comes with a home that shows it", async ({ page }) => {
  const id = fresh("steps.example");
  await admin("client", "create", "--id", id);
  await signIn(page, await makePerson("steps", "admin", id));
  await page.getByRole("textbox", { name: "Your e-mail address" }).fill("merchant@shop.example");
  await page.getByRole("button", { name: "Send a test order" }).click();
  await expect
    .poll(async () => (await (await page.request.get(`/v1/orders?client_id=${id}`)).json()).data.length)
    .toBe(1);
});

test("what is done before a page's script has come is done when it has", async ({ page, complaints }) => {
  test.setTimeout(180_000); // eight loads, each of all scripts anew
  await signIn(page, demoPerson);
  let letIn = () => {};
  /** Scripts come when they are let in: all of them, or those that say something. */
  const holdScripts = async (said?: string) => {
    const gate = new Promise<void>((resolve) => {
      letIn = resolve;
    });
    await page.unroute("**/_next/static/**/*.js");
    await page.route("**/_next/static/**/*.js", async (route) => {
      if (said !== undefined) {
        const response = await route.fetch();
        if ((await response.text()).includes(said)) await gate;
        return route.fulfill({ response });
      }
      await gate;
      return route.continue();
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

  // Keys count too, in their order: two steps, and what is there is accepted, nothing else that nobody has seen yet. A press
  // that fails takes none of them with it.
  await slowly(demo);
  await expect(shown).toBeVisible();
  const legend = page.getByRole("button", { name: "Keys" });
  await legend.evaluate((button: HTMLElement) => {
    button.click = () => {
      throw new Error("It fails on purpose");
    };
  });
  await legend.click();
  for (const key of ["j", "j", "a", "a", "k", "a"]) await page.keyboard.press(key);
  // A link is followed after them, not instead.
  const isIn = (id?: string | null) => page.locator(`[data-item="${id}"]`);
  await isIn(one).click();
  letIn();
  await expect(page.getByText(/^Accepted\. \d+ left\.$/).first()).toBeVisible();
  expect(complaints.splice(0)).toEqual([expect.stringContaining("It fails on purpose")]);
  await expect(shown).toHaveAttribute("aria-labelledby", first ?? "");
  for (const [id, count] of [
    [one, 1],
    [two, 1],
    [three, 0],
  ] as const)
    await expect(isIn(id)).toHaveCount(count);
  await undo(three);
  await expect(isIn(three)).toHaveCount(1);

  // A reply is written in its box, each letter of it, also where the box is yet to come. What is typed while the page does
  // what was done early comes behind that.
  await slowly(demo);
  await expect(shown).toBeVisible();
  for (const key of ["e", "e"]) await page.keyboard.press(key);
  await page.keyboard.type("ask uz");
  for (const key of ["Backspace", "s", "Enter", "Alt+@"]) await page.keyboard.press(key);
  letIn();
  await page.keyboard.type(" the shop");
  const box = page.getByRole("textbox", { name: "Reply as the shop" });
  await expect(box).toHaveValue("ask us\n@ the shop");
  await expect(box).toBeFocused();
  await expect(shown).toHaveAttribute("aria-labelledby", first ?? "");
  await box.fill("");

  // Where the box does not come, whoever goes on is told what is not kept.
  await page.getByRole("button", { name: "Next" }).focus();
  await page.evaluate(() => window.candorLine?.awaits("reply"));
  await page.keyboard.type("thanks");
  await page.getByRole("button", { name: "Next" }).click();
  await expect(page.getByText("Not kept: “thanks”.").first()).toBeVisible();

  // What is done in a part that the server drew, and that has no script yet, waits for that, and nothing else does.
  const reviews = await (await page.request.get("/v1/reviews?client_id=demo.candor.example")).json();
  const replied = reviews.data.find(({ responses }: { responses: unknown[] }) => responses.length > 0);
  await holdScripts("Mailed to the asker");
  await page.goto(`/portal/reviews/${replied.id}?client_id=demo.candor.example`, { waitUntil: "commit" });
  await page.waitForFunction(() => performance.getEntriesByName("candor-usable").length > 0);
  const edit = page.locator("[data-coming]").getByRole("button", { name: "Edit" });
  await edit.click();
  await edit.click();
  await page.keyboard.press("e");
  await page.keyboard.type("soon");
  const another = page.getByRole("textbox", { name: "Write another reply" });
  await expect(another).toHaveValue("soon");
  await expect(edit).toBeVisible();
  letIn();
  await expect(page.getByRole("textbox", { name: "Reword the reply" })).not.toHaveValue("");
  await expect(another).toHaveValue("soon");
  await another.fill("");

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

  // What was typed and chosen last is there, and a form that is sent goes nowhere but where its script sends it.
  await slowly("/portal/privacy");
  for (const way of ["E-mail address", "Customer id", "E-mail address"])
    await page.getByText(way, { exact: true }).click();
  const search = page.getByRole("textbox").first();
  await search.fill("nobody@shop.example");
  await search.press("Enter");
  await expect(page).toHaveURL("/portal/privacy");
  letIn();
  await expect(page.getByRole("heading", { name: /Nothing is stored/ })).toBeVisible();
  await expect(page.getByRole("radio").first()).toBeChecked();
  await expect(page).toHaveURL("/portal/privacy");

  // Should the script never come, a link that waits for it leads on where it is pressed again.
  await slowly(demo);
  await expect(shown).toBeVisible();
  await legend.click();
  const orders = page.getByRole("link", { name: "Orders", exact: true }).first();
  // A link to a file leads nowhere: what is decided after it stands in line as before.
  await orders.evaluate((link) => link.setAttribute("download", "orders.html"));
  await Promise.all([page.waitForEvent("download"), orders.click()]);
  await orders.evaluate((link) => link.removeAttribute("download"));
  await page.keyboard.press("a");
  expect(await page.evaluate(() => window.candorLine?.deeds.at(-1)?.decides)).toBe("a");
  const left: string[] = [];
  page.on("request", (request) => request.isNavigationRequest() && left.push(new URL(request.url()).pathname));
  // Held down, Enter presses once.
  await orders.focus();
  for (let pressed = 0; pressed < 4; pressed++) await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  await expect(page).toHaveURL(/\/portal\/reviews/);
  expect(left).toEqual([]);
  await orders.press("Enter");
  await page.waitForURL(/\/portal\/orders/, { waitUntil: "commit" });
  expect(left).toEqual(["/portal/orders"]);
  letIn();
});
