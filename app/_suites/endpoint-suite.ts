import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contracts, routes } from "@/app/_routes";
import type { Methods } from "@/lib/api/methods";
import type { Contract, Method, Role } from "@/lib/platform/http/contract";
import { basicHeader, call, type RequestOptions, serverKind, type TestResponse } from "@/lib/tools/test/call";
import {
  aClient,
  aDelegatedInvitation,
  aKey,
  anOrder,
  aUser,
  hashDatabase,
  sessionHeaders,
  someQuestions,
  someReviews,
  type TestClient,
  uniqueName,
} from "@/lib/tools/test/factories";
import { expectError } from "@/lib/tools/test/lists";
import type { OpenTransport, Transport } from "@/lib/tools/test/test-server";

// Common behavior of all endpoints. A new contract is tested as soon as it is listed.

let shop: TestClient;
let otherClient: TestClient;
let bothKey: string;
let otherClientIds: { order: string; review: string; question: string; invitation: string };

beforeAll(async () => {
  shop = await aClient();
  otherClient = await aClient();
  bothKey = (await aKey([shop.id, otherClient.id])).secret;
  const order = await anOrder(otherClient.id);
  const [review = ""] = await someReviews(otherClient.id, [{}]);
  const [question = ""] = await someQuestions(otherClient.id, [{}]);
  otherClientIds = { order: order.id, review, question, invitation: await aDelegatedInvitation(otherClient.id) };
});

/** For each path with parameters: a row of another client, and a body that the contract accepts. */
const otherClientRows: Record<string, () => { id: string; body?: unknown }> = {
  "invitations.outcome": () => ({ id: otherClientIds.invitation, body: { outcome: "delivered" } }),
  "orders.get": () => ({ id: otherClientIds.order }),
  "questions.get": () => ({ id: otherClientIds.question }),
  "reviews.get": () => ({ id: otherClientIds.review }),
  "reviews.delete": () => ({ id: otherClientIds.review }),
  "reviews.update": () => ({ id: otherClientIds.review, body: { review: { accepted: true } } }),
};

let transportHandle: OpenTransport | undefined;

const moduleOf = (contract: Contract): Methods => {
  const found = routes.find((route) => route.path === contract.path);
  if (!found || !transportHandle) throw new Error(`${contract.path} is not served`);
  return transportHandle.methodsOf(found);
};
const addressOf = (contract: Contract, id = "none") => contract.path.replace(/\{\w+\}/g, encodeURIComponent(id));

/** Calls an endpoint with a minimal valid body. */
function ask(contract: Contract, query: string, sent: RequestOptions = {}, id?: string): Promise<TestResponse> {
  const body = contract.accepts === "json" ? {} : undefined;
  return call(moduleOf(contract), contract.method, addressOf(contract, id) + query, { body, ...sent });
}

/** Access of a caller to the store. Operators have no clients of their own. */
const accessToShop = ({ role }: Contract) =>
  role === "operator" ? {} : { accountId: shop.accountId, clients: [shop.id] };

const named = (list: Contract[]) => list.map((contract) => [contract.id, contract] as const);
const management = contracts.filter(({ auth }) => auth === "management");
const session = contracts.filter(({ auth }) => auth === "session");
const publicKey = contracts.filter(({ auth }) => auth === "public_key");
const withBody = contracts.filter(({ accepts }) => accepts !== "none");

