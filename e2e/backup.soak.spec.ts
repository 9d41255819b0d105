import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "@playwright/test";
import pg from "pg";
import { freePort, joinCluster } from "@/lib/tools/launch/postgres.mjs";
import { photograph } from "@/lib/tools/test/pictures";
import { runAdmin, startServer } from "./server";

// Backs up during writes, destroys everything, restores, and compares what the API returns. No browser.

const STORE = "backup.example";
const PASSPHRASE = "correct horse battery";
type Settings = Record<string, string>;
/** Provides one installation at a time: `reset` destroys the previous one. */
type TestInstallation = { reset: () => Promise<{ dataDir: string; settings: Settings }>; remove: () => Promise<void> };

/** With the embedded database, everything is in the data folder. */
function embeddedInstallation(): TestInstallation {
  let dataDir: string | null = null;
  const remove = async () => {
    if (dataDir) rmSync(dataDir, { recursive: true, force: true });
  };
  return {
    remove,
    reset: async () => {
      await remove();
      dataDir = mkdtempSync(path.join(os.tmpdir(), "candor-e2e-backup-"));
      return { dataDir, settings: {} };
    },
  };
}

/** A database in another cluster, whose owner isn't a superuser, and a folder for photos. */
async function externalInstallation(): Promise<TestInstallation> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "candor-e2e-backup-cluster-"));
  const cluster = await joinCluster(folder, { durable: false });
  const files = embeddedInstallation();
  const asSuperuser = async (...statements: string[]) => {
    const db = new pg.Client({ connectionString: cluster.url("postgres") });
    await db.connect();
    for (const statement of statements) await db.query(statement);
    await db.end();
  };
  await asSuperuser("create role shop login nosuperuser nocreatedb nocreaterole password 'shop'");
  return {
    remove: async () => {
      await files.remove();
      await cluster.release();
      rmSync(folder, { recursive: true, force: true });
    },
    reset: async () => {
      await asSuperuser("drop database if exists shop with (force)", "create database shop owner shop");
      const url = Object.assign(new URL(cluster.url("shop")), { username: "shop", password: "shop" });
      const settings = { DATABASE_URL: url.href, CANDOR_SECRET: "a secret of the external installation" };
      return { dataDir: (await files.reset()).dataDir, settings };
    },
  };
}

for (const [name, prepare] of [
  ["the embedded database", async () => embeddedInstallation()],
  ["an external database, whose owner is no superuser", externalInstallation],
] as const)
  test(`restores a backup made during writes with everything acknowledged before it: ${name}`, async () => {
    test.setTimeout(600_000);
    const installation = await prepare();
    const backups = mkdtempSync(path.join(os.tmpdir(), "candor-e2e-backups-"));
    const file = (name: string) => path.join(backups, name);
    const port = await freePort();
    const base = `http://127.0.0.1:${port}`;
    let current = await installation.reset();
    const admin = <T = unknown>(...args: string[]) =>
      runAdmin(current.dataDir, port, args, undefined, {
        ...current.settings,
        BACKUP_PASSPHRASE: PASSPHRASE,
      }) as Promise<T>;
    const start = () => startServer(current.dataDir, port, "backup.log", current.settings);
    let server: Awaited<ReturnType<typeof start>> | undefined = await start();
    try {
      const { public_key } = await admin<{ public_key: string }>("client", "create", "--id", STORE);
      const { secret: key } = await admin<{ secret: string }>("key", "create", "--client", STORE);
      const catalogFile = file("products.csv");
      writeFileSync(catalogFile, "id,title,link,item_group_id\nP-1,Sturdy box,https://backup.example/P-1,boxes\n");
      await admin("products", "import", catalogFile, "--client", STORE);
      await admin("webhook", "create", "--client", STORE, "--url", "http://127.0.0.1:9/secret-path");
      const api = apiOf(base, key, public_key);
      for (let number = 0; number < 5; number += 1) await api.postOrder(`first-${number}`);
      const withPhoto = await api.submitReview(
        "The first one, with a photo",
        await photograph(800, 600).jpeg().toBuffer(),
      );
      expect(withPhoto).toBe(true);

      // The backup contains everything acknowledged before it begins.
      const stop = new AbortController();
      const acknowledged = { reviews: ["The first one, with a photo"], orders: ["first-0"] };
      const writers = Array.from({ length: 4 }, (_, writer) =>
        writeUntilStopped(api, writer, acknowledged, stop.signal),
      );
      await expect.poll(() => acknowledged.reviews.length, { timeout: 60_000 }).toBeGreaterThan(60);
      const before = structuredClone(acknowledged);
      const report = await admin<{ missing: string[]; files: number }>("backup", file("under-load"), "--secrets");
      expect(report.missing).toEqual([]);
      expect(report.files).toBeGreaterThan(0);
      expect(acknowledged.reviews.length).toBeGreaterThan(before.reviews.length);
      stop.abort();
      await Promise.all(writers);

      await api.publishSome();
      const exported = await waitUntilSettled(api.exportAll);
      expect(exported.summaries.length).toBeGreaterThan(0);
      await admin("backup", file("quiet"), "--secrets");
      expect(await api.exportAll()).toEqual(exported);
      await server.stop();
      server = undefined;

      current = await installation.reset();
      const restored = await admin<{ differences: unknown[] }>("restore", file("quiet"));
      expect(restored.differences).toEqual([]);
      server = await start();
      expect(await api.exportAll()).toEqual(exported);
      // Writing works after the restore.
      expect(await api.submitReview("After the restore")).toBe(true);
      await server.stop();
      server = undefined;

      current = await installation.reset();
      await admin("restore", file("under-load"));
      expect(await admin("summaries", "verify")).toEqual({ differences: [] });
      server = await start();
      const all = await api.exportAll();
      const texts = new Set(all.reviews.map(({ extract }) => extract));
      expect(before.reviews.filter((text) => !texts.has(text))).toEqual([]);
      const orders = new Set(all.orders.map(({ id }) => id));
      expect(before.orders.filter((id) => !orders.has(id))).toEqual([]);
      // Every photo of a restored review exists: the export expects each to be served.
      expect(Object.values(all.photos).length).toBeGreaterThan(0);
    } finally {
      await server?.stop();
      await installation.remove();
      rmSync(backups, { recursive: true, force: true });
    }
  });

