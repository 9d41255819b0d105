import { existsSync } from "node:fs";
import path from "node:path";
import { root } from "@/lib/tools/launch/bootstrap.mjs";
import { admin, createPerson, expect, openAs, test } from "./fixtures";
import { runAdmin } from "./server";

// The main path from end to end: feed → order → invitation → review → moderation → API and display.

type Client = { public_key: string };
type Mail = { id: string; to: string; subject: string; text: string; html: string };
type Review = {
  id: string;
  extract: string;
  accepted: boolean | null;
  verified_buyer: boolean;
  reject_reason: string | null;
  order_id: string;
  customer_id: string;
  images: { icon: string }[];
};
type Summary = { id: string; your_review_count: number; your_avg_score: number | null };
type Report = { read: number; created: number; updated: number; unchanged: number; rejected: unknown[] };

const feeds = [
  { name: "a feed of our own making", file: path.join(root, "lib/feeds/fixtures/lanterna.rss.xml") },
  { name: "a real Google Merchant feed", file: path.join(root, "../shared/data/feeds/avernas-sv.rss.xml") },
];

const DAY = 86_400_000;
const day = (moment: number): string => new Date(moment).toISOString().slice(0, 10);

for (const [index, feed] of feeds.entries()) {
  test(`imports, invites, reviews, moderates and displays, with ${feed.name}`, async ({ page, request, baseURL }) => {
    test.skip(!existsSync(feed.file), "the real feeds are not part of the repository");
    // The feed's pictures are not fetched from the stores' servers.
    const picture = await photo();
    await page.route(
      (url) => url.origin !== new URL(baseURL ?? "").origin,
      (otherOriginRoute) => otherOriginRoute.fulfill({ contentType: "image/png", body: picture }),
    );
    const clientId = `journey-${index}.example`;
    const buyer = `ada.${index}@customers.example`;
    const client = await admin<Client>("client", "create", "--id", clientId, "--set", "display_name=Lanterna & Co");
    const { secret } = await admin<{ secret: string }>("key", "create", "--client", clientId);
    const person = await createPerson(`merchant-${index}`, "moderator", clientId);
    const headers = { Authorization: `Bearer ${secret}` };
    const get = async <T>(address: string): Promise<T> => {
      const answer = await request.get(address, { headers });
      expect(answer.status(), address).toBe(200);
      return (await answer.json()) as T;
    };

    // By the whole command; elsewhere without its launcher.
    const port = Number(new URL(baseURL ?? "").port);
    const imported = runAdmin(process.env.E2E_DATA_DIR ?? "", port, [
      "products",
      "import",
      feed.file,
      "--client",
      clientId,
    ]);
    const report = (await imported) as Report;
    expect(report.created).toBeGreaterThan(2);
    expect(report.read).toBe(report.created + report.updated + report.unchanged + report.rejected.length);
    const { data: catalog } = await get<{ data: { id: string; name: string }[] }>("/v1/products?limit=3");
    expect(catalog).toHaveLength(3);
    const [first, second, third] = catalog as [(typeof catalog)[0], (typeof catalog)[0], (typeof catalog)[0]];

    const delivered = Date.now();
    const posted = await request.post("/v1/orders", {
      headers,
      data: {
        order: {
          id: "O-1",
          customer: { id: "C-1", name: "Ada Berg", email: buyer },
          items: [
            ...catalog.map(({ id }) => ({ id, delivery_date: day(delivered) })),
            { id: "no-such-sku", delivery_date: day(delivered) },
          ],
        },
      },
    });
    expect(posted.status()).toBe(200);
    const [order] = ((await posted.json()) as { data: { items: { id: string; reviewable: boolean }[] }[] }).data;
    expect(order?.items.map(({ id, reviewable }) => [id, reviewable])).toEqual([
      [first.id, true],
      [second.id, true],
      [third.id, true],
      ["no-such-sku", false],
    ]);

    // Not due today; due once the clock has moved.
    const mails = () => admin<Mail[]>("mail", "list", "--to", buyer);
    await admin("jobs", "run", "send-invitations", "--client", clientId);
    expect(await mails()).toEqual([]);
    const due = new Date(delivered + 8 * DAY).toISOString();
    await admin("jobs", "run", "send-invitations", "--client", clientId, "--now", due);
    const sent = await mails();
    expect(sent).toHaveLength(1);
    const mail = await admin<Mail>("mail", "show", sent[0]?.id ?? "");
    for (const { name } of catalog) expect(mail.text).toContain(name);
    const link = new RegExp(`${baseURL}/r/[^\\s"?]+`).exec(mail.text)?.[0] ?? "";
    expect(link).not.toBe("");

    // The customer writes two reviews, one with a photo.
    await page.goto(link);
    const positiveText = `Reads well at night, and the hinge holds. (${index})`;
    const negativeText = `Came with a scratch and costs 75 euro elsewhere. (${index})`;
    const productGroup = (name: string) => page.getByRole("group", { name, exact: true });
    await productGroup(first.name).getByRole("radio", { name: /^5/ }).check();
    await productGroup(first.name).getByRole("textbox", { name: "Your review" }).fill(positiveText);
    await productGroup(first.name)
      .getByLabel(/photos/i)
      .setInputFiles({ name: "lamp.png", mimeType: "image/png", buffer: picture });
    await productGroup(second.name).getByRole("radio", { name: /^2/ }).check();
    await productGroup(second.name).getByRole("textbox", { name: "Your review" }).fill(negativeText);
    await page.getByRole("button", { name: "Submit review" }).click();
    await expect(page.getByRole("heading", { name: /thank/i })).toBeVisible();

    const pending = await get<{ data: Review[] }>("/v1/reviews?moderation_status=pending");
    expect(
      pending.data.map(({ extract, verified_buyer, order_id, customer_id }) => ({
        extract,
        verified_buyer,
        order_id,
        customer_id,
      })),
    ).toEqual([
      { extract: positiveText, verified_buyer: true, order_id: "O-1", customer_id: "C-1" },
      { extract: negativeText, verified_buyer: true, order_id: "O-1", customer_id: "C-1" },
    ]);
    expect(pending.data[0]?.images).toHaveLength(1);

    // The merchant signs in, publishes one and rejects the other.
    await openAs(page, person, "/portal/reviews");
    await expect(page.getByRole("article")).toContainText(positiveText);
    await page.keyboard.press("a");
    await expect(page.getByRole("article")).toContainText(negativeText);
    await page.keyboard.press("r");
    await page.getByRole("dialog").getByRole("button", { name: "Only about the price" }).click();
    await expect(page.getByRole("main")).not.toContainText(negativeText);

    // The decisions show everywhere.
    const decided = async () =>
      (await get<{ data: Review[] }>("/v1/reviews")).data.map(({ accepted, reject_reason }) => [
        accepted,
        reject_reason,
      ]);
    await expect.poll(decided).toEqual([
      [true, null],
      [false, "price"],
    ]);
    const summaries = (await get<{ data: Summary[] }>("/v1/summaries?limit=1000")).data;
    expect(summaries.find(({ id }) => id === first.id)).toMatchObject({ your_review_count: 1, your_avg_score: 5 });
    expect(summaries.find(({ id }) => id === second.id)).toMatchObject({ your_review_count: 0 });
    const getDisplay = async (product: string) =>
      (await (await request.get(`/onpage/${clientId}/reviews.json?key=${encodeURIComponent(product)}`)).json()) as {
        your_review_count: number;
        your_review_url: string;
      };
    expect((await getDisplay(second.id)).your_review_count).toBe(0);
    const display = await getDisplay(first.id);
    expect(display.your_review_count).toBe(1);
    const { reviews } = (await (await request.get(display.your_review_url)).json()) as { reviews: Review[] };
    expect(reviews.map(({ extract }) => extract)).toEqual([positiveText]);
    expect((await request.get(reviews[0]?.images[0]?.icon ?? "")).headers()["content-type"]).toBe("image/png");
    expect(await admin("summaries", "verify", "--client", clientId)).toEqual({ differences: [] });

    // No one is invited twice. The only further email is about the rejection.
    await admin("jobs", "run", "send-invitations", "--client", clientId, "--now", due);
    expect((await mails()).filter(({ subject }) => subject === sent[0]?.subject)).toHaveLength(1);
    expect(client.public_key).toMatch(/^pk_/);
  });
}

/** A small generated picture. */
async function photo(): Promise<Buffer> {
  const { default: sharp } = await import("sharp");
  return sharp({ create: { width: 320, height: 200, channels: 3, background: "#2f6b5b" } })
    .png()
    .toBuffer();
}
