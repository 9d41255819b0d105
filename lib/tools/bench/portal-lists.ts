import type { Actor } from "@/lib/accounts/actor";
import { listAccounts } from "@/lib/accounts/list-accounts";
import { listAudit } from "@/lib/accounts/list-audit";
import { listClientKeys } from "@/lib/accounts/list-client-keys";
import { listPeople } from "@/lib/accounts/list-people";
import { countNotifications, listNotifications } from "@/lib/accounts/notifications/list-notifications";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { listBrands, listCategories } from "@/lib/catalog/products/list-brands";
import { listPortalProducts } from "@/lib/catalog/products/list-portal-products";
import { listImports } from "@/lib/feeds/list-imports";
import { countFailures, listFailures } from "@/lib/insights/home/list-failures";
import { listDeliveries } from "@/lib/integrations/list-integrations";
import { listSyncRuns as listIntegrationRuns } from "@/lib/integrations/record-run";
import { listWebhookDeliveries } from "@/lib/integrations/webhooks/list-webhooks";
import { listOrdersInvitedSoon, listOrdersNotInvited, MAX_SCANNED } from "@/lib/invitations/list-orders-by-invitation";
import { type FilterReason, filterReasons, type SoonSort } from "@/lib/invitations/values";
import { listLibrary, scopeOf } from "@/lib/moderation/library/list-library";
import { listPhotos } from "@/lib/moderation/library/list-photos";
import { readLibraryFilter } from "@/lib/moderation/library/values";
import { countPending } from "@/lib/moderation/queue/count-pending";
import { listPendingClients } from "@/lib/moderation/queue/list-pending-clients";
import { listQueue } from "@/lib/moderation/queue/list-queue";
import { QueueFilter } from "@/lib/moderation/queue/schema";
import { listPortalOrders } from "@/lib/orders/list-portal-orders";
import { type OrderSort, orderSorts } from "@/lib/orders/values";
import { listRuns } from "@/lib/platform/jobs/list-runs";
import { listMailboxPage } from "@/lib/platform/mail/list-mailbox-page";
import { listRegister } from "@/lib/privacy/list-register";
import { search } from "@/lib/search/search";
import { listReviewImports } from "@/lib/transfer/imports/list-review-imports";

// The portal's lists with their filters, and any number of rows for them in every table. A test checks how many rows a
// page reads; the benchmark measures how long it takes with a million.

/** Number of rare rows per table, the oldest of all: a list that scans until its page is full scans everything. */
export const RARE_ROWS = 5;
/** Items of the queue that a page looks through for filters without an index. */
const QUEUE_ROWS = 4_000;
/** Reviews in which words are looked for first, with their words. */
const WORD_ROWS = 2_000;
/** Reviews that a page reads to find those of one product among twenty, or with their products. */
const PRODUCT_ROWS = 2_000;
/** Items and their orders that are evaluated to find those invited soon. */
const SOON_ROWS = 20_000;
/** Number of products that reviews and questions are about. */
const PRODUCTS = 20;

/** The photos of a review, as stored. */
const PHOTOS =
  '[{"token":"t","key":"k","format":"jpeg","width":1,"height":1,"sizes":{"icon":[1,1],"medium":[1,1],"large":[1,1]}}]';

type Run = (text: string, values: unknown[]) => Promise<unknown>;

const rareOr = (seldom: string, often: string) => `case when n <= ${RARE_ROWS} then '${seldom}' else '${often}' end`;
/** The products of rare reviews have a brand and a category of their own. */
const brandOr = (rare: string, often: string) =>
  `case when n <= ${RARE_ROWS} then 'Seldom' when n > ${PRODUCTS} and n <= ${PRODUCTS + RARE_ROWS} then '${rare}' else '${often}' end`;
const reviewId = "to_char(n, 'FM0000000000000000')";
/** As long for every order, as a shop's are: the order of the numbers is the order in which they were placed. */
const orderId = "'o' || to_char(n, 'FM00000000')";

/**
 * Tables with their columns and the values of row `n`. `at` is the row's time, `$1` the client. `is_open`: no invitation
 * contains the order's item. A condition selects the rows.
 */
