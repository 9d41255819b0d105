import { createCipheriv, randomBytes } from "node:crypto";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { sealedColumns } from "@/app/_sealed-columns";
import { consumeCode, newRecoveryCodes, newTotpSecret } from "@/lib/accounts/sign-in/second-factor";
import { sealAddress as sealFeedAddress } from "@/lib/feeds/feed-rows";
import { sealCredentials } from "@/lib/integrations/rows";
import {
  sealAddress as sealWebhookAddress,
  sealSigningSecrets as signingSecrets,
} from "@/lib/integrations/webhooks/rows";
import { optOutToken } from "@/lib/invitations/links";
import { newId } from "@/lib/platform/ids";
import { personHash } from "@/lib/platform/secrets/person-hash";
import { seal } from "@/lib/platform/secrets/seal";
import { emptyDatabase } from "@/lib/tools/test/database";
import { aClient, aUser, hashDatabase, rowsOf, uniqueName } from "@/lib/tools/test/factories";
import {
  NEW_SECRET,
  OLD_SECRET,
  reloadWithEnvironment,
  secretSettings,
  startSecretsCommand,
} from "@/lib/tools/test/restart-with-secrets";

/** Encrypted in the format from before secrets had ids. */
function sealedLongAgo(key: Buffer, words: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  const sealed = Buffer.concat([cipher.update(words, "utf8"), cipher.final()]);
  return Buffer.concat([Buffer.of(1), nonce, cipher.getAuthTag(), sealed]);
}

/** Creates a store with one of every encrypted value. */
async function aShop() {
  const { id } = await aClient();
  const user = await aUser("admin", { clients: [id] });
  const factor = newTotpSecret(user.username);
  await rowsOf("update users set totp_secret = $2, totp_pending = $2 where username = $1", [
    user.username,
    factor.sealed,
  ]);
  const token = {
    login: "l",
    sealed: seal("commerce-token/1", "a token").toString("base64"),
    expires_at: 1,
  };
  await rowsOf("insert into integrations (client_id, type, secrets, state) values ($1, 'commerce', $2, $3)", [
    id,
    sealCredentials({ username: "u", password: "p" }),
    JSON.stringify({ other: 1, login: { token } }),
  ]);
  const hook = sealWebhookAddress("https://hooks.example/in?token=secret");
  await rowsOf(
    "insert into webhooks (client_id, id, url, sealed_url, events, secrets, updated_at) values ($1, 'wh', $2, $3, '{review.created}', $4, now())",
    [id, hook.url, hook.sealed_url, signingSecrets([{ secret: "whsec_eA==" }])],
  );
  const feed = sealFeedAddress("https://user:pass@shop.example/feed.csv");
  await rowsOf(
    "insert into feeds (client_id, id, kind, url, sealed_url, schedule, updated_at) values ($1, 'feed', 'products', $2, $3, 'daily', now())",
    [id, feed.url, feed.sealed_url],
  );
  await rowsOf(
    "insert into deletion_requests (client_id, id, person_hash, sealed, actor_kind, actor_id, removed) values ($1, $2, 'h', $3, 'key', 'k', '{}')",
    [id, newId("erasure"), seal("personal-data/1", '{"by":"customer","id":"c"}')],
  );
  return { id, user, factor };
}

/** Decrypts every encrypted value of the database with the given module; null for values it can't decrypt. */
async function openedBy({ tryUnseal }: { tryUnseal: (purpose: string, sealed: Buffer) => string | null }) {
  const opened: Record<string, (string | null)[]> = {};
  for (const { table, key, column, path, purpose } of sealedColumns) {
    const value = path ? `decode(${column} #>> '{${path.join(",")}}', 'base64')` : column;
    const rows = await rowsOf(
      `select ${value} as sealed from ${table} where length(${value}) > 0 order by ${key.join(", ")}`,
    );
    opened[[table, column].join(".")] = rows.map(({ sealed }) => tryUnseal(purpose, sealed));
  }
  return opened;
}

