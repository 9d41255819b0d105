#!/usr/bin/env node
// Prisma's CLI downloads its schema engine, which closed networks block. This program replaces the binary: it speaks
// the same line-delimited JSON-RPC on standard input and output, with the engine from npm as WebAssembly
// (@prisma/schema-engine-wasm) over adapter-pg. So migrations, checksums and locks are Prisma's own. prisma.config.ts
// points to it. Supports only PostgreSQL and the schema `public`.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import readline from "node:readline";
import { parseArgs } from "node:util";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from "@prisma/driver-adapter-utils";
import * as bindings from "@prisma/schema-engine-wasm/schema_engine_bg";
import pg from "pg";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  strict: false,
  options: {
    datamodels: { type: "string", multiple: true },
    datasource: { type: "string" },
    "enabled-preview-features": { type: "string" },
    "extension-types": { type: "string" },
  },
});
const datasource = values.datasource ? JSON.parse(values.datasource) : {};

/** The engine's log: JSON lines on standard error, from which the CLI reads the cause if this process fails. */
function log(level, message, extra = {}) {
  const target = level === "ERROR" ? "schema_engine::logger" : "schema_engine";
  const line = { timestamp: new Date().toISOString(), level, target, fields: { message, ...extra } };
  process.stderr.write(`${JSON.stringify(line)}\n`);
}

function respond(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

/** `cli create-database` and `cli can-connect-to-database`, with Prisma's error codes. */
async function runDatabaseCommand(command) {
  log("INFO", "Starting schema engine CLI");
  const url = new URL(datasource.url);
  const name = decodeURIComponent(url.pathname.slice(1)) || "postgres";
  url.search = "";
  if (command === "create-database") url.pathname = "/postgres";
  const client = new pg.Client({ connectionString: url.href });
  try {
    await client.connect();
    await client.query(command === "create-database" ? `create database ${client.escapeIdentifier(name)}` : "select 1");
    await client.end();
  } catch (error) {
    const code = { "3D000": "P1003", "28P01": "P1000" }[error.code] ?? "P1001";
    log("ERROR", error.message, { error_code: code, is_panic: false });
    process.exit(1);
  }
  log("INFO", "Connection successful");
  process.exit(0);
}

/**
 * The WebAssembly engine, connected to the database through the patched adapter. Created at the first call that needs
 * it.
 */
async function loadEngine() {
  globalThis.PRISMA_WASM_PANIC_REGISTRY = { set_message: (message) => log("ERROR", message) };
  const module = createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm/schema_engine_bg");
  const wasm = await readFile(path.join(path.dirname(module), "schema_engine_bg.wasm"));
  const { instance } = await WebAssembly.instantiate(wasm, { "./schema_engine_bg.js": bindings });
  bindings.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start?.();

  const files = values.datamodels ?? [];
  const datamodels = await Promise.all(files.map(async (file) => [file, await readFile(file, "utf8")]));
  const factory = bindMigrationAwareSqlAdapterFactory(new SchemaAdapterFactory({ connectionString: datasource.url }));
  const trace = (message) => process.env.DEBUG && log("INFO", String(message));
  let engine;
  return () => {
    engine ??= bindings.SchemaEngine.new(
      { datamodels: datamodels.length > 0 ? datamodels : undefined },
      trace,
      factory,
    );
    return engine;
  };
}

class SchemaAdapterFactory extends PrismaPg {
  async connect() {
    return patchForSchemaEngine(await super.connect());
  }

  async connectToShadowDb() {
    if (datasource.shadowDatabaseUrl) {
      return patchForSchemaEngine(await new PrismaPg({ connectionString: datasource.shadowDatabaseUrl }).connect());
    }
    const name = `prisma_migrate_shadow_db_${crypto.randomUUID()}`;
    const admin = new pg.Pool({ connectionString: datasource.url, max: 1 });
    await admin.query(`create database "${name}"`);
    const url = new URL(datasource.url);
    url.pathname = `/${name}`;
    const shadow = await new PrismaPg({ connectionString: url.href }).connect();
    const dispose = shadow.dispose.bind(shadow);
    shadow.dispose = async () => {
      await dispose();
      await admin.query(`drop database if exists "${name}" with (force)`);
      await admin.end();
    };
    return patchForSchemaEngine(shadow);
  }
}

/**
 * The adapter is made for queries. A schema engine also reads catalog columns of the type "char" (oid 18), which the
 * adapter can't map, and runs whole scripts, which the adapter would split at every semicolon.
 */
function patchForSchemaEngine(adapter) {
  const performIO = adapter.performIO.bind(adapter);
  const queryRaw = adapter.queryRaw.bind(adapter);
  const startTransaction = adapter.startTransaction?.bind(adapter);
  adapter.performIO = async (query) => {
    const result = await performIO(query);
    query.charColumns = [];
    for (const [index, field] of (result.fields ?? []).entries()) {
      if (field.dataTypeID !== 18) continue;
      field.dataTypeID = 1042;
      query.charColumns.push(index);
    }
    return result;
  };
  adapter.queryRaw = async (query) => {
    const result = await queryRaw(query);
    for (const index of query.charColumns ?? []) result.columnTypes[index] = ColumnTypeEnum.Character;
    return result;
  };
  adapter.executeScript = async (script) => {
    try {
      await adapter.client.query(script);
    } catch (error) {
      adapter.onError(error);
    }
  };
  if (startTransaction) {
    adapter.startTransaction = async (isolation) => patchForSchemaEngine(await startTransaction(isolation));
  }
  return adapter;
}

/** Handles requests one by one until the CLI closes standard input. */
async function serve(getEngine) {
  // Where the engine's result differs from the binary's.
  const overrides = {
    getDatabaseVersion: (engine) => engine.version(),
    dbExecute: async (engine, params) => {
      await engine.dbExecute(params);
      return {};
    },
    reset: async (engine, params) => {
      await engine.reset(params);
      return {};
    },
    diff: async (engine, params) => {
      const { stdout, exitCode } = await engine.diff(params);
      if (stdout != null) respond({ id: 0, method: "print", params: { content: stdout } });
      return { exitCode };
    },
  };
  for await (const line of readline.createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (!line.trim()) continue;
    const { id, method, params } = JSON.parse(line);
    if (method === undefined) continue; // the CLI's response to a print
    try {
      const engine = await getEngine();
      const result = await (overrides[method] ? overrides[method](engine, params) : engine[method](params));
      respond({ id, result: result ?? {} });
    } catch (error) {
      const data = {
        is_panic: false,
        message: error?.message ?? String(error),
        error_code: error?.code,
        meta: error?.meta ?? null,
      };
      respond({ id, error: { code: 4466, message: "An error happened. Check the data field for details.", data } });
    }
  }
  process.exit(0);
}

// At the end, because it needs everything above.
if (positionals[0] === "cli") {
  await runDatabaseCommand(positionals[1]);
} else {
  process.on("uncaughtException", (error) => {
    log("ERROR", error.stack ?? String(error), { is_panic: true });
    process.exit(101);
  });
  await serve(await loadEngine());
}
