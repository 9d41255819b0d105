import { type APIResponse, type Browser, type BrowserContextOptions, devices, type Page } from "@playwright/test";
import { admin, axe, createPerson, expect, type Login, openAs, test, uniqueName } from "./fixtures";
import { emailText, publicText } from "./translations";

// The hosted forms as shoppers see them: on a phone, with and without JavaScript, in several languages.

type Review = Record<"id" | "author" | "extract" | "lang", string> & {
  score: number;
  order_id: string | null;
  pros: string[];
  properties: Record<string, unknown>;
  images: unknown[];
  verified_buyer: boolean;
};

// A worker that restarts after a failure needs its own client.
const id = `${uniqueName("forms")}.example`;
const languages = ["en", "de"] as const;
const DAY = 86_400_000;
const day = (moment: number): string => new Date(moment).toISOString().slice(0, 10);
const { defaultBrowserType: _, ...phone } = devices["Pixel 7"];

let get: <T>(path: string) => Promise<T[]>;
let call: (method: "POST" | "PUT", path: string, data: object) => Promise<APIResponse>;
let publicKey: string;
const links = new Map<string, string>();

test.beforeAll(async ({ playwright }) => {
  const request = await playwright.request.newContext({ baseURL: process.env.E2E_URL ?? "" });
  const questions = [
    {
      id: "fit",
      name: "Fit",
      type: "select",
      required: true,
      options: [{ id: "m", label: { en: "Just right", de: "Genau richtig" } }],
      label: { en: "How does it fit?", de: "Wie passt es?" },
    },
    { id: "light", name: "Light", type: "score", label: { en: "The light?", de: "Das Licht?" } },
  ];
  const set = {
    display_name: "Atelier & Nord",
    contact_email: `help@${id}`,
    must_agree_to_terms: true,
    must_agree_to_terms_web: true,
    min_review_words: 3,
    config: {
      terms_text: { en: "What you write stays yours.", de: "Ihr Text bleibt Ihrer." },
      accent_color: "#8a3b12",
    },
    custom_questions: questions,
  };
  const settings = Object.entries(set).flatMap(([name, value]) => [
    "--set",
    `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  ]);
  publicKey = (await admin<{ public_key: string }>("client", "create", "--id", id, ...settings)).public_key;
  const { secret } = await admin<{ secret: string }>("key", "create", "--client", id);
  const headers = { Authorization: `Bearer ${secret}` };
  call = (method, path, data) => request.fetch(path, { method, headers, data });
  get = async (path) => ((await (await request.get(path, { headers })).json()) as { data: [] }).data;
  const buyers = languages.flatMap((lang) =>
    ["with", "without"].map((scripts) => ({ lang, key: `${lang}-${scripts}` })),
  );
  for (const { lang, key } of [...buyers, { lang: "en", key: "draft" }, { lang: "de", key: "gone" }]) {
    const items = ["Oak lamp", "Linen shade"].map((name, index) => ({
      id: `P-${index}`,
      name,
      delivery_date: day(Date.now()),
      ...(key === "en-with" && index === 1 ? { image_url: "https://pictures.example/gone.png" } : {}),
    }));
    const customer = { id: key, name: "Ada Berg", email: `${key}@${id}`, lang };
    const posted = await request.post("/v1/orders", { headers, data: { order: { id: key, customer, items } } });
    expect(posted.status()).toBe(200);
  }
  await admin("jobs", "run", "send-invitations", "--client", id, "--now", new Date(Date.now() + 8 * DAY).toISOString());
  const mails = await admin<{ to: string; text: string }[]>("mail", "list");
  for (const key of [...buyers.map((one) => one.key), "draft", "gone"]) {
    const text = mails.find(({ to }) => to.includes(`${key}@${id}`))?.text ?? "";
    links.set(key, new RegExp(`${process.env.E2E_URL}/r/[^\\s"?]+`).exec(text)?.[0] ?? "");
  }
});

/** A page on a phone with a browser language. */
async function openOnPhone(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  return (await browser.newContext({ ...phone, baseURL: process.env.E2E_URL, ...options })).newPage();
}

/** Checks with axe, and that nothing overflows horizontally. Needs scripts enabled in the page. */
async function expectClean(page: Page) {
  expect((await axe(page).analyze()).violations).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
}

/** The same check for the HTML from the server, with all script files blocked. */
async function expectCleanWithoutScripts(browser: Browser, address: string) {
  const page = await openOnPhone(browser);
  await page.route(/\.js(\?|$)/, (script) => script.abort());
  await page.goto(address);
  await expectClean(page);
  await page.context().close();
}

const picture = async () => {
  const { default: sharp } = await import("sharp");
  const buffer = await sharp({ create: { width: 320, height: 200, channels: 3, background: "#2f6b5b" } })
    .png()
    .toBuffer();
  return { name: "lamp.png", mimeType: "image/png", buffer };
};

test("an invalid link shows an error without JavaScript too, in the reader's language, with status 404", async ({
  browser,
}) => {
  for (const javaScriptEnabled of [true, false]) {
    const page = await openOnPhone(browser, { locale: "de", javaScriptEnabled });
    const unknown = ["/r/none", "/edit/none", "/reviews/new?client_id=none&key=P-1", "/questions/new"];
    for (const path of unknown) {
      expect((await page.goto(path))?.status(), path).toBe(404);
      await expect(page.getByRole("heading"), path).toHaveText(publicText("de")("linkPage.unknownHeading"));
      await expect(page, path).toHaveTitle(publicText("de")("linkPage.unknownHeading"));
      expect(await page.locator('meta[name="robots"]').first().getAttribute("content"), path).toContain("noindex");
    }
    await page.context().close();
  }
});

test("an invitation whose data was deleted names the store and its contact; an unknown link doesn't", async ({
  browser,
}) => {
  expect((await call("POST", "/v1/personal_data/delete", { customer_id: "gone" })).ok()).toBe(true);
  const page = await openOnPhone(browser, { locale: "de" });
  const link = links.get("gone") ?? "";
  await expect.poll(async () => (await page.goto(link))?.status(), { timeout: 30_000 }).toBe(404);
  await expect(page.getByRole("heading")).toHaveText(publicText("de")("linkPage.unknownHeading"));
  await expect(page.getByText("Atelier & Nord", { exact: true })).toBeVisible();
  const contact = page.getByRole("link", {
    name: publicText("de")("linkPage.contactStore", { shop: "Atelier & Nord" }),
  });
  await expect(contact).toHaveAttribute("href", `mailto:help@${id}`);
  await page.goto("/r/none", { referer: link });
  await expect(page.getByRole("heading")).toHaveText(publicText("de")("linkPage.unknownHeading"));
  await expect(page.getByText("Atelier & Nord")).toHaveCount(0);
  await page.context().close();
  links.delete("gone");
});

test("an unknown link doesn't affect the next response, answers HEAD, and only the web form can be framed", async ({
  request,
}) => {
  // One connection, reused for each request.
  for (const [path, status] of [
    ["/r/none", 404],
    [links.get("draft") ?? "", 200],
    ["/reviews/new?client_id=none&key=P-1", 404],
    [`/reviews/new?client_id=${id}&key=P-0`, 200],
  ] as const) {
    expect((await request.head(path)).status(), path).toBe(status);
    const response = await request.get(path);
    expect(response.status(), path).toBe(status);
    const framing = status === 200 && path.startsWith("/reviews/new") ? "frame-ancestors *" : "frame-ancestors 'none'";
    expect(response.headers()["content-security-policy"], path).toContain(framing);
  }
});

const gretesEmail = `mend@${id}`;
const getGretesReview = async () =>
  (await get<Review & Record<string, unknown>>("/v1/reviews")).find(({ author }) => author === "Grete");
/** Opens an item of the queue. */
const openItem = async (page: Page, content: string) => {
  await page.getByRole("list", { name: "Queue" }).getByRole("link").filter({ hasText: content }).click();
  await expect(page.getByRole("article")).toContainText(content);
};
let moderator: Login;

// Its author edits it in a later test: for ten seconds, it could be undone, and no email is sent.
test("a moderator rejects a review for a reason", async ({ page }) => {
  const content = "Sie flackert. Der Laden nebenan ist billiger.";
  const review = { author: "Grete", author_email: gretesEmail, score: 2, content, lang: "de" };
  const product = { client_id: id, api_key: publicKey, product_id: "P-0", product_name: "Oak lamp", terms: true };
  const data = { ...product, ...review, custom_questions: { fit: "m" } };
  expect((await call("POST", "/collect/reviews", data)).status()).toBe(201);
  moderator = await createPerson("forms-moderator", "moderator", id);
  await openAs(page, moderator, "/portal/queue");
  await openItem(page, content);
  await page.keyboard.press("r");
  await page
    .getByRole("dialog", { name: "Reason for rejection" })
    .getByRole("button", { name: "Mentions a competitor" })
    .click();
  await expect(page.getByText(/^Rejected: Mentions a competitor/).first()).toBeVisible();
  await expect.poll(getGretesReview).toMatchObject({ accepted: false, reject_reason: "competitor" });
});

// Each language and each mode once: all four combinations take a minute longer and find the same.
for (const [language, scripts] of [
  ["en", true],
  ["de", false],
] as const) {
  const key = `${language}-${scripts ? "with" : "without"}`;
  test(`submits a review on a phone, ${scripts ? "with" : "without"} JavaScript, in ${language}`, async ({
    browser,
  }) => {
    const t = publicText(language);
    const link = links.get(key) ?? "";
    const page = await openOnPhone(browser, { javaScriptEnabled: scripts });
    await page.goto(link);
    await expect(page.getByRole("main")).toHaveAttribute("lang", language);
    const item = page.getByRole("group", { name: "Oak lamp", exact: true });
    if (scripts) await expectClean(page);
    else await expectCleanWithoutScripts(browser, `${link}?item=1&score=4`);

    // Too short, unanswered and without consent: all errors show together, at their fields, and no input is lost.
    await item.getByRole("radio", { name: /^4 / }).check();
    const text = item.getByRole("textbox", { name: t("reviewForm.content") });
    await text.fill("Zu kurz");
    await page.getByRole("button", { name: t("reviewForm.submit") }).click();
    const alert = page.getByRole("alert").filter({ has: page.getByRole("link") });
    await expect(alert.getByRole("heading")).toHaveText(t("form.errorHeading", { n: 3 }));
    await expect(alert.getByRole("link")).toHaveText([
      `Oak lamp: ${t("reviewForm.errorWords", { n: 3 })}`,
      `Oak lamp: ${language === "en" ? "How does it fit?" : "Wie passt es?"} ${t("reviewForm.errorRequired")}`,
      t("form.errorTerms"),
    ]);
    await expect(text).toHaveValue("Zu kurz");
    await expect(text).toHaveAttribute("aria-invalid", "true");
    await expect(text).toHaveAccessibleDescription(new RegExp(t("reviewForm.errorWords", { n: 3 }).slice(0, -1)));
    await expect(item.getByRole("radio", { name: /^4 / })).toBeChecked();
    if (scripts) await expect(text).toBeFocused();
    else await expect(alert).toBeFocused();
    if (scripts) await expectClean(page);
    expect((await get<Review>("/v1/reviews")).filter(({ order_id }) => order_id === key)).toEqual([]);

    await text.fill(`Warm light, and a long cord. ${key}`);
    // A corrected field has no error anymore.
    if (scripts) {
      await expect(text).not.toHaveAttribute("aria-invalid");
      await expect(alert.getByRole("link")).toHaveCount(2);
      await expect(alert.getByRole("heading")).toHaveText(t("form.errorHeading", { n: 2 }));
    }
    await item.getByText(language === "en" ? "Just right" : "Genau richtig").click();
    await item.getByRole("textbox", { name: t("reviewForm.pro", { number: 1 }) }).fill("Warm");
    const second = item.getByRole("textbox", { name: t("reviewForm.pro", { number: 2 }) });
    await expect(second).toBeVisible();
    await item.getByLabel(t("reviewForm.photos")).setInputFiles(await picture());
    if (scripts) await expect(item.getByRole("img", { name: "lamp.png" })).toBeVisible();
    await page.getByRole("checkbox", { name: t("form.terms") }).check();
    if (scripts) await expect(alert).toHaveCount(0);
    await page.getByRole("button", { name: t("reviewForm.submit") }).click();
    await expect(page.getByRole("heading", { name: t("form.thanksHeading") })).toBeVisible();
    if (scripts) await expectClean(page);
    await page.context().close();

    const stored = (await get<Review>("/v1/reviews")).filter(({ order_id }) => order_id === key);
    expect(stored).toMatchObject([
      {
        author: "Ada B.",
        score: 4,
        extract: `Warm light, and a long cord. ${key}`,
        pros: ["Warm"],
        properties: { Fit: "m" },
        verified_buyer: true,
      },
    ]);
    expect(stored[0]?.images).toHaveLength(1);
  });

  test(`submits a visitor's review and question, ${scripts ? "with" : "without"} JavaScript, in ${language}`, async ({
    browser,
  }) => {
    const t = publicText(language);
    const page = await openOnPhone(browser, { javaScriptEnabled: scripts });
    const query = `?client_id=${id}&key=web-${key}&name=Oak+lamp&lang=${language}`;
    await page.goto(`/questions/new${query}`);
    if (scripts) await expectClean(page);
    else await expectCleanWithoutScripts(browser, `/questions/new${query}`);
    await page.getByRole("textbox", { name: t("questionForm.question"), exact: true }).fill(`Does it dim? ${key}`);
    await page.getByRole("checkbox", { name: t("questionForm.emailAnswer") }).check();
    await page.getByRole("button", { name: t("questionForm.submit") }).click();
    const alert = page.getByRole("alert").filter({ has: page.getByRole("link") });
    await expect(alert.getByRole("heading")).toHaveText(t("form.errorHeading", { n: 3 }));
    await expect(alert.getByRole("link")).toHaveText([
      t("form.errorAuthor"),
      t("form.errorEmail"),
      t("form.errorTerms"),
    ]);
    if (scripts) await expect(page.getByRole("textbox", { name: t("questionForm.author"), exact: true })).toBeFocused();
    await page.getByRole("textbox", { name: t("questionForm.author"), exact: true }).fill("Bo");
    await page.getByRole("textbox", { name: t("form.email") }).fill(`bo@${id}`);
    await page.getByRole("checkbox", { name: t("form.terms") }).check();
    await page.getByRole("button", { name: t("questionForm.submit") }).click();
    await expect(page.getByText(t("questionForm.receivedEmail"))).toBeVisible();
    const questions = await get<{ question: string; mail_answer: boolean }>("/v1/questions");
    expect(questions.filter(({ question }) => question.endsWith(key))).toMatchObject([{ mail_answer: true }]);

    await page.goto(`/reviews/new${query}`);
    if (scripts) await expectClean(page);
    else await expectCleanWithoutScripts(browser, `/reviews/new${query}`);
    await page.getByRole("radio", { name: /^2 / }).check();
    await page
      .getByRole("textbox", { name: t("reviewForm.content"), exact: true })
      .fill(`It flickers at night. ${key}`);
    await page.getByText(language === "en" ? "Just right" : "Genau richtig").click();
    await page.getByRole("textbox", { name: t("reviewForm.author"), exact: true }).fill("Bo");
    await page.getByRole("checkbox", { name: t("form.terms") }).check();
    await page.getByRole("button", { name: t("reviewForm.submit") }).click();
    await expect(page.getByRole("heading", { name: t("form.thanksHeading") })).toBeVisible();
    const link = page.getByRole("link", { name: t("authorPage.requestHeading", { shop: "Atelier & Nord" }) });
    await expect(link).toHaveAttribute("href", new RegExp(`/me\\?client_id=.+&lang=${language}$`));
    await page.getByRole("link", { name: t("receipt.link") }).click();
    await expect(page).toHaveURL(/\/receipt\/r\./);
    await expect(page.getByRole("heading", { name: t("receipt.historyHeading") })).toBeVisible();
    await page.context().close();
    const reviews = await get<Review>("/v1/reviews");
    expect(reviews.filter(({ extract }) => extract === `It flickers at night. ${key}`)).toMatchObject([
      { author: "Bo", score: 2, verified_buyer: false },
    ]);
  });
}

for (const scripts of [true, false])
  test(`asks once whether to add text to a review with stars only, ${scripts ? "with" : "without"} JavaScript`, async ({
    browser,
    request,
  }) => {
    const t = publicText("en");
    const client = `${id}-bare-${scripts ? "with" : "without"}`;
    await admin("client", "create", "--id", client);
    const { secret } = await admin<{ secret: string }>("key", "create", "--client", client);
    const reviews = async () => {
      const answer = await request.get("/v1/reviews", { headers: { Authorization: `Bearer ${secret}` } });
      return ((await answer.json()) as { data: Review[] }).data.length;
    };
    const page = await openOnPhone(browser, { javaScriptEnabled: scripts });
    await page.goto(`/reviews/new?client_id=${client}&key=P-9&name=Lamp&lang=en`);
    await page.getByRole("radio", { name: /^5 / }).check();
    await page.getByRole("textbox", { name: t("reviewForm.author"), exact: true }).fill("Bo");
    await page.getByRole("button", { name: t("reviewForm.submit") }).click();
    const alert = page.getByRole("alert").filter({ hasText: t("reviewForm.askHeading") });
    await expect(alert.getByRole("link")).toHaveText([t("reviewForm.askText")]);
    if (scripts) await expectClean(page);
    expect(await reviews()).toBe(0);
    await page.getByRole("button", { name: t("reviewForm.submit") }).click();
    await expect(page.getByRole("heading", { name: t("form.thanksHeading") })).toBeVisible();
    expect(await reviews()).toBe(1);
    await page.context().close();
  });

test("shows the first letter of the name if a picture can't be loaded", async ({ browser }) => {
  const page = await openOnPhone(browser);
  await page.route("https://pictures.example/**", (picture) => picture.abort());
  await page.goto(links.get("en-with") ?? "");
  const item = page.getByRole("group", { name: "Linen shade", exact: true });
  await expect(item.getByText("L", { exact: true })).toBeVisible();
  await expect(item.getByRole("presentation")).toHaveCount(0);
  await page.context().close();
});

test("a draft survives a reload and a lost connection, and is stored once", async ({ page, consoleErrors }) => {
  const t = publicText("en");
  await page.goto(links.get("draft") ?? "");
  const item = page.getByRole("group", { name: "Oak lamp", exact: true });
  const text = item.getByRole("textbox", { name: t("reviewForm.content") });
  await item.getByRole("radio", { name: /^5 / }).check();
  await text.fill("Kept through thick and thin.");
  await item.getByText("Just right").click();
  await page.getByRole("checkbox", { name: t("form.terms") }).check();
  await page.reload();
  await expect(text).toHaveValue("Kept through thick and thin.");
  await expect(item.getByRole("radio", { name: /^5 / })).toBeChecked();

  await page.context().setOffline(true);
  await page.getByRole("button", { name: t("reviewForm.submit") }).click();
  await expect(page.getByRole("alert").filter({ hasText: t("form.errorBusy") })).toBeFocused();
  await expect(text).toHaveValue("Kept through thick and thin.");
  await page.context().setOffline(false);
  // The browser logs the broken connection.
  consoleErrors.splice(
    0,
    consoleErrors.length,
    ...consoleErrors.filter((one) => !one.includes("ERR_INTERNET_DISCONNECTED")),
  );

  await page.getByRole("button", { name: t("reviewForm.submit") }).dblclick();
  await expect(page.getByRole("heading", { name: t("form.thanksHeading") })).toBeVisible();
  expect((await get<Review>("/v1/reviews")).filter(({ order_id }) => order_id === "draft")).toMatchObject([
    { extract: "Kept through thick and thin." },
  ]);
});

test("a photo shows a preview and its progress, can be removed, and an invalid one shows an error", async ({
  page,
  consoleErrors,
}) => {
  const t = publicText("en");
  await page.goto(`/reviews/new?client_id=${id}&key=photo&name=Oak+lamp&lang=en`);
  let release = () => {};
  const uploadHold = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/uploader", async (route) => {
    await uploadHold;
    await route.continue();
  });
  await page
    .getByLabel(t("reviewForm.photos"))
    .setInputFiles([await picture(), { ...(await picture()), name: "two.png" }]);
  const bar = page.getByRole("progressbar", { name: t("reviewForm.photoUploading", { name: "lamp.png" }) });
  await expect(bar).toBeVisible();
  await expect(page.getByRole("img", { name: "lamp.png" })).toBeVisible();
  await page.getByRole("button", { name: t("reviewForm.photoRemove", { number: 2 }) }).click();
  await expect(page.getByRole("img", { name: "two.png" })).toHaveCount(0);
  release();
  await expect(page.getByRole("progressbar")).toHaveCount(0);
  await expectClean(page);
  // A file that is a picture by its name only.
  await page
    .getByLabel(t("reviewForm.photos"))
    .setInputFiles({ ...(await picture()), buffer: Buffer.from("no picture") });
  await expect(page.getByText(t("reviewForm.errorPhoto", { name: "lamp.png" }))).toBeVisible();
  // The browser logs the rejected upload, too.
  consoleErrors.splice(0, consoleErrors.length, ...consoleErrors.filter((one) => !one.includes("406")));
});

