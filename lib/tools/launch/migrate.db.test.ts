import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { env } from "@/lib/platform/env";
import { applyMigrations } from "@/lib/tools/test/apply-migrations";
import { oldMigrations } from "@/lib/tools/test/before-baseline";
import { compareSchemaSnapshots, readSchemaSnapshot } from "@/lib/tools/test/schema-snapshot";
import { migrate, migrations, postgresVersion } from "./migrate.mjs";

let db: pg.Client;
beforeEach(async () => {
  db = new pg.Client({ connectionString: env().DATABASE_URL });
  await db.connect();
});
afterEach(async () => {
  await db.query("delete from _prisma_migrations where migration_name ~ '^9999'");
  await db.end();
});

const withoutProgress = (_: string, work: () => Promise<unknown>) => work();
const insertMigration = (name: string, finished: boolean) =>
  db.query(
    `insert into _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
     values (gen_random_uuid(), repeat('0', 64), $1, now(), $2, 1)`,
    [name, finished ? new Date() : null],
  );

test.each([
  ["applied", true],
  ["begun", false],
])("refuses, with a one-line error, a database on which a newer version has %s a migration", async (_, finished) => {
  await insertMigration("99990101000000_of_a_newer_version", finished);
  const rejection = await migrate(env().DATABASE_URL, withoutProgress).then(
    () => null,
    (error: Error) => error.message,
  );
  expect(rejection).toMatch(/^[^\n]*99990101000000_of_a_newer_version[^\n]*$/);
  expect(rejection).toContain("newer version of Candor");
});

/** A client with delivered events and job runs. */
const sampleRowsSql = `
  insert into accounts (id, name) values ('acc', 'Shop');
  insert into clients (id, account_id, public_key, display_name, email_name) values ('c', 'acc', 'pk', 'Shop', 'Shop');
  insert into users (id, account_id, username, password_hash, role, recovery_codes)
    values ('u', 'acc', 'ada', 'hash', 'admin', '{one,two}');
  insert into user_clients (user_id, client_id, role) values ('u', 'c', 'moderator');
  insert into products (client_id, id, family_id, name, tags) values ('c', 'p', 'f', 'Chair – åäö', '{a,b}');
  insert into customers (client_id, id, id_hash, email, email_key) values ('c', 'cu', 'h', 'Ada@mail.example', 'ada@mail.example');
  update customers set email_key = 'new@mail.example';
  insert into orders (client_id, id, customer_id) values ('c', 'o', 'cu');
  insert into order_items (client_id, order_id, id, position, reviewable) values ('c', 'o', 'p', 0, true);
  insert into item_notes (client_id, order_id, item_id, action, actor_kind) values ('c', 'o', 'p', 'held', 'user');
  insert into invitations (client_id, id, status, day) values ('c', 'i', 'sent', '2026-11-01');
  insert into invitation_items (client_id, invitation_id, order_id, item_id, position) values ('c', 'i', 'o', 'p', 0);
  insert into reviews (client_id, id, source, product_id, family_id, score, date, extract, accepted, accepted_at, feedback_token, lang, answers)
    values ('c', 'r1', 'web', 'p', 'f', 5, '2026-11-02', 'Good "chair"', true, now(), 't1', 'en', '{"fit": "large"}'),
           ('c', 'r2', 'import', 'p', 'f', 2, '2026-11-03', E'Bad\\nchair', true, now(), 't2', 'sv', '{}'),
           ('c', 'r3', 'api', 'p', null, 3, '2026-11-03', '', null, null, 't3', null, '{}');
  insert into responses (client_id, id, kind, subject_id, author, extract, date) values ('c', 're', 'review', 'r1', 'Shop', 'Thanks', '2026-11-04');
  insert into votes (client_id, review_id, voter, value) values ('c', 'r1', 'v', 1);
  insert into seller_reviews (client_id, id, source, score, date, accepted, accepted_at, feedback_token)
    values ('c', 's', 'invitation', 4, '2026-11-02', true, now(), 't4');
  insert into questions (client_id, id, source, question, date, product_id, accepted, accepted_at, feedback_token)
    values ('c', 'q', 'web', 'Does it fold?', '2026-11-02', 'p', true, now(), 't5');
  insert into answers (client_id, id, question_id, author, answer, date, accepted, accepted_at) values ('c', 'a', 'q', 'Shop', 'No', '2026-11-03', true, now());
  insert into external_totals (client_id, product_id, kind, source, count, score_dist) values ('c', 'p', 'user', 'other', 3, '{0,0,1,1,1}');
  insert into moderation_events (client_id, kind, subject_id, action, actor_kind) values ('c', 'review', 'r1', 'decided', 'user');
  insert into integrations (client_id, type) values ('c', 'engagement');
  insert into webhooks (client_id, id, url, secrets, events) values ('c', 'w', 'https://hooks.example/', '\\x00', '{review.accepted}');
  insert into outbox (client_id, name, data) values ('c', 'review/decided', '{"client_id": "c", "review_id": "r1", "to": "accepted"}');
  insert into job_failures (job, run_id) values ('plan', 'run');
`;