const tables: [table: string, columns: string, values: string, condition?: string][] = [
  [
    "products",
    "client_id, id, family_id, name, brand, category, deleted",
    `$1, 'p' || n, 'f' || n / 4, 'Lamp ' || n, ${brandOr("Rare", "Lanterna")}, ${brandOr("Rare", "Lamps")}, n <= ${RARE_ROWS}`,
  ],
  [
    "customers",
    "client_id, id, id_hash, name, email, email_key",
    `$1, 'c' || n, 'h' || n, case when n <= ${RARE_ROWS} then 'Seldom Berg' when n % 100 = 0 then 'Ada Often' else 'Customer ' || n end, n || '@x.example', n || '@x.example'`,
  ],
  ["orders", "client_id, id, customer_id, created_at", `$1, ${orderId}, 'c' || n, at`],
  [
    "order_items",
    "client_id, order_id, id, position, reviewable, delivery_date, asked, created_at",
    `$1, ${orderId}, ${rareOr("seldom", "often")}, 0, true, current_date - n / 20 % 200, not is_open, at`,
  ],
  [
    "invitations",
    "client_id, id, status, day, lang, sent_at, customer_id, created_at",
    "$1, 'i' || n, 'sent', at::date, 'en', now(), 'c' || n, at",
  ],
  [
    "invitation_items",
    "client_id, invitation_id, order_id, item_id, position",
    `$1, 'i' || n, ${orderId}, ${rareOr("seldom", "often")}, 0`,
    "not is_open",
  ],
  [
    "mails",
    `client_id, id, idempotency_key, kind, "to", to_key, "from", subject, status, created_at`,
    `$1, 'm' || n, 'k' || n, 'invitation', n || '@x.example', ${rareOr("ada@x.example", "b@x.example")}, 'shop@x.example', 'Hi', case when n <= ${RARE_ROWS} or n % 2 = 0 then 'kept' else 'sent' end, at`,
  ],
  [
    "job_runs",
    "id, function_id, event_id, event, status, queued_at, ended_at",
    `'r' || n, 'candor-work', 'e' || n, '{"name":"work"}'::jsonb, ${rareOr("failed", "done")}, at, now()`,
  ],
  [
    "audit_entries",
    "client_id, at, actor_kind, actor_id, action, subject",
    `$1, at, 'user', ${rareOr("usr_seldom", "usr_often")}, case when n <= ${RARE_ROWS} then 'personal_data.erased' when n % 3 = 0 then 'personal_data.copied' else 'settings.changed' end, 's' || n`,
  ],
  [
    "deliveries",
    "client_id, id, type, kind, subject, outcome, created_at",
    `$1, 'd' || n, 'engagement', 'review', 's' || n, ${rareOr("failed", "sent")}, at`,
  ],
  ["integration_runs", "client_id, id, type, started_at, outcome", "$1, 'run' || n, 'engagement', at, 'done'"],
  [
    "review_imports",
    "client_id, id, kind, layout, filename, status, created_at, imported_at",
    "$1, 'imp' || n, 'reviews', 'judgeme', 'reviews.csv', 'imported', at, at",
  ],
  ["feed_imports", "client_id, id, kind, source, status, started_at", "$1, 'imp' || n, 'products', 'feed', 'done', at"],
  ...[
    ["hook", rareOr("failed", "sent")],
    ["full", "'pending'"],
  ].map(([hook, state]): [string, string, string] => [
    "webhook_deliveries",
    "client_id, webhook_id, event, subject, data, happened_at, state, due_at",
    `$1, '${hook}', 'review.created', 's' || n, '{}'::jsonb, at, ${state}, now()`,
  ]),
  [
    "reviews",
    "client_id, id, author, date, feedback_token, created_at, updated_at, accepted, accepted_at, decided_at, reject_reason, product_id, family_id, score, extract, lang, source, verified_buyer, images, responses",
    `$1, ${reviewId}, 'Ada', at::date, 'reviews/' || $1 || n, at, at, case when n > ${RARE_ROWS} then n % 50 <> 0 end,
     case when n > ${RARE_ROWS} and n % 50 <> 0 then now() end, now(),
     case when n % 50 = 0 then case when n <= 50 * ${RARE_ROWS} then 'spam' else 'price' end end,
     'p' || case when n <= ${RARE_ROWS} then ${PRODUCTS} + n else n % ${PRODUCTS} end, 'f1', case when n <= ${RARE_ROWS} then 1 else 4 end,
     ${rareOr("seldom", "a fine lamp")}, ${rareOr("sv", "en")}, ${rareOr("collect", "web")}, n <= ${RARE_ROWS}, ${rareOr(PHOTOS, "[]")}::jsonb,
     ${rareOr('[{"extract":"Thank you."}]', "[]")}::jsonb`,
  ],
  [
    "review_words",
    "client_id, id, text_at, words",
    `$1, ${reviewId}, at, search_words($1, ${rareOr("seldom", "a fine lamp")})`,
  ],
  [
    "seller_reviews",
    "client_id, id, source, author, date, feedback_token, created_at, updated_at, accepted, accepted_at, score, extract, lang",
    `$1, 's' || ${reviewId}, 'web', 'Ada', at::date, 'seller/' || $1 || n, at, at, case when n % 2 = 0 then true end,
     case when n % 2 = 0 then at end, 5, 'a fine shop', 'en'`,
  ],
  [
    "questions",
    "client_id, id, source, author, date, feedback_token, created_at, updated_at, accepted, accepted_at, product_id, family_id, question, answer_count, lang",
    `$1, 'q' || ${reviewId}, 'web', 'Ada', at::date, 'questions/' || $1 || n, at, at, case when n % 2 = 0 then true end,
     case when n % 2 = 0 then at end, 'p' || n % ${PRODUCTS}, 'f1', 'Which bulb?', 1, 'en'`,
  ],
  [
    "seller_review_words",
    "client_id, id, text_at, words",
    `$1, 's' || ${reviewId}, at, search_words($1, 'a fine shop')`,
  ],
  ["question_words", "client_id, id, text_at, words", `$1, 'q' || ${reviewId}, at, search_words($1, 'Which bulb?')`],
  [
    "uploads",
    "client_id, token, key, format, width, height, sizes, bytes, claimed_at, subject_kind, subject_id, queued_at, accepted",
    `$1, 't' || to_char(n, 'FM0000000'), 'lists' || n, 'jpeg', 1, 1, '{"icon":[1,1],"medium":[1,1],"large":[1,1]}'::jsonb, 1, now(), 'review',
     ${reviewId}, at, case when n > ${RARE_ROWS} then n % 50 <> 0 end`,
  ],
  [
    "notifications",
    "user_id, client_id, kind, params, path, dedupe_key, again_at, read_at",
    `'usr_lists', $1, 'feed_failed', '{"url":"feed"}'::jsonb, '/portal/feeds', 'feed' || n, at, case when n > ${RARE_ROWS} then now() end`,
  ],
  // Rows of other accounts, people and keys are shared by the whole installation.
  ["accounts", "id, name", `'acc_' || n, ${rareOr("Seldom", "Account")} || ' ' || n`],
  [
    "users",
    "id, account_id, all_clients, username, password_hash, role",
    "'usr_' || n, 'acc_' || n, true, 'person' || n, '', 'admin'",
  ],
  [
    "api_keys",
    "id, account_id, name, prefix, secret_hash, scopes",
    "'key_' || n, 'acc_' || n, 'Key', 'sk_', sha256(('lists' || n)::bytea), '{read}'",
  ],
  ["item_assignments", "client_id, kind, subject_id, user_id", `$1, 'review', ${reviewId}, 'usr_' || n`],
];

