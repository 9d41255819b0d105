import * as display from "@/lib/display/contract";
import * as googleFeed from "@/lib/display/google-feed/contract";
import * as widget from "@/lib/display/widget/contract";
import { formPaths } from "@/lib/forms/web-form/link";
import type { Contract } from "@/lib/platform/http/contract";
import * as collect from "@/lib/reviews/collect/contract";
import * as uploads from "@/lib/reviews/uploads/contract";
import * as votes from "@/lib/reviews/votes/contract";

// What a store's pages load, link to or call, as the contracts of its endpoints say: Candor's own paths, and those of
// the hosted service whose interface Candor has.

/** `part`: files that the widget loads itself. `html`: reviews as HTML. */
export type PathUse =
  | "script"
  | "part"
  | "json"
  | "structured_data"
  | "html"
  | "styles"
  | "feed"
  | "form"
  | "submission"
  | "upload"
  | "vote";

type Served = { path: string; use: PathUse };

/** A path that is served. `clientId` is null if the path has none, or a script computes it. */
export type ServedPath = Served & { clientId: string | null };

const scripts: Contract[] = widget.scriptContracts;

function useOf(contract: Contract): PathUse {
  const { path, method, produces } = contract;
  if (path.startsWith("/collect/feedback/")) return "vote";
  if (method === "POST") return contract.accepts === "multipart" ? "upload" : "submission";
  if (produces.startsWith("text/javascript")) return scripts.includes(contract) ? "script" : "part";
  if (produces.startsWith("application/ld+json")) return "structured_data";
  if (produces.startsWith("application/json")) return "json";
  if (produces.startsWith("text/css")) return "styles";
  return produces.startsWith("text/html") ? "html" : "feed";
}

/** All paths for pages, with parameters in braces. Photos aside: only JSON has their URLs. */
export const servedPaths: Served[] = [
  ...[display, widget, googleFeed, collect, uploads, votes]
    .flatMap((module) => Object.values<Contract | Contract[]>(module).flat())
    .filter(({ auth, produces }) => auth.startsWith("public") && !produces.startsWith("image/"))
    .map((contract) => ({ path: contract.path, use: useOf(contract) })),
  ...Object.values(formPaths).map((path) => ({ path, use: "form" as const })),
];

const patterns = servedPaths.map((served) => ({ served, segments: served.path.split("/") }));

/** A script's `${…}` in a URL, also percent-encoded. */
export const isComputed = (text: string): boolean => /\$(?:\{|%7B)/i.test(text);

const isParameter = (segment: string) => segment.startsWith("{");

/** What Candor serves at a path; null for other paths. */
export function readPath(pathname: string): ServedPath | null {
  const given = pathname.split("/");
  const found = patterns.find(
    ({ segments }) =>
      segments.length === given.length &&
      segments.every((segment, at) => (isParameter(segment) ? given[at] !== "" : segment === given[at])),
  );
  if (!found) return null;
  const id = given[found.segments.indexOf("{client_id}")];
  const clientId = id === undefined || isComputed(id) ? null : decoded(id);
  return { ...found.served, clientId };
}

/** What the paths are for that a script can build from the beginning of a path. */
export function usesBelow(pathname: string): Set<PathUse> {
  const given = pathname.split("/");
  while (given.at(-1) === "") given.pop();
  const matches = patterns.filter(
    ({ segments }) =>
      given.length <= segments.length &&
      given.every((text, at) => isComputed(text) || isParameter(segments[at] ?? "") || text === segments[at]),
  );
  return new Set(matches.map(({ served }) => served.use));
}

/** Null for invalid percent-encoding. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
