import { globSync } from "node:fs";
import { connect } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contracts, routes } from "@/app/_routes";
import type { Contract, Method, Role } from "@/lib/http/contract";
import { errorBody } from "@/lib/http/fields";
import type { Methods } from "@/lib/http/methods";
import { root } from "@/lib/launch/bootstrap.mjs";
import { type Answered, basicHeader, call, type Sent } from "@/lib/test/call";
import {
  aClient,
  aKey,
  anOrder,
  aUser,
  fingerprint,
  fresh,
  someQuestions,
  someReviews,
  type TestClient,
} from "@/lib/test/factories";
import { send, serve } from "@/lib/test/served";

// What every endpoint promises, asked of every endpoint: a contract that is added is tested by being listed. Asked twice:
// of the handlers that the route files export, and over the wire of our own server.

let shop: TestClient;
let neighbour: TestClient;
let bothKey: string;
let neighbours: { order: string; review: string; question: string };

beforeAll(async () => {
  shop = await aClient();
  neighbour = await aClient();
  bothKey = (await aKey([shop.id, neighbour.id])).secret;
  const order = await anOrder(neighbour.id);
  const [review = ""] = await someReviews(neighbour.id, [{}]);
  const [question = ""] = await someQuestions(neighbour.id, [{}]);
  neighbours = { order: order.id, review, question };
});

/** A row of another client for each path with parameters, and a body that the contract takes. */
const foreign: Record<string, () => { id: string; body?: unknown }> = {
  "orders.get": () => ({ id: neighbours.order }),
  "questions.get": () => ({ id: neighbours.question }),
  "reviews.get": () => ({ id: neighbours.review }),
  "reviews.delete": () => ({ id: neighbours.review }),
  "reviews.update": () => ({ id: neighbours.review, body: { review: { accepted: true } } }),
};

let server: Awaited<ReturnType<typeof serve>> | undefined;

const moduleOf = (contract: Contract): Methods => {
  const found = routes.find((route) => route.path === contract.path);
  if (!found) throw new Error(`${contract.path} is not served`);
  return server?.methods ?? found.methods;
};
const addressOf = (contract: Contract, id = "none") => contract.path.replace(/\{\w+\}/g, encodeURIComponent(id));

/** Calls an endpoint with a body that is a body at least. */
function ask(contract: Contract, query: string, sent: Sent = {}, id?: string): Promise<Answered> {
  const body = contract.accepts === "json" ? {} : undefined;
  return call(moduleOf(contract), contract.method, addressOf(contract, id) + query, { body, ...sent });
}

function expectRefusal(answer: Answered, status: number, code: string): void {
  expect({ status: answer.status, code: answer.json?.errors?.[0]?.code }).toEqual({ status, code });
  errorBody.strict().parse(answer.json);
  for (const fault of answer.json.errors) {
    expect(Object.keys(fault).sort()).toEqual(["code", "field", "message"]);
    expect(fault.message).toMatch(/^\S.*[.!?]$/s);
    expect(fault.message).not.toMatch(/select |insert |at .*\.ts:|ZodError/);
  }
}

const named = (list: Contract[]) => list.map((contract) => [contract.id, contract] as const);
const management = contracts.filter(({ auth }) => auth === "management");
const session = contracts.filter(({ auth }) => auth === "session");
const publicKey = contracts.filter(({ auth }) => auth === "public_key");
const withBody = contracts.filter(({ accepts }) => accepts !== "none");

describe("the list of addresses", () => {
  // Next's own doors and the answer to addresses where nothing is have no contract.
  const files = globSync("app/**/route.ts", { cwd: root }).filter(
    (file) => !/^app\/api\/(auth|inngest)\//.test(file) && !file.includes("[[...nowhere]]"),
  );
  const pathOf = (file: string) =>
    `/${path.dirname(path.relative("app", file))}`.replace(/\/\([^)]+\)/g, "").replace(/\[(\w+)\]/g, "{$1}");

  it("has one route file a path, and the reverse", () => {
    expect(files.map(pathOf).sort()).toEqual(routes.map((route) => route.path).sort());
    expect(new Set(contracts.map(({ id }) => id)).size).toBe(contracts.length);
    expect(new Set(contracts.map(({ method, path }) => `${method} ${path}`)).size).toBe(contracts.length);
  });

  it.each(files)("%s exports the handlers of its own folder for every method", async (file) => {
    const module = (await import(path.join(root, file))) as Methods;
    const offered = Object.values(module).flatMap((handler) => ("contract" in handler ? [handler.contract] : []));
    expect(offered.length).toBeGreaterThan(0);
    for (const contract of offered as Contract[]) {
      expect(contract.path).toBe(pathOf(file));
      expect(contracts).toContain(contract);
    }
    expect(Object.keys(module).sort()).toEqual(["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"]);
  });
});

