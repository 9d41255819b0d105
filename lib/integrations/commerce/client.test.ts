import { afterEach, expect, it } from "vitest";
import { CommerceFake, type CommerceModes, commerceKeys, commerceUser } from "@/lib/tools/fakes/commerce";
import { anOrder } from "@/lib/tools/fakes/commerce-orders";
import { sampleShop } from "@/lib/tools/fakes/commerce-shop";
import { CommerceClient, type CommerceClientOptions, type Token, type TokenStorage, tokenAddress } from "./client";
import { listOf } from "./read-pages";
import type { Credentials } from "./schema";
import type { StoreError } from "./store-error";

// Over real HTTP, against a fake store.

process.env.ALLOW_PRIVATE_URLS = "true";

const fakes: CommerceFake[] = [];
afterEach(async () => {
  for (const fake of fakes.splice(0)) await fake.close();
});

const credentialsByAuth: Record<Credentials["auth"], Credentials> = {
  password: { auth: "password", ...commerceUser },
  bearer: { auth: "bearer", token: commerceKeys.access_token },
  oauth1: { auth: "oauth1", ...commerceKeys },
};

async function aShop(modes: Partial<CommerceModes> = {}, query = "") {
  const fake = new CommerceFake(sampleShop(), modes);
  fakes.push(fake);
  const ordersUrl = (await fake.listen()) + query;
  const store = (credentials: Credentials, options: Partial<CommerceClientOptions> = {}) =>
    new CommerceClient({ ordersUrl, credentials, requestsPerSecond: 1_000, retryDelays: [1, 1], ...options });
  return { fake, store };
}

const all = { groups: [], size: 100 };
const read = async (store: CommerceClient) => listOf(await store.orders(all)).items.length;
const storeErrorOf = (work: Promise<unknown>): Promise<StoreError> =>
  work.then(
    () => Promise.reject(new Error("It was not refused.")),
    (error) => error,
  );

it.each(Object.values(credentialsByAuth))("reads orders with $auth authentication", async (credentials) => {
  const { fake, store } = await aShop();
  expect(await read(store(credentials))).toBe(fake.data.orders.length);
  expect(fake.requests.map(({ line }) => line.split("?")[0])).toEqual(
    credentials.auth === "password"
      ? ["POST /rest/V1/integration/admin/token", "GET /rest/default/V1/orders"]
      : ["GET /rest/default/V1/orders"],
  );
});

it("signs any URL correctly and never reuses a nonce", async () => {
  const { store } = await aShop({}, "?custom=%C3%A5%20%26%20b%3D1");
  const signed = store(credentialsByAuth.oauth1);
  const groups = [[{ field: "customer_email", value: "ada+x@example.test '(!*)'", condition: "eq" as const }]];
  for (let time = 0; time < 3; time++) expect(await signed.orders({ ...all, groups })).toHaveProperty("total_count", 0);
});

it("keeps the URL's filters in either spelling, and pages on its own", async () => {
  const filter = "search_criteria[filterGroups][0][filters][0]";
  const { fake, store } = await aShop(
    {},
    `?${filter}[field]=store_id&${filter}[value]=2&${filter}[conditionType]=eq&searchCriteria[pageSize]=3&searchCriteria[currentPage]=7`,
  );
  expect(store(credentialsByAuth.bearer).list.size).toBe(3);
  expect(await read(store(credentialsByAuth.bearer))).toBe(1);
  expect(fake.requests[0]?.line).toContain("searchCriteria[currentPage]=1");
});

it("signs in once, reuses the token, and renews one that expired early", async () => {
  const { fake, store } = await aShop();
  let storedToken: Token | null = null;
  const tokens: TokenStorage = {
    read: async () => storedToken,
    save: async (token) => {
      storedToken = token;
    },
  };
  const before = Date.now();
  await read(store(credentialsByAuth.password, { tokens }));
  await read(store(credentialsByAuth.password, { tokens }));
  expect(fake.logins).toBe(1);
  expect(storedToken!.expiresAt.getTime() - 3_600_000).toBeGreaterThanOrEqual(before - 1_000);
  expect(storedToken!.expiresAt.getTime() - 3_600_000).toBeLessThanOrEqual(Date.now());
  fake.expireTokens();
  await read(store(credentialsByAuth.password, { tokens }));
  expect(fake.logins).toBe(2);
});

