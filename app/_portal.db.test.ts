import { randomInt } from "node:crypto";
import { TOTP } from "otpauth";
import { beforeAll, describe, expect, it } from "vitest";
import { contracts, routes } from "@/app/_routes";
import { POST as uploadPhoto } from "@/app/uploader/route";
import { systemActor } from "@/lib/accounts/actor";
import { hasRole } from "@/lib/accounts/sign-in/rules";
import { newTotpSecret } from "@/lib/accounts/sign-in/second-factor";
import { createFeed } from "@/lib/feeds/set-feed";
import { createUpload, savePart } from "@/lib/feeds/upload-feed";
import { IntegrationInput } from "@/lib/integrations/schema";
import { createIntegration } from "@/lib/integrations/set-integration";
import { WebhookInput } from "@/lib/integrations/webhooks/schema";
import { createWebhook } from "@/lib/integrations/webhooks/set-webhook";
import { dropCached } from "@/lib/platform/db/cache";
import { transaction } from "@/lib/platform/db/pool";
import type { AssignableRole, Contract, Role } from "@/lib/platform/http/contract";
import { toIsoSeconds } from "@/lib/platform/iso-seconds";
import { openQueue } from "@/lib/platform/jobs/queue";
import { claimUploads } from "@/lib/reviews/uploads/claim-uploads";
import { call, serverKind } from "@/lib/tools/test/call";
import { uploadImage } from "@/lib/tools/test/collection-rows";
import {
  aClient,
  aKey,
  anOrder,
  aResponse,
  aUser,
  hashDatabase,
  rowsOf,
  sessionHeaders,
  someReviews,
  type TestClient,
  uniqueName,
} from "@/lib/tools/test/factories";
import { expectError } from "@/lib/tools/test/lists";
import { picture } from "@/lib/tools/test/pictures";
import { prepareImport } from "@/lib/transfer/imports/prepare-import";

// Runs every portal action as every role, at the person's own store and at another account's. Forbidden actions and
// rows of others are refused as the contract says and change nothing.

const actions = contracts.filter(({ auth }) => auth === "session");
const rolesAscending: Role[] = ["viewer", "moderator", "admin", "operator"];

/** Input for an action: a row of the store made for one attempt, and a body that would change something. */
type Sample = { params?: Record<string, string>; query?: Record<string, string>; body?: unknown };
type Caller = { id: string; username: string; password: string; role: Role; headers: Record<string, string> };

const review = async ({ id }: TestClient, accepted: boolean | null = null): Promise<{ kind: string; id: string }> => {
  const [made = ""] = await someReviews(id, [{ accepted, author_email: "ada@example.org" }]);
  return { kind: "review", id: made };
};
const photo = async (shop: TestClient) => {
  const { kind, id } = await review(shop, true);
  const bytes = new Uint8Array(await picture(40, 30).png().toBuffer());
  const { token } = await (await uploadImage(uploadPhoto, shop.id, new Blob([bytes]), "a.png", shop.publicKey)).json();
  const images = await transaction((db) => claimUploads(db, shop.client, [token], { kind: "review", id }));
  await rowsOf("update reviews set images = $2 where id = $1", [id, JSON.stringify(images)]);
  return { kind, id, token };
};
const reply = async (shop: TestClient) => {
  const to = await review(shop, true);
  return { ...to, reply: await aResponse(shop.id, "review", to.id) };
};
const note = async (shop: TestClient, caller: Caller) => {
  const to = await review(shop);
  const id = uniqueName("note");
  await rowsOf(
    "insert into moderation_notes (client_id, id, kind, subject_id, user_id, text) values ($1, $2, 'review', $3, $4, 'Hi')",
    [shop.id, id, to.id, caller.id],
  );
  return { ...to, note: id };
};
const template = async ({ id }: TestClient) => {
  const made = uniqueName("template");
  await rowsOf("insert into reply_templates (client_id, id, name, text) values ($1, $2, $2, 'Hi')", [id, made]);
  return { id: made };
};
/** With a number that no other store's template has. */
const templateVersion = async ({ id }: TestClient): Promise<number> => {
  const version = randomInt(1, 1_000_000_000);
  await rowsOf(
    "insert into template_versions (client_id, template, language, version, subject) values ($1, 'invitation', 'sv', $2, $3)",
    [id, version, uniqueName("subject")],
  );
  return version;
};
const view = async ({ id }: TestClient, caller: Caller, page: "queue" | "library") => {
  const made = uniqueName("view");
  await rowsOf(
    "insert into saved_views (id, user_id, client_id, page, name, query) values ($1, $2, $3, $4, $1, 'status=rejected')",
    [made, caller.id, id, page],
  );
  return { id: made };
};
const feedInput = {
  url: "https://shop.example/feed.xml",
  format: null,
  schedule: "daily",
  enabled: false,
  mapping: {},
};
const feed = async ({ client }: TestClient) => {
  // Only one of each kind is allowed.
  await rowsOf("delete from feeds where client_id = $1", [client.id]);
  const { id } = await createFeed(systemActor, client, { ...feedInput, kind: "products" } as never);
  return { id };
};
const upload = async ({ client }: TestClient) => {
  const { id } = await createUpload(client, { kind: "orders", filename: "orders.csv" });
  await savePart(client, id, 0, Buffer.from("id\n1\n"));
  return { id };
};
const reviewsFile = async ({ id, client }: TestClient) => {
  // Only so many imports of a store can be prepared.
  await rowsOf("delete from review_imports where client_id = $1", [id]);
  const upload = await createUpload(client, { kind: "reviews", filename: "reviews.csv" });
  await savePart(client, upload.id, 0, Buffer.from("rating,body,reviewer_name,product_id\n5,Good,Ann,lamp\n"));
  return upload.id;
};
const reviewImport = async (shop: TestClient) =>
  prepareImport(systemActor, shop.client, { upload_id: await reviewsFile(shop), parts: 1 });
