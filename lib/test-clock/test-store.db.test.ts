import { afterEach, expect, it, vi } from "vitest";
import { GET as figures } from "@/app/honesty/[client_id]/figures.json/route";
import { GET as checkpoint } from "@/app/honesty/[client_id]/log/checkpoint/route";
import { GET as honesty } from "@/app/honesty/[client_id]/route";
import * as optOut from "@/app/o/[token]/route";
import { GET as styles } from "@/app/onpage/[client_id]/head.css/route";
import { GET as structuredData } from "@/app/onpage/[client_id]/product.jsonld/route";
import { GET as list } from "@/app/onpage/[client_id]/reviews.html/route";
import { GET as reviews } from "@/app/onpage/[client_id]/reviews.json/route";
import * as stores from "@/app/portal/api/v1/clients/route";
import { notify } from "@/lib/accounts/notifications/notify";
import { recordFailedJob } from "@/lib/accounts/notifications/record-failed-job";
import { editToken } from "@/lib/forms/edit/links";
import { openEdit } from "@/lib/forms/edit/open-edit";
import { appendEntries } from "@/lib/honesty/append-entries";
import { listUnrecorded } from "@/lib/honesty/record-invitations";
import { selectFailingJobs } from "@/lib/insights/home/sql";
import { optOutToken } from "@/lib/invitations/links";
import { usesExternalSender } from "@/lib/invitations/rules";
import { dropCached } from "@/lib/platform/db/cache";
import { longTransaction, pool } from "@/lib/platform/db/pool";
import { countFailingJobs } from "@/lib/platform/jobs/job-failures";
import { call } from "@/lib/tools/test/call";
import { get } from "@/lib/tools/test/collection-rows";
import { aClient, aMember, aUser, rowsOf, sessionHeaders, someReviews, uniqueName } from "@/lib/tools/test/factories";
import { resendFake } from "@/lib/tools/test/resend-fake";
import { moveRows } from "./sql";

afterEach(() => void vi.unstubAllEnvs());

const testStore = () => aClient({ display_name: "Lanterna" }, { test: true });

it("is created by an operator in the portal", async () => {
  const { accountId } = await aClient();
  const headers = await sessionHeaders(await aUser("operator"));
  for (const test of [true, undefined]) {
    const id = uniqueName("made");
    const made = await call(stores, "POST", "/portal/api/v1/clients", {
      headers,
      body: { id, account_id: accountId, test },
    });
    expect(made.status).toBe(201);
    expect(await rowsOf("select test_days from clients where id = $1", [id])).toEqual([{ test_days: test ? 0 : null }]);
  }
});

it("keeps its emails in the mailbox, though there is an email service", async () => {
  const service = await resendFake();
  for (const [name, value] of Object.entries(service.settings)) vi.stubEnv(name, value);
  vi.resetModules(); // settings are read once
  const { deliverMails } = await import("@/lib/platform/mail/deliver-mails");
  const { queueMail } = await import("@/lib/platform/mail/queue-mail");
  const [test, real] = [await testStore(), await aClient()];
  const mail = (clientId: string) =>
    queueMail({
      idempotencyKey: `invitation:${clientId}:1`,
      clientId,
      kind: "invitation",
      to: "anna@x.example",
      from: "shop@x.example",
      replyTo: null,
      subject: clientId,
      html: "<p>Hi</p>",
      text: "Hi",
    });
  const [kept, sent] = [await mail(test.id), await mail(real.id)];
  const { states } = await deliverMails([kept, sent]);
  expect(Object.fromEntries(states)).toEqual({ [kept]: "kept", [sent]: "sent" });
  expect((await deliverMails([kept])).states.get(kept)).toBe("kept");
  expect(service.sent.map(({ subject }) => subject)).toEqual([real.id]);
  await service.close();
});

