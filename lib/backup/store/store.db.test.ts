import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { GET as orders } from "@/app/v1/orders/route";
import { GET as questions } from "@/app/v1/questions/route";
import { GET as reviews } from "@/app/v1/reviews/route";
import { GET as sellerReviews } from "@/app/v1/seller_reviews/route";
import { GET as productSummaries } from "@/app/v1/summaries/route";
import { ArchiveWriter, openArchive, storeFormat } from "@/lib/backup/archive";
import type { StoreManifest } from "@/lib/backup/manifest";
import { purgeErased, recordErased, selectErased } from "@/lib/orders/erased-hashes";
import { pool, transaction } from "@/lib/platform/db/pool";
import { env } from "@/lib/platform/env";
import { personHash } from "@/lib/platform/secrets/person-hash";
import { removeFolder, writeFile } from "@/lib/platform/storage/files";
import { claimUploads } from "@/lib/reviews/uploads/claim-uploads";
import { folderOf } from "@/lib/reviews/uploads/image-objects";
import { removeUnusedPhotos } from "@/lib/reviews/uploads/remove-unused-photos";
import { storeLogo } from "@/lib/reviews/uploads/store-logo";
import { storeUpload } from "@/lib/reviews/uploads/store-upload";
import { readAll } from "@/lib/tools/test/call";
import {
  aClient,
  aKey,
  anAnswer,
  anOrder,
  aResponse,
  rowsOf,
  someProducts,
  someQuestions,
  someReviews,
  someSellerReviews,
} from "@/lib/tools/test/factories";
import {
  anInstallation,
  filesIn,
  inDatabase,
  type Packed,
  provideInstallations,
  runCommand,
  runProcess,
  runRejected,
  unpack,
} from "@/lib/tools/test/installations";
import { photograph } from "@/lib/tools/test/pictures";
import { startAdmin } from "@/lib/tools/test/program";
import { temporaryFolder } from "@/lib/tools/test/temporary-folder";
import { exportStore } from "./export-store";
import { importStore } from "./import-store";
import { storeTables } from "./tables";

// Archives of a store of this worker's database, imported into others and into this one.

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

provideInstallations();

const OTHER_SECRET = { CANDOR_SECRET: "quite another secret for this test only" };
const sha256Of = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");
const photo = async (width: number) => new Blob([new Uint8Array(await photograph(width, 700).jpeg().toBuffer())]);

async function addPhoto(client: string, kind: "review" | "seller_review" | "question", id: string, width: number) {
  const { token } = await storeUpload({ id: client }, await photo(width));
  await transaction(async (db) => {
    const images = await claimUploads(db, { id: client }, [token], { kind, id });
    await db.query(`update ${kind}s set images = $3 where client_id = $1 and id = $2`, [
      client,
      id,
      JSON.stringify(images),
    ]);
  });
}

