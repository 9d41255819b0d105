import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import type { APIRequestContext, FrameLocator, Page } from "@playwright/test";
import { root } from "@/lib/tools/launch/bootstrap.mjs";
import { signEditLink } from "./edit-link";
import { startExternalShop } from "./external-shop";
import { admin, demoLogin, expect, openAs, test, uniqueName } from "./fixtures";
import { publicText } from "./translations";

// The public forms in frames of other origins, and that nothing else can be framed.

const t = publicText("en");
const service = () => process.env.E2E_URL ?? "";
const listing = `${uniqueName("framed")}.example`;
const open = `${uniqueName("framed-open")}.example`;
let publicKey: string;
let shop: Awaited<ReturnType<typeof startExternalShop>>;
let stranger: Awaited<ReturnType<typeof startExternalShop>>;

test.beforeAll(async () => {
  [shop, stranger] = await Promise.all([startExternalShop(service()), startExternalShop(service())]);
  const origins = JSON.stringify(["https://other.example", shop.origin]);
  const settings = ["--set", "display_name=Lanterna", `allowed_origins=${origins}`];
  publicKey = (await admin<{ public_key: string }>("client", "create", "--id", listing, ...settings)).public_key;
  await admin("client", "create", "--id", open);
});
test.afterAll(async () => Promise.all([shop.close(), stranger.close()]));

type Message = { origin: string; testFreaks: { messageId?: string; height: number; event?: string } };

/** A page's HTML that frames an address, sizes the frame as its messages say, and collects them. */
const framing = (address: string, attributes = "") => `
  <iframe id="form" width="700" height="150" ${attributes} src="${address.replaceAll("&", "&amp;")}"></iframe>
  <script>
    window.messages = [];
    addEventListener("message", ({ origin, data }) => {
      if (typeof data !== "string" || !data.includes("testFreaks")) return;
      const message = JSON.parse(data);
      messages.push({ origin, ...message });
      document.getElementById("form").height = message.testFreaks.height;
    });
  </script>`;

const messagesOf = (page: Page) => page.evaluate(() => (window as unknown as { messages: Message[] }).messages);
const formIn = (page: Page): FrameLocator => page.frameLocator("#form");

/** Waits until the frame is as high as its content: no scrollbar, nothing below. */
const expectFitted = (page: Page) =>
  expect
    .poll(() =>
      formIn(page)
        .locator("main")
        .evaluate((main) => Math.floor(innerHeight - main.getBoundingClientRect().height)),
    )
    .toBe(0);

for (const kind of ["reviews", "questions"] as const)
  test(`a store frames the form for ${kind} and receives its height and the submission`, async ({ page }) => {
    const query = new URLSearchParams({
      client_id: listing,
      key: "lamp",
      name: "Oak lamp",
      lang: "en",
      noheader: "1",
      messageid: `frame-${kind}`,
      url: `${shop.origin}/own`,
    });
    shop.paste(framing(`${service()}/${kind}/new?${query}`));
    await page.goto(`${shop.origin}/own`);
    const form = formIn(page);
    await expect(form.getByText("Oak lamp", { exact: true }).first()).toBeVisible();
    await expect(form.getByText("Lanterna", { exact: true })).toHaveCount(0);
    await expectFitted(page);
    const first = await messagesOf(page);
    expect(first.length).toBeGreaterThan(0);
    for (const message of first)
      expect(message).toEqual({
        origin: service(),
        testFreaks: { messageId: `frame-${kind}`, height: expect.any(Number) },
      });

    // Issues make the form higher.
    const submit = t(kind === "reviews" ? "reviewForm.submit" : "questionForm.submit");
    const heightBefore = first.at(-1)?.testFreaks.height ?? 0;
    await form.getByRole("button", { name: submit }).click();
    await expect(form.getByRole("alert").filter({ has: page.getByRole("link") })).toBeVisible();
    await expectFitted(page);
    expect((await messagesOf(page)).at(-1)?.testFreaks.height).toBeGreaterThan(heightBefore);
    expect((await messagesOf(page)).filter(({ testFreaks }) => testFreaks.event)).toEqual([]);

    if (kind === "reviews") {
      await form.getByRole("radio", { name: /^5 / }).check();
      await form.getByRole("textbox", { name: t("reviewForm.content"), exact: true }).fill("Framed, and warm.");
      await form.getByRole("textbox", { name: t("reviewForm.author"), exact: true }).fill("Bo");
    } else {
      await form.getByRole("textbox", { name: t("questionForm.question"), exact: true }).fill("Does it fit a frame?");
      await form.getByRole("textbox", { name: t("questionForm.author"), exact: true }).fill("Bo");
    }
    await form.getByRole("button", { name: submit }).click();
    await expect(form.getByRole("heading", { name: t("form.thanksHeading") })).toBeVisible();
    await expectFitted(page);
    const submitted = (await messagesOf(page)).filter(({ testFreaks }) => testFreaks.event !== undefined);
    expect(submitted).toEqual([
      {
        origin: service(),
        testFreaks: { messageId: `frame-${kind}`, height: expect.any(Number), event: "submit" },
      },
    ]);
    expect((await messagesOf(page)).at(-1)?.testFreaks.height).toBeLessThan(heightBefore);

    // The way back leaves the frame, to the page that was named.
    await form.getByRole("link", { name: t("form.toStore", { shop: "Lanterna" }) }).click();
    await expect.poll(() => page.frames().length).toBe(2);
    await expect(form.getByRole("button", { name: submit })).toBeVisible();
  });

