// @ts-check
// The steps between a clone and a program that can run. Each is skipped when its result is there and still right, and
// says so in one line while it works.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { childEnvironment, folderLock, root, run, say, step } from "./bootstrap.mjs";
import { withLock } from "./lock.mjs";
import { hashOf, isStamped, stamp } from "./stamp.mjs";

const prismaCli = path.join(root, "node_modules/prisma/build/index.js");
const nextCli = path.join(root, "node_modules/next/dist/bin/next");

/**
 * Does a step of this folder unless its stamp says that it was done with the same inputs; one process at a time.
 * @param {{ title: string, mark: string, inputs: string[], wanted?: (file: string) => boolean, made?: string, work: () => Promise<unknown> }} job
 */
async function once({ title, mark, inputs, wanted, made = mark, work }) {
  const done = () => {
    const hash = hashOf(root, inputs, wanted);
    return { hash, fresh: isStamped(path.join(root, mark), hash) && existsSync(path.join(root, made)) };
  };
  if (done().fresh) return;
  await withLock(
    folderLock,
    async () => {
      const { hash, fresh } = done();
      if (fresh) return;
      await step(title, work);
      stamp(path.join(root, mark), hash);
    },
    (pid) => say(`Waiting for process ${pid}, which is setting up this folder …`),
  );
}

/** Whether a file may be part of what runs: no test, nothing of the launcher's, nothing made of other files. @param {string} file */
const isShipped = (file) => !/\.test\.tsx?$|^lib[\\/]tools[\\/](launch|test|bench)[\\/]|[\\/]generated[\\/]/.test(file);

/** The Prisma client, from the schema. */
async function generateClient() {
  await once({
    title: "Generating the database client",
    mark: "lib/platform/db/generated/.schema",
    made: "lib/platform/db/generated/client.ts",
    inputs: ["prisma/schema.prisma", "prisma/prisma.config.ts", "node_modules/prisma/package.json"],
    work: () =>
      run(process.execPath, [prismaCli, "generate", "--config", "prisma/prisma.config.ts"], {
        env: childEnvironment(),
      }),
  });
}

/** The script that shops' pages load, and what belongs to it. */
async function buildWidget() {
  await once({
    title: "Building the widget",
    mark: "lib/display/widget/generated/.sources",
    made: "lib/display/widget/generated/assets.ts",
    inputs: ["lib/display/widget", "lib/platform/i18n/languages.ts", "node_modules/esbuild/package.json"],
    wanted: isShipped,
    work: () => run(process.execPath, ["lib/display/widget/build.mjs"], { env: childEnvironment() }),
  });
}

/**
 * Lists the route files of the API and the files of contracts, as imports that every bundler follows. Two lists, since the
 * routes that answer the API's description must not import themselves, nor /docs every handler.
 */
function listModules() {
  const list = (/** @type {"route" | "contract"} */ name, /** @type {string} */ folder, wanted = /./) => {
    const file = `${name}.ts`;
    const modules = readdirSync(path.join(root, folder), { recursive: true })
      .map((entry) => path.posix.join(folder, ...String(entry).split(path.sep)))
      .filter((entry) => path.basename(entry) === file && wanted.test(readFileSync(path.join(root, entry), "utf8")))
      .sort();
    const text = [
      `// Made of every ${folder}/**/${file} by lib/tools/launch/prepare.mjs; not to be edited.`,
      ...modules.map((entry, index) => `import * as m${index} from "@/${entry.replace(/\.ts$/, "")}";`),
      `export const ${name}Modules = [${modules.map((_, index) => `m${index}`).join(", ")}];\n`,
    ].join("\n");
    const made = path.join(root, `app/generated/${name}s.ts`);
    if (existsSync(made) && readFileSync(made, "utf8") === text) return;
    mkdirSync(path.dirname(made), { recursive: true });
    writeFileSync(`${made}.${process.pid}`, text);
    renameSync(`${made}.${process.pid}`, made);
  };
  // A route file without contracts is Next's own kind: sign-in, Inngest, the answer where nothing is.
  list("route", "app", /\bmethods\(/);
  list("contract", "lib");
}

/** What the program is made of besides what is written: without it nothing runs. */
export async function generateCode() {
  listModules();
  await generateClient();
  await buildWidget();
}

/** The types of the API client, from the contracts. Types alone: what runs does without them. */
export async function generateApiTypes() {
  const made = "lib/tools/api-client/generated/api.ts";
  await once({
    title: "Generating the types of the API client",
    mark: "lib/tools/api-client/generated/.contracts",
    made,
    inputs: ["app/_api-types.ts", "app/_contracts.ts", "app/_description.ts", "lib", "package-lock.json"],
    wanted: isShipped,
    work: () => run(process.execPath, ["--import", "tsx", "app/_api-types.ts", made], { env: childEnvironment() }),
  });
}

/** What the type checker needs to know of the routes (next-env.d.ts and .next/types). */
export async function generateRouteTypes() {
  await once({
    title: "Generating the types of the routes",
    mark: ".launch/route-types",
    made: "next-env.d.ts",
    inputs: ["app", "next.config.mjs", "node_modules/next/package.json"],
    work: async () => {
      // What an earlier build or development server said of routes that may be gone.
      for (const stale of [".next/types", ".next/dev/types"])
        rmSync(path.join(root, stale), { recursive: true, force: true });
      await run(process.execPath, [nextCli, "typegen"], { env: childEnvironment() });
    },
  });
}

/** The pages for production. */
export async function buildPages() {
  await once({
    title: "Building the pages (next build)",
    mark: ".next/candor-sources",
    made: ".next/BUILD_ID",
    inputs: [
      ".config/icon-loader.cjs",
      ".config/next-constants-loader.cjs",
      ".config/no-process.cjs",
      "app",
      "components",
      "inngest",
      "lib",
      "prisma",
      "public",
      "next.config.mjs",
      "package.json",
      "package-lock.json",
      "tsconfig.json",
    ],
    wanted: isShipped,
    work: () => run(process.execPath, [nextCli, "build"], { env: { ...childEnvironment(), NODE_ENV: "production" } }),
  });
}