type Api = ReturnType<typeof apiOf>;
// biome-ignore lint/suspicious/noExplicitAny: any API response
type Rows = any[];

function apiOf(base: string, key: string, publicKey: string) {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const get = async (address: string) => {
    const answer = await fetch(address, { headers });
    expect(answer.status, address).toBe(200);
    return answer.json();
  };
  const list = async (address: string): Promise<Rows> => {
    const rows: Rows = [];
    for (let next: string | undefined = `${base}${address}`; next; ) {
      const page = await get(next);
      rows.push(...page.data);
      next = page.links.next;
    }
    return rows;
  };
  return {
    postOrder: async (id: string): Promise<boolean> => {
      const order = {
        id,
        customer: { id: `c-${id}`, name: `Buyer ${id}`, email: `${id}@backup.example` },
        items: [{ id: "P-1", name: "Sturdy box", delivery_date: "2026-01-01" }],
      };
      return (await fetch(`${base}/v1/orders`, { method: "POST", headers, body: JSON.stringify({ order }) })).ok;
    },
    submitReview: async (content: string, photo?: Buffer): Promise<boolean> => {
      const images = [];
      if (photo) {
        const form = new FormData();
        form.set("client_id", STORE);
        form.set("api_key", publicKey);
        form.set("file", new Blob([new Uint8Array(photo)], { type: "image/jpeg" }), "photo.jpg");
        const answer = await fetch(`${base}/uploader`, { method: "POST", body: form });
        if (!answer.ok) return false;
        images.push(await answer.json());
      }
      const body = {
        client_id: STORE,
        api_key: publicKey,
        product_id: "P-1",
        author: "Ann",
        score: 4,
        content,
        images,
      };
      const answer = await fetch(`${base}/collect/reviews`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
      return answer.status === 201;
    },
    /** Publishes some of the reviews, so that they are counted and displayed. */
    publishSome: async () => {
      for (const { id } of (await list(`/v1/reviews?client_id=${STORE}&limit=1000`)).slice(0, 10)) {
        const body = JSON.stringify({ review: { accepted: true } });
        const answer = await fetch(`${base}/v1/reviews/${id}?client_id=${STORE}`, { method: "PUT", headers, body });
        expect(answer.status).toBe(200);
      }
    },
    /**
     * All lists of the API, a person's data, what stores display, and each photo. URLs of photos without their
     * signatures.
     */
    exportAll: async () => {
      const reviews = await list(`/v1/reviews?client_id=${STORE}&limit=1000`);
      const photos: Record<string, string> = {};
      for (const { large } of reviews.flatMap(({ images }) => images)) {
        const answer = await fetch(large.replace(/^https?:\/\/[^/]+/, base));
        expect(answer.status, large).toBe(200);
        photos[large.split("?")[0]] = Buffer.from(await answer.arrayBuffer()).toString("base64");
      }
      const all = {
        reviews,
        photos,
        clients: await list("/v1/clients?limit=1000"),
        seller_reviews: await list(`/v1/seller_reviews?client_id=${STORE}&limit=1000`),
        questions: await list(`/v1/questions?client_id=${STORE}&limit=1000`),
        orders: await list(`/v1/orders?client_id=${STORE}&limit=1000`),
        products: await list(`/v1/products?client_id=${STORE}&limit=1000`),
        summaries: await list(`/v1/summaries?client_id=${STORE}&limit=1000`),
        person: await get(`${base}/v1/personal_data?client_id=${STORE}&customer_id=c-first-0`),
        display: await get(`${base}/onpage/${STORE}/reviews.json?key=P-1`),
        ratings: await get(`${base}/onpage/${STORE}/ratings.json?key=P-1`),
      };
      return JSON.parse(JSON.stringify(all).replaceAll(/\?expires=\d+&signature=[\w-]+/g, "")) as typeof all;
    },
  };
}

/** Writes reviews with photos and orders until aborted, and records what was acknowledged. */
async function writeUntilStopped(
  api: Api,
  writer: number,
  acknowledged: { reviews: string[]; orders: string[] },
  stop: AbortSignal,
) {
  const photo = await photograph(300, 200).jpeg().toBuffer();
  for (let number = 0; !stop.aborted; number += 1) {
    const [review, order] = [`Review ${number} of writer ${writer}: a sturdy box.`, `load-${writer}-${number}`];
    if (await api.submitReview(review, number % 5 === 0 ? photo : undefined)) acknowledged.reviews.push(review);
    if (await api.postOrder(order)) acknowledged.orders.push(order);
  }
}

/** Waits until the jobs that the writes started have finished: two exports in a row are equal. */
async function waitUntilSettled<T>(read: () => Promise<T>): Promise<T> {
  for (let last = await read(), tries = 0; ; tries += 1) {
    await sleep(2_000);
    const now = await read();
    if (JSON.stringify(now) === JSON.stringify(last) || tries === 20) return now;
    last = now;
  }
}
