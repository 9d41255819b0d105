import { contractModules } from "@/app/generated/contracts";
import type { Contract } from "@/lib/platform/http/contract";
import { type Tag, tags } from "@/lib/platform/http/tags";

// What the descriptions tell. Contracts alone: the routes that answer a description are routes themselves. A test holds
// this list against all routes but pages.

const tagOrder = Object.keys(tags) as Tag[];
const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** By chapter; the list before the single one, reading before writing. */
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