test("a framed form works in a page with a strict policy", async ({ page }) => {
  const form = formIn(page);
  const address = `${service()}/questions/new?client_id=${listing}&key=lamp&lang=en&messageid=strict`;
  const strict = shop.addPage("strict", {
    script: `
      window.messages = [];
      addEventListener("message", ({ origin, data }) => messages.push({ origin, ...JSON.parse(data) }));`,
    body: `<iframe id="form" width="700" height="900" src="${address.replaceAll("&", "&amp;")}"></iframe>`,
  });
  const answer = await page.goto(strict);
  expect(answer?.headers()["content-security-policy"]).toMatch(/default-src 'none'.*require-trusted-types-for/);
  await form.getByRole("textbox", { name: t("questionForm.question"), exact: true }).fill("Is it strict?");
  await form.getByRole("textbox", { name: t("questionForm.author"), exact: true }).fill("Bo");
  await form.getByRole("button", { name: t("questionForm.submit") }).click();
  await expect(form.getByRole("heading", { name: t("form.thanksHeading") })).toBeVisible();
  const height = expect.any(Number);
  // The page sends it after it shows the heading.
  await expect
    .poll(() => messagesOf(page))
    .toContainEqual({ origin: service(), testFreaks: { messageId: "strict", height, event: "submit" } });
  expect(await messagesOf(page)).toContainEqual({ origin: service(), testFreaks: { messageId: "strict", height } });
});

test("a submission is reported once, whatever the frame does after it", async ({ page }) => {
  shop.paste(framing(`${service()}/questions/new?client_id=${listing}&key=lamp&lang=en`));
  await page.goto(`${shop.origin}/own`);
  const form = formIn(page);
  const thanks = form.getByRole("heading", { name: t("form.thanksHeading") });
  const send = async (question: string) => {
    await form.getByRole("textbox", { name: t("questionForm.question"), exact: true }).fill(question);
    await form.getByRole("textbox", { name: t("questionForm.author"), exact: true }).fill("Bo");
    await form.getByRole("button", { name: t("questionForm.submit") }).click();
    await expect(thanks).toBeVisible();
  };
  const submitted = async () => (await messagesOf(page)).filter(({ testFreaks }) => testFreaks.event).length;
  /** Waits until the frame shows another page, and that page has sent its height. */
  const move = async (step: () => Promise<void> | undefined) => {
    const before = (await messagesOf(page)).length;
    await Promise.all([page.waitForEvent("framenavigated"), step()]);
    await expect.poll(async () => (await messagesOf(page)).length).toBeGreaterThan(before);
  };
  const go = (delta: number) => move(() => page.evaluate((by) => history.go(by), delta));

  await send("Is it reported?");
  await expect.poll(submitted).toBe(1);
  await move(() => page.frames()[1]?.evaluate(() => void setTimeout(() => location.reload())));
  await expect(thanks).toBeVisible();
  await go(-1);
  await expect(thanks).toHaveCount(0);
  await go(1);
  await expect(thanks).toBeVisible();
  expect(await submitted()).toBe(1);

  // Another submission is another event.
  await go(-1);
  await send("And this one?");
  await expect.poll(submitted).toBe(2);
});

