import { createHash } from "node:crypto";
import { portalContracts, publicContracts } from "@/app/_contracts";
import { examples } from "@/app/_examples";
import { perProcess } from "@/lib/db/process";
import { env } from "@/lib/env";
import { describeApi } from "@/lib/http/openapi";
import { RawJson, Reply } from "@/lib/http/reply";

type Audience = "public" | "portal";
export type ApiDescription = ReturnType<typeof describeApi>;

const about = {
  public: {
    title: "Candor API",
    description:
      'Orders in, reviews out: the management interface under `/v1`, the public collection of reviews, and the public display of those accepted. Every error is `{"errors": [{"code", "message", "field"}]}`. More to read at `/docs`.',
  },
  portal: {
    title: "Candor portal calls",
    description:
      "What the portal's own pages call. For the session of a signed-in person only; no promise of stability.",
  },
};

/** The OpenAPI description, made once per process. */
export const apiDescription = (audience: Audience): ApiDescription =>
  perProcess(`openapi:${audience}`, () =>
    describeApi(audience === "public" ? publicContracts : portalContracts, {
      ...about[audience],
      origin: env().PUBLIC_URL,
      examples,
    }),
  );

/** The description as an answer; 304 for who holds it already. */
export function descriptionReply(audience: Audience, ifNoneMatch: string | null) {
  const { text, tag } = perProcess(`openapi-text:${audience}`, () => {
    const text = JSON.stringify(apiDescription(audience));
    return { text, tag: `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"` };
  });
  const headers = { ETag: tag, "Cache-Control": audience === "public" ? "public, max-age=300" : "private, no-cache" };
  const known = (ifNoneMatch ?? "").split(",").some((given) => given.trim().replace(/^W\//, "") === tag);
  return known
    ? new Reply<never>(undefined, { status: 304, headers })
    : new Reply<never>(new RawJson(text), { headers });
}
