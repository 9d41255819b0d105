import { z } from "zod";
import { endpoint } from "@/lib/platform/http/contract";

export const healthContract = endpoint({
  id: "health",
  method: "GET",
  path: "/api/health",
  tag: "Service",
  summary: "Check whether the database and the file store can be used",
  description: "503 if either can't be used or a disk is full. The same as `/api/health/ready`, without details.",
  auth: "public",
  response: z.object({ status: z.literal("ok") }),
  example: { answer: { status: "ok" } },
});

export const liveContract = endpoint({
  id: "health.live",
  method: "GET",
  path: "/api/health/live",
  tag: "Service",
  summary: "Check whether the process serves requests",
  description:
    "200 whatever the state of the database and the file store. For supervisors that restart unhealthy processes: a restart wouldn't fix those.",
  auth: "public",
  response: z.object({ status: z.literal("ok") }),
  example: { answer: { status: "ok" } },
});

export const readyContract = endpoint({
  id: "health.ready",
  method: "GET",
  path: "/api/health/ready",
  tag: "Service",
  summary: "Check whether the service can take requests, and list failing jobs",
  description:
    "200 even if jobs fail: `details` lists them. 503 if the database or the file store can't be used, or a disk is full. " +
    "For load balancers and monitoring. The response names no stores.",
  auth: "public",
  response: z.object({
    status: z.literal("ok"),
    details: z.object({
      failing_jobs: z
        .array(
          z.object({
            job: z.string().meta({ description: "Function of the job, as listed by `jobs list`." }),
            failing: z.int().meta({
              description: "Number of stores, feeds, webhooks, integrations or people for which the job fails.",
            }),
          }),
        )
        .meta({ description: "Jobs whose last run failed permanently. A job is removed after its next success." }),
    }),
  }),
  example: {
    answer: { status: "ok", details: { failing_jobs: [{ job: "claim-invitations", failing: 1 }] } },
  },
});

const ApiDescription = z.looseObject({ openapi: z.literal("3.1.0") });

export const apiDescriptionContract = endpoint({
  id: "openapi.get",
  method: "GET",
  path: "/v1/openapi.json",
  tag: "Service",
  summary: "Retrieve the OpenAPI description of the API",
  description: "Has a strong ETag. `If-None-Match` gets 304 if nothing changed.",
  auth: "public",
  response: ApiDescription,
  alternatives: { 304: undefined },
  example: { answer: { openapi: "3.1.0", info: { title: "Candor API", version: "1.0.0" } } },
});

export const portalDescriptionContract = endpoint({
  id: "portal.openapi.get",
  method: "GET",
  path: "/portal/api/openapi.json",
  tag: "Portal",
  summary: "Retrieve the OpenAPI description of the portal's calls",
  auth: "session",
  client: "none",
  response: ApiDescription,
  alternatives: { 304: undefined },
});