test("a draft stays when the page frames the form differently", async ({ page }) => {
  const show = async (query: string) => {
    shop.paste(framing(`${service()}/questions/new?client_id=${listing}&lang=en&${query}`));
    await page.goto(`${shop.origin}/own`);
    await expectFitted(page);
  };
  const question = formIn(page).getByRole("textbox", { name: t("questionForm.question"), exact: true });
  await show("key=lamp&messageid=1");
  await question.fill("Does it stay?");
  await show(`key=lamp&messageid=2&noheader=1&url=${shop.origin}/own`);
  await expect(question).toHaveValue("Does it stay?");
  await show("key=chair&messageid=2");
  await expect(question).toHaveValue("");
});

test("a page that hides its address receives the messages, too", async ({ page, consoleErrors }) => {
  // Its way back can be another site of the store.
  const query = new URLSearchParams({ client_id: listing, key: "lamp", url: "https://other.example/lamp" });
  shop.paste(framing(`${service()}/reviews/new?${query}`, 'referrerpolicy="no-referrer"'));
  await page.goto(`${shop.origin}/own`);
  await expectFitted(page);
  expect((await messagesOf(page)).at(-1)).toEqual({ origin: service(), testFreaks: { height: expect.any(Number) } });
  await expect(formIn(page).getByText("Lanterna", { exact: true })).toBeVisible();
  // The browser reports each origin that the page doesn't have.
  for (const text of consoleErrors.splice(0)) expect(text).toContain("https://other.example");
});

test("any page frames the form of a store without allowed origins", async ({ page }) => {
  stranger.paste(framing(`${service()}/questions/new?client_id=${open}&key=lamp&messageid=7`));
  await page.goto(`${stranger.origin}/own`);
  await expectFitted(page);
  expect((await messagesOf(page)).at(-1)?.testFreaks.messageId).toBe("7");
});

/** The page where the author of a rejected review changes it, of the store that may frame its forms. */
async function editAddress(request: APIRequestContext): Promise<string> {
  const email = `ada@${listing}`;
  const review = { author: "Ada", author_email: email, score: 2, content: "It flickers whenever it gets dark." };
  const data = { client_id: listing, api_key: publicKey, product_id: "lamp", product_name: "Oak lamp", ...review };
  expect((await request.post("/collect/reviews", { data })).status()).toBe(201);
  const { secret } = await admin<{ secret: string }>("key", "create", "--client", listing);
  const headers = { Authorization: `Bearer ${secret}` };
  const { data: stored } = (await (await request.get("/v1/reviews", { headers })).json()) as {
    data: { id: string; author: string }[];
  };
  const id = stored.find(({ author }) => author === "Ada")?.id ?? "";
  const rejection = { review: { accepted: false, reject_reason: "not_about_product" } };
  expect((await request.put(`/v1/reviews/${id}`, { headers, data: rejection })).status()).toBe(200);
  return new URL(await signEditLink(listing, "review", id, email)).pathname;
}

test("the browser shows no form in a page of another origin, and no other page in any", async ({
  page,
  request,
  consoleErrors,
}) => {
  const edit = await editAddress(request);
  await page.goto(edit);
  await expect(page.getByRole("heading", { name: t("editPage.headingReview") })).toBeVisible();
  const forms = ["reviews", "questions"].map((kind) => `/${kind}/new?client_id=${listing}&key=lamp`);
  const framed: [typeof shop, string][] = [
    ...forms.map((address): [typeof shop, string] => [stranger, address]),
    ...[
      ...["/portal", "/portal/reviews", "/portal/settings/display"].map((page) => `${page}?client_id=${listing}`),
      "/portal/sign-in",
      "/docs",
      "/r/none",
      "/edit/none",
      edit,
      "/o/none",
    ].map((address): [typeof shop, string] => [shop, address]),
  ];
  await openAs(page, demoLogin);
  for (const [site, address] of framed) {
    site.paste(framing(service() + address));
    await page.goto(`${site.origin}/own`);
    await expect.poll(() => page.frames()[1]?.url(), { message: address }).toBe("chrome-error://chromewebdata/");
    expect(await messagesOf(page), address).toEqual([]);
    expect(consoleErrors.splice(0).join("\n"), address).toContain("frame-ancestors");
  }
});

