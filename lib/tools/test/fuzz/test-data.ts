import sharp from "sharp";
import { systemActor } from "@/lib/accounts/actor";
import { createFeed } from "@/lib/feeds/set-feed";
import { createUpload, savePart } from "@/lib/feeds/upload-feed";
import { MAX_PARTS } from "@/lib/feeds/values";
import { sealCredentials } from "@/lib/integrations/rows";
import { createWebhook, pauseWebhook } from "@/lib/integrations/webhooks/set-webhook";
import { templateLanguages } from "@/lib/invitations/template-blocks/with-blocks";
import { openQueue } from "@/lib/platform/jobs/queue";
import { decidedKinds } from "@/lib/reviews/decisions/schema";
import { basicHeader } from "@/lib/tools/test/call";
import type { Answer, Operation, Schema } from "@/lib/tools/test/description";
import {
  aClient,
  aDelegatedInvitation,
  aKey,
  anAnswer,
  anOrder,
  aResponse,
  aUser,
  rowsOf,
  sessionHeaders,
  someProducts,
  someQuestions,
  someReviews,
  someSellerReviews,
} from "@/lib/tools/test/factories";
import { ValueReference } from "@/lib/tools/test/fuzz/requests";
import { prepareImport } from "@/lib/transfer/imports/prepare-import";

// Data and callers for the fuzz tests.

/** A text in the other client's rows, which must not be in responses to callers without access to it. */
export const OTHER_CLIENT_TEXT = "Weidenröschen";

/** Headers, and a query to put before the request's own. */
export type Caller = { headers: Record<string, string>; query?: string; canAccessOtherClient?: boolean };

const repeated = (name: string) => Array<string>(20).fill(name);
const apiKeyCallers = ["key", "both", "both", "token", "basic", "reader", "privacy", "neighbour"];
const people = ["admin", "moderator", "viewer"];

/** Names of callers for an operation: mostly authorized, sometimes not. */
export function callersOf({ security }: Operation): string[] {
  if (security.includes("bearer")) return [...repeated("key"), ...apiKeyCallers, ...people, "nobody", "wrong"];
  if (security.includes("session")) return [...repeated("operator"), ...repeated("admin"), ...people, "key", "nobody"];
  return ["nobody", "nobody", "nobody", "key"];
}

const TENANT_KEY = "key-of-a-tenant-5d11";

/** The resource of an operation: `reviews` of `portal.reviews.reports.close`. */
const resourceOf = (operationId: string): string => operationId.replace(/^portal\./, "").split(".")[0] ?? "";

const kinds: [place: RegExp, kind: string][] = [
  [/^client_id$/, "client"],
  [/^api_key$/, "publicKey"],
  [/(^|\.)order\.id$|^order_id$/, "order"],
  [/customer\.id$|customer_id$/, "customer"],
  [/email$/, "email"],
  [/family_id$|site_id$|^url_key$/, "family"],
  [/items?\.id$|product_id$/, "product"],
  [/external_id$/, "external"],
  [/^upload_id$/, "reviewUploads"],
  [/(^|\.)images$/, "images"],
  [/custom_questions$/, "answers"],
  [/(^|\.)clients$/, "clientList"],
  [/^mentions$/, "mentions"],
  [/^note$/, "notes"],
  [/^account_id$/, "accounts"],
  [/^to$/, "tester"],
  [/^version$/, "version"],
  [/^callback$/, "callback"],
  [/^voter_id$/, "voter"],
  [/^(current|password)$/, "password"],
  [/^Idempotency-Key$/, "attempt"],
];

