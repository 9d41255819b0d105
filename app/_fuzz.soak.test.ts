import { createHmac } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { apiDescription } from "@/app/_description";
import { routes } from "@/app/_routes";
import { verifySummaries } from "@/lib/catalog/summaries/verify-summaries";
import { appendEntries } from "@/lib/honesty/append-entries";
import { computeFigures, listOutdatedFigures } from "@/lib/honesty/compute-figures";
import { forgetEnv } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { TranslationFake } from "@/lib/tools/fakes/translation";
import { type Answer, OpenApiDocument, type Operation } from "@/lib/tools/test/description";
import { type Draft, Requests } from "@/lib/tools/test/fuzz/requests";
import {
  callersOf,
  createFuzzData,
  type FuzzData,
  fixBody,
  OTHER_CLIENT_TEXT,
  referenceKindOf,
  weightOf,
} from "@/lib/tools/test/fuzz/test-data";
import { buildRequest, type RawRequest, RequestSender } from "@/lib/tools/test/fuzz/wire";
import { serve } from "@/lib/tools/test/test-server";
import { type Write, watchWrites } from "@/lib/tools/test/writes";

// Sends thousands of requests to every endpoint of the real server, generated from the OpenAPI description and
// corrupted in many ways. Checks that no response is a 5xx, every response matches the description, failed or read-only
// requests write nothing, and no data of another client and no key is returned or logged.
//
// Sends 10,000 requests, the same each time. FUZZ_SEED=1 generates others, FUZZ_REQUESTS=100000 more. A failure prints
// the seed, the smallest failing request and its response.

const seed = Number(process.env.FUZZ_SEED ?? 20_261_121);
const numRuns = Number(process.env.FUZZ_REQUESTS ?? 10_000);

// Signing secret for the email service's events, and a sender with a domain, whose DNS records can be checked. Settings
// are read once per process, at the first request.
const mailSecret = vi.hoisted(() => {
  process.env.MAIL_FROM = "reviews@mail.shop.invalid";
  process.env.RESEND_WEBHOOK_SECRET = `whsec_${Buffer.alloc(24, "fuzz").toString("base64")}`;
  return process.env.RESEND_WEBHOOK_SECRET;
});

const described = (["public", "portal"] as const).map(
  (audience) => new OpenApiDocument(JSON.parse(JSON.stringify(apiDescription(audience)))),
);
const operations = described.flatMap((description) => description.operations);

/**
 * These need a current authenticator code (app/_portal.db.test.ts) and a partner that responds
 * (lib/integrations/delta-share).
 */
const notCoverable = ["portal.second_factor.confirm", "portal.integrations.preview"];

let fuzzData: FuzzData;
let server: Awaited<ReturnType<typeof serve>>;
let sender: RequestSender;
let writes: Awaited<ReturnType<typeof watchWrites>>;
/** Translates into any language: an unknown one would be a 503. */
const translator = new TranslationFake({ anyLanguage: true });
/** Log entries since the last response. */
const logged: unknown[] = [];

beforeAll(async () => {
  process.env.TRANSLATION_URL = await translator.listen();
  forgetEnv(); // the description has read the settings
  fuzzData = await createFuzzData();
  server = await serve(routes);
  sender = new RequestSender(server.port);
  for (const level of ["info", "warn", "error"] as const)
    vi.spyOn(log, level).mockImplementation((...line: unknown[]) => void logged.push(line));
  await seedPictures();
  // The logs of what was written so far, and their figures: the first request for them would store them.
  await appendEntries();
  for (const clientId of await listOutdatedFigures(null)) await computeFigures(clientId);
  // The first database check records the owner of the database. Do that before watching writes.
  await sendValid("health", null);
  writes = await watchWrites();
});

afterAll(async () => {
  await writes?.stop();
  sender?.close();
  await server?.close();
  await translator.close();
});

/** Adds reviews with photos through the API: one accepted and one pending. */
async function seedPictures(): Promise<void> {
  const { shop, known, recordIds } = fuzzData;
  const validReview = { client_id: shop.id, api_key: shop.publicKey, product_id: "lamp", author: "Ada", score: 5 };
  for (const accepted of [true, null]) {
    const upload = await sendValid("uploads.create", {
      fields: Object.entries({ ...validReview, file: known.file?.[0] }),
    });
    const images = [JSON.parse(upload.text)];
    const { headers } = await sendValid("collect.review", { json: { ...validReview, content: `${accepted}`, images } });
    const [, receipt] = /\/receipt\/([^>]+)/.exec(headers.link ?? "") ?? [];
    if (!receipt) throw new Error("The new review has no receipt.");
    known.receipts = [...(known.receipts ?? []), receipt];
    const { data } = JSON.parse((await sendValid("reviews.list", null)).text);
    await sendValid("reviews.update", { json: { review: { accepted } } }, { id: data.at(-1).id });
  }
  recordIds(operationOf("reviews.list"), await sendValid("reviews.list", null));
}

function operationOf(id: string): Operation {
  const found = operations.find((operation) => operation.id === id);
  if (!found) throw new Error(`${id} is not described.`);
  return found;
}

async function sendValid(id: string, body: Draft["body"], path: Draft["path"] = {}): Promise<Answer> {
  const operation = operationOf(id);
  const emptyDraft = { query: [], rawQuery: "", headers: {}, byteMutations: [], caller: "key" };
  const draft = { ...emptyDraft, operation, method: operation.method, path, body };
  const answer = await sender.send(buildRequest(draft, fuzzData.callers.key?.headers ?? {}, fuzzData.lookUp));
  if (answer.status >= 300) throw new Error(`${id} answered ${answer.status}: ${answer.text}`);
  return answer;
}

