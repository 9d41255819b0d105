import { endpoint } from "@/lib/platform/http/contract";

export const verifierContract = endpoint({
  id: "honesty.verifier",
  method: "GET",
  path: "/honesty/verify.mjs",
  tag: "Honesty",
  auth: "public",
  alternatives: { 304: undefined },
  summary: "Load the program that verifies a store's log",
  description:
    "One file for Node.js 20.12 or later, without packages: `node verify.mjs https://…/honesty/{client_id}`. It checks the signature, every entry and every hash, and that the log still has the history it had when it was last verified. It prints OK, or the first thing that doesn't fit.",
  produces: "text/javascript; charset=utf-8",
  example: {},
});

export const verifierPackageContract = endpoint({
  id: "honesty.verifier_package",
  method: "GET",
  path: "/honesty/verifier.tgz",
  tag: "Honesty",
  auth: "public",
  alternatives: { 304: undefined },
  summary: "Load the program that verifies a store's log, as a package",
  description:
    "The program at `/honesty/verify.mjs` as a package for npm: `npx https://…/honesty/verifier.tgz https://…/honesty/{client_id}`.",
  produces: "application/gzip",
  example: {},
});