type RowRange = { from?: number; to: number; last?: number };
type Statement = { table: string; text: string; values: unknown[] };

/**
 * Returns the statements that insert rows `from` to `to` of every table that a portal list reads, one per second,
 * ending now at row `last`. Run {@link insertReferencedRows} first. The rows of a table reference those of earlier
 * ones.
 */
export const listRows = (shop: Pick<ClientRow, "id">, { from = 1, to, last = to }: RowRange): Statement[] =>
  tables.map(([table, columns, values, condition = "true"]) => ({
    table,
    text: `insert into ${table} (${columns}) select ${values}
             from (select n, n % 20 = 0 as is_open, now() - make_interval(secs => ${last} - n) as at
                     from generate_series(${from}, ${to}) n) g
            where ${condition}`,
    values: values.includes("$1") ? [shop.id] : [],
  }));

/** Inserts the few rows that those of {@link listRows} reference. */
export async function insertReferencedRows(run: Run, shop: Pick<ClientRow, "id">): Promise<void> {
  await run("insert into integrations (client_id, type, updated_at) values ($1, 'engagement', now())", [shop.id]);
  await run(
    "insert into users (id, username, password_hash, role) values ('usr_lists', 'lists', '', 'operator') on conflict do nothing",
    [],
  );
  for (const id of ["hook", "full"])
    await run(
      "insert into webhooks (client_id, id, url, events, secrets) values ($1, $2, 'https://hooks.invalid/', '{review.created}', '')",
      [shop.id, id],
    );
}

