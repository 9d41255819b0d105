import type { Request } from "@playwright/test";
import { admin, axe, colorRules, createPerson, expect, type Login, openAs, signIn, test, uniqueName } from "./fixtures";

// Questions and reviews in one queue: an answer emailed to the person who asked, and two people at the same item.

const shop = `${uniqueName("queue")}.example`;
const asker = `bo@${shop}`;
type Question = { id: string; accepted: boolean | null; answers: { answer: string }[] };
let ada: Login;
let mia: Login;
let eve: Login;
/** Not in a worker that restarts after a failure: it has other data. */
let isAnswered = false;
let read: (path: string) => Promise<{ data: Question[] }>;
/** The displayed questions of the product, each with its answers. */
let displayedQuestions: () => Promise<[question: string, ...answers: string[]][]>;

test.beforeAll(async ({ playwright }) => {
  const request = await playwright.request.newContext({ baseURL: process.env.E2E_URL ?? "" });
  const { public_key } = await admin<{ public_key: string }>(
    "client",
    "create",
    "--id",
    shop,
    "--set",
    "display_name=Lampor & Ljus",
  );
  const common = { client_id: shop, api_key: public_key, product_id: "P-1", product_name: "Oak lamp" };
  const question = {
    ...common,
    author: "Bo",
    author_email: asker,
    question: "Which bulb does it take?",
    mail_answer: "true",
    lang: "en",
  };
  expect((await request.post("/collect/questions", { data: question })).status()).toBe(201);
  for (const content of ["The first to come.", "The second to come."])
    expect(
      (await request.post("/collect/reviews", { data: { ...common, author: "Ann", score: 3, content } })).status(),
    ).toBe(201);
  const { secret } = await admin<{ secret: string }>("key", "create", "--client", shop);
  read = async (path) => (await request.get(path, { headers: { Authorization: `Bearer ${secret}` } })).json();
  displayedQuestions = async () => {
    const answer = await request.get(`/onpage/${shop}/questions.json?key=P-1`);
    expect(answer.status()).toBe(200);
    const { questions } = (await answer.json()) as { questions: { question: string; answers: { answer: string }[] }[] };
    return questions.map(({ question, answers }) => [question, ...answers.map(({ answer }) => answer)]);
  };
  [ada, mia, eve] = await Promise.all([
    createPerson("queue-ada", "moderator", shop),
    createPerson("queue-mia", "moderator", shop),
    createPerson("queue-eve", "admin", shop),
  ]);
});

test("a question is answered by keyboard, and the next item shown", async ({ page }) => {
  await openAs(page, ada, "/portal/queue");
  await expect(page.getByRole("list", { name: "Queue" }).getByRole("listitem")).toHaveCount(3);
  const article = page.getByRole("article");
  await expect(article).toContainText("Which bulb does it take?");
  await expect(page.getByRole("textbox", { name: "Answer as the store" })).toBeVisible();
  await page.keyboard.press("e");
  await page.keyboard.type("It takes an E27 bulb, at most 40 W.");
  // An unsent draft survives navigating to another item.
  await page.keyboard.press("Escape");
  await page.keyboard.press("j");
  await expect(article).toContainText("The first to come.");
  await page.keyboard.press("k");
  await expect(page.getByRole("textbox", { name: "Answer as the store" })).toHaveValue(/E27/);
  expect(await displayedQuestions()).toEqual([]);
  await page.keyboard.press("e");
  await page.keyboard.press("Control+Enter");
  await expect(page.getByText("Answer published.").first()).toBeVisible();
  await expect(article).toContainText("The first to come.");
  const displayedAnswers = async () =>
    (await read(`/v1/questions?client_id=${shop}`)).data.map(({ accepted, answers }) => [accepted, answers.length]);
  await expect.poll(displayedAnswers).toEqual([[true, 1]]);
  await expect.poll(displayedQuestions).toEqual([["Which bulb does it take?", "It takes an E27 bulb, at most 40 W."]]);
  isAnswered = true;
});