it("renews a token before it expires, and assumes an hour if the expiry is unknown", async () => {
  const { fake, store } = await aShop({ tokenTtl: 30 });
  const short = store(credentialsByAuth.password);
  await read(short);
  await read(short);
  expect(fake.logins).toBe(2);
  Object.assign(fake.modes, { token: "opaque", tokenTtl: 3_600 });
  const opaque = store(credentialsByAuth.password);
  await read(opaque);
  await read(opaque);
  expect(fake.logins).toBe(3);
});

it("requests tokens from the store-independent endpoint", () => {
  const address = (orders: string) => tokenAddress(new URL(orders)).href;
  expect(address("https://x.test/rest/V1/orders")).toBe("https://x.test/rest/V1/integration/admin/token");
  expect(address("https://x.test/shop/rest/all/V1/orders/?a=1")).toBe(
    "https://x.test/shop/rest/V1/integration/admin/token",
  );
  expect(address("https://x.test/tenant/V1/orders")).toBe("https://x.test/tenant/V1/integration/admin/token");
});

it("explains two-factor authentication and a wrong password, and retries neither", async () => {
  const { fake, store } = await aShop({ twoFactor: "google" });
  const second = await storeErrorOf(read(store(credentialsByAuth.password)));
  expect(second.kind).toBe("login");
  expect(second.message).toMatch(/two-factor authentication.*OAuth 1\.0a/);
  fake.modes.twoFactor = "unset";
  expect((await storeErrorOf(read(store(credentialsByAuth.password)))).message).toMatch(/isn’t set up yet/);
  const wrong = await storeErrorOf(read(store({ ...commerceUser, auth: "password", password: "not-the-password" })));
  expect(wrong.kind).toBe("login");
  expect(wrong.message).toMatch(/rejected the username and password/);
  expect(fake.logins).toBe(3);
});

it("explains rejected tokens, missing permissions, wrong signatures and unsupported versions", async () => {
  const { fake, store } = await aShop({ bearerIntegration: false });
  const bearer = await storeErrorOf(read(store(credentialsByAuth.bearer)));
  expect(bearer.message).toMatch(
    /wrong.*enable_integration_as_bearer.*Magento_Sales::actions_view.*OAuth 1\.0a|OAuth 1\.0a/,
  );
  expect(bearer.details.storeMessage).toBe("The consumer isn't authorized to access Magento_Sales::actions_view.");
  fake.modes.forbidden = ["orders"];
  const role = await storeErrorOf(read(store(credentialsByAuth.password)));
  expect(role.message).toContain("Magento_Sales::actions_view");
  expect(fake.logins).toBe(2); // one retry, since the token might have expired
  fake.modes.forbidden = [];
  const wrong = await storeErrorOf(
    read(store({ ...commerceKeys, auth: "oauth1", token_secret: "not-the-token-secret" })),
  );
  expect(wrong.message).toMatch(/https or http.*signature is invalid/i);
  fake.failures.push({
    status: 400,
    body: { message: "Signature method %1 is not supported", parameters: ["HMAC-SHA256"] },
  });
  expect((await storeErrorOf(read(store(credentialsByAuth.oauth1)))).message).toMatch(/doesn’t support HMAC-SHA256/);
});