/** A store with rows in every exported table, and with a past: edits, moved products, deleted rows. */
async function createStoreWithEverything() {
  const { id, key } = await aClient({ time_zone: "Europe/Berlin", allowed_origins: ["https://shop.example"] }).catch(
    () => aClient(),
  );
  await someProducts(id, [{ id: "lamp" }, { id: "desk", family_id: "lamp", name: "Schreibtisch „Eiche“\t\\N 😀" }]);
  const order = async (n: number) =>
    anOrder(id, {
      id: `order-${n}`,
      customer: { id: `c${n}`, name: "Ada Berg", email: `Ada${n}@example.org` },
      value: n * 10.5,
      items: [{ id: "lamp", name: "Lamp", delivery_date: "2026-01-02", returned: n > 3 }, { id: "desk" }],
    });
  for (let n = 1; n <= 5; n += 1) await order(n);
  await anOrder(id, {
    id: "order-6",
    customer: { id: "c5", name: "Ada Berg", email: "new@example.org" },
    items: [{ id: "lamp", name: "Lamp" }],
  });
  const at = "2026-02-01T10:00:00.123Z";
  await rowsOf(
    `insert into item_notes (client_id, order_id, item_id, action, actor_kind, actor_id, at)
     select $1, 'order-1', 'lamp', action, 'user', 'usr_gone', $2::timestamptz from unnest('{held,released,sent}'::text[]) action`,
    [id, at],
  );
  await rowsOf(
    `insert into invitations (client_id, id, customer_id, email, email_key, status, day, sent_at, mail_id, claimed_at)
     select $1, 'inv_' || n, 'c' || n, 'Ada' || n || '@example.org', 'ada' || n || '@example.org',
            'sent', '2026-02-01', $2::timestamptz, 'mail_' || n, $2::timestamptz from generate_series(1, 3) n`,
    [id, at],
  );
  await rowsOf(
    `insert into invitation_items (client_id, invitation_id, order_id, item_id, position)
     select $1, 'inv_' || n, 'order-' || n, 'lamp', 0 from generate_series(1, 3) n`,
    [id],
  );
  const hashes = [
    personHash(id, "customer", "c1"),
    personHash(id, "email", "ada1@example.org"),
    personHash(id, "email", "ada5@example.org"), // a former address
    personHash(id, "email", "author@example.org"), // the author of a review
  ];
  await rowsOf(
    "insert into quarantines (client_id, person_hash, last_day) select $1, hash, '2026-02-01' from unnest($2::text[]) hash",
    [id, hashes],
  );
  await rowsOf("insert into send_days (client_id, day, sent) values ($1, '2026-02-01', 3)", [id]);
  await rowsOf(
    "insert into suppressions (client_id, email_hash, reason) select $1, hash, 'opt_out' from unnest($2::text[]) hash",
    [id, hashes.slice(1)],
  );
  const texts = Array.from({ length: 40 }, (_, n) => ({
    accepted: [true, true, null, false][n % 4] as boolean | null,
    score: 1 + (n % 5),
    product_id: n % 2 ? "lamp" : "desk",
    family_id: "lamp",
    lang: n % 3 ? "de" : "en",
    order_id: n < 3 ? `order-${n + 1}` : null,
    customer_id: n < 3 ? `c${n + 1}` : null,
    author_email: n === 7 ? "Author@example.org" : null,
    email_key: n === 7 ? "author@example.org" : null,
    answers: { fit: n % 2 ? "small" : "large" },
    verified_buyer: n < 3,
    incentivized: n % 2 === 0,
    feedback_token: `${id}-review-${n}`,
  }));
  const reviewIds = await someReviews(id, texts);
  await rowsOf("update reviews set extract = 'Edited.' where client_id = $1 and id = $2", [id, reviewIds[0]]);
  await rowsOf("delete from reviews where client_id = $1 and id = $2", [id, reviewIds[39]]);
  const sellerIds = await someSellerReviews(id, [
    { accepted: true, score: 4 },
    { accepted: null, invitation_id: "inv_1" },
  ]);
  const questionIds = await someQuestions(id, [
    { accepted: true, product_id: "lamp", family_id: "lamp" },
    { accepted: true, product_id: "desk", family_id: "lamp" },
    {},
  ]);
  const answer = await anAnswer(id, questionIds[0]!, { user_id: "usr_gone" });
  await anAnswer(id, questionIds[0]!, { answer: "Or a smaller one." });
  await anAnswer(id, questionIds[1]!, { accepted: null });
  await rowsOf("update answers set answer = 'E14, sorry.' where client_id = $1 and id = $2", [id, answer]);
  await aResponse(id, "review", reviewIds[0]!, { user_id: "usr_gone" });
  await aResponse(id, "review", reviewIds[0]!, { extract: "And thanks again." });
  await aResponse(id, "seller_review", sellerIds[0]!);
  await rowsOf(
    `insert into votes (client_id, review_id, voter, value) select $1, $2, 'voter-' || n, 1 from generate_series(1, 3) n`,
    [id, reviewIds[0]],
  );
  await rowsOf("update reviews set votes_up = 3, flag_count = 1 where client_id = $1 and id = $2", [id, reviewIds[0]]);
  await rowsOf("insert into flags (client_id, id, review_id, voter) values ($1, 'flag_1', $2, 'voter-1')", [
    id,
    reviewIds[0],
  ]);
  await addPhoto(id, "review", reviewIds[0]!, 900);
  await addPhoto(id, "review", reviewIds[4]!, 901);
  await addPhoto(id, "seller_review", sellerIds[0]!, 902);
  await addPhoto(id, "question", questionIds[0]!, 903);
  await storeUpload({ id }, await photo(904));
  await rowsOf(
    "insert into reply_templates (client_id, id, name, text) values ($1, 'rt_1', 'Thanks', 'Thank you, {author}')",
    [id],
  );
  await rowsOf(
    `insert into template_versions (client_id, template, language, version, subject, actor_kind, actor_id)
     values ($1, 'invitation', 'en', 1, 'How was it?', 'user', 'usr_gone')`,
    [id],
  );
  await rowsOf(
    `insert into external_totals (client_id, product_id, source, kind, count, score_dist) values ($1, 'lamp', 'Trusted', 'user', 3, '{0,0,1,1,1}')`,
    [id],
  );
  await rowsOf(
    `insert into moderation_events (client_id, kind, subject_id, at, actor_kind, actor_id, action, to_state, texts)
     select $1, 'review', $2, $3::timestamptz, 'user', 'usr_gone', action, 'accepted', '{"extract": "Before"}'
       from unnest('{submitted,decided,edited}'::text[]) with ordinality a(action, n) order by n desc`,
    [id, reviewIds[0], at],
  );
  await rowsOf(
    `insert into moderation_findings (client_id, id, kind, subject_id, rule, span_start, span_end, suggested)
     values ($1, 'find_1', 'review', $2, 'link', 0, 3, 'hold')`,
    [id, reviewIds[2]],
  );
  await rowsOf(
    `insert into moderation_notes (client_id, id, kind, subject_id, text, mentions)
     values ($1, 'note_1', 'review', $2, 'Ask @Kim.', '{usr_gone}')`,
    [id, reviewIds[2]],
  );
  await rowsOf(
    `insert into moderation_prints (client_id, kind, subject_id, print, created_at, expires_at)
     values ($1, 'review', $2, 77, $3, null), ($1, 'review', $2, 78, $3, now() + interval '1 day')`,
    [id, reviewIds[2], at],
  );
  await rowsOf(
    `insert into action_links (client_id, hash, purpose, kind, subject_id, email_key, expires_at)
     values ($1, 'h', 'verify_email', 'review', $2, 'author@example.org', now() + interval '1 day')`,
    [id, reviewIds[7]],
  );
  await rowsOf(
    `insert into audit_entries (account_id, client_id, at, actor_kind, actor_id, action, subject, detail)
     select account_id, id, $2, 'user', 'usr_gone', 'client.updated', id, '{"locale": "de"}' from clients where id = $1`,
    [id, at],
  );
  return { id, key };
}