test("the second of two people at one item sees what the first decided", async ({ page, browser, consoleErrors }) => {
  test.setTimeout(120_000);
  await openAs(page, ada, "/portal/reviews");
  const other = await (await browser.newContext({ baseURL: process.env.E2E_URL })).newPage();
  await openAs(other, mia, "/portal/reviews");
  for (const one of [page, other]) await expect(one.getByRole("article")).toContainText("The first to come.");
  // On a slow machine the second browser may only see it at its next poll, half a minute later.
  await expect(other.getByText(`${ada.username} is viewing this`)).toBeVisible({ timeout: 40_000 });
  await page.keyboard.press("a");
  await expect(page.getByText("Approved.").first()).toBeVisible();
  await expect
    .poll(async () => (await read(`/v1/reviews?client_id=${shop}&moderation_status=accepted`)).data.length)
    .toBe(1);
  await other.keyboard.press("r");
  const mail = other.getByRole("region", { name: "Email to the author" });
  await expect(mail).toHaveText("The author didn’t leave an email address, so no email is sent.");
  await other.keyboard.press("1");
  await expect(other.getByText(`In the meantime, ${ada.username} approved it.`).first()).toBeVisible();
  expect((await read(`/v1/reviews?client_id=${shop}&moderation_status=rejected`)).data).toEqual([]);
  await other.context().close();
  await page.keyboard.press("u");
  await expect
    .poll(async () => (await read(`/v1/reviews?client_id=${shop}&moderation_status=pending`)).data.length)
    .toBe(2);
  expect(consoleErrors.splice(0).filter((text) => !text.includes("409"))).toEqual([]);
});

