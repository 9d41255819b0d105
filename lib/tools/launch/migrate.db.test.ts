import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { env } from "@/lib/platform/env";
import { migrate, postgresVersion } from "./migrate.mjs";

let db: pg.Client;
beforeEach(async () => {
  db = new pg.Client({ connectionString: env().DATABASE_URL });
  await db.connect();
});
afterEach(async () => {
  await db.query("delete from _prisma_migrations where migration_name ~ '^9999'");
  await db.end();
});

const untold = (_: string, work: () => Promise<unknown>) => work();
const applied = (name: string, finished: boolean) =>
  db.query(
    `insert into _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
     values (gen_random_uuid(), repeat('0', 64), $1, now(), $2, 1)`,
    [name, finished ? new Date() : null],
  );

test.each([
  ["applied", true],
  ["begun", false],
])("a database on which a newer version has %s a migration is refused in one line", async (_, finished) => {
  await applied("99990101000000_of_a_newer_version", finished);
  const refused = await migrate(env().DATABASE_URL, untold).then(
    () => null,
    (error: Error) => error.message,
  );
  expect(refused).toMatch(/^[^\n]*99990101000000_of_a_newer_version[^\n]*$/);
  expect(refused).toContain("newer version of Candor");
});

test("a database with this version's migrations is taken as it is", async () => {
  await expect(migrate(env().DATABASE_URL, () => Promise.reject(new Error("migrated")))).resolves.toBeUndefined();
});

/** A message of PostgreSQL's protocol: its letter, its length, what it holds. */
const message = (letter: string, ...parts: (Buffer | string)[]) => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(letter), length, body]);
};

/** A server that lets everybody in and answers every question with its version. */
async function serverOf(version: string) {
  const ready = message("Z", "I");
  // One column of text: table, place in it, type 25, its size and modifier, as text.
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
      socket.on("data", (asked) => {
        if (asked[0] === 0x51) socket.write(Buffer.concat([column, row, message("C", "SHOW\0"), ready]));
        else socket.end();
      });
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { url: `postgresql://a:b@127.0.0.1:${(server.address() as AddressInfo).port}/candor`, server };
}

test.each(["14.22 (Debian 14.22-1)", "9.6.24"])("a server of version %s is refused in one line", async (version) => {
  const { url, server } = await serverOf(version);
  try {
    await expect(migrate(url, untold)).rejects.toThrow(
      /^PostgreSQL [\d.]+ is too old: Candor needs version 15 or newer\.$/,
    );
  } finally {
    server.close();
  }
});

test("the version of the server is told, also where its database is still to be made", async () => {
  const { rows } = await db.query("show server_version");
  expect(await postgresVersion(env().DATABASE_URL)).toBe(rows[0].server_version);
  const other = new URL(env().DATABASE_URL);
  other.pathname = "/not_yet";
  expect(await postgresVersion(other.href)).toBe(rows[0].server_version);
});
