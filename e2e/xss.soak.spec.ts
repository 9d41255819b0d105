import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { APIRequestContext, Page } from "@playwright/test";
import { signEditLink } from "./edit-link";
import { startExternalShop } from "./external-shop";
import { admin, createPerson, expect, type Login, signIn, test, uniqueName } from "./fixtures";

// Hostile texts through every field that people fill in, checked at every place that shows them: each shows as written,
// and none runs. Payloads call `pwned`. If only a policy stops one, the browser logs an error, which fails the test as
// well.

const payloads = [
  "<script>pwned()</script>",
  "</script><script>pwned()</script>",
  "</textarea><img src=x onerror=pwned()>",
  '"><svg onload=pwned()>',
  "' onfocus=pwned() autofocus x='",
  "</title></style></template><img src=x onerror=pwned()>",
  "<!--><img src=x onerror=pwned()>-->",
  "]]><script>pwned()</script>",
  '<iframe srcdoc="<script>parent.pwned()</script>"></iframe>',
  '<a href="javascript:pwned()">link</a>',
  "javascript:pwned()//",
  "<math><mtext></p><style><img src=x onerror=pwned()>",
  "&lt;img src=x onerror=pwned()&gt;",
  "&#60;img src=x onerror=pwned()&#62;",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a payload for template engines
  "{{constructor.constructor('pwned()')()}} {{ 7 | times: 7 }} ${pwned()}",
  "x\u2028pwned()\u2029//'-pwned()-'\\",
  "<form action=javascript:pwned()><button autofocus>x",
];

/** As names in a feed are read: entities are decoded. */
const decodedPayloads = payloads.map((text) => text.replace(/&lt;|&#60;/g, "<").replace(/&gt;|&#62;/g, ">"));

// A worker that restarts after a failure needs its own client.
const id = `${uniqueName("hostile")}.example`;
const AUTHOR = `author@${id}`;
const shop = 'Karin\'s "Shop" <b onmouseover=pwned()>&amp;</b>';

type Review = { id: string; extract: string; author: string; pros: string[]; properties: Record<string, unknown> };
/** What was written: one review and one question for each payload. */
type TestData = {
  reviews: Review[];
  questions: { id: string; question: string }[];
  person: Login;
  /** emailed links: to each invited customer, in order, and to an author whose review contains all payloads */
  invitations: string[];
  verification: string;
};

/** A place that shows texts. */
type DisplayPlace = {
  name: string;
  /** what to open: a URL for each payload, in order, or one for all */
  addresses: (testData: TestData) => Promise<string[]> | string[];
  /** reads the text of the place; its visible text by default */
  read?: (page: Page) => Promise<string>;
  /** how often each text appears at least; once by default */
  minCount?: number;
  /** the expected texts, if they differ from those written */
  texts?: string[];
};

/** The visible text of a page and the values of its controls. */
const visibleText = async (page: Page): Promise<string> => {
  const controls = page.locator("input:not([type=hidden]), textarea");
  const values = await controls.evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value));
  return [await page.locator("body").innerText(), ...values].join("\n");
};
/** All strings of a JSON document that the browser shows. */
const textsInJson = async (page: Page): Promise<string> => {
  const texts: string[] = [];
  JSON.parse(await page.locator("body").innerText(), (_, value) => {
    if (typeof value === "string") texts.push(value);
    return value;
  });
  return texts.join("\n");
};
/** All text of an XML document that the browser shows. */
const textInXml = (page: Page): Promise<string> => page.evaluate(() => document.documentElement.textContent ?? "");

/** What the widget shows in the store's page: a review with its reply, a question with its answer. */
const widgetText = async (page: Page): Promise<string> => {
  const places = ["#candor-reviews", "#candor-questions"].map((place) => page.locator(place).getByRole("article"));
  return (await Promise.all(places.map((place) => place.first().innerText()))).join("\n");
};

/** Links to edit these. */
const editLinks = (kind: "review" | "question", ids: string[]): Promise<string[]> =>
  Promise.all(ids.map((one) => signEditLink(id, kind, one, AUTHOR)));

