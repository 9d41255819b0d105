import http from "node:http";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { routes } from "@/app/_routes";
import { errorBody } from "@/lib/platform/http/fields";
import { makeClient } from "@/lib/tools/test/collection-rows";
import { hashDatabase, rowsOf } from "@/lib/tools/test/factories";
import { serve } from "@/lib/tools/test/test-server";
import "@/lib/tools/test/database";

// The public collection API over HTTP, with the published limits; each request has its own address by default. Tests
// each field missing, null, of wrong types, empty, at its limit and one beyond, also with astral characters, each of
// which counts once.

process.env.RATE_LIMITS = "1";
process.env.TRUST_PROXY = "1";

let server: Awaited<ReturnType<typeof serve>>;
const shop = "table.example";
const quiet = "no-questions.example";
const listed = "origins.example";
let token = "";
beforeAll(async () => {
  server = await serve(routes);
  await makeClient(shop, {
    custom_questions: [
      { id: "comfort", type: "score", label: {}, options: [], categories: [], multiple: false, required: false },
      { id: "use", type: "text", label: {}, options: [], categories: [], multiple: false, required: false },
      {
        id: "fit",
        type: "select",
        label: {},
        options: [{ id: "small", label: {} }],
        categories: [],
        multiple: false,
        required: false,
      },
      {
        id: "rooms",
        type: "select",
        label: {},
        options: [
          { id: "hall", label: {} },
          { id: "bath", label: {} },
        ],
        categories: [],
        multiple: true,
        required: false,
      },
    ],
  });
  await makeClient(quiet, { collect_questions: false });
  await makeClient(listed, { allowed_origins: ["https://shop.example"] });
  token = "feedback-of-the-table";
  await rowsOf(
    `insert into reviews (client_id, id, source, product_id, score, date, feedback_token, accepted, accepted_at)
     values ($1, 'shown', 'web', 'p', 5, '2026-01-01', $2, true, now())`,
    [shop, token],
  );
});
afterAll(() => server.close());

type Answer = { status: number; fields: (string | null)[]; json: unknown; headers: http.IncomingHttpHeaders };
type Sent = { headers?: Record<string, string>; address?: string; chunked?: true };
let addresses = 0;
const anAddress = () => `2001:db8:${(++addresses).toString(16)}::1`;

/** Posts bytes and reads the response; every error must have the documented form and allow every origin. */
async function post(path: string, body: string | Buffer, type: string | null, sent: Sent = {}): Promise<Answer> {
  const { headers = {}, address = anAddress(), chunked } = sent;
  const length = chunked ? {} : { "Content-Length": String(Buffer.byteLength(body)) };
  const typed = type === null ? {} : { "Content-Type": type };
  const request = http.request({
    port: server.port,
    host: "127.0.0.1",
    method: "POST",
    path,
    headers: { ...typed, ...length, "X-Forwarded-For": address, ...headers },
  });
  const [answer] = await new Promise<[http.IncomingMessage]>((resolve, reject) => {
    request.on("response", (response) => resolve([response]));
    request.on("error", reject);
    request.write(body);
    request.end();
  });
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  expect(answer.headers["access-control-allow-origin"]).toBe("*");
  const json: unknown = text === "" ? undefined : JSON.parse(text);
  const status = answer.statusCode ?? 0;
  const issues = status >= 400 ? errorBody.parse(json).errors : [];
  // A field may have two errors: unstorable, and of the wrong format.
  const fields = [...new Set(issues.map(({ field }) => field))].sort();
  return { status, fields, json, headers: answer.headers };
}
const postJson = (path: string, body: unknown, sent?: Sent) =>
  post(path, typeof body === "string" ? body : JSON.stringify(body), "application/json", sent);

