import { expect, it } from "vitest";
import { rowsOf } from "@/lib/tools/test/factories";
import { derivedTables, otherTables, storeTables } from "./tables";

// What happens to each table when a store is exported. New tables must be added to tables.ts.

const exported = storeTables.map(({ name }) => name);

it("every table is classified", async () => {
  const tables = await rowsOf(
    "select tablename from pg_tables where schemaname = 'public' and tablename <> '_prisma_migrations' order by 1",
  );
  expect([...exported, ...Object.keys(derivedTables), ...Object.keys(otherTables)].sort()).toEqual(
    tables.map(({ tablename }) => tablename),
  );
});

it("no exported table has encrypted columns, and no exported column depends on a sequence", async () => {
  const columns = await rowsOf(
    `select table_name as table, column_name as column, data_type as type, column_default as initial, is_identity = 'YES' as numbered
       from information_schema.columns
      where table_schema = 'public' and table_name = any($1)`,
    [exported],
  );
  const isExported = ({ table, column }: { table: string; column: string }) =>
    !storeTables.find(({ name }) => name === table)?.without?.includes(column);
  expect(
    columns.filter(
      (each) => isExported(each) && (each.type === "bytea" || each.numbered || /nextval/.test(each.initial ?? "")),
    ),
  ).toEqual([]);
});

it("tables come after those they refer to", async () => {
  const references = await rowsOf(
    `select conrelid::regclass::text as table, confrelid::regclass::text as target from pg_constraint
      where contype = 'f' and connamespace = 'public'::regnamespace and conrelid <> confrelid`,
  );
  for (const { table, target } of references)
    if (exported.includes(table) && exported.includes(target))
      expect(exported.indexOf(table), `${table} → ${target}`).toBeGreaterThan(exported.indexOf(target));
});