describe.each(["exported handlers", "the server"])("by %s", (way) => {
  beforeAll(async () => {
    if (way === "the server") server = await serve(routes);
  });
  afterAll(async () => {
    await server?.close();
    server = undefined;
  });

  describe.each(named(management))("%s: credentials", (_, contract) => {
    const refused = (answer: Answered) => {
      expectRefusal(answer, 401, "unauthorized");
      expect(answer.headers.get("www-authenticate")).toBe('Basic realm="Candor"');
    };

    it("refuses a call without any", async () => refused(await ask(contract, "")));

    it("refuses a wrong key, sent in any way", async () => {
      const wrong = `sk_${"0".repeat(48)}`;
      refused(await ask(contract, "", { key: wrong }));
      refused(await ask(contract, `?token=${wrong}`));
      refused(await ask(contract, "?token="));
      refused(await ask(contract, "", { basic: [wrong, ""] }));
      for (const header of [
        "Bearer",
        "Basic",
        "Basic ***",
        "Digest x",
        `Basic ${Buffer.from("nocolon").toString("base64")}`,
      ])
        refused(await ask(contract, "", { headers: { Authorization: header } }));
    });

    it("refuses a key as user name with a password", async () => {
      refused(await ask(contract, "", { basic: [shop.key, "x"] }));
    });

    it("refuses a NUL in a pair", async () => {
      refused(await ask(contract, "", { headers: { Authorization: basicHeader("a\0b", "c") } }));
      refused(await ask(contract, "", { headers: { Authorization: basicHeader("a\0b", "") } }));
    });

    it("judges the header alone where both are given", async () => {
      refused(await ask(contract, `?token=${shop.key}`, { key: "sk_wrong" }));
      const right = await ask(contract, `?token=sk_wrong&client_id=${shop.id}`, { key: shop.key });
      expect(right.status).not.toBe(401);
    });

    it("takes no cookie from another site's page", async () => {
      refused(await ask(contract, "", { headers: { Cookie: "next-auth.session-token=x" } }));
      refused(await ask(contract, "", { headers: { Cookie: "next-auth.session-token=%" } }));
    });
  });

  describe.each(named(management.filter(({ client }) => client === "one")))("%s: client", (_, contract) => {
    it("answers a foreign and an unknown client alike", async () => {
      const other = await ask(contract, `?client_id=${neighbour.id}`, { key: shop.key });
      const unknown = await ask(contract, `?client_id=${fresh("nobody")}`, { key: shop.key });
      expectRefusal(other, 403, "client_forbidden");
      expectRefusal(unknown, 403, "client_forbidden");
      expect(other.json).toEqual(unknown.json);
    });

    it("asks which of several", async () => {
      expectRefusal(await ask(contract, "", { key: bothKey }), 400, "client_id_required");
    });
  });

  describe.each(named(management.filter(({ path }) => path.includes("{"))))("%s: id", (id, contract) => {
    it("does not find another client's row, nor a wrong one", async () => {
      const sample = foreign[id];
      if (!sample) throw new Error(`Name a foreign row for ${id} in this test.`);
      const { id: row, body } = sample();
      const before = await fingerprint();
      for (const wrong of [row, "none", "%00", "%ff", "x".repeat(5_000), "'; drop table reviews"]) {
        const answer = await call(moduleOf(contract), contract.method, addressOf(contract, wrong), {
          key: shop.key,
          body,
        });
        expectRefusal(answer, 404, "not_found");
      }
      for (const raw of ["%00", "%ff", "%"]) {
        const at = contract.path.replace(/\{\w+\}/g, raw);
        expectRefusal(await call(moduleOf(contract), contract.method, at, { key: shop.key, body }), 404, "not_found");
      }
      expect(await fingerprint()).toBe(before);
    });
  });

  describe.each(named(management))("%s: who may", (_, contract) => {
    it("needs the scope", async () => {
      const others = (["read", "write", "privacy"] as const).filter((scope) => scope !== contract.scope);
      const { secret } = await aKey([shop.id], others);
      expectRefusal(await ask(contract, "", { key: secret }), 403, "forbidden");
    });

    it("needs the role", async () => {
      const ladder: Role[] = ["viewer", "moderator", "admin", "operator"];
      for (const role of ladder.slice(0, -1)) {
        const { basic } = await aUser(role, { clients: [shop.id] });
        const answer = await ask(contract, "", { basic });
        if (ladder.indexOf(role) < ladder.indexOf(contract.role)) expectRefusal(answer, 403, "forbidden");
        else expect([401, 403]).not.toContain(answer.status);
      }
    });
  });

  if (session.length > 0)
    describe.each(named(session))("%s: the portal's own", (_, contract) => {
      it("knows sessions only", async () => {
        expectRefusal(await ask(contract, ""), 401, "unauthorized");
        expectRefusal(await ask(contract, "", { key: shop.key }), 401, "unauthorized");
        expectRefusal(await ask(contract, `?token=${shop.key}`), 401, "unauthorized");
      });
    });

  if (publicKey.length > 0)
    describe.each(named(publicKey))("%s: public key", (_, contract) => {
      const send = (fields: Record<string, string>) => {
        if (contract.accepts === "json") return ask(contract, "", { body: fields });
        const form = new FormData();
        for (const [name, value] of Object.entries(fields)) form.set(name, value);
        return ask(contract, "", { body: form });
      };

      it("refuses a missing or wrong client or key alike", async () => {
        const answers = [
          await send({}),
          await send({ client_id: shop.id }),
          await send({ api_key: shop.publicKey }),
          await send({ client_id: shop.id, api_key: neighbour.publicKey }),
          await send({ client_id: fresh("nobody"), api_key: shop.publicKey }),
          await send({ client_id: shop.id, api_key: shop.key }),
        ];
        for (const answer of answers) {
          expectRefusal(answer, 403, "client_forbidden");
          expect(answer.json).toEqual(answers[0]?.json);
          expect(answer.headers.get("access-control-allow-origin")).toBe("*");
        }
      });
    });

  describe.each(named(contracts))("%s: methods", (_, contract) => {
    it("refuses those it does not offer, and names those it does", async () => {
      const module = moduleOf(contract);
      const here = contracts.filter(({ path }) => path === contract.path).map(({ method }) => method as string);
      const allow = [...here, ...(here.includes("GET") ? ["HEAD"] : []), "OPTIONS"].sort().join(", ");
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"] as Method[]) {
        if (here.includes(method)) continue;
        const answer = await call(module, method, addressOf(contract));
        expectRefusal(answer, 405, "method_not_allowed");
        expect(answer.headers.get("allow")).toBe(allow);
      }
      const options = await call(module, "OPTIONS", addressOf(contract));
      expect({ status: options.status, allow: options.headers.get("allow") }).toEqual({ status: 204, allow });
      expect(options.headers.get("access-control-allow-origin")).toBe(contract.cors ? "*" : null);
      expect(options.headers.get("access-control-allow-headers")).toBe(contract.cors ? "Content-Type, *" : null);
    });
  });

  describe.each(named(withBody))("%s: body", (_, contract) => {
    const sent = (): Sent => (contract.auth === "management" ? { key: shop.key } : {});
    const json = contract.accepts === "json";

    it("must be of the documented type", async () => {
      const before = await fingerprint();
      for (const type of [
        "text/plain",
        "application/xml",
        "",
        "application/jsonp",
        json ? "application/x-www-form-urlencoded" : "application/json",
      ])
        expectRefusal(
          await ask(contract, "", { ...sent(), body: "{}", headers: { "Content-Type": type } }),
          415,
          "unsupported_media_type",
        );
      expect(await fingerprint()).toBe(before);
    });

    it("must not be too large, announced or not", async () => {
      const type =
        contract.accepts === "multipart"
          ? "multipart/form-data; boundary=x"
          : { json: "application/json", form: "application/x-www-form-urlencoded" }[contract.accepts as "json"];
      const large = "x".repeat(contract.maxBody + 1);
      const headers = { "Content-Type": type };
      const before = await fingerprint();
      expectRefusal(await ask(contract, "", { ...sent(), body: large, headers }), 413, "too_large");
      expectRefusal(
        await ask(contract, "", {
          ...sent(),
          body: "x",
          headers: { ...headers, "Content-Length": String(contract.maxBody + 1) },
        }),
        413,
        "too_large",
      );
      expect(await fingerprint()).toBe(before);
    });

    if (json)
      it("must be JSON", async () => {
        const before = await fingerprint();
        for (const broken of [
          "",
          "{",
          "{'a':1}",
          '{"a":1,}',
          "\u0000",
          "undefined",
          new Uint8Array([0x7b, 0xff, 0x7d]),
        ])
          expectRefusal(await ask(contract, "", { ...sent(), body: broken }), 400, "invalid_json");
        expect(await fingerprint()).toBe(before);
      });

    if (contract.auth === "management" && json)
      it("must be an object", async () => {
        const before = await fingerprint();
        for (const other of ["null", "[]", "1", '"x"', "true", "[{}]"])
          expectRefusal(await ask(contract, "", { ...sent(), body: other }), 422, "invalid_field");
        expect(await fingerprint()).toBe(before);
      });
  });
});

