import { existsSync } from "node:fs";
import path from "node:path";

/** @type {import("next").NextConfig} */
export default {
  poweredByHeader: false,
  reactStrictMode: true,
  // `npm run check` looks at the types, once; a start need not.
  typescript: { ignoreBuildErrors: true },
  // `npm start` runs several of these on one machine in tests; the lock file of this folder is the root, not one above.
  turbopack: { root: import.meta.dirname },
  // Loaded from node_modules at run time: they hold native code, WebAssembly or worker threads, or load more when it is
  // needed only.
  serverExternalPackages: ["sharp", "pg", "pg-boss", "@node-rs/argon2", "pino", "eld", "flydrive"],
  // `npm run dev` is reached by either name.
  allowedDevOrigins: ["localhost", "127.0.0.1"],
  // A page's head is whole when it is sent. Streamed after it, the icon may come later than the browser's guess at one, and
  // what the head knows of the status (lib/platform/http/page-response.ts) would come too late.
  htmlLimitedBots: /.*/,
  // An address with a slash too many is the same address, as it is to our own server: a redirect would repeat its query,
  // which may hold a key, and lose a body.
  skipTrailingSlashRedirect: true,
  // Our server gives each page a policy with a nonce and says so in the request. Plain `next start` cannot; its pages get
  // this one.
  headers: async () => [
    {
      source: "/:path*",
      headers: [
        { key: "X-Content-Type-Options", value: "nosniff" },
        { key: "Referrer-Policy", value: "same-origin" },
      ],
    },
    {
      source: "/:path*",
      missing: [{ type: "header", key: "content-security-policy" }],
      headers: [
        {
          key: "Content-Security-Policy",
          value: "object-src 'none'; base-uri 'none'; form-action 'self'; frame-src 'self'; frame-ancestors 'none'",
        },
      ],
    },
  ],
  experimental: {
    // The first build has no use for a cache, and takes a third longer if it writes one for the next. A failed build
    // leaves its cache without the id.
    turbopackFileSystemCacheForBuild: [".next/BUILD_ID", ".next/cache/turbopack"].some((made) =>
      existsSync(path.join(import.meta.dirname, made)),
    ),
    // A page is loaded when it is first asked for: all of them at the start would take a second and 80 MB.
    preloadEntriesOnStart: false,
    // Ten photos of 10 MEBIBYTE each in one form that works without JavaScript, and the text around them.
    serverActions: { bodySizeLimit: "110mb" },
  },
};
