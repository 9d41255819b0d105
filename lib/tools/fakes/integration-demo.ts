import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { Parser } from "htmlparser2";
import { demoPassword } from "@/lib/platform/env";
import { CommerceFake, commerceKeys } from "@/lib/tools/fakes/commerce";
import { anOrder, aRow, aShipment } from "@/lib/tools/fakes/commerce-orders";
import { sampleCatalog } from "@/lib/tools/fakes/commerce-shop";
import { DeltaShareFake } from "@/lib/tools/fakes/delta-share";
import { sampleTenant } from "@/lib/tools/fakes/delta-share-tenant";
import { EngagementFake, engagementKey } from "@/lib/tools/fakes/engagement";

// The whole path of a review, against a running server (started by lib/tools/launch/demo-integrations.mjs): an order in
// the store, its invitation, the review submitted through the link in that email, and the interaction sent to the
// engagement platform. In addition, receipts are imported from the platform's Delta Share.

const CLIENT = "demo.candor.example";
const KEY = "sk_demo_0123456789abcdef";
const clientArgs = ["--client", CLIENT];
const origin = process.env.PUBLIC_URL ?? "";
const ada = { name: "Ada Lindqvist", email: "ada@lindqvist.example", number: "90210" };
const TIMEOUT_MS = 60_000;

const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stopping.abort());
const printLine = (line = "") => process.stdout.write(`${line}\n`);
const portal = (path: string) => `${origin}/portal${path}${path.includes("?") ? "&" : "?"}client_id=${CLIENT}`;

const shop = new CommerceFake(shopWithOneOrder());
const tenant = new EngagementFake();
const deltaShare = new DeltaShareFake(Object.values(sampleTenant()));
const contact = tenant.addContact({ email: ada.email, customKey: ada.number });
try {
  await runDemo(await shop.listen(), await tenant.listen());
  printLine("\nEverything runs until you press Ctrl-C.");
  if (!stopping.signal.aborted) await once(stopping.signal, "abort");
} catch (error) {
  // After Ctrl-C, errors of interrupted work are expected.
  if (!stopping.signal.aborted) throw error;
} finally {
  await Promise.all([shop.close(), tenant.close(), deltaShare.close()]);
}
process.exit(0);

async function runDemo(ordersUrl: string, tenantUrl: string): Promise<void> {
  printLine("\n1. A shop on Magento 2 and a tenant of Voyado Engage are connected.");
  await admin(
    [
      "integration",
      "set",
      "commerce",
      ...clientArgs,
      "--set",
      `orders_url=${ordersUrl}`,
      "auth=oauth1",
      "--secrets-stdin",
    ],
    commerceKeys,
  );
  await admin(
    ["integration", "set", "engagement", ...clientArgs, "--set", `base_url=${tenantUrl}`, "--secrets-stdin"],
    {
      api_key: engagementKey,
    },
  );
  for (const kind of ["commerce", "engagement"]) {
    const { ok, checks } = await admin<{ ok: boolean; checks: { message: string }[] }>([
      ...["integration", "test", kind],
      ...clientArgs,
    ]);
    if (!ok) throw new Error(`The ${kind} platform is not connected: ${JSON.stringify(checks)}`);
    for (const { message } of checks) printLine(`   ${message}`);
  }

  printLine("\n2. An order is pulled from the shop.");
  const run = await admin<{ counts: Record<string, number>; error: string | null }>([
    ...["integration", "sync", "commerce"],
    ...clientArgs,
  ]);
  const [order] = (await api<{ id: string; items: { name: string; delivery_date: string }[] }>(
    `/v1/orders?customer_email=${encodeURIComponent(ada.email)}`,
  )) as [{ id: string; items: { name: string; delivery_date: string }[] }?];
  if (!order) throw new Error(`The order wasn't imported: ${JSON.stringify(run)}`);
  printLine(
    `   Order ${order.id} of ${ada.name}: ${order.items[0]?.name}, delivered on ${order.items[0]?.delivery_date}.`,
  );
  printLine(`   ${portal(`/orders/${order.id}`)}`);

  printLine("\n3. Its invitation is in the mailbox.");
  await admin(["jobs", "run", "send-invitations", ...clientArgs]);
  const mail = await waitFor("The invitation", async () => {
    const [first] = await admin<{ id: string; subject: string; text: string }[]>(["mail", "list", "--to", ada.email]);
    return first;
  });
  printLine(`   To ${ada.email}: “${mail.subject}”`);
  printLine(`   ${portal(`/mailbox/${mail.id}`)}`);

  printLine(`\n4. ${ada.name} writes a review, by the link in that mail.`);
  const link = /https?:\/\/\S+\/r\/[\w-]+/.exec(mail.text)?.[0];
  if (!link) throw new Error("The email has no link to the form.");
  await submitReview(link, "Pours like a dream, and the handle stays cool. The lid could sit a little tighter.");
  const review = await waitFor(
    "The review",
    async () => (await api<{ id: string }>(`/v1/reviews?order_id=${order.id}`))[0],
  );
  printLine(`   ${portal(`/reviews/${review.id}`)}`);
  printLine("   That page also says what was sent for it, and what came back.");

  printLine("\n5. The engagement platform has it: an interaction, and three attributes of the contact.");
  const [interaction] = await waitFor("The interaction", async () =>
    tenant.interactionsOf(contact.id).length > 0 && "reviewLatest" in contact.attributes
      ? tenant.interactionsOf(contact.id)
      : undefined,
  );
  for (const value of [interaction?.payload, contact.attributes]) printLine(`   ${JSON.stringify(value)}`);

  printLine("\n6. Receipts of its shops come in by the platform's data share.");
  await admin(["integration", "set", "share", ...clientArgs, "--secrets-stdin"], {
    profile: await deltaShare.listen(),
  });
  const sync = await admin<{ counts: Record<string, number>; error: string | null }>([
    ...["integration", "sync", "share"],
    ...clientArgs,
  ]);
  const counts = Object.entries(sync.counts).map(([name, count]) => `${count} ${name.replaceAll("_", " ")}`);
  printLine(`   ${sync.error ?? counts.join(", ")}`);

  printLine("\nTo open:");
  printLine(`   portal       ${origin}/portal   user demo, password ${demoPassword()}`);
  printLine(`   connections  ${portal("/integrations")}`);
  printLine(`   mailbox      ${origin}/portal/mailbox`);
  printLine(`   the shop     ${new URL(ordersUrl).origin}/_fake/state   what it was asked, and its switches`);
  printLine(`   the tenant   ${tenantUrl}/_fake/state`);
}