/** The kind of the service's value at a location of a request, such as `orders.post order.items.id`. */
export function referenceKindOf(place: string): string | null {
  const [operation = "", member = ""] = place.split(" ");
  const resource = resourceOf(operation);
  if (member === "after") return `cursor:${operation}`;
  if (member === "key") return resource === "images" ? "imageKey" : "product";
  if (operation === "portal.externals.import" && member === "file") return "totals";
  if (operation === "portal.clients.create" && member === "id") return "newClient";
  // A feed that isn't being fetched: creating one starts a fetch.
  if (operation === "portal.feeds.run" && member === "id") return "restingFeed";
  if (member === "file") return resource === "images" ? "imageFile" : "file";
  if (operation === "honesty.tile" && member === "path") return "tiles";
  if (operation === "honesty.receipt_file" && member === "token") return "receipts";
  if (operation === "portal.test_store.fill" && member === "from") return "client";
  if (["test_clock", "test_store"].includes(resource) && member === "client_id") return "testClient";
  // Few random items are part of a random order.
  if (/^portal\.orders\.(hold|exclusion)s$/.test(operation) && member === "items.id") return "orderedItem";
  if (member === "token" && resource === "collect") return "feedback";
  if (member === "token" && resource === "queue") return "photos";
  if (operation === "portal.feed_uploads.import" && member === "id") return "wholeUpload";
  if (operation.startsWith("portal.settings.templates.") && member === "version") return "templateVersions";
  // The end of a period, not an email recipient.
  if (operation === "portal.webhooks.replay" && member === "to") return null;
  if (member === "id") return ["queue", "notes", "replies", "sent"].includes(resource) ? "items" : resource;
  if (member === "reply") return "replies";
  if (member === "provider") return "provider";
  if (member === "kind" && resource === "integrations") return resource;
  if (member === "settings.base_url" || (member === "url" && resource === "webhooks")) return "partner";
  return kinds.find(([shape]) => shape.test(member))?.[1] ?? null;
}

/** Repairs what the description of a body doesn't express. */
export function fixBody({ id }: Operation, body: Schema): void {
  const { review } = body;
  if (review && review.accepted !== false) delete review.reject_reason;
  // Random templates, rules and questions are hardly ever consistent: every other request leaves them unchanged.
  if (id === "portal.settings" && isEven(body.version))
    for (const name of Object.keys(body.settings ?? {})) if (!safeSettings.includes(name)) delete body.settings[name];
  if (id === "portal.settings.mail.test" && isEven(body.to)) delete body.config;
  if (id === "reviews.update") delete review?.external_id;
  // Only a rejection has a reason, and a random `seen` time always conflicts.
  if (id === "portal.queue.decide") {
    if (body.accepted !== false) delete body.reject_reason;
    delete body.from;
    delete body.seen;
  }
  // Of the settings; the one in the path is the template's.
  if (id === "portal.settings.templates.versions.restore" && body.version instanceof ValueReference)
    body.version = new ValueReference("version", body.version.nth);
  if (id === "portal.imports.create") body.parts = 1;
  if (id === "portal.imports.change") body.mapping = {};
  // Exactly one of the two is required; random ids don't exist.
  if (id === "portal.webhooks.replay" && body.from) {
    delete body.delivery_id;
    delete body.failed;
  } else if (id === "portal.webhooks.replay" && body.delivery_id) delete body.failed;
  if (id === "portal.orders.hold") {
    if (body.items?.length !== 1) delete body.items;
    if (body.held !== true) delete body.until;
  }
  if (/^portal\.orders\.(hold|exclusion)s$/.test(id) && Array.isArray(body.items)) {
    body.items.splice(1);
    for (const { from, to } of body.items)
      for (const state of [from, to]) {
        if (state?.held === false) state.until = null;
        if (typeof state?.override === "boolean") state.reviewable = state.override;
      }
  }
}

const isEven = (value: unknown): boolean => !(value instanceof ValueReference) || value.nth % 2 === 0;

/** Settings that are valid in any combination and don't block visitors. */
const safeSettings = [
  "display_name",
  "email_name",
  "contact_email",
  "send_limit",
  "external_review_countries",
  "external_pro_reviews",
  "external_user_reviews",
];

/** Relative frequency of an operation: writes more often than reads, destructive ones rarely. */
export const weightOf = ({ id, body }: Operation): number => {
  // It does everything that is due on up to a year's days.
  if (id === "test_clock.advance") return 1;
  const isOfPortal = id.startsWith("portal.");
  // Uploads are expensive: each creates three sizes. Most portal calls are rejected, since few callers have access.
  if (/^uploads|delete$/.test(id)) return isOfPortal ? 3 : 1;
  return body || isOfPortal ? 12 : 4;
};