type Field = {
  /** A valid value. */
  good: unknown;
  required?: true;
  /** Values of other types, rejected at the field (or at a path within it). */
  wrong: unknown[];
  /** Values of the right type in an invalid format. */
  senseless?: unknown[];
  /** Where those errors are reported, if not at the field. */
  senselessAt?: string;
  /** Maximum length in characters. */
  maxLength?: number;
  /**
   * Wraps a text of a given length in a value, and where its error is reported; by default the text itself, at the
   * field.
   */
  holding?: (text: string) => unknown;
  place?: string;
  /** Meaning of an empty string: a value, the same as absent (`nothing`), or an error (`issue`). */
  empty?: "nothing" | "issue";
};

const texts = [7, true, {}, ["x"]];
const SHOP = "https://shop.example/";
const common: Record<string, Field> = {
  product_id: { good: "P-1", required: true, wrong: texts, maxLength: 255, empty: "issue" },
  product_site_id: { good: "F-1", wrong: texts, maxLength: 255, empty: "nothing" },
  product_name: { good: "Lamp", wrong: texts, maxLength: 255, empty: "nothing" },
  product_url: {
    good: "https://shop.example/lamp?x=1",
    wrong: texts,
    senseless: ["lamp", "javascript:alert(1)", "ftp://shop.example/x", "//shop.example"],
    maxLength: 2_000,
    holding: (text) => `${SHOP}${text.slice(SHOP.length)}`,
    empty: "nothing",
  },
  author: { good: "Ann", required: true, wrong: texts, senseless: ["   "], maxLength: 255, empty: "issue" },
  author_email: {
    good: "ann@example.org",
    wrong: texts,
    senseless: ["ann", "@", "a b@c.example", "a@b@c"],
    empty: "nothing",
  },
  author_ip: { good: "2001:db8::1", wrong: texts, senseless: ["1.2.3", "1.2.3.4.5", "localhost"], empty: "nothing" },
  images: { good: [], wrong: ["x", 7, true, {}], senseless: [[{ token: "0".repeat(32) }]], senselessAt: "images[0]" },
  custom_questions: {
    good: { comfort: 4, use: "daily", fit: "small", rooms: ["hall", "bath"] },
    wrong: ["x", 7, true, ["x"]],
    maxLength: 2_000,
    holding: (text) => ({ use: text }),
    place: "custom_questions.use",
  },
  lang: { good: "sv", wrong: texts, senseless: ["Swedish!", "s"], empty: "nothing" },
  terms: { good: true, wrong: ["true", 1, {}, []] },
};

const kinds: Record<"reviews" | "questions", Record<string, Field>> = {
  reviews: {
    ...common,
    score: { good: 4, required: true, wrong: ["4", true, {}, [4], 3.5], senseless: [0, 6, -1] },
    title: { good: "Bright", wrong: texts, maxLength: 255, empty: "nothing" },
    content: { good: "A fine lamp.", wrong: texts, maxLength: 60_000, empty: "nothing" },
    pros: {
      good: ["light"],
      wrong: ["light", 7, true, {}],
      maxLength: 2_000,
      holding: (text) => ["x", text],
      place: "pros[1]",
    },
    cons: {
      good: ["cable"],
      wrong: ["cable", 7, true, {}],
      maxLength: 2_000,
      holding: (text) => [text],
      place: "cons[0]",
    },
    recommended: { good: false, wrong: ["true", 1, {}, []] },
  },
  questions: {
    ...common,
    question: {
      good: "Can it be dimmed?",
      required: true,
      wrong: texts,
      senseless: ["\n "],
      maxLength: 255,
      empty: "issue",
    },
    mail_answer: {
      good: "false",
      required: true,
      wrong: [false, true, 1, {}, ["true"]],
      senseless: ["yes", "TRUE"],
      empty: "issue",
    },
    details: { good: "In the bath.", wrong: texts, maxLength: 60_000, empty: "nothing" },
  },
};

