import { contractModules } from "@/app/generated/contracts";
import type { Contract } from "@/lib/platform/http/contract";
import { type Tag, tags } from "@/lib/platform/http/tags";

// All contracts in the OpenAPI descriptions. Imports contracts only, since the routes that serve a description are
// routes too. A test compares this list with all routes except pages.

const tagOrder = Object.keys(tags) as Tag[];
const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** By tag; lists before single items, reads before writes. */
const all: Contract[] = contractModules
  .flatMap((module) => Object.values<unknown>(module))
  .filter((exported) => isContract(exported))
  .filter(({ produces }) => !produces.startsWith("text/html"))
  .sort(
    (a, b) =>
      tagOrder.indexOf(a.tag) - tagOrder.indexOf(b.tag) ||
      (a.path < b.path ? -1 : a.path > b.path ? 1 : 0) ||
      methods.indexOf(a.method) - methods.indexOf(b.method),
  );

function isContract(exported: unknown): exported is Contract {
  return typeof exported === "object" && exported !== null && "method" in exported && "path" in exported;
}

export const publicContracts: Contract[] = all.filter(({ auth }) => auth !== "session");
export const portalContracts: Contract[] = all.filter(({ auth }) => auth === "session");
