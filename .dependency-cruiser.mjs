// Which module may import which at runtime; types may be imported from anywhere. Part of `npm run check`; described in
// lib/README.md.

/** Modules of the domain, lower ones first: each may import those before it, and the platform. */
const domain = [
  "accounts",
  "catalog",
  "orders",
  "invitations",
  "reviews",
  "honesty",
  "forms",
  "moderation",
  "settings",
  "feeds",
  "display",
  "transfer",
  "integrations",
  "insights",
  "search",
  "privacy",
  "authors",
  "test-clock",
  "api",
  "backup",
];
/** Modules of the platform, lower ones first. They don't import the domain. */
const platform = ["db", "secrets", "i18n", "http", "storage", "parsing", "jobs", "mail"];

const tests = "/fixtures/";
/** Type imports don't exist at runtime. */
const atRuntime = { dependencyTypesNot: ["type-only"] };
const oneOf = (modules) => `(?:${modules.join("|")})`;

/** No module imports one that comes after it. */
const onlyEarlier = (folder, modules) =>
  modules.slice(0, -1).map((module, index) => ({
    name: `${folder.replace("lib/", "")}${module}-imports-no-later-module`,
    severity: "error",
    from: { path: `^${folder}${module}/`, pathNot: tests },
    to: { path: `^${folder}${oneOf(modules.slice(index + 1))}/`, ...atRuntime },
  }));

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    ...onlyEarlier("lib/", domain),
    ...onlyEarlier("lib/platform/", platform),
    {
      name: "platform-imports-no-domain",
      severity: "error",
      from: { path: "^lib/platform/", pathNot: tests },
      to: { path: `^lib/${oneOf(domain)}/`, ...atRuntime },
    },
    {
      name: "tools-are-not-imported",
      severity: "error",
      from: {
        path: "^(?:lib|app|components|inngest)/",
        pathNot: [tests, "^lib/(?:tools|backup)/", "^app/(?:demo-shop|_)"],
      },
      to: { path: "^lib/tools/" },
    },
    {
      name: "every-module-is-listed",
      comment: "Add new modules of lib to the list above.",
      severity: "error",
      from: {},
      to: { path: "^lib/[^/]+/", pathNot: `^lib/(?:platform|tools|${domain.join("|")})/` },
    },
  ],
  options: {
    parser: "swc",
    tsPreCompilationDeps: false,
    tsConfig: { fileName: "tsconfig.json" },
    doNotFollow: { path: "node_modules" },
    exclude: { path: "/generated/|^node_modules|\\.test\\.tsx?$" },
    enhancedResolveOptions: {
      extensions: [".ts", ".tsx", ".mjs", ".d.ts", ".json"],
      conditionNames: ["import", "default"],
    },
  },
};