test("each type and filter of the queue has a URL", async ({ page }) => {
  test.skip(!isAnswered, "needs the test that answers the question");
  await openAs(page, ada, "/portal/queue");
  const kinds = page.getByRole("navigation", { name: "Type" });
  await kinds.getByRole("link", { name: /^Questions/ }).click();
  await expect(page).toHaveURL(/\/portal\/questions/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Questions");
  await kinds.getByRole("link", { name: /^Seller reviews/ }).click();
  await expect(page.getByRole("heading", { name: "All caught up" })).toBeVisible();
  await kinds.getByRole("link", { name: /^All/ }).click();
  await expect(page.getByRole("article")).toContainText("The first to come.");
  // If a person navigates again before the page has caught up (here it never does), the URL no longer follows the item
  // shown.
  await page.keyboard.press("j");
  await page.evaluate(() => History.prototype.pushState.call(history, null, "", "/portal/reviews?status=rejected"));
  await page.waitForTimeout(800);
  await expect(page).toHaveURL(/\/portal\/reviews\?status=rejected$/);
  const views = page.getByRole("button", { name: "Views" });
  await page.goto("/portal/reviews?age=week&photo=1");
  await expect(page.getByRole("heading", { name: "No results" })).toBeVisible();
  await views.click();
  await page.getByRole("menuitem", { name: /Save view/ }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Old photos");
  await page.keyboard.press("Enter");
  await expect(page.getByText("View “Old photos” saved.").first()).toBeVisible();
  await page.getByRole("button", { name: "Old photos" }).click();
  await page.getByRole("menuitem", { name: /^Unanswered questions/ }).click();
  await expect(page).toHaveURL(/\/portal\/questions\?status=accepted&unreplied=1/);
  await views.click();
  const savedView = page.getByRole("menuitem", { name: /^Old photos/ });
  await expect(savedView).toHaveText(/^Old photos\s*0$/);
  await savedView.click();
  await expect(page).toHaveURL(/\/portal\/reviews\?.*age=week/);
  await page.getByRole("searchbox").fill("second");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Search review text" }).click();
  await page.getByRole("button", { name: "Clear filters" }).first().click();
  await page.goto("/portal/reviews?words=SECOND");
  await expect(page.getByRole("article")).toContainText("The second to come.");
  // Shows a single item without the list, also after a reload.
  const list = page.getByRole("list", { name: "Queue" });
  // The text is visible before the page handles keys.
  await page.waitForLoadState("networkidle");
  await page.keyboard.press("z");
  await expect(list).toBeHidden();
  await page.reload();
  await expect(page.getByRole("article")).toContainText("The second to come.");
  await expect(list).toBeHidden();
  expect((await axe(page).analyze()).violations).toEqual([]);
  await page.waitForLoadState("networkidle");
  await page.getByRole("button", { name: "Show list" }).click();
  await expect(list).toBeVisible();
  // A page requested at that moment may be rendered with the cookie's old value: React must not report a hydration
  // error.
  const late = await page.addInitScript(() => {
    // biome-ignore lint/suspicious/noDocumentCookie: the page itself sets it this way
    document.cookie = "candor.single=1; path=/portal";
  });
  await page.reload();
  await expect(page.getByRole("article")).toContainText("The second to come.");
  await expect(list).toBeHidden();
  await late.dispose();
  await page.getByRole("button", { name: "Show list" }).click();
  await expect(list).toBeVisible();
  await page.goto("/portal/questions?status=accepted&unreplied=1");
  await expect(page.getByRole("heading", { name: "No results" })).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).first().click();
  await expect(page.getByRole("article")).toContainText("Which bulb does it take?");
  await page.emulateMedia({ reducedMotion: "reduce" });
  expect((await axe(page).analyze()).violations).toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  expect((await axe(page).withRules(colorRules).analyze()).violations).toEqual([]);
});

// Not right after the answer: for ten seconds, it could be undone.
test("the author of an answered question is emailed once, also if the answer is edited", async ({ page }) => {
  test.skip(!isAnswered, "needs the test that answers the question");
  const mails = () => admin<{ subject: string; text: string }[]>("mail", "list", "--to", asker, "--json");
  await expect.poll(async () => (await mails()).length, { timeout: 40_000 }).toBe(1);
  const [mail] = await mails();
  expect(mail?.subject).toBe("Lampor & Ljus answered your question");
  expect(mail?.text).toContain("It takes an E27 bulb, at most 40 W.");
  await openAs(page, ada, "/portal/questions?status=accepted");
  await expect(page.getByText("Emailed to the author")).toBeVisible();
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByRole("textbox", { name: "Edit answer" }).fill("It takes an E27 bulb.");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("It takes an E27 bulb.", { exact: true })).toBeVisible();
  await expect.poll(displayedQuestions).toEqual([["Which bulb does it take?", "It takes an E27 bulb."]]);
  expect((await mails()).length).toBe(1);
});

test("a navigation completes though the item shown has just changed", async ({ page }) => {
  await openAs(page, ada, "/portal/reviews?status=all");
  const article = page.getByRole("article");
  await expect(article).toContainText("The second to come.");
  // Longer than the URL takes to follow the item.
  await page.route("**/portal/orders*", async (route) => {
    await new Promise((done) => setTimeout(done, 1_500));
    await route.continue();
  });
  await page.waitForLoadState("networkidle");
  await page.keyboard.press("j");
  await expect(article).toContainText("The first to come.");
  // Keys pressed after navigating away don't decide the item.
  for (const key of ["g", "o", "a"]) await page.keyboard.press(key);
  // In the meantime the item's id is added to the URL, for going back.
  await expect(page).toHaveURL(/[?&]item=/);
  await page.waitForURL(/\/portal\/orders/);
  await page.goBack();
  await expect(article).toContainText("The first to come.");
  await expect(page.getByRole("button", { name: "Approve" })).toBeVisible();
  // A menu that closes on navigation has left the page as well.
  await page.setViewportSize({ width: 390, height: 800 });
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("menuitem", { name: "Orders" }).click();
  await expect(page.getByRole("menu")).toHaveCount(0);
  await page.keyboard.press("a");
  await page.waitForURL(/\/portal\/orders/);
  await page.goBack();
  await expect(article).toContainText("The first to come.");
  await expect(page.getByText(/^Approved\./)).toHaveCount(0);
  expect((await read(`/v1/reviews?client_id=${shop}&moderation_status=pending`)).data).toHaveLength(2);
});

