import { pool } from "@/lib/platform/db/pool";

export type Write = { table: string; operation: string; row: string };

/**
 * Detects committed writes to any table: a trigger records each in its own table, so rolled-back ones don't count. What
 * reads may record (when a key was last used) doesn't count either. Exact, and cheap enough to check after every
 * request.
 */
export async function watchWrites() {
  await pool().query(`
    drop schema if exists watched cascade;
    create schema watched;
    create unlogged table watched.writes (id bigint generated always as identity primary key, "table" text, operation text, row text);
    create function watched.note() returns trigger language plpgsql as $$
      begin
        if tg_op = 'UPDATE' then
          if to_jsonb(new) - '{last_used_at,last_sign_in_at,last_seen_at}'::text[] = to_jsonb(old) - '{last_used_at,last_sign_in_at,last_seen_at}'::text[]
            then return null; end if;
        end if;
        insert into watched.writes ("table", operation, row) values (tg_table_name, tg_op, left(coalesce(new, old)::text, 300));
        return null;
      end $$;
    do $$ declare name text; begin
      for name in select tablename from pg_tables where schemaname = 'public' and tablename <> '_prisma_migrations' loop
        execute format('create trigger watched after insert or update or delete on %I for each row execute function watched.note()', name);
      end loop;
    end $$`);
  let lastId = 0;
  return {
    /** The writes since the last call. */
    newWrites: async (): Promise<Write[]> => {
      const { rows } = await pool().query<Write & { id: number }>({
        name: "watched-writes",
        text: 'select id, "table", operation, row from watched.writes where id > $1 order by id',
        values: [lastId],
      });
      lastId = rows.at(-1)?.id ?? lastId;
      return rows.map(({ table, operation, row }) => ({
        table,
        operation,
        row,
      }));
    },
    /** Removes the triggers and tables. */
    stop: async () => {
      await pool().query("drop schema watched cascade");
    },
  };
}
