import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { startServer } from "@/lib/tools/bench/processes";
import cluster from "@/lib/tools/test/cluster";
import { settings } from "@/lib/tools/test/settings";

declare module "vitest" {
  interface ProvidedContext {
    /** How the built service under test is served over HTTP; undefined if handlers are called as functions. */
    serverKind?: "npm start" | "next start";
    /** its ports, one server per worker */
    ports?: number[];
    /** The folder for files that these servers share with the tests. */
    dataDir?: string;
  }
}

const programs = {
  "npm start": ["dist/server.js"],
  "next start": ["node_modules/next/dist/bin/next", "start", "-H", "127.0.0.1"],
};

/**
 * Setup of the tests that call the built service over HTTP: their databases, with a server on each. Jobs are configured
 * for Inngest at an unreachable address, so that only the tests change the data.
 */
export default async function setup(project: TestProject) {
  const servedBy = project.name.startsWith("npm start") ? "npm start" : "next start";
  const dropDatabases = await cluster(project);
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "candor-built-"));
  const servers = await Promise.all(
    project.getProvidedContext().databases.map((url, worker) =>
      startServer(
        programs[servedBy],
        "/api/health",
        {
          ...settings,
          LOG_LEVEL: "warn",
          NODE_ENV: "production",
          DATABASE_URL: url,
          DATA_DIR: dataDir,
          PUBLIC_URL: "http://localhost:3000",
          INNGEST_EVENT_KEY: "none",
          INNGEST_SIGNING_KEY: "00ff",
          INNGEST_BASE_URL: "http://127.0.0.1:9",
        },
        path.join(dataDir, `server-${worker + 1}.log`),
      ),
    ),
  );
  project.provide("serverKind", servedBy);
  project.provide(
    "ports",
    servers.map(({ port }) => port),
  );
  project.provide("dataDir", dataDir);
  return async () => {
    for (const server of servers) await server.stop();
    rmSync(dataDir, { recursive: true });
    await dropDatabases();
  };
}