/** What the store has elsewhere: none of it is exported. */
async function connectElsewhere(client: string) {
  await rowsOf("insert into webhooks (client_id, id, url, secrets) values ($1, 'wh', 'https://x.example', '\\x00')", [
    client,
  ]);
  await rowsOf(
    `insert into mails (id, client_id, idempotency_key, kind, "to", to_key, "from", subject, status) values ($1, $1, $1, 'x', 'a', 'a', 'b', 's', 'kept')`,
    [client],
  );
}

/** Audit entries stay. */
const deleteStore = (id: string) => rowsOf("delete from clients where id = $1", [id]);

/** Deletes a store and creates it again from its archive. */
async function moveHere(id: string): Promise<void> {
  const archive = path.join(folder, `${id}.candor`);
  await exportStore(id, archive);
  await deleteStore(id);
  await importStore(archive);
  rmSync(archive);
}

async function manifestOf(file: string): Promise<StoreManifest> {
  const archive = await openArchive(storeFormat, file);
  await archive.close();
  return archive.manifest;
}
const contentOf = async (file: string) => {
  const { tables, files, secret } = await manifestOf(file);
  return { tables, files, secret };
};

/** Every row of the other stores, by table. */
async function rowsOfOthers(id: string) {
  const tables = await rowsOf(
    "select table_name as name from information_schema.columns c join pg_tables t on t.tablename = c.table_name where column_name = 'client_id' and table_schema = 'public' and t.schemaname = 'public' order by 1",
  );
  const found: Record<string, string> = {};
  for (const { name } of tables)
    found[name] = (
      await rowsOf(
        `select md5(string_agg(t::text, '|' order by t::text)) as hash from ${name} t where client_id is distinct from $1`,
        [id],
      )
    )[0].hash;
  return found;
}

/** All rows of the store in this database, with derived ones, by table. */
async function countStore(id: string) {
  const found: Record<string, number> = {};
  for (const { name } of storeTables)
    found[name] = (
      await rowsOf(`select count(*)::int as n from ${name} where ${name === "clients" ? "id" : "client_id"} = $1`, [id])
    )[0].n;
  return found;
}
const nothing = Object.fromEntries(storeTables.map(({ name }) => [name, 0]));

/** What the API shows of the store. */
async function listsOf(key: string) {
  const lists = [
    [reviews, "/v1/reviews"],
    [sellerReviews, "/v1/seller_reviews"],
    [questions, "/v1/questions"],
    [orders, "/v1/orders"],
    [productSummaries, "/v1/summaries"],
  ] as const;
  const found: Record<string, unknown> = {};
  for (const [GET, address] of lists) {
    const rows = await readAll({ GET }, `${address}?limit=10`, { key });
    found[address] = JSON.parse(JSON.stringify(rows).replace(/\?expires=\d+&signature=[\w-]+/g, ""));
  }
  return found;
}

