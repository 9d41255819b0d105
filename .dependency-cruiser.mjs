// Which room may import which, at runtime (types may point anywhere). `npm run check` holds it; lib/README.md says it in words.

/** Rooms of the domain, lower ones first: each may import those before it, and the platform. */
const domain = [
  "accounts",
  "catalog",
  "orders",
  "invitations",
  "reviews",
  "forms",
  "moderation",
  "settings",
  "feeds",
  "display",
  "transfer",
  "integrations",
  "insights",
  "privacy",
  "api",
  "backup",
];
/** Rooms of the platform, lower ones first. They know no domain. */
const platform = ["db", "secrets", "i18n", "http", "storage", "rows", "jobs", "mail"];

const tests = "/fixtures/";
/** Types may point anywhere: they are gone when the program runs. */
const atRuntime = { dependencyTypesNot: ["type-only"] };
const oneOf = (rooms) => `(?:${rooms.join("|")})`;

/** Nothing in a room of `rooms` imports one that stands after it. */
const downwards = (folder, rooms) =>
  rooms.slice(0, -1).map((room, index) => ({
    name: `${folder.replace("lib/", "")}${room}-imports-no-higher-room`,
    severity: "error",
    from: { path: `^${folder}${room}/`, pathNot: tests },
    to: { path: `^${folder}${oneOf(rooms.slice(index + 1))}/`, ...atRuntime },
  }));

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    ...downwards("lib/", domain),
    ...downwards("lib/platform/", platform),
    {
      name: "platform-knows-no-domain",
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
      name: "every-room-has-its-place",
      comment: "A new room of lib is listed above.",
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