/** Two clients with some rows of everything, and all callers. */
export async function createFuzzData() {
  const shop = await aClient({ custom_questions, auto_moderate: true });
  const otherClient = await aClient();
  const testClient = await aClient({}, { test: true });
  const [reader, privacy, both] = [
    await aKey([shop.id], ["read"]),
    await aKey([shop.id], ["privacy"]),
    await aKey([shop.id, otherClient.id, testClient.id]),
  ];
  const bearer = (secret: string) => ({ headers: { authorization: `Bearer ${secret}` } });
  const [viewer, moderator, admin, operator] = [
    await aUser("viewer", { clients: [shop.id] }),
    await aUser("moderator", { clients: [shop.id] }),
    await aUser("admin", { clients: [shop.id] }),
    await aUser("operator"),
  ];
  const callers: Record<string, Caller> = {
    nobody: { headers: {} },
    wrong: bearer(`sk_${"0".repeat(48)}`),
    key: bearer(shop.key),
    token: { headers: {}, query: `token=${shop.key}` },
    basic: { headers: { authorization: basicHeader(shop.key, "") } },
    reader: bearer(reader.secret),
    privacy: bearer(privacy.secret),
    both: { ...bearer(both.secret), canAccessOtherClient: true },
    neighbour: { ...bearer(otherClient.key), canAccessOtherClient: true },
    viewer: { headers: { authorization: basicHeader(...viewer.basic) } },
    moderator: { headers: { authorization: basicHeader(...moderator.basic) } },
    admin: { headers: await sessionHeaders(admin) },
    operator: { headers: await sessionHeaders(operator), canAccessOtherClient: true },
  };
  const jpeg = (side: number) =>
    sharp({ create: { width: side, height: side, channels: 3, background: "#c33" } })
      .jpeg()
      .toBuffer();
  const photo = await jpeg(40);
  /** Values that exist in the service, by kind. */
  const referenceValues: Record<string, unknown[]> = {
    client: [...repeated(shop.id), otherClient.id, "nobody"],
    testClient: [...repeated(testClient.id), shop.id, "nobody"],
    publicKey: [...repeated(shop.publicKey), otherClient.publicKey, shop.key],
    orders: ["o-1", "o-2", "o/3 ä", "n-o-1"],
    order: ["o-1", "o-2", "o/3 ä", "o-4", "o-5", "n-o-1"],
    customer: ["c-1", "c-2", "c-3"],
    email: ["ada@example.org", " ADA@example.org", "bo@example.org"],
    // People who don't unsubscribe or bounce during the test.
    tester: ["eva@shop.example", "ola@shop.example", "nobody"],
    family: ["lamp", "bulb", "other"],
    orderedItem: [...repeated("lamp"), "unknown", "bulb"],
    tiles: ["0/000.p/1", "entries/000.p/1", "entries/000.p/5", "1/000", "x"],
    product: ["lamp", "lamp-s", "bulb", "unknown", "x-1"],
    external: Array.from({ length: 40 }, (_, index) => `ext-${index}`),
    callback: ["callback", "jQuery.cb_1"],
    voter: ["v-1", "v-2"],
    provider: [...repeated("resend"), "unknown"],
    attempt: Array.from({ length: 200 }, (_, index) => `attempt-${index}`),
    jobs: ["run-failed", "run-done"],
    accounts: [...repeated(shop.accountId), "nobody"],
    newClient: [...Array.from({ length: 40 }, (_, index) => `new-${index}.example`), shop.id, "not a site"],
    totals: [
      Buffer.from("product_id,source,kind,count,score_dist\nlamp,elsewhere,user,3,0 0 1 1 1\nbulb,elsewhere,pro,0,\n"),
      Buffer.from('[{"product_id":"lamp","source":"elsewhere","kind":"expert","count":-1}]'),
      Buffer.from("no table"),
    ],
    images: [[], [], [], null],
    answers: [
      {},
      null,
      { fit: "s" },
      { fit: "l", note: "ä" },
      { rating: 4, colours: ["red"], note: "good" },
      { rating: 6 },
    ],
    file: [photo, await jpeg(300), photo.subarray(0, 200), Buffer.from("no image"), Buffer.alloc(0)],
  };
  for (const { id } of [shop, otherClient]) {
    const sampleText = id === otherClient.id ? OTHER_CLIENT_TEXT : "Warm light";
    await someProducts(
      id,
      ["lamp", "lamp-s", "bulb"].map((sku) => ({ id: sku, family_id: sku.slice(0, 4), name: `${sampleText} ${sku}` })),
    );
    for (const order of ["o-1", "o-2", "o/3 ä"])
      await anOrder(id, {
        id: id === otherClient.id ? `n-${order}` : order,
        customer: { id: "c-1", name: sampleText, email: "ada@example.org" },
        items: [{ id: "lamp", delivery_date: "2026-11-01" }, { id: "unknown" }],
      });
    const text = { product_id: "lamp", family_id: "lamp", extract: sampleText };
    const bought = { order_id: "o-1", customer_id: "c-1", author_email: "ada@example.org" };
    referenceValues.reviews = (referenceValues.reviews ?? []).concat(
      await someReviews(id, [
        { ...text, ...bought, accepted: true },
        { ...text, product_id: "bulb", family_id: "bulb", accepted: true, external_id: "ext-1" },
        { ...text, accepted: false },
        { ...text, ...bought },
      ]),
    );
    await someSellerReviews(id, [
      { extract: sampleText, accepted: true },
      { ...bought, extract: sampleText },
    ]);
    referenceValues.questions = (referenceValues.questions ?? []).concat(
      await someQuestions(id, [{ question: sampleText, accepted: true }, { details: sampleText }]),
    );
  }
  // One item of each kind with the same id, each with a reply with the same id: the URL is valid whatever kind it
  // names.
  const item = { id: "feedfeedfeedfeed", accepted: true };
  await someReviews(shop.id, [item]);
  await someSellerReviews(shop.id, [item]);
  await someQuestions(shop.id, [item]);
  await anAnswer(shop.id, item.id, { id: "reply-1" });
  await anAnswer(shop.id, item.id, { id: item.id });
  await aResponse(shop.id, "review", item.id, { id: "reply-1" });
  await aResponse(shop.id, "seller_review", item.id, { id: "reply-2" });
  referenceValues.items = [
    ...repeated(item.id),
    ...(referenceValues.reviews ?? []),
    ...(referenceValues.questions ?? []),
    "reply-1",
  ];
  // Some are deleted during the test; enough remain to be edited.
  const more = Array.from({ length: 8 }, (_, index) => `reply-${index + 3}`);
  for (const id of more) {
    await aResponse(shop.id, "review", item.id, { id });
    await anAnswer(shop.id, item.id, { id });
  }
  referenceValues.replies = ["reply-1", "reply-2", ...more];
  referenceValues.photos = ["review", "seller_review", "question"].map((kind) => `photo-of-${kind}`);
  await rowsOf(
    `insert into uploads (client_id, token, key, format, width, height, sizes, bytes, claimed_at, subject_kind, subject_id, queued_at)
     select $1, token, token, 'jpeg', 1, 1, '{"icon":[1,1],"medium":[1,1],"large":[1,1]}', 1, now(), kind, $2, now()
       from unnest(array['review', 'seller_review', 'question', 'review'],
                   array['photo-of-review', 'photo-of-seller_review', 'photo-of-question', $2]) p(kind, token)`,
    [shop.id, item.id],
  );
  await rowsOf(
    "insert into reply_templates (client_id, id, name, text) values ($1, 'tpl-1', 'Thanks', 'Hi {author}')",
    [shop.id],
  );
  referenceValues.reply_templates = ["tpl-1"];
  const adminId = await idOf(admin);
  referenceValues.mentions = [[], [], [], [await idOf(moderator)], [adminId, await idOf(viewer)], ["usr_none"]];
  // Several of each kind, since some are deleted during the test.
  const notes = await rowsOf(
    `insert into moderation_notes (client_id, id, kind, subject_id, user_id, text)
     select $1, format('note-%s-%s', kind, n), kind, $2, $3, 'Is it about the lamp?'
       from unnest($4::text[]) kind, generate_series(1, 4) n
     returning id`,
    [shop.id, item.id, adminId, decidedKinds],
  );
  referenceValues.notes = notes.map(({ id }) => id);
  const notifications = await rowsOf(
    `insert into notifications (user_id, client_id, kind, params, path, dedupe_key)
     select user_id, $1, 'mention', '{"name":"Ada"}', '/portal/queue', format('note-%s', n)
       from unnest($2::text[]) user_id, generate_series(1, 5) n
     returning id::text`,
    [shop.id, [adminId, await idOf(operator)]],
  );
  referenceValues.notifications = [...notifications.map(({ id }) => id), "0"];
  await rowsOf(
    `insert into template_versions (client_id, template, language, version, subject)
     select $1, 'invitation', language, version, format('Version %s', version)
       from unnest($2::text[]) language, generate_series(1, 3) version`,
    [shop.id, templateLanguages],
  );
  referenceValues.templateVersions = [1, 2, 3, 1_000];
  // Not the callers' own keys and people, whose access would end.
  referenceValues.api_keys = [(await aKey([shop.id])).id, "key_none"];
  referenceValues.users = [await idOf(await aUser("viewer", { clients: [shop.id] })), "usr_none"];
  await rowsOf("update users set email = 'people@shop.example' where id = $1", [referenceValues.users[0]]);
  referenceValues.sessions = [await aSession(operator), await aSession(admin), "none"];
  referenceValues.password = [...repeated(operator.password), admin.password, "wrong"];
  referenceValues.clientList = [...repeated(shop.id).map((id) => [id]), [otherClient.id], []];
  const upload = await createUpload(shop.client, { kind: "orders", filename: "orders.csv" });
  // The first and last part exist, whatever number of parts a request claims.
  for (let part = 0; part < MAX_PARTS; part += 1) await savePart(shop.client, upload.id, part, Buffer.from("x"));
  const feed = await createFeed(systemActor, shop.client, {
    kind: "orders",
    url: "https://shop.invalid/orders.csv",
    format: null,
    schedule: "daily",
    enabled: false,
    mapping: {},
  });
  await rowsOf("update feeds set asked_at = null where id = $1", [feed.id]);
  referenceValues.restingFeed = [...repeated(feed.id), "unknown"];
  referenceValues.partner = [
    ...repeated("https://partner.invalid/api"),
    "http://partner.invalid",
    "https://10.0.0.1",
    "partner",
  ];
  referenceValues.invitations = [...repeated(await aDelegatedInvitation(shop.id, "handed@shop.example")), "unknown"];
  referenceValues.integrations = [...repeated("engagement"), "unknown"];
  const connect = () =>
    rowsOf(
      `insert into integrations (client_id, type, settings, secrets)
       values ($1, 'engagement', '{"base_url":"https://127.0.0.1:1"}', $2) on conflict do nothing`,
      [shop.id, sealCredentials({ api_key: TENANT_KEY })],
    );
  await connect();
  // Paused: deliveries would write rows that no request wrote.
  const webhook = await createWebhook({ kind: "key", id: "k" }, shop.client, {
    url: "https://127.0.0.1.invalid/hook",
    events: ["personal_data.deleted"],
  });
  await pauseWebhook({ kind: "key", id: "k" }, shop.client, webhook.id);
  referenceValues.webhooks = [...repeated(webhook.id), "unknown"];
  referenceValues.wholeUpload = [...repeated(upload.id), "unknown"];
  // Several, since an import that is checked or deleted can't be changed anymore.
  const reviewFiles = await Promise.all(
    Array.from({ length: 16 }, async () => {
      const file = await createUpload(shop.client, { kind: "reviews", filename: "reviews.csv" });
      await savePart(shop.client, file.id, 0, Buffer.from("rating,body,reviewer_name,product_id\n5,Good,Ann,lamp\n"));
      return file.id;
    }),
  );
  referenceValues.reviewUploads = [...reviewFiles.slice(10), "unknown"];
  const imports = await Promise.all(
    reviewFiles.slice(0, 10).map((upload_id) => prepareImport(systemActor, shop.client, { upload_id, parts: 1 })),
  );
  referenceValues.imports = [...imports.map(({ id }) => id), "unknown"];
  // No worker runs in the test, so a requested step never ends.
  await rowsOf(
    `update review_imports set status = s.status, imported_at = case s.status when 'imported' then now() end
       from unnest(array['checked', 'checked', 'imported', 'imported'], $2::text[]) s(status, id)
      where client_id = $1 and review_imports.id = s.id`,
    [shop.id, imports.slice(0, 4).map(({ id }) => id)],
  );
  await openQueue();
  await rowsOf(
    `insert into job_runs (id, function_id, event_id, event, status, ended_at)
     values ('run-failed', 'f', 'a', '{}', 'failed', now()), ('run-done', 'f', 'b', '{}', 'done', now())`,
  );
  return {
    shop,
    callers,
    known: referenceValues,
    /** Credentials that must not appear in responses to callers who don't send them. */
    credentials: [shop.key, otherClient.key, reader.secret, privacy.secret, both.secret, TENANT_KEY, webhook.secret],
    lookUp: ({ kind, nth }: ValueReference): unknown => {
      const values = referenceValues[kind] ?? [];
      return values[nth % Math.max(values.length, 1)];
    },
    /**
     * Undoes what an earlier request did, if the operation needs it: connects the integration again, or disconnects it,
     * to be created; turns notifications on again; adds an order whose customer hasn't unsubscribed.
     */
    restore: async ({ id }: Operation): Promise<void> => {
      if (id === "portal.integrations.create") await rowsOf("delete from integrations where client_id = $1", [shop.id]);
      else if (id.startsWith("portal.integrations.")) await connect();
      else if (id.startsWith("portal.notifications.")) await rowsOf("delete from notification_settings");
      else if (/^portal\.orders\.(hold|exclusion)s?$/.test(id)) {
        const order = await anOrder(shop.id, { items: [{ id: "lamp" }] });
        referenceValues.orders = [...repeated(order.id), ...(referenceValues.orders ?? [])].slice(0, 30);
      }
    },
    /** Updates values that change by themselves, right before an operation is called. */
    prepare: async ({ id }: Operation): Promise<void> => {
      if (!["portal.settings", "portal.settings.templates.versions.restore"].includes(id)) return;
      const [{ version }] = await rowsOf("select version from clients where id = $1", [shop.id]);
      referenceValues.version = [...repeated(version), version - 1];
    },
    /** Records the ids in a response, newest first, so that later requests go deeper. */
    recordIds: (operation: Operation, answer: Answer): void => {
      const json = JSON.parse(answer.text);
      // An upload can be used once.
      if (json.token) referenceValues.images = [[], [], [], null, [json]];
      for (const [kind, value] of idsIn(operation, json))
        if (!fixedKinds.includes(kind) && value !== feed.id && !referenceValues[kind]?.includes(value))
          referenceValues[kind] = [value, ...(referenceValues[kind] ?? [])].slice(0, 30);
    },
  };
}
export type FuzzData = Awaited<ReturnType<typeof createFuzzData>>;

