import { endpoint } from "@/lib/platform/http/contract";
import { single } from "@/lib/platform/http/fields";
import {
  ImportChoices,
  ImportId,
  ImportQuery,
  NewReviewImport,
  ReviewImport,
  RunImport,
  UndoCounts,
} from "@/lib/transfer/imports/schema";

const portal = { tag: "Portal", auth: "session", role: "admin", query: ImportQuery } as const;

export const createReviewImportContract = endpoint({
  ...portal,
  id: "portal.imports.create",
  method: "POST",
  path: "/portal/api/v1/imports",
  summary: "Prepare the import of an uploaded file of reviews",
  description:
    "Detects what the file contains and imports nothing yet. Repeated calls for one upload return the same import. Files are deleted after 7 days.",
  body: NewReviewImport,
  status: 201,
  response: single(ReviewImport),
  errors: ["conflict", "not_found"],
});

export const getReviewImportContract = endpoint({
  ...portal,
  id: "portal.imports.get",
  method: "GET",
  path: "/portal/api/v1/imports/{id}",
  summary: "Retrieve an import of reviews",
  params: ImportId,
  response: single(ReviewImport),
});

export const changeReviewImportContract = endpoint({
  ...portal,
  id: "portal.imports.change",
  method: "PUT",
  path: "/portal/api/v1/imports/{id}",
  summary: "Change the columns and options of an import",
  description: "The file must be checked again afterwards.",
  params: ImportId,
  body: ImportChoices,
  response: single(ReviewImport),
  errors: ["conflict"],
});

export const deleteReviewImportContract = endpoint({
  ...portal,
  id: "portal.imports.delete",
  method: "DELETE",
  path: "/portal/api/v1/imports/{id}",
  summary: "Delete an import that wasn't made, with its file",
  params: ImportId,
  status: 204,
  errors: ["conflict"],
});

export const runReviewImportContract = endpoint({
  ...portal,
  id: "portal.imports.run",
  method: "POST",
  path: "/portal/api/v1/imports/{id}/run",
  summary: "Check the file, import it, or undo the import",
  description:
    "Starts a job. Calling it again while it runs changes nothing. A step that failed or was interrupted can be run again and continues where it stopped. An import can be undone for 30 days.",
  params: ImportId,
  body: RunImport,
  response: single(ReviewImport),
  errors: ["conflict"],
});

export const undoCountsContract = endpoint({
  ...portal,
  id: "portal.imports.undo_counts",
  method: "GET",
  path: "/portal/api/v1/imports/{id}/undo",
  summary: "Count what undoing an import would delete",
  params: ImportId,
  response: single(UndoCounts),
});

export const skippedRowsContract = endpoint({
  ...portal,
  id: "portal.imports.skipped",
  method: "GET",
  path: "/portal/api/v1/imports/{id}/skipped",
  summary: "Download the skipped rows of an import as CSV",
  params: ImportId,
  produces: "text/csv; charset=utf-8",
});
