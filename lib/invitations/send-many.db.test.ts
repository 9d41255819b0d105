import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { claimInvitations, unsentInvitations } from "@/lib/invitations/claim-invitations";
import { sendInvitations } from "@/lib/invitations/send-invitation";
import { withNow } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { perProcess } from "@/lib/platform/process";
import { emptyDatabase } from "@/lib/tools/test/database";
import { makeClient, makeCustomer, makeOrder } from "@/lib/tools/test/invitation-rows";
import { type ResendFailure, resendFake } from "@/lib/tools/test/resend-fake";
import { changeSettings } from "@/lib/tools/test/with-settings";

const failures: ResendFailure[] = [];
const service = await resendFake(failures);
beforeAll(() => changeSettings({ ...service.settings, MAIL_TIMEOUT: "1" }));

beforeEach(async () => {
  await emptyDatabase();
  failures.length = 0;
  service.sent.length = 0;
  service.calls.length = 0;
});
afterEach(() => {
  perProcess("mail-pause", () => ({ until: 0 })).until = 0;
});

const PEOPLE = 70;
const morning = <T>(work: () => T): T => withNow(new Date("2026-03-08T09:00:00Z"), work);

async function shop(): Promise<{ client: string; ids: string[] }> {
  const client = await makeClient("shop");
  for (let n = 0; n < PEOPLE; n++) {
    await makeCustomer(client, { id: `k${n}`, email: `k${n}@x.example` });
    await makeOrder(client, `o${n}`, `k${n}`, [{ id: "p", delivery_date: "2026-03-01" }]);
  }
  return { client, ids: await morning(() => claimInvitations(client)) };
}

const send = (client: string, ids: string[]) =>
  morning(() => sendInvitations(client, ids)).then(
    () => "done",
    (error: { code?: string }) => error.code,
  );

test("sends a batch in one call, and stores each invitation's email id", async () => {
  const { client, ids } = await shop();
  expect(await send(client, ids)).toBe("done");
  expect(service.calls.map(({ emails }) => emails.length)).toEqual([PEOPLE]);
  const { rows } = await pool().query(
    `select i.email, m.provider_id from invitations i join mails m on m.id = i.mail_id where i.status = 'sent'`,
  );
  expect(rows).toHaveLength(PEOPLE);
  for (const { email, provider_id } of rows) expect(service.sent.find(({ id }) => id === provider_id)?.to).toBe(email);
});

test("loses and duplicates nothing with a failing service and concurrent senders", async () => {
  const { client, ids } = await shop();
  failures.push(
    "hang up after",
    { status: 500 },
    "hang up before",
    { status: 429, name: "rate_limit_exceeded" },
    "never answer",
    { status: 502, text: "<html>" },
    "hang up after",
  );
  for (let round = 0; round < 12; round++) {
    const unsent = await unsentInvitations(client);
    if (unsent.length === 0) break;
    const chunks = [unsent.slice(0, 25), unsent.slice(20, 50), unsent.slice(45), unsent.slice(0, 3)];
    await Promise.all(chunks.map((chunk) => chunk.length > 0 && send(client, chunk)));
  }
  expect(failures).toEqual([]);
  expect(await unsentInvitations(client)).toEqual([]);
  const reached = service.sent.map(({ to }) => String(to));
  expect(new Set(reached).size).toBe(PEOPLE);
  expect(reached).toHaveLength(PEOPLE);
  expect(ids).toHaveLength(PEOPLE);
  const { rows } = await pool().query("select status, count(*)::int as count from invitations group by 1");
  expect(rows).toEqual([{ status: "sent", count: PEOPLE }]);
});

test("sends the others if one can't be written", async () => {
  const { client, ids } = await shop();
  // The trigger simulates any failure of one row.
  await pool().query(`
    create function refuse_k7() returns trigger language plpgsql as
      $$ begin if new."to" = 'k7@x.example' then raise exception 'no'; end if; return new; end $$;
    create trigger refuse_k7 before insert on mails for each row execute function refuse_k7()`);
  try {
    await expect(morning(() => sendInvitations(client, ids))).rejects.toThrow("no");
    expect(service.sent).toHaveLength(PEOPLE - 1);
    expect(await unsentInvitations(client)).toHaveLength(1);
  } finally {
    await pool().query("drop function refuse_k7() cascade");
  }
  expect(await send(client, ids)).toBe("done");
  expect(service.sent).toHaveLength(PEOPLE);
});
