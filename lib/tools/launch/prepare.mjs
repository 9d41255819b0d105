// @ts-check
// The steps from a clone to a program that runs. Each is skipped if its result is up to date, and prints one line while
// it works.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { childEnvironment, folderLock, hasSources, printLine, root, run, step } from "./bootstrap.mjs";
import { withLock } from "./lock.mjs";
import { hashOf, isStamped, stamp } from "./stamp.mjs";

/** @typedef {{ title: string, mark: string, made: string, inputs: string[], work: () => Promise<unknown> }} Job */

/** Runs a script or a package's program with this Node. @param {string[]} args @param {Record<string, string>} [env] */
const node = (args, env = {}) => run(process.execPath, args, { env: { ...childEnvironment(), ...env } });

/** The Prisma client, from the schema. @type {Job} */
const client = {
  title: "Generating the database client",
  mark: "lib/platform/db/generated/.schema",
  made: "lib/platform/db/generated/client.ts",
  inputs: ["prisma/schema.prisma", "prisma/prisma.config.ts", "package-lock.json"],
  work: () => node(["node_modules/prisma/build/index.js", "generate", "--config", "prisma/prisma.config.ts"]),
};

/** The script that stores' pages load, with its assets. @type {Job} */
const widget = {
  title: "Building the widget",
  mark: "lib/display/widget/generated/.sources",
  made: "lib/display/widget/generated/assets.ts",
  inputs: ["lib/display/widget", "lib/platform/i18n/languages.ts", "package-lock.json"],
  work: () => node(["lib/display/widget/build.mjs"]),
};

/** The program with which anybody can verify a store's log, which the server offers. @type {Job} */
const verifier = {
  title: "Building the verifier",
  mark: "lib/honesty/verifier/generated/.sources",
  made: "lib/honesty/verifier/generated/assets.ts",
  inputs: ["lib/honesty", "package-lock.json"],
  work: () => node(["lib/honesty/verifier/build.mjs"]),
};

/** The server and the admin command as plain JavaScript; packages aren't bundled. @type {Job} */
const programs = {
  title: "Building the server and the command",
  mark: "dist/.sources",
  made: "dist/server.js",
  inputs: ["app", "inngest", "lib", "package-lock.json", "package.json", "tsconfig.json"],
  work: () => {
    rmSync(path.join(root, "dist"), { recursive: true, force: true });
    const entries = ["server=app/_main.ts", "admin=app/_admin.ts"];
    const form = ["--bundle", "--splitting", "--format=esm", "--platform=node", "--target=node24"];
    const made = [
      "--packages=external",
      "--sourcemap",
      "--sources-content=false",
      "--chunk-names=chunks/[name]-[hash]",
    ];
    return run("esbuild", [...entries, ...form, ...made, "--outdir=dist", "--log-level=warning"], {
      env: childEnvironment(),
    });
  },
};

/**
 * Node's arguments for the admin command. With a larger young generation, garbage of streamed imports grows to 100 MB.
 * Optimizing Prisma's WebAssembly takes longer than all statements of a command together: the baseline compiler alone
 * saves two fifths of a command's processor time.
 */
export const adminCommand = [
  "--max-semi-space-size=16",
  "--liftoff-only",
  "--enable-source-maps",
  path.join(root, "dist/admin.js"),
];