let store: Awaited<ReturnType<typeof createStoreWithEverything>>;
let neighbor: Awaited<ReturnType<typeof createStoreWithEverything>>;
let folder: string;
let file: string;
beforeAll(async () => {
  store = await createStoreWithEverything();
  neighbor = await createStoreWithEverything();
  for (const { id } of [store, neighbor]) await connectElsewhere(id);
  // Hashes whose person isn't in the store.
  for (const { id } of [store, neighbor]) {
    await recordErased(pool(), id, "order", ["order-0"]);
    await rowsOf("insert into erased_hashes (client_id, hash, what) values ($1, 'shop', 'shop')", [id]);
    await rowsOf("insert into suppressions (client_id, email_hash, reason) values ($1, $2, 'bounce')", [
      id,
      personHash(id, "email", "unknown@example.org"),
    ]);
  }
  folder = temporaryFolder("stores");
  file = path.join(folder, "shop.candor");
  await exportStore(store.id, file);
});

describe("an archive of a store", () => {
  it("has rows of every exported table, and only of that store", async () => {
    const { tables, files } = await manifestOf(file);
    for (const { name, rows } of tables) expect(rows, name).toBeGreaterThan(0);
    expect(files).toMatchObject({ count: 20, missing: [] });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    for (const { name, bytes } of await unpack(file))
      if (name.endsWith(".gz")) expect(gunzipSync(bytes).includes(neighbor.id), name).toBe(false);
  });

  it("is identical after an import into an empty installation", async () => {
    const to = await anInstallation();
    const dry = await runCommand(["client", "import", file, "--keep-send-limit", "--dry-run"], to);
    expect(dry).toMatchObject({ dry_run: true, files: 20, lost: null, differences: [] });
    await inDatabase(to.DATABASE_URL, async (db) => {
      expect((await db.query("select from clients union all select from accounts")).rowCount).toBe(0);
    });
    expect(filesIn(to.DATA_DIR)).toEqual({});
    const report = await runProcess(["client", "import", file, "--keep-send-limit"], to);
    expect(report).toMatchObject({ client: store.id, files: 20, missing: [], lost: null, differences: [], unsent: 0 });
    const archived = (await manifestOf(file)).tables.filter(({ name }) => name !== "known_people");
    expect(report.rows).toBe(archived.reduce((sum, { rows }) => sum + rows, 0));
    const again = path.join(folder, "again.candor");
    await runCommand(["client", "export", store.id, again], to);
    expect(await contentOf(again)).toEqual(await contentOf(file));
    const files = async (name: string) =>
      (await unpack(name))
        .filter((entry) => entry.name.startsWith("files/"))
        .map((entry) => [entry.name, sha256Of(entry.bytes)]);
    expect(await files(again)).toEqual(await files(file));
    expect(await runCommand(["summaries", "verify"], to)).toEqual({ differences: [] });
    await inDatabase(to.DATABASE_URL, async (db) => {
      const { rows: events } = await db.query("select distinct name from outbox");
      expect(events).toEqual([{ name: "photos/imported" }]);
      for (const table of ["mails", "webhooks", "webhook_deliveries", "deliveries", "api_keys", "users"])
        expect((await db.query(`select from ${table}`)).rowCount, table).toBe(0);
      // Histories continue after the imported ones.
      await db.query(
        "insert into moderation_events (client_id, kind, subject_id, actor_kind, action) values ($1, 'review', 'x', 'system', 'x')",
        [store.id],
      );
      const { rows } = await db.query("select action from moderation_events where kind <> 'store' order by id");
      expect(rows.map(({ action }) => action)).toEqual(["edited", "decided", "submitted", "x"]);
    });
    expect(await runRejected(["client", "import", file], to)).toBe(`Store ${store.id} already exists.`);
  });

  it("replaces a deleted store of the same installation, and no other", async () => {
    const before = await listsOf(store.key);
    const others = await rowsOfOthers(store.id);
    const photos = filesIn(path.join(env().DATA_DIR, "images"));
    const [{ account_id, public_key }] = await rowsOf("select account_id, public_key from clients where id = $1", [
      store.id,
    ]);
    await deleteStore(store.id);
    const report = await importStore(file, { account: account_id, keepSendLimit: true });
    expect(report).toMatchObject({ account: account_id, differences: [], lost: null });
    const { secret: key } = await aKey([store.id]);
    expect(await listsOf(key)).toEqual(before);
    expect(await rowsOfOthers(store.id)).toEqual(others);
    expect(filesIn(path.join(env().DATA_DIR, "images"))).toEqual(photos);
    expect(await rowsOf("select account_id, public_key from clients where id = $1", [store.id])).toEqual([
      { account_id, public_key },
    ]);
    const again = path.join(folder, "same-place.candor");
    await exportStore(store.id, again);
    expect(await contentOf(again)).toEqual(await contentOf(file));
    expect(await rowsOf("select from webhooks where client_id = $1", [store.id])).toEqual([]);
    store.key = key;
  });

  it("pauses invitations, unless requested otherwise, and never sends what the other installation may send", async () => {
    await rowsOf(
      `insert into invitations (client_id, id, email, email_key, status, day, sent_at, handed_at, taken_at)
       values ($1, 'inv_open', 'x@example.org', 'x@example.org', 'claimed', current_date, null, null, null),
              ($1, 'inv_passed', 'y@example.org', 'y@example.org', 'sent', current_date, now(), now(), null),
              ($1, 'inv_taken', 'z@example.org', 'z@example.org', 'sent', current_date, now(), now(), now())`,
      [store.id],
    );
    const open = path.join(folder, "open.candor");
    await exportStore(store.id, open);
    await rowsOf("delete from invitations where client_id = $1 and id in ('inv_open', 'inv_passed', 'inv_taken')", [
      store.id,
    ]);
    const to = await anInstallation();
    const { send_limit } = (await rowsOf("select send_limit from clients where id = $1", [store.id]))[0];
    const account = (await runCommand(["account", "create", "--name", "Moved"], to)).id;
    const report = await runCommand(["client", "import", open, "--account", account], to);
    expect(report).toMatchObject({ account, paused: true, send_limit, unsent: 2 });
    await inDatabase(to.DATABASE_URL, async (db) => {
      expect((await db.query("select send_limit, account_id from clients")).rows).toEqual([
        { send_limit: 0, account_id: account },
      ]);
      const { rows } = await db.query(
        "select id, status, error, sent_at is not null as sent from invitations where email_key ~ '^[xyz]@' order by id",
      );
      expect(rows).toEqual([
        { id: "inv_open", status: "failed", error: "store_moved", sent: false },
        { id: "inv_passed", status: "failed", error: "store_moved", sent: false },
        { id: "inv_taken", status: "sent", error: null, sent: true },
      ]);
    });
  });

  it("keeps hashes of erased people for systems that the store connects again", async () => {
    const { id } = await aClient();
    await recordErased(pool(), id, "customer", ["c1"]);
    await rowsOf("update erased_hashes set erased_at = now() - interval '30 days' where client_id = $1", [id]);
    await moveHere(id);
    await purgeErased();
    expect(await selectErased(pool(), id, "customer", ["c1"])).toEqual(new Set(["c1"]));
  });

  it("shows its uploaded logo from the new address, and any other logo from where it is", async () => {
    const { id, client } = await aClient();
    const logo = await storeLogo(client, await photo(800));
    const setLogo = (url: string) =>
      rowsOf("update clients set config = config || jsonb_build_object('logo_url', $2::text) where id = $1", [id, url]);
    const logoOf = async () =>
      (await rowsOf("select config->>'logo_url' as url from clients where id = $1", [id]))[0].url;
    await setLogo(logo.url.replace(env().PUBLIC_URL, "https://first.example/reviews"));
    await moveHere(id);
    expect(await logoOf()).toBe(logo.url);
    const elsewhere = `https://cdn.example/images/${"a".repeat(32)}/medium.png`;
    await setLogo(elsewhere);
    await moveHere(id);
    expect(await logoOf()).toBe(elsewhere);
  });

  it("is refused while a person's data is being deleted, and for a store that doesn't exist", async () => {
    await expect(exportStore("nowhere", path.join(folder, "x"))).rejects.toThrow("Store nowhere doesn’t exist.");
    await rowsOf(
      "insert into deletion_requests (client_id, id, person_hash, sealed, actor_kind, actor_id) values ($1, 'del', 'h', '\\x00', 'key', 'k')",
      [store.id],
    );
    try {
      await expect(exportStore(store.id, path.join(folder, "x"))).rejects.toThrow("is being deleted");
    } finally {
      await rowsOf("delete from deletion_requests where client_id = $1", [store.id]);
    }
    expect(readdirSync(folder).filter((name) => name.startsWith("x"))).toEqual([]);
  });
});

