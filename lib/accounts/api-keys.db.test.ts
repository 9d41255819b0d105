import { describe, expect, it } from "vitest";
import * as apiKey from "@/app/portal/api/v1/api_keys/[id]/route";
import * as apiKeys from "@/app/portal/api/v1/api_keys/route";
import * as reviews from "@/app/v1/reviews/route";
import { systemActor } from "@/lib/accounts/actor";
import { createKey, revokeKey } from "@/lib/accounts/api-keys";
import { writeKeyUses } from "@/lib/accounts/sign-in/key-uses";
import { call, type RequestOptions } from "@/lib/tools/test/call";
import { aClient, aKey, aMember, aUser, hashDatabase, rowsOf, sessionHeaders } from "@/lib/tools/test/factories";
import { expectError } from "@/lib/tools/test/lists";

const PATH = "/portal/api/v1/api_keys";
const list = async (sent: RequestOptions, query = "") => (await call(apiKeys, "GET", PATH + query, sent)).json.data;
const make = (sent: RequestOptions, body: unknown, query = "") =>
  call(apiKeys, "POST", PATH + query, { ...sent, body });
const end = (sent: RequestOptions, id: string, query = "") => call(apiKey, "DELETE", `${PATH}/${id}${query}`, sent);
const notes = (clientId: string) =>
  rowsOf("select action, subject, actor_kind, detail from audit_entries where client_id = $1 order by id", [clientId]);

describe("keys in the portal", () => {
  it("are created, shown once, used, listed with their last use, and revoked immediately", async () => {
    const shop = await aClient();
    const admin = await aMember(shop, "admin");
    const created = await make(admin, { name: " Back end ", scopes: ["read", "read"] });
    expect(created.status).toBe(201);
    const { id, secret } = created.json.data;
    const use = () => call(reviews, "GET", "/v1/reviews", { key: secret });
    expect((await use()).status).toBe(200);
    expectError(await call(reviews, "POST", "/v1/reviews", { key: secret, body: {} }), 403, "forbidden");
    await writeKeyUses();
    const line = (await list(admin)).find((key: { id: string }) => key.id === id);
    expect(line).toMatchObject({
      name: "Back end",
      prefix: secret.slice(0, 9),
      scopes: ["read"],
      clients: [shop.id],
      other_clients: 0,
      created_by: expect.stringContaining("admin"),
      last_used_at: expect.any(String),
      revoked_at: null,
    });
    expect(JSON.stringify(await list(admin))).not.toContain(secret.slice(10));
    expect((await end(admin, id)).status).toBe(204);
    expect((await end(admin, id)).status).toBe(204); // a double click
    await expect.poll(async () => (await use()).status).toBe(401);
    expect((await list(admin)).at(-1)).toMatchObject({ id, revoked_at: expect.any(String) });
    expect((await notes(shop.id)).slice(-2)).toEqual([
      { action: "key.created", subject: id, actor_kind: "user", detail: { name: "Back end", scopes: ["read"] } },
      { action: "key.revoked", subject: id, actor_kind: "user", detail: { name: "Back end" } },
    ]);
  });

  it("only reach clients that their creator reaches, and can only be revoked by someone who reaches all of theirs", async () => {
    const [own, also, other] = [await aClient(), await aClient(), await aClient()];
    const person = { headers: await sessionHeaders(await aUser("admin", { clients: [own.id, also.id] })) };
    const at = `?client_id=${own.id}`;
    const both = await make(person, { name: "Both", scopes: ["write"], clients: [own.id, also.id] }, at);
    expect((await list(person, at))[0]).toMatchObject({ id: both.json.data.id, clients: [own.id, also.id].sort() });
    const shared = await aKey([own.id, other.id]);
    expect((await list(person, at)).find((key: { id: string }) => key.id === shared.id)).toMatchObject({
      clients: [own.id],
      other_clients: 1,
    });
    const before = await hashDatabase();
    for (const clients of [[other.id], [own.id, other.id], ["nobody"]]) {
      const response = await make(person, { name: "x", scopes: ["read"], clients }, at);
      expectError(response, 422, "invalid_field");
      expect(response.json.errors).toMatchObject(
        clients.flatMap((id, index) => (id === own.id ? [] : [{ field: `clients[${index}]` }])),
      );
    }
    expectError(await end(person, shared.id, at), 403, "forbidden");
    for (const id of [other.keyId, also.keyId, "none", "%00"]) expectError(await end(person, id, at), 404, "not_found");
    expectError(await make(person, { name: " ", scopes: [], clients: [] }, at), 422, "invalid_field");
    expect(await hashDatabase()).toBe(before);
    expect((await end(person, both.json.data.id, at)).status).toBe(204);
    expect((await notes(also.id)).map(({ action }) => action).slice(-2)).toEqual(["key.created", "key.revoked"]);
  });

  it("require the role at every client of the key", async () => {
    const shop = await aClient();
    const by = { ...systemActor, role: "moderator" as const, clients: new Set([shop.id]) };
    const before = await hashDatabase();
    await expect(createKey({ clients: [shop.id], by })).rejects.toMatchObject({ code: "forbidden" });
    await expect(revokeKey(shop.keyId, { by })).rejects.toMatchObject({ code: "forbidden" });
    expect(await hashDatabase()).toBe(before);
  });
});
