import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { Parser } from "htmlparser2";
import { demoPassword } from "@/lib/platform/env";
import { CommerceDouble, commerceKeys } from "@/lib/tools/fakes/commerce";
import { anOrder, aRow, aShipment } from "@/lib/tools/fakes/commerce-orders";
import { sampleCatalogue } from "@/lib/tools/fakes/commerce-shop";
import { EngagementDouble, engagementKey } from "@/lib/tools/fakes/engagement";
import { ShareDouble } from "@/lib/tools/fakes/share";
import { sampleTenant } from "@/lib/tools/fakes/share-tenant";

// One review's whole way, against a server that runs already (lib/tools/launch/demo-integrations.mjs starts it): an order in the
// shop, its invitation, the review that is written by the link in that mail, and what the engagement platform hears of it.
// Besides, receipts come in by the platform's data share.

const CLIENT = "demo.candor.example";
const KEY = "sk_demo_0123456789abcdef";
const ours = ["--client", CLIENT];
const origin = process.env.PUBLIC_URL ?? "";
const ada = { name: "Ada Lindqvist", email: "ada@lindqvist.example", number: "90210" };
const PATIENCE = 60_000;

const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stopping.abort());
const say = (line = "") => process.stdout.write(`${line}\n`);
const portal = (path: string) => `${origin}/portal${path}${path.includes("?") ? "&" : "?"}client_id=${CLIENT}`;

const shop = new CommerceDouble(aShop());
const tenant = new EngagementDouble();
const share = new ShareDouble(Object.values(sampleTenant()));
const contact = tenant.contact({ email: ada.email, customKey: ada.number });
try {
  await show(await shop.listen(), await tenant.listen());
  say("\nEverything runs until you press Ctrl-C.");
  if (!stopping.signal.aborted) await once(stopping.signal, "abort");
} catch (error) {
  // Ctrl-C in the middle: what was under way was ended with it.
  if (!stopping.signal.aborted) throw error;
} finally {
  await Promise.all([shop.close(), tenant.close(), share.close()]);
}
process.exit(0);

async function show(ordersUrl: string, tenantUrl: string): Promise<void> {
  say("\n1. A shop on Magento 2 and a tenant of Voyado Engage are connected.");
  await admin(
    ["integration", "set", "commerce", ...ours, "--set", `orders_url=${ordersUrl}`, "auth=oauth1", "--secrets-stdin"],
    commerceKeys,
  );
  await admin(["integration", "set", "engagement", ...ours, "--set", `base_url=${tenantUrl}`, "--secrets-stdin"], {
    api_key: engagementKey,
  });
  for (const kind of ["commerce", "engagement"]) {
    const { ok, checks } = await admin<{ ok: boolean; checks: { message: string }[] }>([
      ...["integration", "test", kind],
      ...ours,
    ]);
    if (!ok) throw new Error(`The ${kind} platform is not connected: ${JSON.stringify(checks)}`);
    for (const { message } of checks) say(`   ${message}`);
  }

  say("\n2. An order is pulled from the shop.");
  const run = await admin<{ counts: Record<string, number>; error: string | null }>([
    ...["integration", "sync", "commerce"],
    ...ours,
  ]);
  const [order] = (await api<{ id: string; items: { name: string; delivery_date: string }[] }>(
    `/v1/orders?customer_email=${encodeURIComponent(ada.email)}`,
  )) as [{ id: string; items: { name: string; delivery_date: string }[] }?];
  if (!order) throw new Error(`The order did not come: ${JSON.stringify(run)}`);
  say(`   Order ${order.id} of ${ada.name}: ${order.items[0]?.name}, delivered on ${order.items[0]?.delivery_date}.`);
  say(`   ${portal(`/orders/${order.id}`)}`);

  say("\n3. Its invitation is in the mailbox.");
  await admin(["jobs", "run", "send-invitations", ...ours]);
  const mail = await until("The invitation", async () => {
    const [first] = await admin<{ id: string; subject: string; text: string }[]>(["mail", "list", "--to", ada.email]);
    return first;
  });
  say(`   To ${ada.email}: “${mail.subject}”`);
  say(`   ${portal(`/mailbox/${mail.id}`)}`);

  say(`\n4. ${ada.name} writes a review, by the link in that mail.`);
  const link = /https?:\/\/\S+\/r\/[\w-]+/.exec(mail.text)?.[0];
  if (!link) throw new Error("The mail has no link to the form.");
  await fillIn(link, "Pours like a dream, and the handle stays cool. The lid could sit a little tighter.");
  const review = await until(
    "The review",
    async () => (await api<{ id: string }>(`/v1/reviews?order_id=${order.id}`))[0],
  );
  say(`   ${portal(`/reviews/${review.id}`)}`);
  say("   That page also says what was sent for it, and what came back.");

  say("\n5. The engagement platform has it: an interaction, and three attributes of the contact.");
  const [interaction] = await until("The interaction", async () =>
    tenant.of(contact.id).length > 0 && "reviewLatest" in contact.attributes ? tenant.of(contact.id) : undefined,
  );
  for (const shown of [interaction?.payload, contact.attributes]) say(`   ${JSON.stringify(shown)}`);

  say("\n6. Receipts of its shops come in by the platform's data share.");
  await admin(["integration", "set", "share", ...ours, "--secrets-stdin"], { profile: await share.listen() });
  const taken = await admin<{ counts: Record<string, number>; error: string | null }>([
    ...["integration", "sync", "share"],
    ...ours,
  ]);
  const counts = Object.entries(taken.counts).map(([name, count]) => `${count} ${name.replaceAll("_", " ")}`);
  say(`   ${taken.error ?? counts.join(", ")}`);

  say("\nTo open:");
  say(`   portal       ${origin}/portal   user demo, password ${demoPassword()}`);
  say(`   connections  ${portal("/integrations")}`);
  say(`   mailbox      ${origin}/portal/mailbox`);
  say(`   the shop     ${new URL(ordersUrl).origin}/_double/state   what it was asked, and its switches`);
  say(`   the tenant   ${tenantUrl}/_double/state`);
}

