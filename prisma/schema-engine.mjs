#!/usr/bin/env node
// Speaks the schema-engine CLI's line-delimited JSON-RPC, backed by @prisma/schema-engine-wasm + @prisma/adapter-pg.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import readline from 'node:readline';
import { parseArgs } from 'node:util';
import { PrismaPg } from '@prisma/adapter-pg';
import { ColumnTypeEnum, bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as bg from '@prisma/schema-engine-wasm/schema_engine_bg';
import pg from 'pg';
const log = (level, message, extra = {}) =>
  process.stderr.write(JSON.stringify({ timestamp: new Date().toISOString(), level, target: level === 'ERROR' ? 'schema_engine::logger' : 'schema_engine', fields: { message, ...extra } }) + '\n');
const { values, positionals } = parseArgs({
  allowPositionals: true, strict: false,
  options: {
    datamodels: { type: 'string', multiple: true }, datasource: { type: 'string' },
    'enabled-preview-features': { type: 'string' }, 'extension-types': { type: 'string' },
  },
});
const ds = values.datasource ? JSON.parse(values.datasource) : {};
async function adminClient(url) {
  const u = new URL(url); const db = decodeURIComponent(u.pathname.slice(1)) || 'postgres';
  u.pathname = '/postgres'; u.search = '';
  const c = new pg.Client({ connectionString: u.href }); await c.connect();
  return { c, db };
}
if (positionals[0] === 'cli') {
  log('INFO', 'Starting schema engine CLI');
  try {
    if (positionals[1] === 'create-database') {
      const { c, db } = await adminClient(ds.url);
      await c.query(`CREATE DATABASE ${c.escapeIdentifier(db)}`); await c.end();
    } else {
      const u = new URL(ds.url); u.search = '';
      const c = new pg.Client({ connectionString: u.href }); await c.connect(); await c.query('SELECT 1'); await c.end();
    }
    log('INFO', 'Connection successful'); process.exit(0);
  } catch (e) {
    const code = e.code === '3D000' ? 'P1003' : e.code === '28P01' ? 'P1000' : 'P1001';
    log('ERROR', e.message, { error_code: code, is_panic: false }); process.exit(1);
  }
}
process.on('uncaughtException', (e) => { log('ERROR', e.stack ?? String(e), { is_panic: true }); process.exit(101); });
globalThis.PRISMA_WASM_PANIC_REGISTRY = { set_message(m) { log('ERROR', m); } };
const require = createRequire(import.meta.url);
const wasmPath = path.join(path.dirname(require.resolve('@prisma/schema-engine-wasm/schema_engine_bg')), 'schema_engine_bg.wasm');
const { instance } = await WebAssembly.instantiate(await readFile(wasmPath), { './schema_engine_bg.js': bg });
bg.__wbg_set_wasm(instance.exports);
instance.exports.__wbindgen_start?.();
// adapter-pg is made for queries; three things differ for a schema engine:
// catalog columns of type "char" (oid 18) have no mapping, scripts are split at every ';', and the shadow database is dropped while connected.
function patch(a) {
  const performIO = a.performIO.bind(a), queryRaw = a.queryRaw.bind(a), start = a.startTransaction?.bind(a);
  a.performIO = async (q) => { const r = await performIO(q); q.charColumns = (r.fields ?? []).flatMap((f, i) => (f.dataTypeID === 18 ? ((f.dataTypeID = 1042), [i]) : [])); return r; };
  a.queryRaw = async (q) => { const r = await queryRaw(q); for (const i of q.charColumns ?? []) r.columnTypes[i] = ColumnTypeEnum.Character; return r; };
  a.executeScript = async (script) => { try { await a.client.query(script); } catch (e) { a.onError(e); } };
  if (start) a.startTransaction = async (l) => patch(await start(l));
  return a;
}
class Factory extends PrismaPg {
  async connect() { return patch(await super.connect()); }
  async connectToShadowDb() {
    if (ds.shadowDatabaseUrl) return patch(await new PrismaPg({ connectionString: ds.shadowDatabaseUrl }).connect());
    const name = `prisma_migrate_shadow_db_${crypto.randomUUID()}`;
    const admin = new pg.Pool({ connectionString: ds.url, max: 1 });
    await admin.query(`CREATE DATABASE "${name}"`);
    const u = new URL(ds.url); u.pathname = '/' + name;
    const shadow = await new PrismaPg({ connectionString: u.href }).connect();
    const dispose = shadow.dispose.bind(shadow);
    shadow.dispose = async () => { await dispose(); await admin.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`); await admin.end(); };
    return patch(shadow);
  }
}
const schemaParam = (() => { try { return new URL(ds.url).searchParams.get('schema') ?? undefined; } catch { return undefined; } })();
const factory = bindMigrationAwareSqlAdapterFactory(new Factory({ connectionString: ds.url }, schemaParam ? { schema: schemaParam } : undefined));
const datamodels = await Promise.all((values.datamodels ?? []).map(async (f) => [f, await readFile(f, 'utf8')]));
let engine;
const getEngine = async () => (engine ??= await bg.SchemaEngine.new({ datamodels: datamodels.length ? datamodels : undefined }, (m) => process.env.DEBUG && log('INFO', String(m)), factory));
const methods = {
  getDatabaseVersion: async (e) => e.version(),
  dbExecute: async (e, p) => { await e.dbExecute(p); return {}; },
  reset: async (e, p) => { await e.reset(p); return {}; },
  diff: async (e, p) => {
    const r = await e.diff(p);
    if (r.stdout != null) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'print', params: { content: r.stdout } }) + '\n');
    return { exitCode: r.exitCode };
  },
};
const rl = readline.createInterface({ input: process.stdin, crlfDelay: Infinity });
let chain = Promise.resolve();
rl.on('line', (line) => {
  if (!line.trim()) return;
  chain = chain.then(async () => {
    const { id, method, params } = JSON.parse(line);
    if (method === undefined) return;
    try {
      const e = await getEngine();
      const result = methods[method] ? await methods[method](e, params) : await e[method](params);
      process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result: result ?? {} }) + '\n');
    } catch (e) {
      process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, error: { code: 4466, message: 'An error happened. Check the data field for details.', data: { is_panic: false, message: e?.message ?? String(e), error_code: e?.code ?? undefined, meta: e?.meta ?? null } } }) + '\n');
    }
  });
});
rl.on('close', () => chain.then(() => process.exit(0)));