const idOf = async ({ username }: { username: string }): Promise<string> =>
  (await rowsOf("select id from users where username = $1", [username]))[0].id;

/** An additional session of a person, to be ended. */
async function aSession(person: { username: string; password: string }): Promise<string> {
  await sessionHeaders(person);
  const [{ id }] = await rowsOf(
    "select s.id from portal_sessions s join users u on u.id = s.user_id where u.username = $1 order by s.created_at desc",
    [person.username],
  );
  return id;
}

/** Kinds limited to their initial values: others would be the callers themselves. */
const fixedKinds = ["api_keys", "users", "sessions"];

// biome-ignore lint/suspicious/noExplicitAny: a response of any operation
function idsIn({ id }: Operation, json: any): [kind: string, value: unknown][] {
  const ids: [string, unknown][] = [];
  for (const row of [json.data ?? json.reviews ?? json.questions ?? []].flat()) {
    ids.push([resourceOf(id), row.id], ["feedback", row.feedback_url?.split("/").at(-1)]);
    const [, , , , key, file] = row.images?.[0]?.icon?.split(/[/?]/) ?? [];
    ids.push(["imageKey", key], ["imageFile", file]);
  }
  const next = json.links?.next ?? json.next_page_url;
  if (next) ids.push([`cursor:${id}`, new URL(next).searchParams.get("after")]);
  return ids.filter(([, value]) => value !== undefined);
}

const label = { en: "Fit" };
const custom_questions = [
  {
    id: "fit",
    type: "select",
    options: [
      { id: "s", label },
      { id: "l", label },
    ],
    label,
  },
  { id: "rating", type: "score", label },
  { id: "colours", type: "select", multiple: true, options: [{ id: "red", label }], label },
  { id: "note", type: "text", label },
];
