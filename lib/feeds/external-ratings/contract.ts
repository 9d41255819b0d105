import { ExternalsForm, ExternalsQuery, ExternalsReport } from "@/lib/feeds/external-ratings/schema";
import { MAX_EXTERNAL_BYTES } from "@/lib/feeds/external-ratings/values";
import { endpoint } from "@/lib/platform/http/contract";
import { single } from "@/lib/platform/http/fields";

export const importExternalsContract = endpoint({
  id: "portal.externals.import",
  method: "POST",
  path: "/portal/api/v1/externals",
  tag: "Portal",
  summary: "Import external ratings",
  description: "Replaces existing totals. A count of 0 removes a total. Totals that the file doesn't contain are kept.",
  auth: "session",
  accepts: "multipart",
  query: ExternalsQuery,
  body: ExternalsForm,
  // Includes the multipart form around the file.
  maxBody: MAX_EXTERNAL_BYTES + 64 * 1024,
  response: single(ExternalsReport),
});