const places: DisplayPlace[] = [
  {
    name: "the form to change a review",
    addresses: ({ reviews }) =>
      editLinks(
        "review",
        reviews.map((one) => one.id),
      ),
  },
  {
    name: "the form to change a question",
    addresses: ({ questions }) =>
      editLinks(
        "question",
        questions.map((one) => one.id),
      ),
  },
  {
    name: "the form for a product of any name",
    addresses: () => payloads.map((name) => `/reviews/new?${new URLSearchParams({ client_id: id, key: name, name })}`),
  },
  {
    name: "the form for a question about it",
    addresses: () =>
      payloads.map((name) => `/questions/new?${new URLSearchParams({ client_id: id, key: name, name })}`),
  },
  { name: "the form that an invitation opens", addresses: ({ invitations }) => invitations },
  { name: "the page that confirms an address", addresses: ({ verification }) => [verification] },
  { name: "the portal's queue", addresses: () => [`/portal/reviews?client_id=${id}&status=accepted`] },
  {
    name: "a review in the portal",
    addresses: ({ reviews }) => reviews.map((one) => `/portal/reviews/${one.id}?client_id=${id}`),
    // product, author, title, text, pro, con, custom answer, and the reply with its author
    minCount: 9,
  },
  { name: "the portal's questions", addresses: () => [`/portal/questions?client_id=${id}&status=accepted`] },
  {
    name: "a question in the portal",
    addresses: ({ questions }) => questions.map((one) => `/portal/questions/${one.id}?client_id=${id}`),
    // product, author, question, its details, and the answer with its author
    minCount: 6,
  },
  { name: "products in the portal", addresses: () => [`/portal/products?client_id=${id}`], texts: decodedPayloads },
  {
    name: "a product in the portal",
    texts: decodedPayloads,
    addresses: () => payloads.map((_, index) => `/portal/products/P-${index}?client_id=${id}`),
  },
  { name: "orders in the portal", addresses: () => [`/portal/orders?client_id=${id}`] },
  {
    name: "an order in the portal",
    addresses: () => payloads.map((_, index) => `/portal/orders/o-${index}?client_id=${id}`),
  },
  {
    name: "the display's reviews",
    addresses: () => payloads.map((_, index) => `/onpage/${id}/reviews/list.json?key=P-${index}`),
    read: textsInJson,
    // author, title, text, pro, con, custom answer, and the reply with its author
    minCount: 8,
  },
  {
    name: "the display's questions",
    addresses: () => payloads.map((_, index) => `/onpage/${id}/questions.json?key=P-${index}`),
    read: textsInJson,
    minCount: 4,
  },
  {
    name: "the widget in a shop's page",
    addresses: () =>
      payloads.map(
        (_, index) => `${externalShop.origin}/?${new URLSearchParams({ client: id, key: `P-${index}`, lang: "en" })}`,
      ),
    read: widgetText,
    // author, title, text, pro, con, custom answer, and the reply with its author; a question's four
    minCount: 12,
  },
  {
    name: "the widget's reviews as HTML",
    addresses: () => payloads.map((_, index) => `/onpage/${id}/reviews.html?key=P-${index}`),
    minCount: 8,
  },
  {
    name: "the widget's questions as HTML",
    addresses: () => payloads.map((_, index) => `/onpage/${id}/questions.html?key=P-${index}`),
    minCount: 4,
  },
  {
    name: "structured data",
    addresses: () => payloads.map((_, index) => `/onpage/${id}/product.jsonld?key=P-${index}`),
    read: textsInJson,
    minCount: 3,
  },
  { name: "Google's feed", addresses: () => [`/onpage/${id}/google/product_reviews.xml`], read: textInXml },
];

let testData: TestData;
let externalShop: Awaited<ReturnType<typeof startExternalShop>>;