test("edits a rejected review from the emailed link, without JavaScript, in German", async ({
  page: moderatorPage,
  browser,
}) => {
  // A worker that restarts after a failure has other data.
  test.skip(!moderator, "needs the test that rejects the review");
  const t = publicText("de");
  const before = await getGretesReview();
  const mails = () => admin<{ text: string }[]>("mail", "list", "--to", gretesEmail);
  await expect.poll(async () => (await mails()).length, { timeout: 30_000 }).toBe(1);
  const text = (await mails())[0]?.text ?? "";
  const link = new RegExp(`${process.env.E2E_URL}/edit/[\\w-]+`).exec(text)?.[0] ?? "";

  await expectCleanWithoutScripts(browser, link);
  const page = await openOnPhone(browser, { javaScriptEnabled: false });
  await page.goto(link);
  await expect(page.getByRole("heading", { name: t("editPage.headingReview") })).toBeVisible();
  await expect(page.getByText(emailText("de")("rejectReason.competitor"))).toBeVisible();
  await expect(page.getByRole("radio", { name: /^2 / })).toBeChecked();
  // Submitted unchanged, it would be rejected again.
  await page.getByRole("button", { name: t("editPage.submit") }).click();
  await expect(page.getByRole("alert").filter({ hasText: t("editPage.unchanged") })).toBeVisible();
  await page
    .getByRole("textbox", { name: t("reviewForm.content"), exact: true })
    .fill("Sie flackert, sobald es dunkel wird.");
  await page.getByRole("button", { name: t("editPage.submit") }).click();
  await expect(page.getByText(t("editPage.received"))).toBeVisible();
  await page.context().close();
  expect(await getGretesReview()).toMatchObject({
    id: before?.id,
    accepted: null,
    score: 2,
    extract: "Sie flackert, sobald es dunkel wird.",
    properties: { Fit: "m" },
    verified_email: true,
  });
  // It is pending again, with its new text.
  await openAs(moderatorPage, moderator, "/portal/queue");
  await openItem(moderatorPage, "Sie flackert, sobald es dunkel wird.");
});

test("opening any form writes nothing", async ({ page }) => {
  const lastChanges = async () => {
    const lists = ["/v1/reviews", "/v1/questions", "/v1/orders"].map((path) => get<{ updated_at: string }>(path));
    return (await Promise.all(lists)).map((list) => list.map((one) => one.updated_at));
  };
  const before = await lastChanges();
  for (const address of [
    ...[...links.values()].flatMap((link) => [link, `${link}?item=1&score=1`, `${link}?sent=1`]),
    `/reviews/new?client_id=${id}&key=x&sent=1`,
    `/questions/new?client_id=${id}&key=x`,
  ])
    expect((await page.request.get(address)).status()).toBe(200);
  expect(await lastChanges()).toEqual(before);
  // The demo's forms are open only to those who may use the demo, as is its well-known key.
  for (const form of ["/reviews/new", "/questions/new"]) {
    const demo = `${form}?client_id=demo.candor.example&key=x`;
    expect((await page.request.get(demo)).status()).toBe(200);
    const elsewhere = { "x-real-ip": "203.0.113.9" };
    expect((await page.request.get(demo, { headers: elsewhere })).status()).toBe(404);
  }
});