const person = async ({ id }: TestClient) => {
  const { username } = await aUser("viewer", { clients: [id] });
  const [row] = await rowsOf("update users set email = $1 where username = $2 returning id", [
    `${uniqueName("p")}@shop.example`,
    username,
  ]);
  return { id: row.id as string };
};
const webhookInput = { url: "https://hooks.invalid/in", events: ["review.created"] };
const webhook = async ({ client }: TestClient) => {
  await rowsOf("delete from webhooks where client_id = $1", [client.id]);
  const { id } = await createWebhook(systemActor, client, WebhookInput.parse(webhookInput));
  return { id };
};
const connection = { kind: "engagement", settings: { base_url: "https://tenant.invalid" }, secrets: { api_key: "k" } };
// Deletes those of all clients: an integration is addressed by its kind, so a caller's own one would be found instead
// of the intended one.
const disconnectAll = () => rowsOf("delete from integrations");
const connectIntegration = async (shop: TestClient) => {
  await disconnectAll();
  await createIntegration(systemActor, shop.client, IntegrationInput.parse(connection));
  return { kind: "engagement" };
};
const connectDeltaShare = async (shop: TestClient) => {
  await disconnectAll();
  const profile = { shareCredentialsVersion: 1, endpoint: "https://share.invalid/delta", bearerToken: "t" };
  await createIntegration(
    systemActor,
    shop.client,
    IntegrationInput.parse({ kind: "share", settings: {}, secrets: { profile } }),
  );
  return { kind: "share" };
};
const totals = () => {
  const form = new FormData();
  const row = { product_id: uniqueName("lamp"), source: "reviews.example", kind: "user", count: 1 };
  form.set("file", new File([JSON.stringify([row])], "totals.json"));
  return form;
};
const anEmail = () => `${uniqueName("new")}@shop.example`;
const part = () => {
  const form = new FormData();
  form.set("file", new File(["x"], "part"));
  return form;
};

const logo = async () => {
  const form = new FormData();
  form.set("file", new File([new Uint8Array(await picture(40, 30).png().toBuffer())], "logo.png"));
  return form;
};

const notification = async ({ id }: TestClient, caller: Caller) => {
  const [row] = await rowsOf(
    `insert into notifications (user_id, client_id, kind, params, path, dedupe_key)
     values ($1, $2, 'mention', '{"name":"Ada"}', '/portal/queue', $3) returning id::text`,
    [caller.id, id, uniqueName("note")],
  );
  return { id: row.id as string };
};

