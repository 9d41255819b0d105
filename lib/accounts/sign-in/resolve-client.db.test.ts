import { describe, expect, it } from "vitest";
import { resolvePublicClient } from "@/lib/accounts/sign-in/resolve-client";
import { env } from "@/lib/platform/env";
import { createClient } from "@/lib/settings/create-client";
import { aClient, uniqueName } from "@/lib/tools/test/factories";
import { withSettings } from "@/lib/tools/test/with-settings";

const from = (headers: Record<string, string>) => new Headers({ host: "localhost:3000", ...headers });
const forbidden = { code: "client_forbidden", message: "The client_id or api_key is missing or wrong." };

describe("the client of a public submission", () => {
  it("is found by its id and public key alone", async () => {
    const { id, publicKey } = await aClient();
    const right = { client_id: id, api_key: publicKey };
    expect(await resolvePublicClient(right, from({}))).toMatchObject({ id });
    for (const wrong of [
      null,
      "x",
      1,
      {},
      [id, publicKey],
      { ...right, api_key: 1 },
      { ...right, client_id: `${id}x` },
    ])
      await expect(resolvePublicClient(wrong, from({}))).rejects.toMatchObject(forbidden);
  });

  it("restricts the pages that can send to it, if it lists any", async () => {
    const { id, publicKey } = await aClient({ allowed_origins: ["https://shop.example"] });
    const body = { client_id: id, api_key: publicKey };
    // The hosted forms are pages of this server itself, even behind a proxy that uses another host name.
    const own = { host: "reviews.example", origin: "https://reviews.example" };
    const behindProxy = { host: "inside:3000", origin: env().PUBLIC_URL };
    for (const allowed of [{}, { origin: "https://shop.example" }, own, behindProxy] as Record<string, string>[])
      expect(await resolvePublicClient(body, from(allowed))).toMatchObject({ id });
    for (const origin of ["https://evil.example", "http://shop.example", "https://shop.example:444", "null"])
      await expect(resolvePublicClient(body, from({ origin }))).rejects.toMatchObject({ code: "forbidden" });
  });

  it("doesn't treat a page without https as its own if its public address is https", async () => {
    const { id, publicKey } = await aClient({ allowed_origins: ["https://shop.example"] });
    const body = { client_id: id, api_key: publicKey };
    const plain = from({ host: "reviews.example", origin: "http://reviews.example" });
    expect(await resolvePublicClient(body, plain)).toMatchObject({ id });
    await withSettings({ PUBLIC_URL: "https://reviews.example" }, () =>
      expect(resolvePublicClient(body, plain)).rejects.toMatchObject({ code: "forbidden" }),
    );
  });

  it("is never the demo's for callers from elsewhere", async () => {
    const id = uniqueName("demo");
    await createClient({ id, publicKey: `pk_${id}`, demo: true });
    const body = { client_id: id, api_key: `pk_${id}` };
    expect(await resolvePublicClient(body, from({}))).toMatchObject({ id });
    for (const headers of [
      { host: "reviews.example" },
      { "x-forwarded-for": "203.0.113.9" },
      { forwarded: "for=203.0.113.9" },
    ] as Record<string, string>[])
      await expect(resolvePublicClient(body, from(headers))).rejects.toMatchObject(forbidden);
  });
});
