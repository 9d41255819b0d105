import { z } from "zod";
import { LibraryExport, NewLibraryView } from "@/lib/moderation/library/schema";
import { ViewParams } from "@/lib/moderation/queue/schema";
import { endpoint } from "@/lib/platform/http/contract";
import { clientId, single } from "@/lib/platform/http/fields";

const clientQuery = z.object({ client_id: clientId });
const people = { tag: "Portal", auth: "session", role: "viewer", scope: "read" } as const;

export const exportLibraryContract = endpoint({
  id: "portal.library.export",
  method: "GET",
  path: "/portal/api/v1/library/export",
  tag: "Portal",
  summary: "Export the reviews, seller reviews or questions of a filter",
  description:
    "CSV or JSON Lines with the fields of an export on the server, in the order of the list. Email addresses and customer ids are left out for people who may not see personal data. `Candor-Total` is the number of rows when the export began.",
  auth: "session",
  query: LibraryExport,
  produces: "text/csv; charset=utf-8",
  alsoProduces: ["application/x-ndjson; charset=utf-8"],
});

export const saveLibraryViewContract = endpoint({
  ...people,
  id: "portal.library_views.create",
  method: "POST",
  path: "/portal/api/v1/library_views",
  summary: "Create a saved view of the list, or replace the person's view of the same name",
  query: clientQuery,
  body: NewLibraryView,
  status: 201,
  response: single(z.object({ id: z.string() })),
});

export const removeLibraryViewContract = endpoint({
  ...people,
  id: "portal.library_views.remove",
  method: "DELETE",
  path: "/portal/api/v1/library_views/{id}",
  summary: "Delete a saved view of the person",
  params: ViewParams,
  query: clientQuery,
  status: 204,
});
