/** @type {import("next").NextConfig} */
export default {
  poweredByHeader: false,
  reactStrictMode: true,
  // `npm start` runs several of these on one machine in tests; the lock file of this folder is the root, not one above.
  turbopack: { root: import.meta.dirname },
  // Loaded from node_modules at run time: they hold native code, WebAssembly or worker threads.
  serverExternalPackages: ["sharp", "pg", "pg-boss", "@node-rs/argon2", "pino", "eld"],
  // `npm run dev` is reached by either name.
  allowedDevOrigins: ["localhost", "127.0.0.1"],
  experimental: {
    // Ten photos of 10 MiB each in one form that works without JavaScript, and the text around them.
    serverActions: { bodySizeLimit: "110mb" },
  },
};