test("a double click on a decision is one decision", async ({ page }) => {
  test.skip(!isAnswered, "needs the test that answers the question");
  await openAs(page, ada, "/portal/queue");
  const article = page.getByRole("article");
  await expect(article).toContainText("The first to come.");
  await page.waitForLoadState("networkidle");
  await page.getByRole("button", { name: "Approve" }).dblclick();
  await expect(article).toContainText("The second to come.");
  const pending = async () => (await read(`/v1/reviews?client_id=${shop}&moderation_status=pending`)).data.length;
  await expect.poll(pending).toBe(1);
  await page.keyboard.press("u");
  await expect(article).toContainText("The first to come.");
  await expect.poll(pending).toBe(2);
});

test("pending counts refresh after the last of several decisions", async ({ page }) => {
  test.skip(!isAnswered, "needs the test that answers the question");
  await openAs(page, ada, "/portal/queue");
  await expect(page.getByRole("article")).toContainText("The first to come.");
  await page.waitForLoadState("networkidle");
  const seen: string[] = [];
  const decision = (request: Request) => request.method() === "PUT" && !request.url().includes("/look");
  page.on("response", (answer) => decision(answer.request()) && seen.push("decided"));
  page.on("request", (request) => request.url().includes("/portal/api/v1/waiting") && seen.push("counted"));
  await page.route("**/portal/api/v1/queue/**", async (route) => {
    if (decision(route.request())) await new Promise((done) => setTimeout(done, 500));
    await route.continue();
  });
  const waiting = page.getByRole("navigation", { name: "Type" }).getByRole("link", { name: /^All/ });
  await page.keyboard.press("a");
  await expect(waiting).toHaveText(/1$/);
  await page.keyboard.press("u");
  await expect(waiting).toHaveText(/2$/);
  await expect.poll(() => seen).toEqual(["decided", "decided", "counted"]);
  await expect(waiting).toHaveText(/2$/);
});