it("marks its pages, keeps them from search engines, and has no structured data", async () => {
  const [test, real] = [await testStore(), await aClient({ display_name: "Lanterna" })];
  for (const { id } of [test, real])
    await someReviews(id, [{ accepted: true, accepted_at: new Date(), product_id: "sku-1" }]);
  const read = async (endpoint: typeof list, path: string) => {
    const response = await get(endpoint, path);
    return { robots: response.headers.get("X-Robots-Tag"), text: await response.text(), status: response.status };
  };
  const paths = [
    [list, "reviews.html?key=sku-1"],
    [reviews, "reviews.json?key=sku-1"],
    [styles, "head.css"],
  ] as const;
  for (const [endpoint, path] of paths) {
    expect((await read(endpoint, `/onpage/${test.id}/${path}`)).robots, path).toBe("noindex, nofollow");
    expect((await read(endpoint, `/onpage/${real.id}/${path}`)).robots, path).toBeNull();
  }
  const marked = await Promise.all([test, real].map(({ id }) => read(list, `/onpage/${id}/reviews.html?key=sku-1`)));
  expect(marked.map(({ text }) => text.includes("Test store"))).toEqual([true, false]);
  expect(marked.map(({ text }) => text.includes("ld+json"))).toEqual([false, true]);
  expect((await read(structuredData, `/onpage/${test.id}/product.jsonld?key=sku-1`)).status).toBe(204);
  expect((await read(styles, `/onpage/${test.id}/head.css`)).text).toContain('content:"Test store"');
  expect((await read(styles, `/onpage/${real.id}/head.css`)).text).not.toContain("Test store");
  const page = await call(optOut, "GET", `/o/${optOutToken(test.id, "h".repeat(32))}`);
  expect(page.text).toContain("Test store");
});

it("has no public log, and says so", async () => {
  const test = await testStore();
  await someReviews(test.id, [{ accepted: true, accepted_at: new Date() }]);
  await rowsOf(
    `insert into moderation_events (client_id, kind, subject_id, actor_kind, action)
     select client_id, 'review', id, 'visitor', 'submitted' from reviews where client_id = $1`,
    [test.id],
  );
  await appendEntries();
  expect(await rowsOf("select from logs where client_id = $1", [test.id])).toEqual([]);
  expect(await listUnrecorded([test.id])).toEqual([]);
  for (const [endpoint, path] of [
    [figures, "figures.json"],
    [checkpoint, "log/checkpoint"],
  ] as const)
    expect((await get(endpoint, `/honesty/${test.id}/${path}`)).status, path).toBe(404);
  const page = await get(honesty, `/honesty/${test.id}?lang=de`);
  expect(page.headers.get("X-Robots-Tag")).toBe("noindex, nofollow");
  expect(await page.text()).toContain("Dies ist ein Testshop.");
});

it("counts neither as a failing job nor in emails to the team", async () => {
  const [test, real] = [await testStore(), await aClient()];
  await aMember(test, "operator");
  await recordFailedJob({ job: "send-invitations", clientId: test.id }, "run");
  expect(await rowsOf("select from notifications where client_id is null")).toEqual([]);
  await recordFailedJob({ job: "send-invitations", clientId: real.id }, "run");
  expect((await rowsOf("select from notifications where client_id is null")).length).toBeGreaterThan(0);
  const failing = await selectFailingJobs(pool(), null, 10);
  expect(failing.map(({ client_id }) => client_id)).toEqual([real.id]);
  expect(await selectFailingJobs(pool(), test.id, 10)).toHaveLength(1);
  expect((await countFailingJobs()).find(({ job }) => job === "send-invitations")?.failing).toBe(1);
  for (const shop of [test, real]) {
    const person = await aMember(shop, "admin");
    await rowsOf("update users set email = $2 where id = $1", [person.id, `${person.id}@x.example`]);
    await rowsOf(
      "insert into notification_settings (user_id, kind, portal, email) values ($1, 'import_done', true, true)",
      [person.id],
    );
    await notify(pool(), {
      clientId: shop.id,
      to: { userIds: [person.id] },
      kind: "import_done",
      params: { file: "a.csv" },
      path: "/imports",
      dedupeKey: "import",
    });
  }
  const rows = await rowsOf("select client_id, by_email from notifications where client_id = any($1)", [
    [test.id, real.id],
  ]);
  expect(Object.fromEntries(rows.map(({ client_id, by_email }) => [client_id, by_email]))).toEqual({
    [test.id]: false,
    [real.id]: true,
  });
});

it("lets edit links expire by its clock", async () => {
  const test = await testStore();
  const [id = ""] = await someReviews(test.id, [
    { accepted: false, reject_reason: "spam", author_email: "ada@x.example", email_key: "ada@x.example" },
  ]);
  const token = editToken(test.id, "review", id, "ada@x.example");
  expect((await openEdit(token)).state).toBe("open");
  await longTransaction((db) => moveRows(db, test.id, 31));
  dropCached("client", test.id);
  expect((await openEdit(token)).state).toBe("expired");
});

it("sends its invitations itself, though the store has an external sender", () => {
  const config = { own_sender: true };
  expect([usesExternalSender({ config, test_days: null }), usesExternalSender({ config, test_days: 0 })]).toEqual([
    true,
    false,
  ]);
});
