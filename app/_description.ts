import { portalContracts, publicContracts } from "@/app/_contracts";
import { describeApi } from "@/lib/api/openapi";
import { describeWebhooks } from "@/lib/integrations/webhooks/payloads";
import { env } from "@/lib/platform/env";
import { etagOf, matchesEtag } from "@/lib/platform/http/etag";
import { RawJson, Reply } from "@/lib/platform/http/reply";
import { perProcess } from "@/lib/platform/process";

type Audience = "public" | "portal";
export type ApiDescription = ReturnType<typeof describeApi>;

export const publicApiInfo = {
  title: "Candor API",
  description:
    "Manage your stores' reviews under `/v1`, collect reviews from visitors and display published reviews. Authentication, pagination and idempotency: [How the API behaves](/docs/guides/api). Error codes and rate limits: [Errors and limits](/docs/guides/errors-and-limits). See [all guides](/docs/guides).",
};

const apiInfo = {
  public: publicApiInfo,
  portal: {
    title: "Candor portal calls",
    description: "Calls of the portal's own pages. They require a portal session and may change in any version.",
  },
};

/** The OpenAPI description, built once per process. */
export const apiDescription = (audience: Audience): ApiDescription =>
  perProcess(`openapi:${audience}`, () =>
    describeApi(audience === "public" ? publicContracts : portalContracts, {
      ...apiInfo[audience],
      origin: env().PUBLIC_URL,
      webhooks: audience === "public" ? describeWebhooks() : undefined,
    }),
  );

/** Returns the description as a response; 304 if the ETag matches. */
export function descriptionReply(audience: Audience, ifNoneMatch: string | null) {
  const { bytes, tag } = perProcess(`openapi-text:${audience}`, () => {
    const bytes = new Uint8Array(Buffer.from(JSON.stringify(apiDescription(audience))));
    return { bytes, tag: etagOf(bytes) };
  });
  const headers = { ETag: tag, "Cache-Control": audience === "public" ? "public, max-age=300" : "private, no-cache" };
  return matchesEtag(ifNoneMatch, tag)
    ? new Reply<never>(undefined, { status: 304, headers })
    : new Reply<never>(new RawJson(bytes), { headers });
}