describe("an installation with another secret", () => {
  it("recognizes everybody in the archive, and reports who can't be recognized", async () => {
    const to = await anInstallation(OTHER_SECRET);
    const rejected = await runRejected(["client", "import", file], to);
    expect(rejected).toMatch(/1 unsubscribed or bounced address, 0 recently emailed people and 1 deleted record\./);
    const report = await runCommand(["client", "import", file, "--accept-loss"], to);
    expect(report.lost).toEqual({ suppressions: 1, cooldowns: 0, erasures: 1, voters: 3 });
    const remade = path.join(folder, "remade.candor");
    await runCommand(["client", "export", store.id, remade], to);
    const known = (await unpack(remade)).find(({ name }) => name.startsWith("tables/known_people/"))!.bytes;
    const people = gunzipSync(known).toString().trim().split("\n");
    const original = (await unpack(file)).find(({ name }) => name.startsWith("tables/known_people/"))!.bytes;
    const strip = (lines: string[]) => lines.map((line) => line.split("\t").slice(1).join("\t")).sort();
    expect(strip(people)).toEqual(strip(gunzipSync(original).toString().trim().split("\n")));
    expect(strip(people)).toEqual(
      ["customer\tc1", "email\tada1@example.org", "email\tada5@example.org", "email\tauthor@example.org"].sort(),
    );
    // A start with that secret accepts the customers' hashes.
    await runCommand(["summaries", "verify"], to);
    await inDatabase(to.DATABASE_URL, async (db) => {
      expect((await db.query("select what from erased_hashes")).rows).toEqual([{ what: "shop" }]);
      expect((await db.query("select print::int from moderation_prints")).rows).toEqual([{ print: 77 }]);
    });
  });
});