describe("a database of a release before the baseline", () => {
  let name: string;
  let url: string;
  let oldDatabase: pg.Client;
  beforeEach(async () => {
    name = `before_baseline_${randomUUID().slice(0, 8)}`;
    await db.query(`create database ${name}`);
    const address = new URL(env().DATABASE_URL);
    address.pathname = `/${name}`;
    url = address.href;
    oldDatabase = new pg.Client({ connectionString: url });
    await oldDatabase.connect();
  });
  afterEach(async () => {
    await oldDatabase.end();
    await db.query(`drop database ${name} with (force)`);
  });

  /** Columns that later migrations drop; everything else keeps its values. */
  const dropped = ["parent_id", "parent_step", "wait_for", "wait_if"];
  const columnsOf = async () =>
    (
      await oldDatabase.query<{ name: string; columns: string }>(
        `select table_name as name, string_agg(quote_ident(column_name), ', ' order by ordinal_position) as columns
           from information_schema.columns join pg_tables on tablename = table_name and schemaname = 'public'
          where table_schema = 'public' and table_name !~ '^_prisma' and column_name <> all($1) group by 1 order by 1`,
        [dropped],
      )
    ).rows;
  async function rowsOf(tables: Awaited<ReturnType<typeof columnsOf>>) {
    const all: Record<string, string[]> = {};
    for (const { name, columns } of tables) {
      const { rows } = await oldDatabase.query(
        `select to_jsonb(t)::text as row from (select ${columns} from "${name}") t order by 1`,
      );
      if (rows.length > 0) all[name] = rows.map(({ row }) => row);
    }
    return all;
  }
  const recorded = async () =>
    (await oldDatabase.query("select * from _prisma_migrations order by migration_name")).rows;

  it("is recognized by its migrations, keeps its rows, and gets the current schema", { timeout: 60_000 }, async () => {
    await applyMigrations(oldDatabase, oldMigrations);
    await oldDatabase.query(sampleRowsSql);
    const tables = await columnsOf();
    const rows = await rowsOf(tables);
    expect(Object.keys(rows).length).toBeGreaterThan(20);
    expect(rows.product_summaries).toEqual([expect.stringContaining('"count": 2')]);

    await Promise.all([migrate(url, withoutProgress), migrate(url, withoutProgress)]);

    expect(await rowsOf(tables)).toEqual(rows);
    expect(compareSchemaSnapshots(await readSchemaSnapshot(oldDatabase), await readSchemaSnapshot(db))).toEqual([]);
    expect(await recorded()).toMatchObject(
      migrations().map(({ name, checksum }) => ({
        migration_name: name,
        checksum,
        finished_at: expect.any(Date),
        rolled_back_at: null,
      })),
    );
    await expect(migrate(url, () => Promise.reject(new Error("migrated")))).resolves.toBeUndefined();
  });

  it("is refused with a one-line error that says how to upgrade if it has only some of their migrations", async () => {
    await applyMigrations(oldDatabase, oldMigrations.slice(0, 3));
    await expect(migrate(url, withoutProgress)).rejects.toThrow(
      /^This database was created by an early version of Candor \(last migration: 20261121060200_hash_persons\)\. Start the last 0\.1 version with it once, then this one\. Or export your data there and import it into a new installation\.$/,
    );
    expect(await recorded()).toHaveLength(3);
  });

  it("is refused if one of their migrations differs", async () => {
    await applyMigrations(oldDatabase, oldMigrations);
    await oldDatabase.query(
      "update _prisma_migrations set checksum = repeat('0', 64) where migration_name ~ 'share_slots'",
    );
    await expect(migrate(url, withoutProgress)).rejects.toThrow(
      /^The migration 20261204025013_share_slots was changed/,
    );
  });
});

test("a database with this version's migrations is used unchanged", async () => {
  await expect(migrate(env().DATABASE_URL, () => Promise.reject(new Error("migrated")))).resolves.toBeUndefined();
});

/** A message of PostgreSQL's protocol: type, length, content. */
const message = (letter: string, ...parts: (Buffer | string)[]) => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(letter), length, body]);
};

/** A server that accepts every login and answers every query with its version. */
async function fakePostgres(version: string) {
  const ready = message("Z", "I");
  // One text column: table, position in it, type 25, its size and modifier, text format.
  const column = message(
    "T",
    "\0\x01server_version\0",
    Buffer.from("000000000000 00000019 ffff ffffffff 0000".replaceAll(" ", ""), "hex"),
  );
  const length = Buffer.alloc(4);
  length.writeInt32BE(version.length);
  const row = message("D", "\0\x01", length, version);
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => {
      socket.write(Buffer.concat([message("R", Buffer.alloc(4)), ready]));
      socket.on("data", (request) => {
        if (request[0] === 0x51) socket.write(Buffer.concat([column, row, message("C", "SHOW\0"), ready]));
        else socket.end();
      });
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { url: `postgresql://a:b@127.0.0.1:${(server.address() as AddressInfo).port}/candor`, server };
}

test.each(["14.22 (Debian 14.22-1)", "9.6.24"])(
  "refuses a server of version %s with a one-line error",
  async (version) => {
    const { url, server } = await fakePostgres(version);
    try {
      await expect(migrate(url, withoutProgress)).rejects.toThrow(
        /^PostgreSQL [\d.]+ is too old: Candor needs version 15 or newer\.$/,
      );
    } finally {
      server.close();
    }
  },
);

test("postgresVersion works before the database exists", async () => {
  const { rows } = await db.query("show server_version");
  expect(await postgresVersion(env().DATABASE_URL)).toBe(rows[0].server_version);
  const other = new URL(env().DATABASE_URL);
  other.pathname = "/not_yet";
  expect(await postgresVersion(other.href)).toBe(rows[0].server_version);
});
