import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { queueReview } from "@/lib/integrations/engagement/queue-review";
import { sealCredentials } from "@/lib/integrations/rows";
import { type EngagementFailure, EngagementFake, engagementKey } from "@/lib/tools/fakes/engagement";
import { emptyDatabase } from "@/lib/tools/test/database";
import { waitUntil } from "@/lib/tools/test/engines";
import { aClient, rowsOf, someReviews } from "@/lib/tools/test/factories";
import { killPrograms, startProgram } from "@/lib/tools/test/program";

vi.hoisted(() => {
  process.env.ALLOW_PRIVATE_URLS = "true";
});

// Every kind of failure occurs before and after requests are processed, and three concurrent workers are killed three
// times: each review must become exactly one interaction. STORM=5000 is the full size; the default fits into a test
// run.

const REVIEWS = Number(process.env.STORM ?? 80);
const CONTACTS = Math.ceil(REVIEWS / 4);
const LONGEST = Math.max(120_000, REVIEWS * 400);
const CONCURRENCY = 3;

const fake = new EngagementFake({ rate: 50 });
let base = "";

beforeAll(async () => {
  await emptyDatabase();
  base = await fake.listen();
});
afterAll(async () => {
  await killPrograms();
  await fake.close();
});

/** One in five requests fails, with each kind of failure, in a reproducible order. */
const failures: EngagementFailure[] = [
  { status: 429 },
  { status: 500 },
  { status: 502, after: true },
  "cut",
  "cut after",
  { status: 503, html: true },
  "slow body",
  { status: 429, retryAfter: 1 },
  "cut after",
  "never answer",
];
const storm = (n: number): EngagementFailure | null =>
  n % 5 === 0 ? (failures[(n / 5) % failures.length] ?? null) : null;

it(
  `tells each of ${REVIEWS} reviews once, through everything`,
  async () => {
    const shop = await aClient();
    await rowsOf(
      "insert into integrations (client_id, type, settings, secrets, created_at) values ($1, 'engagement', $2, $3, now() - interval '1 hour')",
      [shop.id, JSON.stringify({ base_url: base }), sealCredentials({ api_key: engagementKey })],
    );
    const contacts = Array.from({ length: CONTACTS }, (_, n) => fake.addContact({ email: `ada${n}@storm.example` }));
    const scores = Array.from({ length: REVIEWS }, (_, n) => 1 + ((n * 7) % 5));
    // Some are sent with identical content and time.
    const moment = new Date("2999-01-01T12:00:00Z");
    const ids = await someReviews(
      shop.id,
      scores.map((score, n) => ({
        source: "collect",
        verified_email: true,
        author_email: `ada${n % CONTACTS}@storm.example`,
        email_key: `ada${n % CONTACTS}@storm.example`,
        score,
        created_at: new Date(moment.getTime() + Math.floor(n / CONTACTS / 2) * 1_000),
      })),
    );
    for (const id of ids) expect(await queueReview(shop.id, id)).toBe("due");
    fake.failureFor = storm;
    const sent = async (kind: string) =>
      Number(
        (
          await rowsOf("select count(*) as n from deliveries where client_id = $1 and kind = $2 and outcome = 'sent'", [
            shop.id,
            kind,
          ])
        )[0].n,
      );
    const start = () => {
      for (let n = 0; n < CONCURRENCY; n += 1)
        startProgram("lib/integrations/engagement/fixtures/deliver-process.ts", [shop.id]);
    };
    for (const part of [0.15, 0.4, 0.7]) {
      start();
      await waitUntil(async () => (await sent("interaction")) >= REVIEWS * part, LONGEST);
      await killPrograms();
    }
    start();
    await waitUntil(
      async () => (await sent("interaction")) === REVIEWS && (await sent("attributes")) === REVIEWS,
      LONGEST,
    );
    await killPrograms();

    expect(fake.interactions.size).toBe(REVIEWS);
    const remote = await rowsOf(
      "select distinct remote_id from deliveries where client_id = $1 and kind = 'interaction'",
      [shop.id],
    );
    expect(remote.map(({ remote_id }) => remote_id).sort()).toEqual([...fake.interactions.keys()].sort());
    for (const [n, contact] of contacts.entries()) {
      const own = scores.filter((_, index) => index % CONTACTS === n);
      expect(fake.interactionsOf(contact.id)).toHaveLength(own.length);
      const average = own.reduce((sum, score) => sum + score, 0) / own.length;
      expect(contact.attributes.reviewAverageGrade).toBe(Math.round((average + Number.EPSILON) * 100) / 100);
      const createdDates = fake.interactionsOf(contact.id).map(({ createdDate }) => createdDate);
      expect(contact.attributes.reviewLatest).toBe(createdDates.sort().at(-1));
      // Either of two reviews with the same time may be the latest.
      expect(own.slice(-2)).toContain(contact.attributes.reviewLatestValue);
    }
    expect(fake.peakRate).toBeLessThanOrEqual(50);
  },
  3 * LONGEST,
);
