import { z } from "zod";
import { endpoint } from "@/lib/platform/http/contract";

export const healthContract = endpoint({
  id: "health",
  method: "GET",
  path: "/api/health",
  tag: "Service",
  summary: "Whether the service can use its database and file store",
  description: "503 when either can't be used, or a disk is full. As `/api/health/ready`, without details.",
  auth: "public",
  response: z.object({ status: z.literal("ok") }),
  example: { answer: { status: "ok" } },
});

export const liveContract = endpoint({
  id: "health.live",
  method: "GET",
  path: "/api/health/live",
  tag: "Service",
  summary: "Whether the process serves",
  description:
    "200 whatever the database and the file store do. For supervisors that restart what isn't healthy: a restart wouldn't fix those.",
  auth: "public",
  response: z.object({ status: z.literal("ok") }),
  example: { answer: { status: "ok" } },
});

export const readyContract = endpoint({
  id: "health.ready",
  method: "GET",
  path: "/api/health/ready",
  tag: "Service",
  summary: "Whether the service can take requests, and which of its jobs fail",
  description:
    "A failing job does not take the service out of traffic: it is named in `details` and the status stays 200. " +
    "A full disk does, and so does a file store that can't be used: 503 while nothing can be stored. " +
    "For load balancers and monitoring; it names no stores.",
  auth: "public",
  response: z.object({
    status: z.literal("ok"),
    details: z.object({
      failing_jobs: z
        .array(
          z.object({
            job: z.string().meta({ description: "The job's function, as `jobs list` shows it." }),
            failing: z
              .int()
              .meta({ description: "For how many stores, feeds, webhooks, integrations or people it fails." }),
          }),
        )
        .meta({ description: "Jobs whose last run failed for good. A job leaves the list once it succeeds." }),
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
  summary: "This description, as OpenAPI 3.1",
  description: "Strong ETag; `If-None-Match` answers 304.",
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
  summary: "This description, as OpenAPI 3.1",
  auth: "session",
  client: "none",
  response: ApiDescription,
  alternatives: { 304: undefined },
});
