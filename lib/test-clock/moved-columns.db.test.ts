import { expect, it } from "vitest";
import { movedTables, unmovedTimes } from "@/lib/test-clock/moved-columns";
import { rowsOf } from "@/lib/tools/test/factories";

type Column = { table: string; column: string; type: string };

const timeColumns = (): Promise<Column[]> =>
  rowsOf(
    `select c.table_name as table, c.column_name as column, c.data_type as type
       from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.table_name <> '_prisma_migrations'
        and (c.data_type like 'timestamp%' or c.data_type = 'date')
      order by 1, 2`,
  ) as Promise<Column[]>;

it("moves or excuses each column with a time or day", async () => {
  const moved = movedTables.flatMap(({ name, times, days = [] }) => [
    ...times.map((column) => ({ table: name, column, type: "timestamp with time zone" })),
    ...days.map((column) => ({ table: name, column, type: "date" })),
  ]);
  const columns = await timeColumns();
  const isMoved = ({ table, column, type }: Column) =>
    moved.some((one) => one.table === table && one.column === column && one.type === type);
  const isExcused = ({ table, column }: Column) =>
    Object.hasOwn(unmovedTimes, `${table}.${column}`) || Object.hasOwn(unmovedTimes, table);
  expect(columns.filter((each) => isMoved(each) === isExcused(each))).toEqual([]);
  const exists = ({ table, column }: Column) => columns.some((one) => one.table === table && one.column === column);
  expect(moved.filter((each) => !exists(each))).toEqual([]);
  const excuses = Object.keys(unmovedTimes).map((name) => name.split("."));
  expect(
    excuses.filter(
      ([table, column]) => !columns.some((one) => one.table === table && (column ?? one.column) === one.column),
    ),
  ).toEqual([]);
});