describe("an import", () => {
  /** An installation with an import killed while it wrote photos; null if it ended before, as on a busy machine. */
  const killedImport = async () => {
    const to = await anInstallation();
    const images = path.join(to.DATA_DIR, "images");
    const { child } = startAdmin(["client", "import", file], { env: to });
    const ended = once(child, "close");
    const timer = setInterval(() => {
      if (Object.keys(filesIn(images)).length > 0) child.kill("SIGKILL");
    }, 2);
    await ended;
    clearInterval(timer);
    return child.signalCode === "SIGKILL" ? { to, images } : null;
  };

  it("that is killed leaves nothing but photos, which a job deletes, and can be run again", async () => {
    let killed = await killedImport();
    for (let tries = 1; !killed && tries < 4; tries += 1) killed = await killedImport();
    if (!killed) throw new Error("Each import ended before the signal.");
    const { to, images } = killed;
    await inDatabase(to.DATABASE_URL, async (db) => {
      for (const { name } of storeTables) expect((await db.query(`select from ${name}`)).rowCount, name).toBe(0);
      const { rows } = await db.query("select data, available_at > now() + interval '23 hours' as later from outbox");
      expect(rows).toEqual([{ data: { client_id: store.id, keys: expect.any(Array) }, later: true }]);
      expect(rows[0].data.keys).toHaveLength(5);
    });
    const { out } = await startAdmin(["client", "import", file], { env: to }).printed;
    expect(out.replace(/\d+ rows/, "N rows")).toMatch(
      new RegExp(
        `^Imported client ${store.id}, exported \\S+, into account acc_\\w+: N rows, 20 files\\.\\nInvitations are paused\\. To continue them: client set ${store.id} send_limit=1000\\n$`,
      ),
    );
    expect(Object.keys(filesIn(images))).toHaveLength(20);
  });

  it("that fails after writing photos deletes them", async () => {
    const lacking = path.join(folder, "lacking.candor");
    await craft(lacking, (entries) => entries.filter(({ name }) => !name.endsWith("large.jpg")));
    const to = await anInstallation();
    expect(await runRejected(["client", "import", lacking], to)).toMatch(/doesn’t match its manifest/);
    expect(filesIn(path.join(to.DATA_DIR, "images"))).toEqual({});
  });

  it("keeps photos that have a row", async () => {
    const keys = (await rowsOf("select key from uploads where client_id = $1", [store.id])).map(({ key }) => key);
    const before = filesIn(path.join(env().DATA_DIR, "images"));
    const [gone] = keys;
    const unused = "f".repeat(32);
    await writeFile(`${folderOf(unused)}/original.jpg`, Buffer.from("x"));
    expect(await removeUnusedPhotos(store.id, [...keys, unused])).toBe("done");
    expect(filesIn(path.join(env().DATA_DIR, "images"))).toEqual(before);
    expect(existsSync(path.join(env().DATA_DIR, "images", folderOf(gone), "original.jpg"))).toBe(true);
    const lock = await pool().connect();
    try {
      await lock.query("select pg_advisory_lock(hashtextextended('candor-store-import:' || $1, 0))", [store.id]);
      expect(await removeUnusedPhotos(store.id, keys)).toBe("busy");
      await expect(importStore(file)).rejects.toThrow("is already being imported");
    } finally {
      await lock.query("select pg_advisory_unlock_all()");
      lock.release();
    }
  });

  it("of two at once creates the store once", async () => {
    const to = await anInstallation();
    const results = await Promise.all([0, 1].map(() => startAdmin(["client", "import", file], { env: to }).printed));
    expect(results.map(({ status }) => status).sort()).toEqual([0, 1]);
    expect(results.find(({ status }) => status === 1)!.err).toMatch(/already (?:exists|being imported)/);
  });
});

