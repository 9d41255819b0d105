import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { env } from "@/lib/platform/env";
import { compareSchemaSnapshots, readSchemaSnapshot, type SchemaSnapshot } from "@/lib/tools/test/schema-snapshot";
import { buildSchemaSql } from "./full-schema.mjs";

// The migrations lead to a schema; schema.prisma and sql/ define it. Both must produce the same.

const name = `whole_schema_${process.pid}`;
let admin: pg.Client;
let rebuilt: pg.Client;
let migratedSchema: SchemaSnapshot;

beforeAll(async () => {
  const { DATABASE_URL } = env();
  admin = new pg.Client({ connectionString: DATABASE_URL });
  await admin.connect();
  migratedSchema = await readSchemaSnapshot(admin);
  await admin.query(`create database ${name}`);
  const url = new URL(DATABASE_URL);
  url.pathname = `/${name}`;
  rebuilt = new pg.Client({ connectionString: url.href });
  await rebuilt.connect();
  await rebuilt.query(await buildSchemaSql(DATABASE_URL));
}, 60_000);

afterAll(async () => {
  await rebuilt?.end();
  await admin?.query(`drop database if exists ${name} with (force)`);
  await admin?.end();
});

test("the migrations produce the schema of schema.prisma and sql/", async () => {
  expect(
    compareSchemaSnapshots(migratedSchema, await readSchemaSnapshot(rebuilt)),
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
])("the comparison names what was changed in a database: %s", async (difference, change) => {
  await rebuilt.query("begin");
  try {
    await rebuilt.query(change);
    expect(compareSchemaSnapshots(await readSchemaSnapshot(rebuilt), migratedSchema)).toEqual([difference]);
  } finally {
    await rebuilt.query("rollback");
  }
});