/** All problems with the response and with what the request wrote. */
function issuesOf({ operation, caller }: Draft, { method }: RawRequest, answer: Answer, left: Write[]): string[] {
  const issues: string[] = [];
  const { status, headers, text } = answer;
  const isReadOnly = ["GET", "HEAD", "OPTIONS"].includes(method);
  const documentedMethod = method === "HEAD" ? "GET" : method;
  const found = operations.find((each) => each.path === operation.path && each.method === documentedMethod);
  if (status >= 500) issues.push(`answers ${status}`);
  // Pages aren't described.
  const isPage = operation.id === "collect.feedback" && documentedMethod === "GET";
  if (!found && !isPage && (method === "OPTIONS" ? status !== 204 : status !== 405 || !headers.allow))
    issues.push(`answers ${status} to a method that is not offered`);
  if (found) {
    const description = described.find((each) => each.operations.includes(found)) as OpenApiDocument;
    issues.push(...(method === "HEAD" ? headIssues(found, answer) : description.issuesOf(found, answer)));
    if (!/^[0-9a-f-]{36}$/.test(headers["x-request-id"] ?? "")) issues.push("names no request");
    if (headers["x-content-type-options"] !== "nosniff") issues.push("lets browsers guess its type");
  }
  const wrote = left.filter(({ table }) => table !== records[operation.id]);
  if ((status >= 400 || isReadOnly) && wrote.length > 0)
    issues.push(`${isReadOnly ? "only reads" : "was refused"} and wrote ${JSON.stringify(wrote.slice(0, 3))}`);
  const output = `${JSON.stringify(headers)}\n${text}\n${JSON.stringify(logged)}`;
  if (fuzzData.credentials.some((secret) => output.includes(secret))) issues.push("tells or logs a key");
  if (
    text.includes(OTHER_CLIENT_TEXT) &&
    !fuzzData.callers[caller]?.canAccessOtherClient &&
    operation.security.length > 0
  )
    issues.push("reveals another store's text");
  return issues;
}

/** Signs events of the email service, so that their processing is tested. Other requests are unchanged. */
function signed({ operation, path }: Draft, sent: RawRequest): RawRequest {
  if (operation.id !== "mail_events.post" || !sent.body || path.provider === "unknown") return sent;
  const [id, at] = ["msg_1", String(Math.floor(Date.now() / 1000))];
  const mac = createHmac("sha256", Buffer.from(mailSecret.slice("whsec_".length), "base64"));
  const signature = `v1,${mac.update(`${id}.${at}.`).update(sent.body).digest("base64")}`;
  const headers = { ...sent.headers, "svix-id": id, "svix-timestamp": at, "svix-signature": signature };
  return { ...sent, headers };
}

/** HEAD must respond like GET, without the body. */
const headIssues = ({ id, responses }: Operation, { status, text }: Answer): string[] =>
  status in responses && text === "" ? [] : [`HEAD of ${id} answers ${status} and ${text.length} characters`];

/** Tables in which calls are recorded though they fail, or only read: imports with their errors, and who exported what. */
const records: Record<string, string> = {
  "portal.externals.import": "feed_imports",
  "portal.library.export": "audit_entries",
};

const formatExchange = ({ method, target, headers, body }: RawRequest, answer: Answer): string =>
  [
    `${method} ${target}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    "",
    (body ?? "").toString("utf8").slice(0, 3_000),
    "",
    `${answer.status} ${JSON.stringify(answer.headers)}`,
    answer.text.slice(0, 2_000),
  ].join("\n");

it("answers all kinds of requests as described, and changes nothing if it returns an error", async () => {
  const requests = described.map(
    (description) => new Requests(description, { kindOf: referenceKindOf, callersOf, fixBody }),
  );
  const [publicCalls, portalCalls] = requests.map((each) => each.any(weightOf)) as [
    fc.Arbitrary<Draft>,
    fc.Arbitrary<Draft>,
  ];
  const drafts = fc.oneof({ weight: 2, arbitrary: publicCalls }, { weight: 1, arbitrary: portalCalls });
  const succeeded = new Set<string>();
  const checkRequest = async (draft: Draft) => {
    const { headers, query } = fuzzData.callers[draft.caller] ?? { headers: {} };
    await fuzzData.prepare(draft.operation);
    const rawQuery = [query, draft.rawQuery].filter(Boolean).join("&");
    const sent = signed(draft, buildRequest({ ...draft, rawQuery }, headers, fuzzData.lookUp));
    logged.length = 0;
    const answer = await sender.send(sent);
    const issues = issuesOf(draft, sent, answer, await writes.newWrites());
    if (issues.length > 0) throw new Error(`${issues.join("\n")}\n\n${formatExchange(sent, answer)}`);
    if (answer.status >= 300 || sent.method !== draft.operation.method) return;
    succeeded.add(draft.operation.id);
    if (answer.headers["content-type"]?.startsWith("application/json")) fuzzData.recordIds(draft.operation, answer);
  };
  await fc.assert(fc.asyncProperty(drafts, checkRequest), { seed, numRuns });
  // A fuzzer whose requests never succeed would find nothing: call each operation that hasn't succeeded yet with valid
  // input.
  const uncalledOperations = () => operations.filter(({ id }) => !succeeded.has(id) && !notCoverable.includes(id));
  for (const operation of uncalledOperations()) {
    const own = requests[described.findIndex(({ operations }) => operations.includes(operation))] as Requests;
    for (const draft of fc.sample(own.valid(operation), { seed, numRuns: 300 })) {
      await fuzzData.restore(operation);
      await writes.newWrites(); // discard the writes of restoring
      await checkRequest(draft);
      if (succeeded.has(operation.id)) break;
    }
  }
  expect(uncalledOperations().map(({ id }) => id)).toEqual([]);
  expect(await verifySummaries()).toEqual([]);
}, 240_000);