it("waits as long as a busy store asks, and gives up after the last attempt", async () => {
  const { fake, store } = await aShop();
  fake.failures.push({ status: 503, html: true }, "cut");
  expect(await read(store(credentialsByAuth.bearer))).toBeGreaterThan(0);
  fake.failures.push({ status: 429, retryAfter: 1 });
  const began = performance.now();
  await read(store(credentialsByAuth.bearer));
  expect(performance.now() - began).toBeGreaterThan(990);
  fake.failures.push("cut in the middle", { status: 502, html: true }, { status: 500, html: true });
  expect((await storeErrorOf(read(store(credentialsByAuth.bearer)))).kind).toBe("busy");
  fake.failures.push({ status: 429, retryAfter: 3_600 });
  const long = await storeErrorOf(read(store(credentialsByAuth.bearer)));
  expect(long.details.retryAfter).toBe(3_600);
  fake.failures.push("never answer", null);
  expect(await read(store(credentialsByAuth.bearer, { timeout: 1_000 }))).toBeGreaterThan(0);
  fake.failures.push("slow body");
  expect(await read(store(credentialsByAuth.bearer))).toBeGreaterThan(0);
});

it("recognizes errors regardless of status and shape, fills in parameters and omits stack traces", async () => {
  const { fake, store } = await aShop({ developer: true, errorsAsSuccess: true, brokenOrderIds: [] });
  fake.data.orders.push(anOrder({ entity_id: 9 }));
  fake.modes.brokenOrderIds = [9];
  const asSuccess = await storeErrorOf(read(store(credentialsByAuth.bearer)));
  expect(asSuccess.kind).toBe("broken");
  expect(asSuccess.message).toMatch(/Report ID: webapi-/);
  expect(asSuccess.message).not.toContain("vendor/magento");
  fake.modes.brokenOrderIds = [];
  fake.failures.push({ status: 500, body: { messages: { error: [{ code: 500, message: "Fatal error" }] } } });
  expect((await storeErrorOf(read(store(credentialsByAuth.bearer)))).message).toContain("Fatal error");
  fake.failures.push({ status: 400, body: { message: "%fieldName and %1", parameters: { fieldName: "x" } } });
  expect((await storeErrorOf(read(store(credentialsByAuth.bearer)))).details.storeMessage).toBe("x and %1");
  for (let time = 0; time < 3; time++) fake.failures.push({ status: 200, html: true });
  expect((await storeErrorOf(read(store(credentialsByAuth.bearer)))).message).toMatch(/web page/);
  fake.failures.push({ status: 200, body: { hello: "there" } });
  expect((await storeErrorOf(read(store(credentialsByAuth.bearer)))).message).toMatch(/isn’t a list/);
  fake.failures.push({ status: 200, body: { items: null, total_count: 0 } });
  expect(await read(store(credentialsByAuth.bearer))).toBe(0);
});

it("never reveals a secret, even if the store echoes it", async () => {
  const { fake, store } = await aShop();
  for (const credentials of Object.values(credentialsByAuth)) {
    const { auth, ...secrets } = credentials;
    const texts = Object.values(secrets).filter((secret) => secret !== commerceUser.username);
    fake.failures.push({ status: 401, body: { message: `no: ${texts.join(" ")}` } });
    if (auth === "password") fake.failures.push({ status: 401, body: { message: `no: ${texts.join(" ")}` } });
    const storeError = await storeErrorOf(read(store(credentials)));
    for (const secret of texts) expect(JSON.stringify([storeError.message, storeError.details])).not.toContain(secret);
  }
});

it("keeps to the rate limit", async () => {
  const { fake, store } = await aShop();
  const slow = store(credentialsByAuth.bearer, { requestsPerSecond: 20 });
  await Promise.all(Array.from({ length: 6 }, () => read(slow)));
  const times = fake.requests.map(({ at }) => at);
  expect(times.at(-1)! - times[0]!).toBeGreaterThan(220);
});

it("reports the redirect target if the store redirects", async () => {
  const { fake, store } = await aShop();
  fake.failures.push({ status: 301, body: {} });
  expect((await storeErrorOf(read(store(credentialsByAuth.bearer)))).message).toMatch(/redirects to another URL/);
});
