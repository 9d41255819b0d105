import { z } from "zod";
import {
  RestoreInput,
  TemplateVersion,
  VersionEntry,
  VersionParams,
  VersionsParams,
  versionsQuery,
} from "@/lib/invitations/template-blocks/schema";
import { endpoint } from "@/lib/platform/http/contract";
import { single } from "@/lib/platform/http/fields";

const shared = { tag: "Portal", auth: "session", query: versionsQuery } as const;
const path = "/portal/api/v1/settings/templates/{language}/versions";

export const listVersionsContract = endpoint({
  ...shared,
  id: "portal.settings.templates.versions.list",
  method: "GET",
  path,
  summary: "List the versions of an email template, newest first",
  params: VersionsParams,
  response: z.object({ data: z.array(VersionEntry) }),
});

export const getVersionContract = endpoint({
  ...shared,
  id: "portal.settings.templates.versions.get",
  method: "GET",
  path: `${path}/{version}`,
  summary: "Get a version of an email template",
  params: VersionParams,
  response: single(TemplateVersion),
});

export const restoreVersionContract = endpoint({
  ...shared,
  id: "portal.settings.templates.versions.restore",
  method: "POST",
  path: `${path}/{version}/restore`,
  summary: "Restore a version of an email template as a new version",
  params: VersionParams,
  body: RestoreInput,
  response: single(z.object({ version: z.int().meta({ description: "Version of the settings after the change." }) })),
  errors: ["conflict"],
});
