import type pg from "pg";

// Everything a schema consists of, as PostgreSQL prints it, to compare two databases. Omits the order of columns, which
// no statement depends on, and Prisma's table of migrations.

const isOwnRelation = (relation: string) =>
  `${relation}.relnamespace = 'public'::regnamespace and ${relation}.relname not like '\\_prisma\\_migrations%'`;

const snapshotQueries = [
  `select format('%s %s', case relkind when 'S' then 'sequence' when 'v' then 'view' when 'i' then 'index' else 'table' end, relname) as name,
          concat_ws(' ', relkind, relpersistence, reloptions::text,
            case relkind when 'v' then pg_get_viewdef(c.oid) when 'i' then pg_get_indexdef(c.oid) end,
            (select concat_ws(' ', indisunique, indisvalid, indisprimary) from pg_index where indexrelid = c.oid),
            (select concat_ws(' ', seqtypid::regtype, seqstart, seqincrement, seqmax, seqmin, seqcache, seqcycle) from pg_sequence where seqrelid = c.oid),
            (select concat_ws(' ', 'of', refobjid::regclass, refobjsubid::text, deptype) from pg_depend
              where relkind = 'S' and objid = c.oid and deptype in ('a', 'i'))) as definition
     from pg_class c where ${isOwnRelation("c")} and relkind <> 'c'`,
  `select format('column %s.%s', relname, attname) as name,
          concat_ws(' ', format_type(atttypid, atttypmod), collname, case when attnotnull then 'not null' end, attidentity, attgenerated,
            attstorage, attcompression, 'default ' || replace(pg_get_expr(adbin, adrelid), 'now()', 'CURRENT_TIMESTAMP')) as definition
     from pg_attribute a join pg_class c on c.oid = attrelid
     left join pg_collation l on l.oid = attcollation left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where ${isOwnRelation("c")} and relkind in ('r', 'p', 'v', 'c') and attnum > 0 and not attisdropped`,
  // Not null is part of the columns; only newer servers also list it as a named constraint.
  `select format('constraint %s on %s', conname, relname) as name,
          concat_ws(' ', pg_get_constraintdef(n.oid), convalidated) as definition
     from pg_constraint n join pg_class c on c.oid = conrelid where ${isOwnRelation("c")} and contype <> 'n'`,
  `select format('trigger %s on %s', tgname, relname) as name, concat_ws(' ', pg_get_triggerdef(t.oid), tgenabled) as definition
     from pg_trigger t join pg_class c on c.oid = tgrelid where ${isOwnRelation("c")} and not tgisinternal`,
  `select format('function %s', p.oid::regprocedure) as name, pg_get_functiondef(p.oid) as definition
     from pg_proc p where pronamespace = 'public'::regnamespace and prokind in ('f', 'p')`,
  `select format('type %s', typname) as name,
          concat_ws(' ', typtype, (select string_agg(enumlabel, ',' order by enumsortorder) from pg_enum where enumtypid = t.oid),
            (select string_agg(attname, ',' order by attnum) from pg_attribute where attrelid = typrelid and typtype = 'c')) as definition
     from pg_type t left join pg_class c on c.oid = typrelid
    where typnamespace = 'public'::regnamespace and (typtype in ('d', 'e', 'r') or c.relkind = 'c')`,
  `select format('comment on %s', pg_describe_object(classoid, objoid, objsubid)) as name, description as definition
     from pg_description join pg_class c on c.oid = objoid and classoid = 'pg_class'::regclass where ${isOwnRelation("c")}`,
  `select format('extension %s', extname) as name, extversion as definition from pg_extension`,
];

export type SchemaSnapshot = Map<string, string>;

/** Every table, column, constraint, index, sequence, view, type, function and trigger by name, with its definition. */
export async function readSchemaSnapshot(db: pg.Client | pg.Pool): Promise<SchemaSnapshot> {
  const { rows } = await db.query<{ name: string; definition: string }>(snapshotQueries.join("\nunion all\n"));
  return new Map(rows.map(({ name, definition }) => [name, definition]));
}

/** What a database lacks, has in addition, or defines differently than expected. */
export function compareSchemaSnapshots(found: SchemaSnapshot, expected: SchemaSnapshot): string[] {
  return [...new Set([...found.keys(), ...expected.keys()])]
    .filter((name) => found.get(name) !== expected.get(name))
    .map((name) => `${!expected.has(name) ? "unexpected" : !found.has(name) ? "missing" : "different"}: ${name}`)
    .sort();
}
