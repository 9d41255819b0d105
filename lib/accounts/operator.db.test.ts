import { describe, expect, it } from "vitest";
import * as accounts from "@/app/portal/api/v1/accounts/route";
import * as contract from "@/app/portal/api/v1/clients/[id]/contract/route";
import * as clients from "@/app/portal/api/v1/clients/route";
import { listAccounts } from "@/lib/accounts/list-accounts";
import { dayIn } from "@/lib/platform/clock";
import { call, type RequestOptions } from "@/lib/tools/test/call";
import { aClient, aMember, aUser, rowsOf, sessionHeaders, uniqueName } from "@/lib/tools/test/factories";

const operator = async (): Promise<RequestOptions> => ({ headers: await sessionHeaders(await aUser("operator")) });

describe("operator accounts", () => {
  it("are created, get clients, and are found by name, client and page by page", async () => {
    const sender = await operator();
    const name = uniqueName("100%_account");
    const created = await call(accounts, "POST", "/portal/api/v1/accounts", { ...sender, body: { name } });
    expect(created.status).toBe(201);
    const id = `${uniqueName("shop")}.example`;
    const body = { id, account_id: created.json.data.id, display_name: "Lanterna" };
    expect((await call(clients, "POST", "/portal/api/v1/clients", { ...sender, body })).status).toBe(201);
    const again = await call(clients, "POST", "/portal/api/v1/clients", { ...sender, body });
    expect([again.status, again.json.errors[0].code]).toEqual([409, "conflict"]);
    const rejected = await call(clients, "POST", "/portal/api/v1/clients", {
      ...sender,
      body: { id: `${id}.other`, account_id: "acc_none" },
    });
    expect(rejected.status).toBe(404);
    const line = {
      id: created.json.data.id,
      name,
      people: 0,
      more: false,
      clients: [{ id, display_name: "Lanterna" }],
    };
    expect((await listAccounts({ q: name })).accounts).toMatchObject([line]);
    expect((await listAccounts({ q: id })).accounts).toMatchObject([line]);
    const ids: string[] = [];
    for (let after: string | undefined, more = true; more; ) {
      const page = await listAccounts({ after });
      ids.push(...page.accounts.map((account) => account.id));
      after = page.next ?? undefined;
      more = page.next !== null;
    }
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toContain(created.json.data.id);
    expect(await rowsOf("select action from audit_entries where client_id = $1", [id])).toEqual([
      { action: "client.created" },
    ]);
  });

  it("show how many emails each client sent today, in its time zone", async () => {
    // At any moment one of the two is a day ahead of the other.
    const zones = ["Pacific/Kiritimati", "Pacific/Niue"] as const;
    for (const time_zone of zones) {
      const shop = await aClient({ config: { time_zone } });
      const today = dayIn(time_zone);
      await rowsOf(
        `insert into send_days (client_id, day, sent)
         select $1, $2::date + n, 7 + n from generate_series(-1, 1) as n`,
        [shop.id, today],
      );
      const [account] = (await listAccounts({ q: shop.id })).accounts;
      expect(account?.clients, time_zone).toMatchObject([{ id: shop.id, sent_today: 7 }]);
      expect(account?.clients[0]).not.toHaveProperty("config");
    }
  });

  it("have contract limits that are enforced and that only operators set", async () => {
    const shop = await aClient({ send_limit: 500 });
    const put = (sent: RequestOptions, limit: unknown, id = shop.id) =>
      call(contract, "PUT", `/portal/api/v1/clients/${id}/contract`, { ...sent, body: { contract_send_limit: limit } });
    const sender = await operator();
    expect((await put(sender, 800)).status).toBe(204);
    const low = await put(sender, 100);
    expect([low.status, low.json.errors[0].field]).toEqual([422, "contract_send_limit"]);
    expect((await put(sender, -1)).status).toBe(422);
    expect((await put(sender, 5, "nobody.example")).status).toBe(404);
    expect((await put(await aMember(shop, "admin"), 9_999)).status).toBe(403);
    expect(await rowsOf("select contract_send_limit from clients where id = $1", [shop.id])).toEqual([
      { contract_send_limit: 800 },
    ]);
    expect((await put(sender, null)).status).toBe(204);
    expect(
      (
        await call(accounts, "POST", "/portal/api/v1/accounts", {
          ...(await aMember(shop, "admin")),
          body: { name: "x" },
        })
      ).status,
    ).toBe(403);
  });
});
