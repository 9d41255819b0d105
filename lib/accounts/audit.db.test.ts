import { describe, expect, it } from "vitest";
import * as csv from "@/app/portal/api/v1/audit/csv/route";
import * as audit from "@/app/portal/api/v1/audit/route";
import { call, type RequestOptions, readAll } from "@/lib/tools/test/call";
import { aClient, aMember, aUser, rowsOf, sessionHeaders, type TestClient } from "@/lib/tools/test/factories";
import { expectError } from "@/lib/tools/test/lists";

const PATH = "/portal/api/v1/audit";
type EntryInput = { at?: string; action?: string; who?: string; whole?: boolean; detail?: object; subject?: string };

/** Inserts audit entries in the given order. */
async function insertEntries(shop: TestClient, lines: EntryInput[]): Promise<void> {
  for (const {
    at = "2026-03-01T10:00:00Z",
    action = "key.created",
    who = "usr_x",
    whole: ofAccount = false,
    ...line
  } of lines)
    await rowsOf(
      `insert into audit_entries (account_id, client_id, at, actor_kind, actor_id, action, subject, detail)
       values ($1, $2, $3, 'user', $4, $5, $6, $7)`,
      [
        shop.accountId,
        ofAccount ? null : shop.id,
        at,
        who,
        action,
        line.subject ?? null,
        JSON.stringify(line.detail ?? {}),
      ],
    );
}

const subjects = async (sent: RequestOptions, query = ""): Promise<string[]> =>
  (await readAll(audit, PATH + query, sent)).map(({ subject }: { subject: string }) => subject);