const manyPeople = (count: number) =>
  Promise.all(
    Array.from({ length: count }, (_, index) =>
      rowsOf(
        "insert into users (id, username, password_hash, role, totp_secret, updated_at) values ($1, $1, 'x', 'viewer', $2, now())",
        [`many-${String(index).padStart(4, "0")}`, seal("second-factor/1", `SECRET${index}`)],
      ),
    ),
  );

const sealedBefore = (head: Buffer) =>
  rowsOf("select count(*)::int as count from users where substring(totp_secret for 5) <> $1", [head]).then(
    ([{ count }]) => count as number,
  );

beforeEach(emptyDatabase);

describe("a changed secret", () => {
  it("is simulated, then applied to every encrypted value", {
    timeout: 90_000,
  }, async () => {
    await aShop();
    const asBefore = await reloadWithEnvironment(secretSettings(OLD_SECRET));
    const words = await openedBy(asBefore);
    const old = sealedLongAgo(asBefore.secretKey("webhooks.address/1"), "https://old.example/");
    await rowsOf("update webhooks set sealed_url = $1", [old]);
    words["webhooks.sealed_url"] = ["https://old.example/"];
    const withUnusedSecret = await reloadWithEnvironment(
      secretSettings(NEW_SECRET, "another secret that nobody knows of, 32 bytes", OLD_SECRET),
    );
    await rowsOf("update feeds set sealed_url = $1", [
      Buffer.concat([Buffer.from("0299999999", "hex"), randomBytes(60)]),
    ]);
    words["feeds.sealed_url"] = [null];
    const before = await hashDatabase();

    const dryRun = await startSecretsCommand(secretSettings(NEW_SECRET, OLD_SECRET), "rotate", "--dry-run").output;
    expect(dryRun).toMatchObject({
      status: 1,
      err: "",
      report: { dry_run: true, resealed: 7, lost: 1, needless: [] },
    });
    // It doesn't record the secret of hashes either: only a server's start does.
    expect(await hashDatabase()).toBe(before);

    const done = await startSecretsCommand(secretSettings(NEW_SECRET, OLD_SECRET), "rotate").output;
    expect(done).toMatchObject({
      status: 1,
      report: {
        resealed: 7,
        lost: 1,
        present: withUnusedSecret.keyIds().current,
        lasting: asBefore.keyIds().current,
        needless: [],
      },
    });
    const feeds = done.report.places.find(({ place }: { place: string }) => place === "feeds.sealed_url");
    expect(feeds).toMatchObject({
      lost: 1,
      lost_rows: [{ key: [expect.any(String), "feed"], secret: "99999999" }],
    });

    expect(await openedBy(await reloadWithEnvironment(secretSettings(NEW_SECRET)))).toEqual(words);
    const [{ state }] = await rowsOf("select state from integrations");
    expect(state).toMatchObject({
      other: 1,
      login: { token: { login: "l", expires_at: 1 } },
    });
    expect(
      Object.values(await openedBy(await reloadWithEnvironment(secretSettings(OLD_SECRET))))
        .flat()
        .every((text) => text === null),
    ).toBe(true);

    const again = await startSecretsCommand(secretSettings(NEW_SECRET, "x".repeat(32), OLD_SECRET), "rotate").output;
    expect(again.report).toMatchObject({
      resealed: 0,
      lost: 1,
      needless: [withUnusedSecret.keyIdOf("x".repeat(32))],
    });
  });

  it("can be applied again after being killed at any point", { timeout: 90_000 }, async () => {
    await manyPeople(900);
    const later = await reloadWithEnvironment(secretSettings(NEW_SECRET, OLD_SECRET));
    const head = later.currentHeader();
    const first = startSecretsCommand(secretSettings(NEW_SECRET, OLD_SECRET), "rotate");
    let over = false;
    void first.ended.then(() => {
      over = true;
    });
    await vi.waitFor(async () => expect(over || (await sealedBefore(head)) < 900).toBe(true), {
      timeout: 60_000,
      interval: 5,
    });
    first.child.kill("SIGKILL");
    await first.ended;
    const left = await sealedBefore(head);
    const report = await later.rotateSecrets(sealedColumns);
    expect(report.places.find(({ place }) => place === "users.totp_secret")).toMatchObject({
      present: 900 - left,
      resealed: left,
      lost: 0,
    });
    const only = await reloadWithEnvironment(secretSettings(NEW_SECRET));
    const opened = (await openedBy(only))["users.totp_secret"];
    expect(opened).toEqual(Array.from({ length: 900 }, (_, index) => `SECRET${index}`));
  });

  it("keeps values that a running server encrypts meanwhile", async () => {
    await manyPeople(400);
    const later = await reloadWithEnvironment(secretSettings(NEW_SECRET, OLD_SECRET));
    const newValues = new Map<string, string>();
    let running = true;
    const server = (async () => {
      for (let turn = 0; running || turn < 20; turn += 1) {
        const id = `many-${String((turn * 37) % 400).padStart(4, "0")}`;
        newValues.set(id, `NEW${turn}`);
        await rowsOf("update users set totp_secret = $2 where id = $1", [
          id,
          later.seal("second-factor/1", `NEW${turn}`),
        ]);
      }
    })();
    await Promise.all([later.rotateSecrets(sealedColumns), later.rotateSecrets(sealedColumns)]);
    running = false;
    await server;
    const only = await reloadWithEnvironment(secretSettings(NEW_SECRET));
    const rows = await rowsOf("select id, totp_secret from users order by id");
    for (const [index, { id, totp_secret }] of rows.entries())
      expect(only.unseal("second-factor/1", totp_secret)).toBe(newValues.get(id) ?? `SECRET${index}`);
  });

  it("keeps links, hashes of people, two-factor secrets and recovery codes valid", async () => {
    const { user } = await aShop();
    const { codes, hashes } = newRecoveryCodes();
    const [{ id }] = await rowsOf("update users set recovery_codes = $2 where username = $1 returning id", [
      user.username,
      hashes,
    ]);
    const shop = uniqueName("shop");
    const hash = personHash(shop, "email", "ada@example.org");
    const link = optOutToken(shop, hash);

    const later = await reloadWithEnvironment(secretSettings(NEW_SECRET, OLD_SECRET));
    expect(later.readOptOutToken(link)).toEqual({
      clientId: shop,
      emailHash: hash,
    });
    expect(later.optOutToken(shop, hash)).not.toBe(link);
    expect(later.personHash(shop, "email", "ada@example.org")).toBe(hash);
    expect(later.personHashWith(later.keyIds().lasting, shop, "email", "ada@example.org")).toBe(hash);
    expect(await later.consumeCode(id, codes[0] as string)).toBe(true);
    expect(await later.consumeCode(id, codes[0] as string)).toBe(false);

    const withoutOldLinks = await reloadWithEnvironment({
      ...secretSettings(NEW_SECRET, OLD_SECRET),
      CANDOR_OLD_LINKS: "false",
    });
    expect(withoutOldLinks.readOptOutToken(link)).toBeNull();
    expect(withoutOldLinks.readOptOutToken(withoutOldLinks.optOutToken(shop, hash))).toEqual({
      clientId: shop,
      emailHash: hash,
    });
    expect(await withoutOldLinks.consumeCode(id, codes[1] as string)).toBe(true);
    delete process.env.CANDOR_OLD_LINKS;

    const withoutOldSecret = await reloadWithEnvironment(secretSettings(NEW_SECRET));
    expect(withoutOldSecret.readOptOutToken(link)).toBeNull();
    expect(await consumeCode(id, codes[2] as string)).toBe(true);
  });
});

it("covers every column that could contain an encrypted value", async () => {
  const columns = await rowsOf(
    "select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public' and data_type = 'bytea'",
  );
  const plain = ["api_keys.secret_hash", "log_bundles.entries", "log_keys.public_key", "log_tiles.hashes"];
  const declared = sealedColumns.filter(({ path }) => !path).map(({ table, column }) => `${table}.${column}`);
  expect([...declared, ...plain].sort()).toEqual(columns.map(({ name }) => name).sort());
});