/** Tables of which a page may read up to 25,000 rows. */
export const farScanned = new Set([
  "products",
  "customers",
  "orders",
  "order_items",
  "invitations",
  "invitation_items",
]);

/**
 * Inserts `rows` rows into every table, `farRows` into those of which pages read most. Analyzes each table right away:
 * while PostgreSQL's statistics say it is empty, foreign key checks against it use sequential scans and reach the
 * statement timeout.
 */
export async function insertListRows(
  run: Run,
  shop: Pick<ClientRow, "id">,
  { rows, farRows }: { rows: number; farRows: number },
): Promise<void> {
  await insertReferencedRows(run, shop);
  const far = listRows(shop, { to: farRows });
  for (const [index, few] of listRows(shop, { to: rows }).entries()) {
    const { table, text, values } = farScanned.has(few.table) ? (far[index] as Statement) : few;
    await run(text, values);
    await run(`analyze ${table}`, []);
  }
}

/** A list, or a filter of it. */
export type PortalList = {
  /** the folder of the portal's page that shows it */
  page: string;
  name: string;
  fetchPage: (after?: string) => Promise<unknown>;
  /** rows that a page may scan if no index serves its filter */
  maxScannedRows?: number;
};

/** The cursor of the next page. */
export const cursorOf = (page: unknown): string | undefined => {
  const { next, links } = page as { links?: { next?: string }; next?: string | null };
  return next ?? (links?.next && new URL(links.next).searchParams.get("after")) ?? undefined;
};

/**
 * Every list of the portal with its main filters, as an operator sees them; those of the queue as a moderator. Each
 * calls the same function with the same arguments as its page.
 */