let written = 0;
/** A body of all fields, different on each call. */
const bodyOf = (fields: Record<string, Field>, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  client_id: shop,
  api_key: `pk_${shop}`,
  ...Object.fromEntries(Object.entries(fields).map(([name, { good }]) => [name, good])),
  product_name: `Lamp ${++written}`,
  author: `Ann ${written}`,
  ...more,
});

describe.each(Object.entries(kinds))("POST /collect/%s", (kind, fields) => {
  const path = `/collect/${kind}`;
  const send = (more: Record<string, unknown>) => postJson(path, bodyOf(fields, more));
  /** Counts all rows that submissions write. */
  const stored = () =>
    rowsOf(
      `select ${["reviews", "questions", "submissions", "outbox", "moderation_events", "uploads"].map((table) => `(select count(*) from ${table})`).join(" + ")} as n`,
    );
  const count = async () => (await rowsOf(`select count(*)::int as n from ${kind}`))[0].n as number;
  /** Posts each; expects an error at this field only, and nothing stored. */
  async function expectRefused(field: string, more: Record<string, unknown>[]) {
    const before = await stored();
    for (const one of more) {
      const answer = await send(one);
      expect([answer.status, answer.fields], JSON.stringify(one).slice(0, 200)).toEqual([406, [field]]);
    }
    expect(await stored()).toEqual(before);
  }
  async function expectAccepted(more: Record<string, unknown>[]) {
    const before = await count();
    for (const one of more) {
      const answer = await send(one);
      expect([answer.status, answer.fields], JSON.stringify(one).slice(0, 200)).toEqual([201, []]);
    }
    expect(await count()).toBe(before + more.length);
  }

  it("accepts a body of all fields and returns it without the key, and one of only the required fields", async () => {
    const body = bodyOf(fields);
    const { api_key: _, ...echo } = body;
    expect(await postJson(path, body)).toMatchObject({ status: 201, json: echo });
    const requiredFields = Object.entries(fields).filter(([, { required }]) => required);
    const { client_id, api_key } = body;
    const answer = await postJson(path, {
      client_id,
      api_key,
      ...Object.fromEntries(requiredFields.map(([name, { good }]) => [name, good])),
    });
    expect(answer.status).toBe(201);
  });

  describe.each(Object.entries(fields))("%s", (name, field) => {
    // A product is identified by its id or its family; here only by the field under test.
    const withoutFamily: Record<string, unknown> = name === "product_id" ? { product_site_id: undefined } : {};

    it("missing or null", async () => {
      const without = [undefined, null].map((value) => ({ ...withoutFamily, [name]: value }));
      if (field.required) await expectRefused(name, without);
      else await expectAccepted(without);
    });

    it("of another type", async () => {
      await expectRefused(
        name,
        field.wrong.map((value) => ({ ...withoutFamily, [name]: value })),
      );
      for (const value of field.senseless ?? [])
        await expectRefused(field.senselessAt ?? name, [{ ...withoutFamily, [name]: value }]);
    });

    if (field.empty)
      it("empty", async () => {
        if (field.empty === "issue") await expectRefused(name, [{ ...withoutFamily, [name]: "" }]);
        else await expectAccepted([{ [name]: "" }, { [name]: "  " }]);
      });

    if (field.maxLength)
      it("of maximum length, and one character longer", async () => {
        const maxLength = field.maxLength as number;
        const holding = field.holding ?? ((text: string) => text);
        const astral = (length: number) => "😀".repeat(length);
        await expectAccepted([
          { ...withoutFamily, [name]: holding("x".repeat(maxLength)) },
          ...(name === "product_url" ? [] : [{ ...withoutFamily, [name]: holding(astral(maxLength)) }]),
        ]);
        await expectRefused(field.place ?? name, [
          { ...withoutFamily, [name]: holding("x".repeat(maxLength + 1)) },
          ...(name === "product_url" ? [] : [{ ...withoutFamily, [name]: holding(astral(maxLength + 1)) }]),
        ]);
      });

    if (typeof field.good === "string")
      it("with unstorable characters", async () => {
        await expectRefused(name, [{ ...withoutFamily, [name]: "a\0b" }]);
        const body = JSON.stringify(bodyOf(fields, { ...withoutFamily, [name]: "\u0001" })).replace(
          "\\u0001",
          "\\ud800",
        );
        expect(await postJson(path, body)).toMatchObject({ status: 406, fields: [name] });
      });
  });

  it("counts characters, not bytes: 60,000 four-byte characters are stored unchanged", async () => {
    const [field, column] = kind === "reviews" ? ["content", "extract"] : ["details", "details"];
    const text = "🪔".repeat(60_000);
    const author = `Whole ${kind}`;
    expect((await send({ [field]: text, author })).status).toBe(201);
    expect((await rowsOf(`select ${column} as text from ${kind} where author = $1`, [author]))[0].text).toBe(text);
  });

  it("returns all errors together", async () => {
    const wrong = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.wrong[0]]));
    const answer = await send(wrong);
    expect([answer.status, answer.fields]).toEqual([406, Object.keys(fields).sort()]);
    const nothing = await postJson(path, { client_id: shop, api_key: `pk_${shop}` });
    const required = Object.entries(fields).filter(([, { required }]) => required);
    expect([nothing.status, nothing.fields]).toEqual([406, required.map(([name]) => name).sort()]);
  });

  it("returns 403 without a valid key, before checking anything else", async () => {
    const before = await hashDatabase();
    for (const credentials of [
      { client_id: undefined },
      { api_key: undefined },
      { client_id: null },
      { api_key: "" },
      { client_id: "" },
      { client_id: 7 },
      { api_key: { $ne: "" } },
      { client_id: [shop] },
      { client_id: "nobody.example" },
      { client_id: quiet },
      { api_key: `pk_${quiet}` },
      { client_id: "x".repeat(200_000) },
      { client_id: `${shop}\0` },
    ]) {
      const answer = await send({ author: "", ...credentials });
      expect([answer.status, answer.fields], JSON.stringify(credentials).slice(0, 80)).toEqual([403, ["api_key"]]);
    }
    for (const body of ["[]", "null", "7", '"text"', "{}"]) expect((await postJson(path, body)).status).toBe(403);
    expect(await hashDatabase()).toBe(before);
  });

  it("checks a page's origin, and requires none from a server", async () => {
    const from = (origin?: string) =>
      postJson(path, bodyOf(fields, { client_id: listed, api_key: `pk_${listed}`, custom_questions: null }), {
        headers: origin === undefined ? {} : { Origin: origin },
      });
    for (const origin of [
      "https://evil.example",
      "null",
      "http://shop.example",
      "https://shop.example.evil.example",
      "https://shop.example:8443",
    ])
      expect((await from(origin)).status, origin).toBe(403);
    expect((await from("https://shop.example")).status).toBe(201);
    expect((await from()).status).toBe(201);
    const anywhere = await postJson(path, bodyOf(fields), { headers: { Origin: "https://anywhere.example" } });
    expect(anywhere.status).toBe(201);
  });

  it("returns 400 for invalid JSON, 415 for another type, 413 if too large, 405 for another method", async () => {
    const before = await hashDatabase();
    const body = JSON.stringify(bodyOf(fields));
    for (const broken of [
      "",
      "{",
      body.slice(0, -1),
      `${body},`,
      "undefined",
      Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]),
    ])
      expect((await post(path, broken, "application/json")).status).toBe(400);
    for (const type of [
      null,
      "",
      "text/plain",
      "text/json",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "application/jsonp",
    ])
      expect((await post(path, body, type)).status, String(type)).toBe(415);
    const MiB = 1024 * 1024;
    const large = JSON.stringify(bodyOf(fields, { padding: "x".repeat(MiB) }));
    expect((await post(path, large, "application/json")).status).toBe(413);
    expect((await post(path, large, "application/json", { chunked: true })).status).toBe(413);
    expect(await hashDatabase()).toBe(before);
    expect((await post(path, body, "Application/JSON; charset=UTF-8")).status).toBe(201);
    const get = await fetch(`http://127.0.0.1:${server.port}${path}`);
    expect([get.status, get.headers.get("allow")]).toEqual([405, "OPTIONS, POST"]);
  });

  it("returns 429 beyond 120 concurrent requests from one address, and stores none beyond", async () => {
    const address = anAddress();
    const statuses: number[] = [];
    let last: Answer | undefined;
    for (let n = 0; n < 500 && last?.status !== 429; n += 1) {
      last = await postJson(path, bodyOf(fields), { address });
      statuses.push(last.status);
    }
    expect(statuses.slice(0, 120)).toEqual(Array(120).fill(201));
    expect(last).toMatchObject({
      status: 429,
      fields: [null],
      headers: { "retry-after": "1", "ratelimit-policy": '"submission";q=120;w=120' },
    });
    // `author_ip` in the body has no effect on the limit, and addresses of one network share it.
    for (const [more, from] of [
      [{ author_ip: "198.51.100.1" }, address],
      [{}, address.replace(/1$/, "2")],
    ] as const) {
      // On a slow machine a few tokens may have been refilled.
      const again: number[] = [];
      for (let n = 0; n < 20 && again.at(-1) !== 429; n += 1)
        again.push((await postJson(path, bodyOf(fields, more), { address: from })).status);
      expect(again.at(-1)).toBe(429);
    }
    const before = await count();
    const refused = await Promise.all(Array.from({ length: 40 }, () => postJson(path, bodyOf(fields), { address })));
    expect(await count()).toBe(before + refused.filter(({ status }) => status === 201).length);
    expect((await postJson(path, bodyOf(fields), {})).status).toBe(201);
  });
});