/** The production pages. @type {Job} */
const pages = {
  title: "Building the pages (next build)",
  mark: ".next/candor-sources",
  made: ".next/BUILD_ID",
  inputs: [
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
  work: () => run("next", ["build"], { env: { ...childEnvironment(), NODE_ENV: "production" } }),
};

/** The types of the API client, from the contracts. @type {Job} */
const apiTypes = {
  title: "Generating the types of the API client",
  mark: "lib/tools/api-client/generated/.contracts",
  made: "lib/tools/api-client/generated/api.ts",
  inputs: ["app/_api-types.ts", "app/_contracts.ts", "app/_description.ts", "lib", "package-lock.json"],
  work: () => node(["--import", "tsx", "app/_api-types.ts", apiTypes.made]),
};

/** Types of the routes for the type checker (next-env.d.ts and .next/types). @type {Job} */
const routeTypes = {
  title: "Generating the types of the routes",
  mark: ".launch/route-types",
  made: "next-env.d.ts",
  inputs: ["app", "next.config.mjs", "package-lock.json"],
  work: () => {
    // Types from an earlier build or development server may name routes that no longer exist.
    for (const stale of [".next/types", ".next/dev/types"])
      rmSync(path.join(root, stale), { recursive: true, force: true });
    return run("next", ["typegen"], { env: childEnvironment() });
  },
};

/**
 * Lists the API's route files and the contract files as imports that every bundler follows. Two lists, because the
 * routes that return the API's description must not import themselves, and /docs must not import every handler.
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
    writeIfChanged(`app/generated/${name}s.ts`, text);
  };
  // A route file without contracts is a plain Next route: sign-in, Inngest, the catch-all.
  list("route", "app", /\bmethods\(/);
  list("contract", "lib");
}

/**
 * Lists the message files by language, as imports: a language is a folder. `errors` and `field-names` are loaded on
 * demand.
 */
function listMessages() {
  const folder = "lib/platform/i18n/messages";
  const files = ["emails", "portal", "public"];
  const languages = readdirSync(path.join(root, folder)).sort();
  writeIfChanged(
    "lib/platform/i18n/generated/messages.ts",
    [
      `// Made of ${folder} by lib/tools/launch/prepare.mjs; not to be edited.`,
      ...languages.flatMap((language, at) =>
        files.map((file) => `import ${file}${at} from "@/${folder}/${language}/${file}.json";`),
      ),
      "export const messages = {",
      ...languages.map(
        (language, at) =>
          `  ${JSON.stringify(language)}: { ${files.map((file) => `${file}: ${file}${at}`).join(", ")} },`,
      ),
      "};\n",
    ].join("\n"),
  );
}

/** Doesn't touch a file that is up to date, so that nothing is rebuilt. @param {string} file @param {string} text */
function writeIfChanged(file, text) {
  const outputFile = path.join(root, file);
  if (existsSync(outputFile) && readFileSync(outputFile, "utf8") === text) return;
  mkdirSync(path.dirname(outputFile), { recursive: true });
  writeFileSync(`${outputFile}.${process.pid}`, text);
  renameSync(`${outputFile}.${process.pid}`, outputFile);
}

/** The generated code, without which nothing runs. */
export const generateCode = () => runJobs(client, widget, verifier);

/** Generated types only; nothing needs them at run time. */
export const generateTypes = () => runJobs(apiTypes, routeTypes);

/** dist/server.js and dist/admin.js. */
export const buildPrograms = () => runJobs(client, widget, verifier, programs);

/** Everything that `npm start` runs. */
export const build = () => runJobs(client, widget, verifier, programs, pages);

/** Whether all of that is up to date: then the packages for building aren't needed. */
export const isBuilt = () =>
  !hasSources || [client, widget, verifier, programs, pages].every((job) => jobState(job).fresh);

/** @param {Job[]} jobs */
async function runJobs(...jobs) {
  if (!hasSources) return;
  listModules();
  listMessages();
  for (const job of jobs) await runJob(job);
}

/** Runs a step unless its stamp says it was done with the same inputs; one process at a time. @param {Job} job */
async function runJob(job) {
  if (jobState(job).fresh) return;
  await withLock(
    folderLock,
    async () => {
      const { hash, fresh } = jobState(job);
      if (fresh) return;
      await step(job.title, job.work);
      stamp(path.join(root, job.mark), hash);
    },
    (pid) => printLine(`Waiting for process ${pid}, which is setting up this folder …`),
  );
}

/** @param {Job} job */
function jobState({ inputs, mark, made }) {
  const hash = hashOf(root, inputs, isBuildInput);
  return { hash, fresh: isStamped(path.join(root, mark), hash) && existsSync(path.join(root, made)) };
}

/** Whether a file can be part of the program: not a test, not generated. @param {string} file */
function isBuildInput(file) {
  return !/\.test\.tsx?$|^lib[\\/]tools[\\/](test|bench)[\\/]|[\\/]generated[\\/]/.test(file);
}