test("only the two forms may be framed, of all pages", async ({ page }) => {
  await openAs(page, demoLogin);
  const files = globSync("app/**/{page.tsx,route.ts}", { cwd: root }).map((file) => path.dirname(file));
  const addresses = files.map((folder) =>
    `/${folder.slice("app/".length)}`
      .replace(/\/\([^)]*\)/g, "")
      .replace("[client_id]", open)
      .replace(/\[+[^\]]*\]+/g, "none"),
  );
  expect(addresses.length).toBeGreaterThan(100);
  const policies = [];
  // One after the other: all at once, the server would answer nobody else for long.
  for (const address of [...addresses, `/reviews/new?client_id=${open}&key=a`, `/questions/new?client_id=${open}`]) {
    const headers = (await page.request.get(address, { maxRedirects: 0, failOnStatusCode: false })).headers();
    expect(headers["x-frame-options"], address).toBeUndefined();
    const isPage = headers["content-type"]?.startsWith("text/html") || headers.location !== undefined;
    const ancestors = /frame-ancestors [^;]*/.exec(headers["content-security-policy"] ?? "")?.[0];
    policies.push({ address, isPage, ancestors });
  }
  const pages = policies.filter(({ isPage }) => isPage);
  expect(pages.length).toBeGreaterThan(50);
  expect(pages.filter(({ ancestors }) => ancestors !== "frame-ancestors 'none'")).toEqual([
    { address: `/reviews/new?client_id=${open}&key=a`, isPage: true, ancestors: "frame-ancestors *" },
    { address: `/questions/new?client_id=${open}`, isPage: true, ancestors: "frame-ancestors *" },
  ]);
});

test("a store's pages load the snippet and the forms from its own host name", async ({ page }) => {
  const { protocol, port } = new URL(service());
  const host = `reviews.localhost:${port}`;
  await openAs(page, demoLogin, `/portal/settings/display?client_id=${open}`);
  const field = page.getByLabel("Custom hostname");
  await field.fill(`https://${host}`);
  await field.press("Enter");
  await expect(page.getByText("It must be a hostname such as reviews.shop.example.").first()).toBeVisible();
  await field.fill(host);
  await field.press("Enter");
  await expect(page.getByText("Settings saved.").first()).toBeVisible();
  await expect(page.getByText(`src="${protocol}//${host}/onpage/${open}/head.js`)).toBeVisible();
  await page.goto(`/portal/setup?client_id=${open}`);
  await expect(page.getByText(`src="${protocol}//${host}/onpage/${open}/head.js`)).toBeVisible();

  const requested = new Set<string>();
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.host === host) requested.add(url.pathname);
  });
  shop.paste(framing(`${protocol}//${host}/questions/new?client_id=${open}&key=lamp&messageid=own`));
  await page.goto(`${shop.origin}/own`);
  const form = formIn(page);
  await form.getByRole("textbox", { name: t("questionForm.question"), exact: true }).fill("Is it yours?");
  await form.getByRole("textbox", { name: t("questionForm.author"), exact: true }).fill("Bo");
  await form.getByRole("button", { name: t("questionForm.submit") }).click();
  await expect(form.getByRole("heading", { name: t("form.thanksHeading") })).toBeVisible();
  await expect
    .poll(async () => (await messagesOf(page)).some(({ testFreaks }) => testFreaks.event === "submit"))
    .toBe(true);
  expect((await messagesOf(page)).every(({ origin }) => origin === `${protocol}//${host}`)).toBe(true);

  // A proxy that forwards what the guide lists is enough, also for a link to vote.
  const list = await page.request.get("/onpage/demo.candor.example/reviews/list.json?key=FF-LAMP-BRASS");
  const [review] = ((await list.json()) as { reviews: { feedback_url: string }[] }).reviews;
  await page.goto(`${protocol}//${host}${new URL(review?.feedback_url ?? "").pathname}?type=up`);
  await page.evaluate(() => document.fonts.ready);
  const guide = readFileSync(path.join(root, "docs/guides/moving-from-a-hosted-service.md"), "utf8");
  const [passedOn = ""] = /forward these paths to Candor[\s\S]*?\n3\. /.exec(guide) ?? [];
  const paths = [...passedOn.matchAll(/`(\/[^`]+)`/g)].map(([, one = ""]) => one);
  expect(paths.length).toBeGreaterThan(5);
  expect([...requested].filter((pathname) => !paths.some((one) => pathname.startsWith(one)))).toEqual([]);
});