/** Tests all endpoints through one transport: their handlers, or a server. */
export const describeEndpoints = (transport: Transport) =>
  describe(`by ${transport.name}`, () => {
    beforeAll(async () => {
      transportHandle = await transport.open();
    });
    afterAll(() => transportHandle?.close());

    describe.each(named(management))("%s: credentials", (_, contract) => {
      const expectUnauthorized = (answer: TestResponse) => {
        expectError(answer, 401, "unauthorized");
        expect(answer.headers.get("www-authenticate")).toBe('Basic realm="Candor"');
      };

      it("rejects a call without credentials", async () => expectUnauthorized(await ask(contract, "")));

      it("rejects a wrong key, however it is sent", async () => {
        const wrong = `sk_${"0".repeat(48)}`;
        expectUnauthorized(await ask(contract, "", { key: wrong }));
        expectUnauthorized(await ask(contract, `?token=${wrong}`));
        expectUnauthorized(await ask(contract, "?token="));
        expectUnauthorized(await ask(contract, "", { basic: [wrong, ""] }));
        for (const header of [
          "Bearer",
          "Basic",
          "Basic ***",
          "Digest x",
          `Basic ${Buffer.from("nocolon").toString("base64")}`,
        ])
          expectUnauthorized(await ask(contract, "", { headers: { Authorization: header } }));
      });

      it("rejects a key as user name with a password", async () => {
        expectUnauthorized(await ask(contract, "", { basic: [shop.key, "x"] }));
      });

      it("rejects a NUL in credentials", async () => {
        expectUnauthorized(await ask(contract, "", { headers: { Authorization: basicHeader("a\0b", "c") } }));
        expectUnauthorized(await ask(contract, "", { headers: { Authorization: basicHeader("a\0b", "") } }));
      });

      it("only checks the header when both are sent", async () => {
        expectUnauthorized(await ask(contract, `?token=${shop.key}`, { key: "sk_wrong" }));
        const right = await ask(contract, `?token=sk_wrong&client_id=${shop.id}`, { key: shop.key });
        expect(right.status).not.toBe(401);
      });

      it("ignores a cookie sent by another site's page", async () => {
        expectUnauthorized(await ask(contract, "", { headers: { Cookie: "next-auth.session-token=x" } }));
        expectUnauthorized(await ask(contract, "", { headers: { Cookie: "next-auth.session-token=%" } }));
      });
    });

    describe.each(named(management.filter(({ client }) => client === "one")))("%s: client", (_, contract) => {
      it("returns the same error for a client without access and an unknown client", async () => {
        const other = await ask(contract, `?client_id=${otherClient.id}`, { key: shop.key });
        const unknown = await ask(contract, `?client_id=${uniqueName("nobody")}`, { key: shop.key });
        expectError(other, 403, "client_forbidden");
        expectError(unknown, 403, "client_forbidden");
        expect(other.json).toEqual(unknown.json);
      });

      it("requires a client when there are several", async () => {
        expectError(await ask(contract, "", { key: bothKey }), 400, "client_id_required");
      });
    });

    describe.each(named(management.filter(({ path }) => path.includes("{"))))("%s: id", (id, contract) => {
      it("does not find another client's row or an unknown id", async () => {
        const sample = otherClientRows[id];
        if (!sample) throw new Error(`Name a foreign row for ${id} in this test.`);
        const { id: row, body } = sample();
        const before = await hashDatabase();
        for (const wrong of [row, "none", "%00", "%ff", "x".repeat(5_000), "'; drop table reviews"]) {
          const answer = await call(moduleOf(contract), contract.method, addressOf(contract, wrong), {
            key: shop.key,
            body,
          });
          expectError(answer, 404, "not_found");
        }
        // Next itself responds to undecodable paths with a bare 500, before our code runs.
        for (const raw of serverKind === "next start" ? ["%00"] : ["%00", "%ff", "%"]) {
          const at = contract.path.replace(/\{\w+\}/g, raw);
          expectError(await call(moduleOf(contract), contract.method, at, { key: shop.key, body }), 404, "not_found");
        }
        expect(await hashDatabase()).toBe(before);
      });
    });

    describe.each(named(management))("%s: permissions", (_, contract) => {
      it("needs the scope", async () => {
        const others = (["read", "write", "privacy"] as const).filter((scope) => scope !== contract.scope);
        const { secret } = await aKey([shop.id], others);
        expectError(await ask(contract, "", { key: secret }), 403, "forbidden");
      });

      it("needs the role", async () => {
        const rolesAscending: Role[] = ["viewer", "moderator", "admin", "operator"];
        for (const role of rolesAscending.slice(0, -1)) {
          const { basic } = await aUser(role, { clients: [shop.id] });
          const answer = await ask(contract, "", { basic });
          if (rolesAscending.indexOf(role) < rolesAscending.indexOf(contract.role))
            expectError(answer, 403, "forbidden");
          else expect([401, 403]).not.toContain(answer.status);
        }
      });
    });

    if (session.length > 0)
      describe.each(named(session))("%s: portal only", (_, contract) => {
        it("only accepts sessions", async () => {
          expectError(await ask(contract, ""), 401, "unauthorized");
          expectError(await ask(contract, "", { key: shop.key }), 401, "unauthorized");
          expectError(await ask(contract, `?token=${shop.key}`), 401, "unauthorized");
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

        it("rejects missing and wrong clients and keys with the same error", async () => {
          const answers = [
            await send({}),
            await send({ client_id: shop.id }),
            await send({ api_key: shop.publicKey }),
            await send({ client_id: shop.id, api_key: otherClient.publicKey }),
            await send({ client_id: uniqueName("nobody"), api_key: shop.publicKey }),
            await send({ client_id: shop.id, api_key: shop.key }),
          ];
          for (const answer of answers) {
            expectError(answer, 403, "client_forbidden");
            expect(answer.json).toEqual(answers[0]?.json);
            expect(answer.headers.get("access-control-allow-origin")).toBe("*");
          }
        });
      });

    describe.each(named(contracts))("%s: methods", (_, contract) => {
      it("rejects unsupported methods and lists the supported ones", async () => {
        const module = moduleOf(contract);
        const here = contracts.filter(({ path }) => path === contract.path).map(({ method }) => method as string);
        const allow = [...here, ...(here.includes("GET") ? ["HEAD"] : []), "OPTIONS"].sort().join(", ");
        for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"] as Method[]) {
          if (here.includes(method)) continue;
          const answer = await call(module, method, addressOf(contract));
          expectError(answer, 405, "method_not_allowed");
          expect(answer.headers.get("allow")).toBe(allow);
        }
        const options = await call(module, "OPTIONS", addressOf(contract));
        expect({ status: options.status, allow: options.headers.get("allow") }).toEqual({ status: 204, allow });
        expect(options.headers.get("access-control-allow-origin")).toBe(contract.cors ? "*" : null);
        expect(options.headers.get("access-control-allow-headers")).toBe(contract.cors ? "Content-Type, *" : null);
      });
    });

    describe.each(named(withBody))("%s: body", (_, contract) => {
      let credentials: RequestOptions = {};
      let before: string;
      beforeAll(async () => {
        if (contract.auth === "management") credentials = { key: shop.key };
        if (contract.auth === "session")
          credentials = { headers: await sessionHeaders(await aUser(contract.role, accessToShop(contract))) };
        before = await hashDatabase();
      });
      const json = contract.accepts === "json";

      it("must be of the documented type", async () => {
        const { headers, ...by } = credentials;
        for (const type of [
          "text/plain",
          "application/xml",
          "",
          "application/jsonp",
          json || contract.accepts === "signed" ? "application/x-www-form-urlencoded" : "application/json",
        ])
          expectError(
            await ask(contract, "", { ...by, body: "{}", headers: { ...headers, "Content-Type": type } }),
            415,
            "unsupported_media_type",
          );
        expect(await hashDatabase()).toBe(before);
      });

      it("must not be too large, with or without Content-Length", async () => {
        const type =
          contract.accepts === "multipart"
            ? "multipart/form-data; boundary=x"
            : contract.accepts === "form"
              ? "application/x-www-form-urlencoded"
              : "application/json";
        const large = "x".repeat(contract.maxBody + 1);
        const { headers: own, ...by } = credentials;
        const headers = { ...own, "Content-Type": type };
        expectError(await ask(contract, "", { ...by, body: large, headers }), 413, "too_large");
        expectError(
          await ask(contract, "", {
            ...by,
            body: "x",
            headers: { ...headers, "Content-Length": String(contract.maxBody + 1) },
          }),
          413,
          "too_large",
        );
        expect(await hashDatabase()).toBe(before);
      });

      if (json)
        it("must be JSON", async () => {
          for (const broken of [
            "",
            "{",
            "{'a':1}",
            '{"a":1,}',
            "\u0000",
            "undefined",
            new Uint8Array([0x7b, 0xff, 0x7d]),
          ])
            expectError(await ask(contract, "", { ...credentials, body: broken }), 400, "invalid_json");
          expect(await hashDatabase()).toBe(before);
        });

      if (contract.auth === "management" && json)
        it("must be an object", async () => {
          for (const other of ["null", "[]", "1", '"x"', "true", "[{}]"])
            expectError(await ask(contract, "", { ...credentials, body: other }), 422, "invalid_field");
          expect(await hashDatabase()).toBe(before);
        });
    });
  });