test.afterAll(() => externalShop.close());
test.beforeAll(async ({ playwright, browser }) => {
  test.setTimeout(180_000);
  const baseURL = process.env.E2E_URL ?? "";
  externalShop = await startExternalShop(baseURL);
  const request = await playwright.request.newContext({ baseURL });
  const question = { id: "q", name: "Say", type: "text", label: { en: shop } };
  const set = { display_name: shop, custom_questions: JSON.stringify([question]) };
  const settings = Object.entries(set).flatMap(([name, value]) => ["--set", `${name}=${value}`]);
  const { public_key } = await admin<{ public_key: string }>("client", "create", "--id", id, ...settings);
  const { secret: key } = await admin<{ secret: string }>("key", "create", "--client", id);
  const person = await createPerson("hostile", "operator");
  const headers = { Authorization: `Bearer ${key}` };
  const folder = mkdtempSync(path.join(os.tmpdir(), "candor-hostile-"));
  const productsFile = path.join(folder, "products.json");
  const products = payloads.map((name, index) => ({ id: `P-${index}`, name, url: `https://shop.example/${index}` }));
  writeFileSync(productsFile, JSON.stringify(products));
  await admin("products", "import", productsFile, "--client", id);
  rmSync(folder, { recursive: true });
  const common = { client_id: id, api_key: public_key };
  for (const [index, text] of payloads.entries()) {
    const submission = { ...common, product_id: `P-${index}`, author: text, author_email: AUTHOR, product_name: text };
    await expectPosted(request, "/collect/reviews", {
      ...submission,
      score: 3,
      title: text,
      content: `${text}\nsecond line`,
      pros: [text],
      cons: [text],
      custom_questions: { q: text },
    });
    await expectPosted(request, "/collect/questions", {
      ...submission,
      question: text,
      details: text,
      mail_answer: "false",
    });
    const customer = { id: `c-${index}`, name: text, email: `c-${index}@${id}` };
    const items = [{ id: `P-${index}`, name: text, reviewable: true, delivery_date: "2026-01-01" }];
    await expectPosted(request, "/v1/orders", { order: { id: `o-${index}`, customer, items } }, headers);
  }
  const list = async <T>(path: string): Promise<T[]> =>
    ((await (await request.get(path, { headers })).json()) as { data: T[] }).data;
  const reviews = await list<Review>("/v1/reviews?limit=1000");
  for (const one of reviews) {
    const accepted = await request.put(`/v1/reviews/${one.id}`, { headers, data: { review: { accepted: true } } });
    expect(accepted.status()).toBe(200);
  }
  await admin(
    "jobs",
    "run",
    "send-invitations",
    "--client",
    id,
    "--now",
    new Date("2026-01-10T12:00:00Z").toISOString(),
  );
  // The author must confirm the address, on a page that repeats the review.
  const confirming = `verify.${id}`;
  const verified = await admin<{ public_key: string }>(
    ...["client", "create", "--id", confirming, "--set", "require_verification=true"],
  );
  await expectPosted(request, "/collect/reviews", {
    ...{ client_id: confirming, api_key: verified.public_key, product_id: "P-0", product_name: shop },
    ...{ author: shop, author_email: `all@${id}`, score: 3 },
    // The page shows this much of a title, and the beginning of a text.
    ...{ title: payloads.slice(0, 7).join("\n"), content: payloads.slice(7).join("\n") },
  });
  // In parallel: each command is its own process, which takes longer to start than a page to check.
  const linksTo = async (addresses: string[], shape: RegExp): Promise<string[]> => {
    const mails = await admin<{ to: string; html: string }[]>("mail", "list");
    return addresses.map((to) => shape.exec(mails.find((mail) => mail.to === to)?.html ?? "")?.[0] ?? "");
  };
  let verification = "";
  const pendingVerifications = async () => {
    [verification = ""] = await linksTo([`all@${id}`], /\/verify\/[\w.-]+/);
    return verification;
  };
  await expect.poll(pendingVerifications, { timeout: 60_000 }).not.toBe("");
  const invitations = await linksTo(
    payloads.map((_, index) => `c-${index}@${id}`),
    /\/r\/[\w.-]+/,
  );
  expect(invitations).not.toContain("");
  testData = { reviews, questions: await list("/v1/questions?limit=1000"), person, invitations, verification };
  // The store's own texts, with any name.
  const page = await browser.newPage({ baseURL });
  await signIn(page, testData.person);
  const items = [reviews.map((one) => ["review", one.id]), testData.questions.map((one) => ["question", one.id])];
  for (const all of items)
    for (const [index, [kind, one]] of all.entries()) {
      const reply = { text: payloads[index], author: payloads[index], accept: true };
      const path = `/portal/api/v1/queue/${kind}/${one}/replies?client_id=${id}`;
      await expectPosted(page.request, path, reply, { Origin: baseURL });
    }
  await page.context().close();
});