/** Writes the archive with a change and a correct checksum. */
async function craft(target: string, change: (entries: Packed[]) => Packed[]): Promise<void> {
  const writer = await ArchiveWriter.create(storeFormat, target);
  const entries = change((await unpack(file)).slice(1, -1));
  const manifest = entries.find(({ name }) => name === "manifest.json")!;
  for (const entry of entries) if (entry !== manifest) await writer.add(entry.name, entry.bytes);
  await writer.finish(JSON.parse(manifest.bytes.toString()));
}

describe("an import rejects, and changes nothing,", () => {
  const bad = () => path.join(folder, "bad.candor");
  let before: unknown;
  /** Except events that photos of a failed import are to be deleted. */
  const state = async () => {
    const { outbox, ...rows } = await rowsOfOthers("nobody");
    return { ...rows, files: Object.keys(filesIn(path.join(env().DATA_DIR, "images"))) };
  };
  beforeAll(async () => {
    const uploads = await rowsOf("select key from uploads where client_id = $1", [store.id]);
    for (const { key } of uploads) await removeFolder(folderOf(key));
    await deleteStore(store.id);
    before = await state();
  });

  async function rejection(change: (entries: Packed[]) => Packed[], options = {}): Promise<string> {
    await craft(bad(), change);
    const error = await importStore(bad(), options).then(
      () => "imported",
      (cause: Error) => cause.message,
    );
    expect(await countStore(store.id)).toEqual({ ...nothing, audit_entries: 1 });
    return error;
  }
  const inManifest = (change: (manifest: StoreManifest) => void) => (entries: Packed[]) =>
    entries.map((entry) => {
      if (entry.name !== "manifest.json") return entry;
      const manifest = JSON.parse(entry.bytes.toString());
      change(manifest);
      return { ...entry, bytes: Buffer.from(JSON.stringify(manifest)) };
    });
  /** Replaces the rows of a table, with its digest in the manifest. */
  const inTable = (table: string, change: (rows: string) => string) => (entries: Packed[]) => {
    let changed = Buffer.alloc(0);
    const replaced = entries.map((entry) => {
      if (entry.name !== `tables/${table}/000001.gz`) return entry;
      changed = Buffer.from(change(gunzipSync(entry.bytes).toString()));
      return { ...entry, bytes: gzipSync(changed) };
    });
    return inManifest(({ tables }) => {
      Object.assign(tables.find(({ name }) => name === table)!, {
        rows: changed.toString().split("\n").length - 1,
        bytes: changed.length,
        sha256: sha256Of(changed),
      });
    })(replaced);
  };

  it("a file that is truncated, altered, or of another kind", async () => {
    const backup = path.join(folder, "all.backup");
    writeFileSync(backup, "CANDOR-BACKUP");
    await expect(importStore(backup)).rejects.toThrow("isn’t an archive of a store");
    const valid = readFileSync(file);
    for (const place of [0, 600, Math.floor(valid.length / 2), valid.length - 700]) {
      const altered = Buffer.from(valid);
      altered[place] = altered[place]! ^ 1;
      for (const bytes of [valid.subarray(0, place), altered]) {
        writeFileSync(bad(), bytes);
        await expect(importStore(bad())).rejects.toThrow(/isn’t an archive of a store|is damaged or incomplete/);
      }
    }
  });

  it("another release", async () => {
    const other = inManifest(({ migration }) => Object.assign(migration, { name: "29990101000000_later" }));
    expect(await rejection(other)).toMatch(
      /its last migration is 29990101000000_later, this installation’s is \d{14}_/,
    );
    const otherColumns = inManifest(({ tables }) => tables[3]!.columns.push("extra"));
    expect(await rejection(otherColumns)).toBe("The archive’s tables don’t match its release (customer_emails).");
    expect(await rejection(inManifest((manifest) => Object.assign(manifest, { format: 2 })))).toMatch(
      /This release can’t read/,
    );
  });

  it("entries that don't belong to the archive", async () => {
    const extra = (name: string) => (entries: Packed[]) => [...entries, { name, bytes: Buffer.from("x") }];
    for (const name of ["files/../../../../escaped", "/etc/escaped", "files/feeds/x/0", "secrets.json", "other"])
      expect(await rejection(extra(name))).toMatch(/contains an entry that doesn’t belong there/);
    const [{ key }] = await rowsOf("select key from uploads where client_id = $1 limit 1", [neighbor.id]);
    expect(await rejection(extra(`files/${folderOf(key)}/original.jpg`))).toMatch(/belongs to none of its photos/);
    expect(await rejection(extra("tables/users/000001.gz"))).toMatch(/doesn’t match its manifest/);
  });

  it("rows of another store, and its photos", async () => {
    expect(await rejection(inTable("orders", (rows) => rows.replace(store.id, neighbor.id)))).toBe(
      "The archive contains rows of another store in orders.",
    );
    expect(await rejection(inTable("clients", (rows) => rows.replaceAll(store.id, neighbor.id)))).toBe(
      "The archive contains rows of another store in clients.",
    );
    expect(await rejection(inManifest((manifest) => Object.assign(manifest, { client: neighbor.id })))).toBe(
      `Store ${neighbor.id} already exists.`,
    );
    const [{ key }] = await rowsOf("select key from uploads where client_id = $1 limit 1", [neighbor.id]);
    const theirs = inTable("reviews", (rows) => rows.replace(/("key": ")[0-9a-f]{32}/, `$1${key}`));
    expect(await rejection(theirs)).toBe(
      "The archive contains texts in reviews with photos that aren’t in the archive.",
    );
    expect(await rejection(inTable("uploads", (rows) => rows.replace(/\b[0-9a-f]{32}(?=\tjpeg)/, key)))).toMatch(
      /with photos that aren’t|uploads_key_key/,
    );
    expect(await rejection(inTable("uploads", (rows) => rows.replace(/\b[0-9a-f]{32}(?=\tjpeg)/, "..")))).toMatch(
      /with photos that aren’t|invalid rows in uploads/,
    );
    expect(
      await rejection(
        inTable("reviews", (rows) => rows.replace(`${store.id}-review-1\t`, `${neighbor.id}-review-1\t`)),
      ),
    ).toBe("Another store on this installation has the same reviews_feedback_token_key as the archive.");
  });

  it("rows that the database refuses", async () => {
    expect(await rejection(inTable("orders", (rows) => rows.replace("\tc1\t", "\tnobody\t")))).toMatch(
      /invalid rows in orders: /,
    );
    expect(await rejection(inTable("orders", (rows) => `${rows}too\tfew\n`))).toMatch(/invalid rows in orders: /);
    expect(await rejection(inTable("answers", (rows) => rows.replace(/^(\S+\t\S+\t)\S+/, "$1nothing")))).toMatch(
      /invalid rows in answers/,
    );
  });

  it("settings that the portal doesn't accept", async () => {
    const columns = (await manifestOf(file)).tables.find(({ name }) => name === "clients")!.columns;
    const withSetting = (name: string, value: string) =>
      inTable("clients", (rows) =>
        rows
          .trimEnd()
          .split("\t")
          .map((old, index) => (columns[index] === name ? value : old))
          .join("\t")
          .concat("\n"),
      );
    for (const [name, value, message] of [
      ["locale", "no locale", /settings that aren’t valid: .*Correct them/],
      ["config", '{"logo_url": "javascript:alert(1)"}', /settings that aren’t valid: /],
      ["config", '{"unknown": 1}', /settings that aren’t valid: /],
      ["config", '{"time_zone": "AET"}', /settings that aren’t valid: .*Europe\/Stockholm/],
      ["config", '{"html_template": "{% if %}"}', /settings that aren’t valid: /],
      ["config", '{"html_template": "<p>No way to unsubscribe</p>"}', /settings that aren’t valid: .*unsubscribe/],
      ["custom_questions", '[{"id": "a b", "type": "score", "label": {}}]', /settings that aren’t valid: /],
      ["rules", '{"nothing": true}', /settings that aren’t valid: /],
      ["send_emails_before_days", "-1", /settings that aren’t valid: /],
    ] as const)
      expect([name, await rejection(withSetting(name, value))]).toEqual([name, expect.stringMatching(message)]);
  });

  it("an unknown account, or a missing table", async () => {
    expect(await rejection((entries) => entries, { account: "acc_nowhere" })).toBe(
      "Account acc_nowhere doesn’t exist.",
    );
    const withoutVotes = (entries: Packed[]) => entries.filter(({ name }) => !name.startsWith("tables/votes/"));
    expect(await rejection(withoutVotes)).toMatch(/votes doesn’t match its manifest/);
  });

  it("without leaving rows or photos", async () => {
    expect(await state()).toEqual(before);
    rmSync(bad());
  });
});
