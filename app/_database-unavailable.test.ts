import { describe, expect, it } from "vitest";
import { contracts, routes } from "@/app/_routes";
import * as live from "@/app/api/health/live/route";
import type { Methods } from "@/lib/api/methods";
import { errorBody } from "@/lib/platform/http/fields";
import { call } from "@/lib/tools/test/call";

const needing = contracts.filter(
  ({ id, auth }) => auth === "management" || auth === "public_key" || id === "health" || id === "health.ready",
);

describe("without a database", () => {
  it.each(needing.map((contract) => [contract.id, contract] as const))(
    "%s returns 503 with Retry-After",
    async (_, contract) => {
      const module = routes.find(({ path }) => path === contract.path)?.methods as Methods;
      const credentials = { client_id: "shop", api_key: "pk" };
      let body: unknown = contract.accepts === "json" ? credentials : undefined;
      if (contract.accepts === "multipart") {
        const form = new FormData();
        for (const [name, value] of Object.entries(credentials)) form.set(name, value);
        body = form;
      }
      const answer = await call(module, contract.method, contract.path.replace(/\{\w+\}/g, "1"), {
        key: contract.auth === "management" ? "sk_1" : undefined,
        body,
      });
      expect({ status: answer.status, code: answer.json?.errors[0].code }).toEqual({
        status: 503,
        code: "unavailable",
      });
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
      errorBody.parse(answer.json);
      expect(answer.text).not.toMatch(/ECONNREFUSED|127\.0\.0\.1|postgres/);
    },
  );

  it("the process stays alive", async () => {
    expect((await call(live, "GET", "/api/health/live")).status).toBe(200);
  });
});
