import path from "node:path";
import { defineConfig } from "prisma/config";

// Prisma downloads its schema engine; schema-engine.mjs runs the same engine from npm instead.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= path.resolve(import.meta.dirname, "schema-engine.mjs");

export default defineConfig({
  schema: "schema.prisma",
  migrations: { path: "migrations" },
  datasource: { url: process.env.DATABASE_URL ?? "" },
});