const samples: Record<string, (shop: TestClient, caller: Caller) => Promise<Sample> | Sample> = {
  "portal.search": () => ({ query: { q: "ada" } }),
  "portal.stores": () => ({ query: { q: "shop" } }),
  "portal.queue.get": async (shop) => ({ params: await review(shop) }),
  "portal.queue.decide": async (shop) => ({ params: await review(shop), body: { accepted: true } }),
  "portal.queue.decide_all": async (shop) => ({ body: { items: [{ ...(await review(shop)), accepted: true }] } }),
  "portal.queue.look": async (shop) => ({ params: await review(shop) }),
  "portal.queue.assign": async (shop, caller) => {
    const to = await review(shop);
    await rowsOf("insert into item_assignments (client_id, kind, subject_id, user_id) values ($1, 'review', $2, $3)", [
      shop.id,
      to.id,
      caller.id,
    ]);
    return { params: to, body: { user_id: null, from: caller.id } };
  },
  "portal.notes.create": async (shop) => ({ params: await review(shop), body: { text: uniqueName("Look at this") } }),
  "portal.notes.update": async (shop, caller) => ({ params: await note(shop, caller), body: { text: "Look again" } }),
  "portal.notes.remove": async (shop, caller) => ({ params: await note(shop, caller) }),
  "portal.queue.rejection_mail": async (shop) => ({ params: await review(shop) }),
  "portal.queue.photo": async (shop) => ({ params: await photo(shop), body: { hidden: true } }),
  "portal.queue_views.create": () => ({ body: { name: uniqueName("Mine"), filter: { status: "all" } } }),
  "portal.queue_views.remove": async (shop, caller) => ({ params: await view(shop, caller, "queue") }),
  "portal.library_views.create": () => ({ body: { name: uniqueName("Mine"), filter: { stars: "12" } } }),
  "portal.library_views.remove": async (shop, caller) => ({ params: await view(shop, caller, "library") }),
  "portal.reviews.reports.close": async (shop) => ({ params: await review(shop, true) }),
  "portal.replies.create": async (shop) => ({ params: await review(shop, true), body: { text: uniqueName("Thanks") } }),
  "portal.replies.update": async (shop) => ({ params: await reply(shop), body: { text: "Thanks again" } }),
  "portal.replies.remove": async (shop) => ({ params: await reply(shop) }),
  "portal.reply_templates.create": () => ({ body: { name: uniqueName("Thanks"), text: "Thanks" } }),
  "portal.reply_templates.remove": async (shop) => ({ params: await template(shop) }),
  "portal.settings": async ({ id }) => {
    const [{ version }] = await rowsOf("select version from clients where id = $1", [id]);
    return { body: { version: Number(version), settings: { display_name: uniqueName("Lamps") } } };
  },
  "portal.settings.templates.versions.restore": async (shop) => {
    const number = await templateVersion(shop);
    const [{ version }] = await rowsOf("select version from clients where id = $1", [shop.id]);
    return { params: { language: "sv", version: String(number) }, body: { version: Number(version) } };
  },
  "portal.settings.mail.preview": () => ({ body: { kind: "invitation" } }),
  "portal.settings.mail.test": () => ({ body: { to: anEmail() } }),
  "portal.logos.create": async () => ({ body: await logo() }),
  "portal.rules.try": () => ({ body: { extract: "It shines." } }),
  "portal.settings.invitations": () => ({ body: { send_limit: 5 } }),
  "portal.setup.change": () => ({ body: { skip: "people", dismissed: true } }),
  "portal.setup.widget": () => ({ body: { url: "https://shop.invalid/lamp" } }),
  "portal.setup.sender": () => ({}),
  "portal.test_store.fill": async (shop) => {
    await rowsOf("update clients set test_days = 0 where id = $1", [shop.id]);
    dropCached("client", shop.id);
    return { body: { from: shop.id } };
  },
  "portal.test_store.replace_link": async (shop) => {
    await rowsOf("update clients set test_days = 0 where id = $1", [shop.id]);
    dropCached("client", shop.id);
    return {};
  },
  "portal.test_orders.create": () => ({ body: { email: anEmail() } }),
  "portal.orders.hold": async ({ id }) => ({
    params: { id: (await anOrder(id, { items: [{ id: "lamp", name: "Lamp" }] })).id },
    body: { held: true },
  }),
  "portal.orders.holds": async ({ id }) => {
    const { id: order, items } = await anOrder(id);
    const change = { from: { held: false, until: null }, to: { held: true, until: null } };
    return { params: { id: order }, body: { items: items.map((item) => ({ id: item.id, ...change })) } };
  },
  "portal.orders.exclusion": async ({ id }) => ({
    params: { id: (await anOrder(id, { items: [{ id: "lamp", name: "Lamp" }] })).id },
    body: { excluded: true },
  }),
  "portal.orders.exclusions": async ({ id }) => {
    const { id: order, items } = await anOrder(id);
    const change = { from: { reviewable: false, override: null }, to: { reviewable: false, override: false } };
    return { params: { id: order }, body: { items: items.map((item) => ({ id: item.id, ...change })) } };
  },
  "portal.orders.send": async ({ id }) => {
    const items = [{ id: "lamp", name: "Lamp", delivery_date: new Date().toISOString().slice(0, 10) }];
    return { params: { id: (await anOrder(id, { items })).id }, body: {} };
  },
  "portal.personal_data.get": () => ({ query: { email: "ada@example.org" } }),
  "portal.personal_data.file": () => ({ body: { email: "ada@example.org" } }),
  "portal.externals.import": () => ({ body: totals() }),
  "portal.feeds.create": async (shop) => {
    await rowsOf("delete from feeds where client_id = $1", [shop.id]);
    return { body: { ...feedInput, kind: "products" } };
  },
  "portal.feeds.update": async (shop) => ({ params: await feed(shop), body: feedInput }),
  "portal.feeds.delete": async (shop) => ({ params: await feed(shop) }),
  "portal.feeds.run": async (shop) => ({ params: await feed(shop), body: {} }),
  "portal.feed_uploads.create": () => ({ body: { kind: "orders", filename: "orders.csv" } }),
  "portal.feed_uploads.part": async (shop) => ({ params: { ...(await upload(shop)), part: "1" }, body: part() }),
  "portal.feed_uploads.import": async (shop) => ({ params: await upload(shop), body: { parts: 1 } }),
  "portal.imports.create": async (shop) => ({ body: { upload_id: await reviewsFile(shop), parts: 1 } }),
  "portal.imports.change": async (shop) => ({
    params: await reviewImport(shop),
    body: { mapping: { title: "body" }, pending: true, fetch_photos: false },
  }),
  "portal.imports.delete": async (shop) => ({ params: await reviewImport(shop) }),
  "portal.imports.run": async (shop) => ({ params: await reviewImport(shop), body: { step: "check" } }),
  "portal.imports.get": async (shop) => ({ params: await reviewImport(shop) }),
  "portal.imports.undo_counts": async (shop) => ({ params: await reviewImport(shop) }),
  "portal.imports.skipped": async (shop) => ({ params: await reviewImport(shop) }),
  "portal.api_keys.create": () => ({ body: { name: "Back end", scopes: ["read"] } }),
  "portal.api_keys.revoke": async ({ id }) => ({ params: { id: (await aKey([id])).id } }),
  "portal.users.invite": () => ({ body: { email: anEmail(), role: "viewer" } }),
  "portal.users.change": async (shop) => ({ params: await person(shop), body: { disabled: true } }),
  "portal.users.mail": async (shop) => ({ params: await person(shop) }),
  "portal.accounts.create": () => ({ body: { name: uniqueName("Lamps") } }),
  "portal.clients.create": ({ accountId }) => ({ body: { id: uniqueName("lamps"), account_id: accountId } }),
  "portal.clients.contract": ({ id }) => ({ params: { id }, body: { contract_send_limit: null } }),
  "portal.audit.list": () => ({}),
  "portal.analytics.csv": () => ({ query: { by: "brand", period: "30d" } }),
  "portal.audit.csv": () => ({ query: { what: "key" } }),
  "portal.account.change": () => ({ body: { name: uniqueName("Eva") } }),
  "portal.account.digest": async (shop, { id }) => {
    await rowsOf(
      "insert into digests (user_id, client_id, every, hour, last_day) values ($1, $2, 'day', 8, '2026-01-01') on conflict do nothing",
      [id, shop.id],
    );
    return { body: { digest: null } };
  },
  "portal.account.notifications.set": () => ({
    body: { settings: [{ kind: "mention", portal: false, email: false }] },
  }),
  "portal.notifications.list": () => ({}),
  "portal.notifications.count": () => ({}),
  "portal.notifications.read": async (shop, caller) => ({ params: await notification(shop, caller) }),
  "portal.notifications.read_all": async (shop, caller) => {
    await notification(shop, caller);
    return { body: { up_to: toIsoSeconds(new Date()) } };
  },
  "portal.account.notifications.list": () => ({}),
  "portal.account.password": (_, { password }) => ({ body: { current: password, password: "another password" } }),
  "portal.second_factor.begin": (_, { password }) => ({ body: { password } }),
  "portal.second_factor.remove": (_, { password }) => ({ body: { password } }),
  "portal.second_factor.confirm": async (_, caller) => {
    const { secret, sealed } = newTotpSecret(caller.username);
    await rowsOf("update users set totp_pending = $2 where id = $1", [caller.id, sealed]);
    return { body: { code: new TOTP({ secret }).generate() } };
  },
  "portal.sessions.end_others": async (_, caller) => {
    await sessionHeaders(caller);
    return {};
  },
  "portal.sessions.end": async (_, caller) => {
    await sessionHeaders(caller);
    const [row] = await rowsOf(
      "select id from portal_sessions where user_id = $1 order by created_at desc, id limit 1",
      [caller.id],
    );
    return { params: { id: row.id } };
  },
  "portal.integrations.create": async () => {
    await disconnectAll();
    return { body: connection };
  },
  "portal.integrations.change": async (shop) => ({ params: await connectIntegration(shop), body: connection }),
  "portal.integrations.delete": async (shop) => ({ params: await connectIntegration(shop) }),
  "portal.integrations.pause": async (shop) => ({ params: await connectIntegration(shop) }),
  "portal.integrations.resume": async (shop) => ({ params: await connectIntegration(shop) }),
  "portal.integrations.test": async (shop) => ({ params: await connectIntegration(shop) }),
  "portal.integrations.sync": async (shop) => ({ params: await connectIntegration(shop), body: {} }),
  "portal.integrations.retry": async (shop) => ({ params: await connectIntegration(shop), body: {} }),
  "portal.sent.get": async (shop) => ({ params: await review(shop) }),
  "portal.integrations.preview": async (shop) => ({ params: await connectDeltaShare(shop) }),
  "portal.webhooks.create": async (shop) => {
    await webhook(shop);
    return { body: webhookInput };
  },
  "portal.webhooks.change": async (shop) => ({ params: await webhook(shop), body: webhookInput }),
  "portal.webhooks.delete": async (shop) => ({ params: await webhook(shop) }),
  "portal.webhooks.pause": async (shop) => ({ params: await webhook(shop) }),
  "portal.webhooks.resume": async (shop) => ({ params: await webhook(shop) }),
  "portal.webhooks.rotate": async (shop) => ({ params: await webhook(shop) }),
  "portal.webhooks.test": async (shop) => ({ params: await webhook(shop) }),
  "portal.webhooks.replay": async (shop) => ({ params: await webhook(shop), body: { from: "2026-01-01T00:00:00Z" } }),
  "portal.jobs.retry": async () => {
    const id = uniqueName("run");
    await openQueue();
    await rowsOf(
      "insert into job_runs (id, function_id, event_id, event, status, ended_at) values ($1, 'f', $1, '{}', 'failed', now())",
      [id],
    );
    return { params: { id } };
  },
};