async function expectPosted(
  request: APIRequestContext,
  path: string,
  data: unknown,
  headers: Record<string, string> = {},
) {
  const answer = await request.post(path, { data, headers });
  expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true);
}

/** A payload that runs logs a console error, which fails the test. */
async function detectPayloads(page: Page) {
  await page.addInitScript(() => {
    Object.assign(window, { pwned: () => console.error(`A payload ran at ${location.href}`) });
  });
  page.on("dialog", (dialog) => {
    console.error(dialog.message());
    return dialog.dismiss();
  });
}

/** As a page shows it: runs of spaces collapsed, line breaks kept. */
const collapseWhitespace = (text: string) => text.replace(/\s+/g, " ");

test("the API returns every text as it was written", () => {
  expect(
    testData.reviews.map(({ author, extract, pros, properties }) => [
      author,
      extract,
      pros,
      properties.Say,
      properties.title,
    ]),
  ).toEqual(payloads.map((text) => [text, `${text}\nsecond line`, [text], text, text]));
  expect(testData.questions.map(({ question }) => question)).toEqual(payloads);
});

for (const place of places)
  test(`${place.name} shows hostile texts as texts`, async ({ page, consoleErrors }) => {
    test.setTimeout(180_000);
    await detectPayloads(page);
    if (place.name.includes("portal")) await signIn(page, testData.person);
    const addresses = await place.addresses(testData);
    const read = place.read ?? visibleText;
    for (const [index, address] of addresses.entries()) {
      await page.goto(address, { waitUntil: "load" });
      const texts = place.texts ?? payloads;
      const expected = addresses.length === 1 ? texts : [texts[index] ?? "?"];
      for (const text of expected)
        await expect
          .poll(async () => collapseWhitespace(await read(page)).split(collapseWhitespace(text).trim()).length - 1, {
            message: text,
          })
          .toBeGreaterThanOrEqual(place.minCount ?? 1);
    }
    expect(addresses.length).toBeGreaterThan(0);
    // The browser requests an icon for responses that aren't pages. A fragment is sandboxed: it blocks the script that
    // `detectPayloads` adds to every page, and the browser logs that.
    const isOwn = (one: string) => one.includes("/favicon.ico") || /^Blocked script .*\.html\?key=/.test(one);
    consoleErrors.splice(0, consoleErrors.length, ...consoleErrors.filter((one) => !isOwn(one)));
  });

test("an email shows hostile texts as plain text, in its own page and in the portal", async ({
  page,
  consoleErrors,
}) => {
  test.setTimeout(180_000);
  await detectPayloads(page);
  await signIn(page, testData.person);
  // In parallel: each command is its own process, which takes longer to start than a page to check.
  const mails = await admin<{ id: string; to: string; html: string }[]>("mail", "list");
  for (const [index, text] of payloads.entries()) {
    const mail = mails.find(({ to }) => to === `c-${index}@${id}`);
    const html = mail?.html ?? "";
    await page.goto(`/portal/mailbox/${mail?.id}`);
    await expect(page.getByRole("main")).toBeVisible();
    // Rendered without a frame or policy: the email must contain no script, whichever program shows it.
    await page.goto("about:blank");
    await page.setContent(html, { waitUntil: "load" });
    expect(collapseWhitespace(await page.locator("body").innerText())).toContain(collapseWhitespace(text).trim());
  }
  // The mailbox's sandboxed frame blocks the script that `detectPayloads` adds to every frame, and the browser logs
  // that.
  consoleErrors.splice(0, consoleErrors.length, ...consoleErrors.filter((one) => !one.includes("'about:srcdoc'")));
});
