import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { env } from "@/lib/platform/env";
import { type Catalogue, compareCatalogues, readCatalogue } from "@/lib/tools/test/catalogue";
import { wholeSchema } from "./whole-schema.mjs";

// The migrations say how a database got to its schema, schema.prisma and sql/ what that is. Both must make the same.

const name = `whole_schema_${process.pid}`;
let admin: pg.Client;
let scratch: pg.Client;
let migrated: Catalogue;

beforeAll(async () => {
  const { DATABASE_URL } = env();
  admin = new pg.Client({ connectionString: DATABASE_URL });
  await admin.connect();
  migrated = await readCatalogue(admin);
  await admin.query(`create database ${name}`);
  const url = new URL(DATABASE_URL);
  url.pathname = `/${name}`;
  scratch = new pg.Client({ connectionString: url.href });
  await scratch.connect();
  await scratch.query(await wholeSchema(DATABASE_URL));
}, 60_000);

afterAll(async () => {
  await scratch?.end();
  await admin?.query(`drop database if exists ${name} with (force)`);
  await admin?.end();
});

test("the migrations make what schema.prisma and sql/ say", async () => {
  expect(
    compareCatalogues(migrated, await readCatalogue(scratch)),
    "what a migration changed must be changed in schema.prisma or sql/, too, and the other way round",
  ).toEqual([]);
});

test.each([
  [
    "different: function json_text(text)",
    "create or replace function json_text(t text) returns text language sql stable parallel safe as $$ select t $$",
  ],
  ["different: function json_time(timestamp with time zone)", "alter function json_time immutable"],
  ["different: trigger reviews_keep_body on reviews", "alter table reviews disable trigger reviews_keep_body"],
  ["missing: trigger questions_keep_body on questions", "drop trigger questions_keep_body on questions"],
  [
    "different: view photos",
    "create or replace view photos as select client_id, token as id, queued_at as created_at, accepted, accepted_at, reject_reason, decided_at, subject_kind, subject_id, key, format, width, height, sizes from uploads",
  ],
  ["unexpected: index reviews_by_score", "create index reviews_by_score on reviews (score)"],
  ["missing: constraint reviews_score_check on reviews", "alter table reviews drop constraint reviews_score_check"],
  ["different: column reviews.score", "alter table reviews alter column score set default 3"],
])("the comparison names what was changed in a database: %s", async (told, change) => {
  await scratch.query("begin");
  try {
    await scratch.query(change);
    expect(compareCatalogues(await readCatalogue(scratch), migrated)).toEqual([told]);
  } finally {
    await scratch.query("rollback");
  }
});