let shop: TestClient;
let otherShop: TestClient;
beforeAll(async () => {
  // An address whose DNS records can be checked.
  const config = { from_address: "reviews@shop.invalid" };
  [shop, otherShop] = [await aClient({ config }), await aClient({ config })];
});

type Access = Parameters<typeof aUser>[1];

async function aCaller(role: Role, at: TestClient, access: Access = { clients: [at.id] }): Promise<Caller> {
  const reach = role === "operator" ? {} : access;
  const { username, password } = await aUser(role, reach);
  const [{ id }] = await rowsOf("select id from users where username = $1", [username]);
  return { id, username, password, role, headers: await sessionHeaders({ username, password }) };
}

/** Runs an action. Without a sample it uses nonexistent ids and an empty body. */
function attempt(contract: Contract, { headers }: Caller, client: string, { params = {}, query = {}, body }: Sample) {
  const module = routes.find(({ path }) => path === contract.path)?.methods;
  if (!module) throw new Error(`${contract.path} is not served`);
  const path = contract.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? "none"));
  const search = new URLSearchParams({ ...query, ...(contract.client === "one" ? { client_id: client } : {}) });
  const emptyBody = contract.accepts === "json" ? {} : contract.accepts === "multipart" ? new FormData() : undefined;
  return call(module, contract.method, `${path}?${search}`, { headers, body: body ?? emptyBody });
}