describe("the server", () => {
  it("refuses methods that no route file can export, finds addresses with a slash too many, leaves others to the pages", async () => {
    const served = await serve(routes);
    try {
      const ask = (path: string, method: string) => send(served.port, new Request(`http://localhost${path}`), method);
      for (const method of ["PROPFIND", "LOCK", "TRACE"]) {
        const answer = await ask("/v1/orders", method);
        expect({ status: answer.status, allow: answer.headers.get("allow") }).toEqual({
          status: 405,
          allow: "GET, HEAD, OPTIONS, POST",
        });
        errorBody.parse(await answer.json());
      }
      expect((await ask("/v1/orders/", "GET")).status).toBe(401);
      expect((await ask("/v1/orders//", "GET")).status).toBe(299);
      expect((await ask("/v1/nothing", "GET")).status).toBe(299);
    } finally {
      await served.close();
    }
  });

  it("tells a request without a usable Host that it is the request's fault", async () => {
    const served = await serve(routes);
    const raw = (head: string) =>
      new Promise<string>((resolve, reject) => {
        let answer = "";
        const socket = connect(served.port, "127.0.0.1", () => socket.write(`${head}\r\nConnection: close\r\n\r\n`));
        socket.on("data", (piece) => {
          answer += piece;
        });
        socket.on("close", () => resolve(answer));
        socket.on("error", reject);
      });
    try {
      for (const head of [
        "GET /v1/clients HTTP/1.1\r\nHost: no host/at all",
        "GET /v1/clients HTTP/1.1\r\nHost: a/b@c",
        "GET /v1/clients HTTP/1.1\r\nHost: ",
        "GET /v1/clients?token=sk_1 HTTP/1.0",
      ]) {
        const [first = "", body = ""] = (await raw(head)).split("\r\n\r\n");
        expect(first).toMatch(/^HTTP\/1\.1 400 /);
        expect(body).toContain('"invalid_parameter"');
      }
    } finally {
      await served.close();
    }
  });
});