test("a reply is saved as a template, with placeholders for names", async ({ page, consoleErrors }) => {
  test.setTimeout(120_000);
  await signIn(page, ada, "/portal/reviews");
  await expect(page.getByRole("article")).toContainText("The first to come.");
  await expect(page.getByRole("textbox", { name: "Reply as the store" })).toBeVisible();
  await page.keyboard.press("e");
  await page.keyboard.type("Thank you, Ann, from all of us at Lampor & Ljus!");
  await page.getByRole("button", { name: "Templates" }).click();
  await page.getByRole("menuitem", { name: /Save as template/ }).click();
  const window = page.getByRole("dialog", { name: "Save as template" });
  await expect(window.getByLabel("Text")).toHaveValue("Thank you, {author}, from all of us at {shop}!");
  await window.getByLabel("Name").fill("Thanks");
  await window.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Template “Thanks” saved.").first()).toBeVisible();
  await page.getByRole("button", { name: "Reply only" }).click();
  const reply = page.getByRole("paragraph").filter({ hasText: "Thank you, Ann, from" });
  await expect(reply).toHaveText("Thank you, Ann, from all of us at Lampor & Ljus!");
  // Undone, edited and sent again, the reply leaves no draft.
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(reply).toHaveCount(0);
  await expect(page.getByRole("textbox", { name: "Reply as the store" })).toHaveValue(/^Thank you, Ann, from all/);
  await page.getByRole("textbox", { name: "Reply as the store" }).fill("Thank you, Ann, from us!");
  await page.getByRole("button", { name: "Reply only" }).click();
  await expect(reply).toHaveText("Thank you, Ann, from us!");
  await expect(page.getByRole("textbox", { name: "Add another reply" })).toHaveValue("");
  await page.reload();
  await expect(reply).toHaveText("Thank you, Ann, from us!");
  await expect(page.getByRole("textbox", { name: "Add another reply" })).toHaveValue("");
  await page.waitForLoadState("networkidle");
  await page.getByRole("button", { name: "Next" }).click();
  await expect(page.getByRole("article")).toContainText("The second to come.");
  // Keys typed before the text box appears don't decide the item, and no letter is lost.
  await page.keyboard.press("e");
  await page.keyboard.type("aaa");
  await expect(page.getByRole("textbox", { name: "Reply as the store" })).toBeFocused();
  await expect(page.getByRole("textbox", { name: "Reply as the store" })).toHaveValue("aaa");
  await page.getByRole("textbox", { name: "Reply as the store" }).fill("");
  await page.getByRole("button", { name: "Templates" }).click();
  await page.getByRole("menuitem", { name: /^Thanks/ }).click();
  await expect(page.getByRole("textbox", { name: "Reply as the store" })).toHaveValue(/^Thank you, Ann, /);
  const pending = await read(`/v1/reviews?client_id=${shop}&moderation_status=pending`);
  expect(pending.data).toHaveLength(2);

  // A person who signs in next in this tab, without a reload, sees none of the previous person's drafts or data.
  await page.evaluate(() => {
    document.documentElement.dataset.kept = "yes";
  });
  const itemRequests: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "GET" && request.url().includes("/portal/api/v1/queue/review/"))
      itemRequests.push(request.url());
  });
  for (const [person, draft] of [
    [mia, ""],
    [ada, /^Thank you, Ann, /],
  ] as const) {
    await page.getByRole("button", { name: "Sign out" }).click();
    itemRequests.length = 0;
    await page.getByLabel("Username").fill(person.username);
    await page.getByLabel("Password").fill(person.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page
      .getByRole("link", { name: /^Queue/ })
      .first()
      .click();
    await expect(page.getByRole("article")).toContainText("The first to come.");
    await expect(reply).toBeVisible();
    await page.getByRole("button", { name: "Next" }).click();
    await expect(page.getByRole("article")).toContainText("The second to come.");
    await expect(page.getByRole("textbox", { name: "Reply as the store" })).toHaveValue(draft);
    expect(new Set(itemRequests).size).toBe(2);
  }
  expect(await page.evaluate(() => document.documentElement.dataset.kept)).toBe("yes");
  // Requests sent right before signing out may arrive without a session.
  expect(consoleErrors.splice(0).filter((text) => !text.includes("401"))).toEqual([]);
});

test("an empty list links to moderated items, or shows an admin how to get the first", async ({ browser }) => {
  for (const [person, canOpenSettings] of [
    [eve, true],
    [ada, false],
  ] as const) {
    const page = await (await browser.newContext({ baseURL: process.env.E2E_URL })).newPage();
    await openAs(page, person, "/portal/queue");
    const main = page.getByRole("main");
    await page
      .getByRole("navigation", { name: "Type" })
      .getByRole("link", { name: /^Seller reviews/ })
      .click();
    await expect(main.getByRole("heading", { name: "All caught up" })).toBeVisible();
    await main.getByRole("link", { name: "View published" }).click();
    await expect(main.getByRole("heading", { name: "No seller reviews yet" })).toBeVisible();
    const settings = main.getByRole("link", { name: "Open settings" });
    await expect(settings).toHaveCount(0);
    await main.getByRole("link", { name: "View all" }).click();
    await expect(main.getByRole("link", { name: "View all" })).toHaveCount(0);
    // The link is for the type shown, though the server rendered the page for all types.
    if (canOpenSettings) await expect(settings).toHaveAttribute("href", /^\/portal\/settings\/forms/);
    else await expect(settings).toHaveCount(0);
    await page.context().close();
  }
});