/** A store with one order: a product of the demo store, shipped two weeks ago. */
function shopWithOneOrder() {
  const time = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 19).replace("T", " ");
  const kettle = aRow({ sku: "FF-KETTLE-1L", name: "Pour-over kettle, 1 L", qty_shipped: 1 });
  const [customer_firstname, customer_lastname] = ada.name.split(" ");
  const person = { firstname: customer_firstname, lastname: customer_lastname, email: ada.email };
  const order = anOrder({
    ...{ customer_id: Number(ada.number), customer_email: ada.email, customer_firstname, customer_lastname },
    ...{ created_at: time(16), updated_at: time(13), billing_address: person, items: [kettle] },
  });
  const catalog = sampleCatalog();
  const storeConfigs = catalog.storeConfigs.map((config) => ({ ...config, locale: "en_US" }));
  return { ...catalog, storeConfigs, orders: [order], shipments: [aShipment(order, [kettle], time(14))] };
}

/** Runs the admin command as a user does, and returns its JSON output. */
async function admin<T>(args: string[], secrets?: object): Promise<T> {
  const child = spawn(process.execPath, ["lib/tools/launch/admin.mjs", ...args, "--json"], {
    stdio: ["pipe", "pipe", "pipe"],
    signal: stopping.signal,
    killSignal: "SIGTERM",
  });
  const ended = once(child, "close");
  child.stdin.end(secrets ? JSON.stringify(secrets) : "");
  const [out, errorOutput, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (code !== 0) throw new Error(`admin ${args.join(" ")} exited with ${code}: ${errorOutput || out}`);
  return JSON.parse(out);
}

async function api<T>(path: string): Promise<T[]> {
  const headers = { Authorization: `Bearer ${KEY}` };
  const answer = await fetch(`${origin}${path}&client_id=${CLIENT}`, { headers, signal: stopping.signal });
  if (!answer.ok) throw new Error(`${path} responded with ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { data: T[] }).data;
}

/** Fills in the form behind an invitation's link and submits it, as a browser without JavaScript does. */
async function submitReview(link: string, content: string): Promise<void> {
  const page = await fetch(link, { signal: stopping.signal });
  const fields = fieldsOf(await page.text());
  const item = [...fields.keys()].find((name) => /^items\.\d+\.score$/.test(name))?.replace(/\.score$/, "");
  if (!item) throw new Error("The form has no items.");
  const form = new FormData();
  for (const [name, value] of fields) if (name.startsWith("$ACTION") || value !== null) form.set(name, value ?? "");
  for (const [name, value] of [
    [`${item}.score`, "4"],
    [`${item}.content`, content],
    ["author", "Ada L."],
  ] as const)
    form.set(name, value);
  const sent = await fetch(link, {
    method: "POST",
    body: form,
    headers: { origin },
    redirect: "manual",
    signal: stopping.signal,
  });
  if (sent.status !== 303 && sent.status !== 302) throw new Error(`The form was rejected (status ${sent.status}).`);
}

/** The named controls of a page's form with their values; null: no value yet. */
function fieldsOf(html: string): Map<string, string | null> {
  const fields = new Map<string, string | null>();
  const parser = new Parser({
    onopentag(tag, { name, type, value = "", checked }) {
      if (!name || (tag !== "input" && tag !== "textarea") || type === "file") return;
      const isSubmitted = type === "hidden" || (checked !== undefined && (type === "radio" || type === "checkbox"));
      if (isSubmitted || !fields.has(name)) fields.set(name, isSubmitted ? value : null);
    },
  });
  parser.end(html);
  return fields;
}

/** Polls until there is a result, for at most a minute. */
async function waitFor<T>(what: string, poll: () => Promise<T | undefined>): Promise<T> {
  const ends = Date.now() + TIMEOUT_MS;
  for (;;) {
    const answer = await poll();
    if (answer !== undefined) return answer;
    if (Date.now() > ends) throw new Error(`${what}: timed out after a minute.`);
    await sleep(500, undefined, { signal: stopping.signal });
  }
}