describe("a body with more faults than anybody reads", () => {
  it("is refused with the first thousand", async () => {
    const custom_questions = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`q${index}`, 1]));
    const body = { client_id: shop.id, api_key: shop.publicKey, product_id: "p", author: "Ada", score: 5 };
    const collect = routes.find(({ path }) => path === "/collect/reviews")?.methods as Methods;
    const answer = await call(collect, "POST", "/collect/reviews", { body: { ...body, custom_questions } });
    expectRefusal(answer, 406, "invalid_field");
    expect(answer.json.errors).toHaveLength(1_000);
  });
});

describe("an address below the API where nothing is", () => {
  it.each(["app/v1", "app/collect", "app/portal/api"])("%s tells it as every other fault", async (folder) => {
    const module = (await import(path.join(root, folder, "[[...nowhere]]/route.ts"))) as Methods;
    for (const method of ["GET", "POST", "DELETE"] as const)
      expectRefusal(await call(module, method, "/nothing"), 404, "not_found");
    const { headers } = await call(module, "POST", "/nothing");
    expect(headers.get("access-control-allow-origin")).toBe(folder === "app/collect" ? "*" : null);
    // A page's JSON is sent, and the answer read, only after a preflight that is answered.
    const preflight = await call(module, "OPTIONS", "/nothing");
    expect(preflight.status).toBe(folder === "app/collect" ? 204 : 404);
    expect(preflight.headers.get("access-control-allow-headers")).toBe(
      folder === "app/collect" ? "Content-Type, *" : null,
    );
  });
});