/** A shop with one order: a thing of the demo shop that was sent a fortnight ago. */
function aShop() {
  const time = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 19).replace("T", " ");
  const kettle = aRow({ sku: "FF-KETTLE-1L", name: "Pour-over kettle, 1 l", qty_shipped: 1 });
  const [customer_firstname, customer_lastname] = ada.name.split(" ");
  const person = { firstname: customer_firstname, lastname: customer_lastname, email: ada.email };
  const order = anOrder({
    ...{ customer_id: Number(ada.number), customer_email: ada.email, customer_firstname, customer_lastname },
    ...{ created_at: time(16), updated_at: time(13), billing_address: person, items: [kettle] },
  });
  const catalogue = sampleCatalogue();
  const storeConfigs = catalogue.storeConfigs.map((config) => ({ ...config, locale: "en_US" }));
  return { ...catalogue, storeConfigs, orders: [order], shipments: [aShipment(order, [kettle], time(14))] };
}

/** The operator's command, as anybody would give it: the JSON it answers. */
async function admin<T>(args: string[], secrets?: object): Promise<T> {
  const child = spawn(process.execPath, ["lib/tools/launch/admin.mjs", ...args, "--json"], {
    stdio: ["pipe", "pipe", "pipe"],
    signal: stopping.signal,
    killSignal: "SIGTERM",
  });
  const ended = once(child, "close");
  child.stdin.end(secrets ? JSON.stringify(secrets) : "");
  const [out, fault, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (code !== 0) throw new Error(`admin ${args.join(" ")} ended with ${code}: ${fault || out}`);
  return JSON.parse(out);
}

async function api<T>(path: string): Promise<T[]> {
  const headers = { Authorization: `Bearer ${KEY}` };
  const answer = await fetch(`${origin}${path}&client_id=${CLIENT}`, { headers, signal: stopping.signal });
  if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { data: T[] }).data;
}

/** Fills in the form behind an invitation's link and sends it, as a browser without scripts does. */
async function fillIn(link: string, content: string): Promise<void> {
  const page = await fetch(link, { signal: stopping.signal });
  const fields = fieldsOf(await page.text());
  const item = [...fields.keys()].find((name) => /^items\.\d+\.score$/.test(name))?.replace(/\.score$/, "");
  if (!item) throw new Error("The form asks about nothing.");
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
  if (sent.status !== 303 && sent.status !== 302) throw new Error(`The form was not taken (status ${sent.status}).`);
}

/** The named controls of a page's form, with what they hold; null: nothing yet. */
function fieldsOf(html: string): Map<string, string | null> {
  const fields = new Map<string, string | null>();
  const parser = new Parser({
    onopentag(tag, { name, type, value = "", checked }) {
      if (!name || (tag !== "input" && tag !== "textarea") || type === "file") return;
      const holds = type === "hidden" || (checked !== undefined && (type === "radio" || type === "checkbox"));
      if (holds || !fields.has(name)) fields.set(name, holds ? value : null);
    },
  });
  parser.end(html);
  return fields;
}

/** Asks until there is an answer, for a minute at most. */
async function until<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
  const ends = Date.now() + PATIENCE;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > ends) throw new Error(`${what} did not come within a minute.`);
    await sleep(500, undefined, { signal: stopping.signal });
  }
}