describe("audit log", () => {
  it("lists entries newest first across pages, each once even if many share a timestamp", async () => {
    const shop = await aClient();
    const admin = await aMember(shop, "admin");
    const given = Array.from({ length: 120 }, (_, index) => ({ subject: `s-${index}` }));
    await insertEntries(shop, given);
    const pages: number[] = [];
    const rows = await readAll(audit, PATH, admin, async (page) => void pages.push(page));
    expect(rows.map(({ subject }: { subject: string }) => subject)).toEqual(
      given.map(({ subject }) => subject).reverse(),
    );
    expect(pages).toEqual([1, 2, 3]);
    expectError(await call(audit, "GET", `${PATH}?after=nonsense`, admin), 400, "invalid_cursor");
  });

  it("filters by action, actor, and days in the client's time zone", async () => {
    const shop = await aClient({ config: { time_zone: "Pacific/Auckland" } });
    const user = await aUser("admin", { clients: [shop.id] });
    const admin = { headers: await sessionHeaders(user) };
    const [{ id }] = await rowsOf("select id from users where username = $1", [user.username]);
    await insertEntries(shop, [
      { subject: "late", at: "2026-03-01T11:30:00Z", who: id }, // 2 March there
      { subject: "early", at: "2026-03-01T10:30:00Z", action: "user.invited" }, // 1 March
      { subject: "other", at: "2026-02-01T10:30:00Z", action: "keyring.lost" },
    ]);
    expect(await subjects(admin, "?from=2026-03-02")).toEqual(["late"]);
    expect(await subjects(admin, "?to=2026-03-01")).toEqual(["early", "other"]);
    expect(await subjects(admin, "?from=2026-03-01&to=2026-03-01")).toEqual(["early"]);
    expect(await subjects(admin, "?what=key")).toEqual(["late"]);
    expect(await subjects(admin, `?who=${id}`)).toEqual(["late"]);
    expect(await subjects(admin, `?who=${id}&what=user`)).toEqual([]);
    const [line] = (await call(audit, "GET", `${PATH}?who=${id}`, admin)).json.data;
    expect(line).toMatchObject({ by: user.username, by_id: id, at: "2026-03-01T11:30:00Z", whole_account: false });
    for (const query of ["?from=yesterday", "?to=2026-02-30", "?what=a%25"])
      expectError(await call(audit, "GET", PATH + query, admin), 400, "invalid_parameter");
  });

  it("scans a long period for few entries, in bounded pages", async () => {
    const shop = await aClient();
    const admin = await aMember(shop, "admin");
    await insertEntries(shop, [{ subject: "needle", action: "user.invited", at: "2025-01-01T00:00:00Z" }]);
    await rowsOf(
      `insert into audit_entries (account_id, client_id, at, actor_kind, actor_id, action)
       select $1, $2, '2026-01-01'::timestamptz + n * interval '1 minute', 'user', 'u', 'feed.updated' from generate_series(1, 6000) n`,
      [shop.accountId, shop.id],
    );
    const first = (await call(audit, "GET", `${PATH}?what=user`, admin)).json;
    expect([first.data, typeof first.links.next]).toEqual([[], "string"]);
    expect(await subjects(admin, "?what=user")).toEqual(["needle"]);
  });

  it("shows account-wide entries only to people with access to the whole account", async () => {
    const [shop, otherClient] = [await aClient(), await aClient()];
    await insertEntries(shop, [{ subject: "mine" }, { subject: "ours", whole: true }]);
    await insertEntries(otherClient, [{ subject: "theirs" }, { subject: "their account's", whole: true }]);
    expect(await subjects(await aMember(shop, "admin"))).toEqual(["mine"]);
    const exported = { headers: await sessionHeaders(await aUser("admin", { accountId: shop.accountId })) };
    expect(await subjects(exported)).toEqual(["ours", "mine"]);
    expect(await subjects(await aMember(shop, "operator"), `?client_id=${shop.id}`)).toEqual(["ours", "mine"]);
  });

  it("names other clients only to people who reach them", async () => {
    const [shop, other] = [await aClient(), await aClient()];
    await insertEntries(shop, [
      { action: "user.changed", subject: "somebody", detail: { clients: [shop.id, other.id] } },
    ]);
    const clientsIn = async (sent: RequestOptions) =>
      (await call(audit, "GET", `${PATH}?client_id=${shop.id}`, sent)).json.data[0].detail;
    const admin = await aMember(shop, "admin");
    expect(await clientsIn(admin)).toEqual({ clients: [shop.id], other_clients: 1 });
    expect((await call(csv, "GET", `${PATH}/csv`, admin)).text).not.toContain(other.id);
    const both = { headers: await sessionHeaders(await aUser("admin", { clients: [shop.id, other.id] })) };
    expect(await clientsIn(both)).toEqual({ clients: [shop.id, other.id] });
  });

  it("exports all matching entries as CSV, without cells that a spreadsheet would run", async () => {
    const shop = await aClient();
    const admin = await aMember(shop, "admin");
    await insertEntries(shop, [
      { subject: "=cmd|'/c calc'!A1", detail: { name: 'a "quoted", name' } },
      { subject: "feed", action: "feed.created" },
    ]);
    await rowsOf(
      `insert into audit_entries (account_id, client_id, at, actor_kind, actor_id, action)
       select $1, $2, '2026-01-01'::timestamptz + n * interval '1 minute', 'user', 'u', 'feed.updated' from generate_series(1, 2500) n`,
      [shop.accountId, shop.id],
    );
    const answer = await call(csv, "GET", `${PATH}/csv`, admin);
    expect({ status: answer.status, type: answer.headers.get("content-type") }).toEqual({
      status: 200,
      type: "text/csv; charset=utf-8",
    });
    expect(answer.headers.get("content-disposition")).toContain("audit.csv");
    const lines = answer.text.trimEnd().split("\n");
    expect(lines).toHaveLength(1 + 2 + 2_500);
    expect(lines[0]).toBe("at,action,by,by_kind,by_id,subject,subject_name,whole_account,detail");
    expect(answer.text).not.toMatch(/,"?=cmd/);
    const keys = await call(csv, "GET", `${PATH}/csv?what=key`, admin);
    expect(keys.text.trimEnd().split("\n")).toHaveLength(2);
  });
});