it("rejects a question at `question` if the client collects none", async () => {
  const body = bodyOf(kinds.questions, { client_id: quiet, api_key: `pk_${quiet}`, custom_questions: null });
  expect(await postJson("/collect/questions", body)).toMatchObject({ status: 406, fields: ["question"] });
});

describe("POST {feedback_url}", () => {
  const form = "application/x-www-form-urlencoded";
  const send = (fields: Record<string, string>, sent?: Sent, to = token) =>
    post(`/collect/feedback/${to}`, new URLSearchParams(fields).toString(), form, sent);

  it("accepts its four types", async () => {
    for (const type of ["up", "down", "bad"]) expect((await send({ type })).status).toBe(204);
    expect((await send({ type: "reset", voter_id: "v" })).status).toBe(204);
    expect((await send({ type: "up", colour: "red", comment: "" })).status).toBe(204);
  });

  it("returns all errors, and changes nothing", async () => {
    const before = await hashDatabase();
    for (const [fields, issues] of [
      [{}, ["type"]],
      [{ type: "" }, ["type"]],
      [{ type: "UP" }, ["type"]],
      [{ type: "best" }, ["type"]],
      [{ type: "reset" }, ["voter_id"]],
      [{ type: "reset", voter_id: "" }, ["voter_id"]],
      [{ type: "up", voter_id: "x".repeat(256) }, ["voter_id"]],
      [{ type: "up", voter_id: "😀".repeat(256) }, ["voter_id"]],
      [{ type: "bad", comment: "x".repeat(2_001) }, ["comment"]],
      [{ type: "bad", comment: "😀".repeat(2_001) }, ["comment"]],
      [{ type: "bad", comment: "a\0b" }, ["comment"]],
      [{ type: "?", voter_id: "x".repeat(256), comment: "x".repeat(2_001) }, ["comment", "type", "voter_id"]],
    ] as [Record<string, string>, string[]][]) {
      const answer = await send(fields);
      expect([answer.status, answer.fields], JSON.stringify(fields).slice(0, 60)).toEqual([406, issues]);
    }
    for (const to of ["nobody", "x".repeat(65), "%F0%9F%98%80", "..", "shown"])
      expect((await send({ type: "up" }, {}, to)).status).toBe(404);
    for (const type of [null, "application/json", "text/plain", "multipart/form-data; boundary=x"])
      expect((await post(`/collect/feedback/${token}`, "type=up", type)).status).toBe(415);
    expect((await post(`/collect/feedback/${token}`, `type=up&x=${"x".repeat(1024 * 1024)}`, form)).status).toBe(413);
    expect((await post(`/collect/feedback/${token}`, Buffer.from([0xff, 0xfe]), form)).status).toBe(400);
    expect(await hashDatabase()).toBe(before);
  });

  it("accepts texts of maximum length, in any characters", async () => {
    for (const letter of ["x", "😀"]) {
      expect((await send({ type: "up", voter_id: letter.repeat(255) })).status).toBe(204);
      expect((await send({ type: "bad", comment: letter.repeat(2_000) })).status).toBe(204);
    }
    expect(await rowsOf("select from flags where char_length(comment) = 2000")).toHaveLength(2);
  });

  it("counts one vote per voter, even for concurrent votes over many connections", async () => {
    await rowsOf("delete from votes");
    await rowsOf("update reviews set votes_up = 0, votes_down = 0 where id = 'shown'");
    const address = anAddress();
    // Without keep-alive, each request has its own connection.
    const many = Array.from({ length: 60 }, (_, n) =>
      send(
        { type: n % 3 === 0 ? "up" : n % 3 === 1 ? "down" : "reset", voter_id: "the one" },
        { address, headers: { Connection: "close" } },
      ),
    );
    expect(new Set((await Promise.all(many)).map(({ status }) => status))).toEqual(new Set([204]));
    const counts = async () => {
      const [row] = await rowsOf(
        `select r.votes_up, r.votes_down, (select count(*)::int from votes v where v.review_id = r.id and value = 1) as up,
                (select count(*)::int from votes v where v.review_id = r.id and value = -1) as down from reviews r where id = 'shown'`,
      );
      expect([row.votes_up, row.votes_down]).toEqual([row.up, row.down]);
      return [row.up, row.down];
    };
    expect((await counts()).reduce((sum, n) => sum + n, 0)).toBeLessThanOrEqual(1);
    await send({ type: "down", voter_id: "the one" });
    expect(await counts()).toEqual([0, 1]);
    await send({ type: "up", voter_id: "the one" });
    expect(await counts()).toEqual([1, 0]);
    await Promise.all(
      Array.from({ length: 20 }, () => send({ type: "down" }, { address, headers: { Connection: "close" } })),
    );
    expect(await counts()).toEqual([1, 1]);
  });

  it("returns 429 beyond 300 concurrent requests from one address", async () => {
    const address = anAddress();
    let answer: Answer | undefined;
    let acceptedCount = 0;
    while (acceptedCount < 2_000) {
      const some = await Promise.all(Array.from({ length: 20 }, () => send({ type: "up" }, { address })));
      answer = some.find(({ status }) => status === 429);
      acceptedCount += some.filter(({ status }) => status === 204).length;
      if (answer) break;
    }
    expect(acceptedCount).toBeGreaterThanOrEqual(300);
    expect(answer).toMatchObject({ status: 429, headers: { "ratelimit-policy": '"feedback";q=300;w=60' } });
  });
});