export function portalLists(client: ClientRow): PortalList[] {
  const url = new URL("http://localhost/list");
  const moderator = { id: "usr_7", role: "moderator" as const };
  const operator: Actor = {
    kind: "user",
    id: "usr_lists",
    role: "operator",
    clients: "all",
    accountId: null,
    hasAccountAccess: true,
  } as unknown as Actor;
  const shop = { id: client.id, require_verification: false };
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
  const queueOf = (given: object) => (after?: string) =>
    listQueue(moderator, shop, { ...QueueFilter.parse(given), client_id: client.id, after }, url);
  const libraryOf = (query: string) => async (after?: string) => {
    const params = new URLSearchParams(query);
    const scope = await scopeOf(
      moderator,
      client,
      readLibraryFilter((name) => params.get(name)),
    );
    return listLibrary(moderator, client, scope, after);
  };
  const auditOf = (given: object) => (after?: string) =>
    listAudit(operator, client, { client_id: client.id, ...given, after }, url);
  const ordersOf = (q?: string, sort?: OrderSort) => (after?: string) =>
    listPortalOrders(moderator, client, { q, after, ...(sort && { sort }) });
  const invitedSoonOf = (sort: SoonSort) => (after?: string) =>
    listOrdersInvitedSoon({ actor: moderator, client, after }, sort);
  const notInvitedOf =
    (reason: FilterReason | null, sort: OrderSort = "newest") =>
    (after?: string) =>
      listOrdersNotInvited({ actor: moderator, client, after }, sort, reason);
  const lists: Record<string, [name: string, fetchPage: PortalList["fetchPage"], maxScannedRows?: number][]> = {
    ".": [
      ["pending counts", () => countPending(operator, client), 5_000],
      ["stores with pending items", () => listPendingClients(operator, 20)],
      ["the number of failures", () => countFailures({ role: "operator" }, client)],
      ...["o000007", "ada", "seldom", "lamp", "bulb", "shop", "nothing", "7777@x.example"].map(
        (q): [string, PortalList["fetchPage"], number] => [
          `search for ${q}`,
          () => search(moderator, client, q),
          8_000,
        ],
      ),
    ],
    queue: [
      ["pending items of all kinds", queueOf({})],
      ["items pending for more than a day", queueOf({ age: "day" })],
      ["all that was accepted", queueOf({ status: "accepted" })],
      ["pending photos", queueOf({ kind: "photo" })],
      ["photos that were accepted", queueOf({ kind: "photo", status: "accepted" })],
      ["photos that were rejected", queueOf({ kind: "photo", status: "rejected" })],
      ["all photos", queueOf({ kind: "photo", status: "all" })],
      ["photos of a review", queueOf({ kind: "photo", status: "all", q: "0000000000000007" })],
    ],
    library: [
      ["brands and categories to filter by", () => Promise.all([listBrands(client.id), listCategories(client.id)])],
      ["reviews by date", libraryOf("")],
      ["reviews by date, oldest first", libraryOf("sort=oldest")],
      ["reviews by rating", libraryOf("sort=lowest")],
      ["reviews by rating, highest first", libraryOf("sort=highest")],
      ["reviews without a reply", libraryOf("status=accepted&reply=0")],
      ["reviews with a reply, rare", libraryOf("reply=1")],
      ["reviews of a day", libraryOf("from=2001-01-01&to=2001-01-01")],
      ["reviews until a day", libraryOf(`to=${daysAgo(1)}`)],
      ["reviews pending, rare", libraryOf("status=pending")],
      ["reviews rejected", libraryOf("status=rejected")],
      ["reviews rejected, lowest rating first", libraryOf("status=rejected&sort=lowest")],
      ["reviews rejected for a rare reason", libraryOf("status=rejected&reason=spam")],
      ["reviews with a rare rating", libraryOf("stars=1")],
      ["reviews of one product", libraryOf("product=p7"), PRODUCT_ROWS],
      ["reviews of a rare product", libraryOf("product=p21")],
      ["reviews of a brand", libraryOf("brand=Lanterna"), PRODUCT_ROWS],
      ["reviews of a rare brand", libraryOf("brand=Rare")],
      ["reviews of a brand there is not", libraryOf("brand=None")],
      ["reviews of a rare category", libraryOf("category=Rare")],
      ["reviews in a language", libraryOf("lang=en")],
      ["reviews in a rare language", libraryOf("lang=sv")],
      ["reviews in a rare language by rating", libraryOf("lang=sv&sort=lowest")],
      ["reviews from a source", libraryOf("source=web")],
      ["reviews from a rare source", libraryOf("source=collect")],
      ["reviews with photos, rare", libraryOf("photos=1")],
      ["reviews without photos", libraryOf("photos=0")],
      ["reviews of verified buyers, rare", libraryOf("verified=1")],
      ["reviews whose rating changed, none", libraryOf("score_change=up")],
      ["reviews with several filters", libraryOf("lang=en&source=web&status=accepted&photos=0")],
      ["reviews with several filters, none", libraryOf("lang=en&source=web&status=accepted&stars=5&photos=1")],
      ["reviews with a rare word", libraryOf("q=seldom"), WORD_ROWS],
      ["reviews with a word that is in all", libraryOf("q=lamp"), WORD_ROWS],
      ["reviews with a word that is in all, by rating", libraryOf("q=lamp&sort=highest"), WORD_ROWS],
      ["reviews with a word and a rare language", libraryOf("q=lamp&lang=sv"), WORD_ROWS],
      ["a review by its id", libraryOf("q=0000000000000007")],
      ["questions by date", libraryOf("kind=question")],
      ["questions by date, oldest first", libraryOf("kind=question&sort=oldest")],
      ["questions of one product", libraryOf("kind=question&product=p7"), PRODUCT_ROWS],
      ["questions that are pending", libraryOf("kind=question&status=pending")],
      ["questions without an answer, none", libraryOf("kind=question&reply=0")],
      ["questions with a word that is in all", libraryOf("kind=question&q=bulb"), WORD_ROWS],
      ["seller reviews by date", libraryOf("kind=seller_review")],
      ["seller reviews by rating", libraryOf("kind=seller_review&sort=highest")],
      ["seller reviews with photos, none", libraryOf("kind=seller_review&photos=1")],
      ["seller reviews rejected, none", libraryOf("kind=seller_review&status=rejected")],
      ["seller reviews with a word that is in all", libraryOf("kind=seller_review&q=shop"), WORD_ROWS],
    ],
    "library/photos": [
      ["photos", (after) => listPhotos(moderator, client, { after })],
      ["hidden photos, none", () => listPhotos(moderator, client, { state: "hidden" })],
      ["photos that are not hidden", (after) => listPhotos(moderator, client, { state: "shown", after })],
    ],
    reviews: [
      ["pending reviews", queueOf({ kind: "review" })],
      ["pending reviews that are assigned to the person", queueOf({ kind: "review", assigned: "me" })],
      ["pending reviews that are not assigned", queueOf({ kind: "review", assigned: "none" }), 4_000],
      ["reviews that were accepted", queueOf({ kind: "review", status: "accepted" })],
      ["reviews that were rejected", queueOf({ kind: "review", status: "rejected" })],
      ["all reviews", queueOf({ kind: "review", status: "all" })],
      ["reviews that visitors reported", queueOf({ kind: "review", status: "accepted", reported: "1" })],
      ["reviews pending from a source", queueOf({ kind: "review", source: "collect" })],
      [
        "reviews accepted from a rare source",
        queueOf({ kind: "review", status: "accepted", source: "import" }),
        QUEUE_ROWS,
      ],
      [
        "reviews accepted of verified buyers",
        queueOf({ kind: "review", status: "accepted", verified: "1" }),
        QUEUE_ROWS,
      ],
      ["reviews accepted with photos", queueOf({ kind: "review", status: "accepted", photo: "1" }), QUEUE_ROWS],
      ["reviews with text", queueOf({ kind: "review", status: "all", text: "1" }), QUEUE_ROWS],
      ["reviews of unconfirmed addresses, none", queueOf({ kind: "review", unverified: "1" })],
      ["reviews rejected for a reason", queueOf({ kind: "review", status: "rejected", reason: "spam" }), QUEUE_ROWS],
      ["reviews of a brand in the queue", queueOf({ kind: "review", status: "all", brand: "Rare" }), 2 * QUEUE_ROWS],
      ["reviews of a family, by search", queueOf({ kind: "review", status: "all", q: "f1" })],
      ["reviews by an address there is not", queueOf({ kind: "review", status: "all", q: "no@x.example" })],
      ["a review by its id", queueOf({ kind: "review", status: "all", q: "0000000000000007" })],
      ["reviews with a rare word", queueOf({ kind: "review", status: "all", words: "seldom" }), 2_000],
      ["reviews in a rare language", queueOf({ kind: "review", status: "all", lang: "sv" }), 2_000],
      ["reviews of a product", queueOf({ kind: "review", status: "all", product: "p7" }), 2_000],
      ["reviews of a brand there is not", queueOf({ kind: "review", status: "all", brand: "None" }), 4_000],
      ["reviews without a reply", queueOf({ kind: "review", status: "accepted", unreplied: "1" }), 2_000],
    ],
    questions: [
      ["pending questions", queueOf({ kind: "question" })],
      ["questions that were accepted", queueOf({ kind: "question", status: "accepted" })],
      ["questions without an answer", queueOf({ kind: "question", status: "accepted", unreplied: "1" }), 2_000],
    ],
    seller_reviews: [
      ["pending seller reviews", queueOf({ kind: "seller_review" })],
      ["seller reviews that were accepted", queueOf({ kind: "seller_review", status: "accepted" })],
    ],
    orders: [
      ["orders", ordersOf()],
      ["orders, oldest first", ordersOf(undefined, "oldest")],
      ["orders by number", ordersOf(undefined, "number")],
      ["orders by number, last first", ordersOf(undefined, "number_desc")],
      ["orders invited soon", invitedSoonOf("soonest"), SOON_ROWS],
      ["orders invited soon, latest first", invitedSoonOf("latest"), SOON_ROWS],
      // Each order that is read, with its item and what else the reason needs, and the last one found by the index.
      ...orderSorts.map((sort): [string, PortalList["fetchPage"], number] => [
        `orders that weren't invited: ${sort}`,
        notInvitedOf(null, sort),
        5 * MAX_SCANNED,
      ]),
      ...filterReasons.map((reason, index): [string, PortalList["fetchPage"], number] => [
        `orders that weren't invited: ${reason}`,
        notInvitedOf(reason, orderSorts[index % orderSorts.length]),
        5 * MAX_SCANNED,
      ]),
      ["orders by id", ordersOf("o00000007")],
      ["orders by address", ordersOf("9@x.example")],
      ["orders by a SKU that is rare", ordersOf("seldom")],
      ["orders by a SKU that is in all", ordersOf("often")],
      ["orders by customer", ordersOf("c7")],
      ["orders by a customer's rare name", ordersOf("seldom berg")],
      ["orders by a frequent name", ordersOf("ada"), 5_000],
      ["orders by what there is not", ordersOf("nothing")],
    ],
    products: [
      ["products", (after) => listPortalProducts(client, { after })],
      ["products by descending id", (after) => listPortalProducts(client, { descending: true, after })],
      ["products in the feed", (after) => listPortalProducts(client, { state: "sold", after }), 20_000],
      ["products by a word that is in all", (after) => listPortalProducts(client, { q: "lamp", after }), 20_000],
      ["products of a family", () => listPortalProducts(client, { family: "f7" })],
      ["products removed from the feed", (after) => listPortalProducts(client, { state: "deleted", after }), 20_000],
      ["products by a rare word", (after) => listPortalProducts(client, { q: "seldom", after }), 20_000],
    ],
    mailbox: [
      ["the mailbox", (after) => listMailboxPage({ after })],
      ["mails to one address", (after) => listMailboxPage({ to: "Ada@x.example", after })],
    ],
    jobs: [
      ["jobs", () => listRuns({ limit: 200 })],
      ["jobs that failed", () => listRuns({ limit: 200, status: "failed" })],
    ],
    audit: [
      ["the audit", auditOf({})],
      ["the audit of a day", auditOf({ from: "2001-01-01", to: "2001-01-01" })],
      ["audit entries of a rare action", auditOf({ what: "retention" }), 5_000],
      ["audit entries of a rare actor", auditOf({ who: "usr_seldom" }), 5_000],
    ],
    privacy: [["the register of requests", (after) => listRegister(client, { after }, url)]],
    notifications: [
      ["the number of unread notifications", () => countNotifications(operator)],
      ["notifications", (after) => listNotifications(operator, { after }, url)],
      ["unread notifications", (after) => listNotifications(operator, { unread: "1", after }, url)],
    ],
    failures: [["failures", () => listFailures(moderator, client)]],
    accounts: [
      ["accounts", (after) => listAccounts({ after })],
      ["accounts by a rare name", (after) => listAccounts({ q: "seldom", after }), 5_000],
    ],
    "settings/people": [["people", () => listPeople(operator, client)]],
    "settings/keys": [["keys", () => listClientKeys(operator, client)]],
    feeds: [["imports", (after) => listImports(client, { after })]],
    imports: [["imports of reviews", (after) => listReviewImports(client, { after })]],
    "integrations/[kind]": [
      ["what an integration sent", (after) => listDeliveries(client, "engagement", { after })],
      [
        "what an integration could not send",
        (after) => listDeliveries(client, "engagement", { outcome: "failed", after }),
      ],
      ["what an integration skipped, nothing", () => listDeliveries(client, "engagement", { outcome: "skipped" })],
      ["runs of an integration", () => listIntegrationRuns(client, "engagement")],
    ],
    "integrations/webhooks/[id]": [
      ["deliveries of a webhook", (after) => listWebhookDeliveries(client, "hook", { after })],
      ["failed deliveries of a webhook", (after) => listWebhookDeliveries(client, "hook", { state: "failed", after })],
      ["pending deliveries of a webhook, none", () => listWebhookDeliveries(client, "hook", { state: "pending" })],
    ],
  };
  return Object.entries(lists).flatMap(([page, pageLists]) =>
    pageLists.map(([name, fetchPage, maxScannedRows]) => ({
      page,
      name,
      fetchPage,
      ...(maxScannedRows === undefined ? {} : { maxScannedRows }),
    })),
  );
}

/** Portal pages without a list that grows with the stored data, each with what bounds its content. */
export const pagesWithoutList: Record<string, string> = {
  account: "one person, with the sessions of theirs that have not ended",
  analytics: "a picture of months, over the reviews and mails of these",
  bias: "what was found for one client, and for operators a hundred clients with any",
  invitations: "a picture of days, over the mails of these",
  integrations: "the kinds of systems there are, and a client's webhooks",
  "feeds/[id]": "one import",
  "imports/[id]": "one import, and ten rows of its file",
  "integrations/[kind]/settings": "one form",
  "mailbox/[id]": "one mail",
  "orders/[id]": "one order",
  recording: "the days of one test store",
  "products/[id]": "one product, its months over so many of its reviews",
  "questions/[id]": "one item",
  "reviews/[id]": "one item",
  "seller_reviews/[id]": "one item",
  settings: "the settings of one client",
  "settings/display": "the settings of one client",
  "settings/forms": "the settings of one client",
  "settings/invitations": "the settings of one client",
  "settings/moderation": "the settings of one client",
  "settings/questions": "the settings of one client",
  "settings/sending": "the settings of one client",
  "settings/templates": "the settings of one client",
  setup: "the first steps of one client",
};