const sampleOf = async (contract: Contract, at: TestClient, caller: Caller): Promise<Sample> =>
  (await samples[contract.id]?.(at, caller)) ?? {};

// Without a sample, an action could be refused just for its empty body, and permitted callers would never be tested.
it("has a sample for every action that writes", () => {
  const writes = actions.filter(({ method }) => method !== "GET").map(({ id }) => id);
  expect(writes.filter((id) => !(id in samples))).toEqual([]);
  expect(Object.keys(samples).filter((id) => !actions.some((action) => action.id === id))).toEqual([]);
});

// Over HTTP these requests would test the same pipeline; `app/_suites/endpoint-suite.ts` does that.
describe.skipIf(serverKind !== null).each(actions.map((contract) => [contract.id, contract] as const))(
  "%s",
  (_, contract) => {
    const allowed = rolesAscending.filter((role) => hasRole(role, contract.role));
    const others = rolesAscending.filter((role) => !hasRole(role, contract.role));

    it.each(others)("is forbidden for a %s", async (role) => {
      const caller = await aCaller(role, shop);
      const sample = await sampleOf(contract, shop, caller);
      const before = await hashDatabase();
      expectError(await attempt(contract, caller, shop.id, sample), 403, "forbidden");
      expect(await hashDatabase()).toBe(before);
    });

    it.each(allowed)("is allowed for a %s", async (role) => {
      const caller = await aCaller(role, shop);
      const answer = await attempt(contract, caller, shop.id, await sampleOf(contract, shop, caller));
      if (contract.id in samples || (!contract.body && !contract.path.includes("{"))) {
        const succeeds = [contract.status, ...Object.keys(contract.alternatives ?? {}).map(Number)];
        expect(succeeds, answer.text).toContain(answer.status);
      } else expect([401, 403]).not.toContain(answer.status);
    });

    const nonOperators = allowed.filter((role) => role !== "operator");
    it.each(contract.client === "one" ? nonOperators : [])("is forbidden at another store for a %s", async (role) => {
      const caller = await aCaller(role, shop);
      const theirs = await aCaller(role, otherShop);
      const sample = await sampleOf(contract, otherShop, theirs);
      const before = await hashDatabase();
      const foreign = await attempt(contract, caller, otherShop.id, sample);
      const unknown = await attempt(contract, caller, "nobody.example", sample);
      expectError(foreign, 403, "client_forbidden");
      expect(unknown.json).toEqual(foreign.json);
      expect(await hashDatabase()).toBe(before);
    });

    // Roles are per client: permission at one client doesn't apply to another.
    const nextLowerRole = rolesAscending[rolesAscending.indexOf(contract.role) - 1] as AssignableRole | undefined;
    const byClient = contract.client === "one" && contract.role !== "operator" && nextLowerRole !== undefined;
    it.runIf(byClient)("is allowed only at the store where the person's role permits it", async () => {
      const lowerRole = nextLowerRole as AssignableRole;
      for (const role of [lowerRole, contract.role as AssignableRole]) {
        // Test with the default role lower, then higher.
        const allowedAt = role === lowerRole ? shop : otherShop;
        const forbiddenAt = role === lowerRole ? otherShop : shop;
        const roles = { [shop.id]: role === lowerRole ? (contract.role as AssignableRole) : lowerRole };
        const caller = await aCaller(role, shop, { clients: [shop.id, otherShop.id], roles });
        const sample = await sampleOf(contract, forbiddenAt, caller);
        const before = await hashDatabase();
        expectError(await attempt(contract, caller, forbiddenAt.id, sample), 403, "forbidden");
        expect(await hashDatabase()).toBe(before);
        const answer = await attempt(contract, caller, allowedAt.id, await sampleOf(contract, allowedAt, caller));
        expect([401, 403], answer.text).not.toContain(answer.status);
      }
    });

    it.each(contract.path.includes("{") ? nonOperators : [])(
      "does not find another store's rows for a %s",
      async (role) => {
        const caller = await aCaller(role, shop);
        const theirs = await aCaller(role, otherShop);
        const sample = await sampleOf(contract, otherShop, theirs);
        const before = await hashDatabase();
        const answer = await attempt(contract, caller, shop.id, sample);
        if (contract.id in samples) expectError(answer, 404, "not_found");
        else expect([404, 422]).toContain(answer.status);
        expect(await hashDatabase()).toBe(before);
      },
    );
  },
);