describe("POST /uploader", () => {
  const boundary = "a-line-between";
  const type = `multipart/form-data; boundary=${boundary}`;
  const part = (name: string, value: string | Buffer, file?: string) =>
    Buffer.concat([
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file === undefined ? "" : `; filename="${file}"`}\r\n\r\n`,
      ),
      Buffer.from(value as string),
      Buffer.from("\r\n"),
    ]);
  const multipartBody = (...parts: Buffer[]) => Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]);
  const credentials = () => [part("client_id", shop), part("api_key", `pk_${shop}`)];
  const send = (body: Buffer, sent?: Sent) => post("/uploader", body, type, sent);
  let png: Buffer;
  beforeAll(async () => {
    png = await sharp({ create: { width: 30, height: 20, channels: 3, background: "#123" } })
      .png()
      .toBuffer();
  });

  it("stores an image and returns what a submission may contain, unchanged", async () => {
    const answer = await send(multipartBody(...credentials(), part("file", png, "lamp.png")));
    expect(answer).toMatchObject({
      status: 200,
      json: { token: expect.stringMatching(/^[0-9a-f]{32}$/), format: "png", width: 30, height: 20 },
    });
    const { json: image } = answer;
    for (const kind of ["reviews", "questions"] as const) {
      const submission = await postJson(`/collect/${kind}`, bodyOf(kinds[kind], { images: [image] }));
      // It can be used once.
      expect([submission.status, submission.fields]).toEqual(kind === "reviews" ? [201, []] : [406, ["images[0]"]]);
    }
    // The file may come first: its credentials are checked once the form is read.
    expect((await send(multipartBody(part("file", png, "lamp.png"), ...credentials()))).status).toBe(200);
  });

  it("returns 403, 400, 406, 413 or 415 for invalid uploads, and stores nothing", async () => {
    const before = await hashDatabase();
    expect((await send(multipartBody(part("file", png, "x.png")))).status).toBe(403);
    expect(
      (await send(multipartBody(part("client_id", shop), part("api_key", "pk_wrong"), part("file", png, "x.png"))))
        .status,
    ).toBe(403);
    expect((await send(Buffer.from("no form at all"))).status).toBe(400);
    for (const file of [[], [part("file", "text")], [part("file", "text", "x.png")], [part("file", "", "x.png")]])
      expect(await send(multipartBody(...credentials(), ...file))).toMatchObject({ status: 406, fields: ["file"] });
    expect(
      await send(multipartBody(...credentials(), part("file", Buffer.alloc(10 * 1024 * 1024 + 1), "x.png"))),
    ).toMatchObject({ status: 413 });
    for (const other of [null, "application/json", "application/x-www-form-urlencoded", "multipart/form-data"])
      expect((await post("/uploader", multipartBody(...credentials()), other)).status, String(other)).toBe(415);
    expect(await hashDatabase()).toBe(before);
  });

  it("returns 429 beyond 60 concurrent requests from one address", async () => {
    const address = anAddress();
    const body = multipartBody(...credentials(), part("file", "no image", "x.png"));
    const statuses: number[] = [];
    while (statuses.length < 500 && statuses.at(-1) !== 429) statuses.push((await send(body, { address })).status);
    expect(statuses.slice(0, 60)).toEqual(Array(60).fill(406));
    expect(statuses.at(-1)).toBe(429);
  });
});

describe("preflights", () => {
  it.each([
    ["/collect/reviews", "OPTIONS, POST"],
    ["/collect/questions", "OPTIONS, POST"],
    ["/collect/feedback/any", "GET, HEAD, OPTIONS, POST"],
    ["/uploader", "OPTIONS, POST"],
  ])("%s succeeds for every origin, with and without one", async (path, methods) => {
    for (const headers of [
      {},
      {
        Origin: "https://evil.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type,x-trace",
      },
    ]) {
      const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
        method: "OPTIONS",
        headers: headers as Record<string, string>,
      });
      expect([answer.status, Object.fromEntries(answer.headers)]).toEqual([
        204,
        expect.objectContaining({
          "access-control-allow-origin": "*",
          "access-control-allow-methods": methods,
          "access-control-allow-headers": "Content-Type, *",
        }),
      ]);
      expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
    }
  });
});
