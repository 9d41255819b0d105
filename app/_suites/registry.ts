import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contracts, routes } from "@/app/_routes";
import type { Methods } from "@/lib/api/methods";
import type { Contract, Method, Role } from "@/lib/platform/http/contract";
import { type Answered, basicHeader, call, type Sent, servedBy } from "@/lib/tools/test/call";
import {
  aClient,
  aHandedInvitation,
  aKey,
  anOrder,
  aUser,
  fingerprint,
  fresh,
  signedIn,
  someQuestions,
  someReviews,
  type TestClient,
} from "@/lib/tools/test/factories";
import { expectRefusal } from "@/lib/tools/test/lists";
import type { Opened, Way } from "@/lib/tools/test/served";

// What every endpoint promises, asked of every endpoint: a contract that is added is tested by being listed.

let shop: TestClient;
let neighbour: TestClient;
let bothKey: string;
let neighbours: { order: string; review: string; question: string; invitation: string };

beforeAll(async () => {
  shop = await aClient();
  neighbour = await aClient();
  bothKey = (await aKey([shop.id, neighbour.id])).secret;
  const order = await anOrder(neighbour.id);
  const [review = ""] = await someReviews(neighbour.id, [{}]);
  const [question = ""] = await someQuestions(neighbour.id, [{}]);
  neighbours = { order: order.id, review, question, invitation: await aHandedInvitation(neighbour.id) };
});

/** A row of another client for each path with parameters, and a body that the contract takes. */
const foreign: Record<string, () => { id: string; body?: unknown }> = {
  "invitations.outcome": () => ({ id: neighbours.invitation, body: { outcome: "delivered" } }),
  "orders.get": () => ({ id: neighbours.order }),
  "questions.get": () => ({ id: neighbours.question }),
  "reviews.get": () => ({ id: neighbours.review }),
  "reviews.delete": () => ({ id: neighbours.review }),
  "reviews.update": () => ({ id: neighbours.review, body: { review: { accepted: true } } }),
};

let opened: Opened | undefined;

const moduleOf = (contract: Contract): Methods => {
  const found = routes.find((route) => route.path === contract.path);
  if (!found || !opened) throw new Error(`${contract.path} is not served`);
  return opened.methodsOf(found);
};
const addressOf = (contract: Contract, id = "none") => contract.path.replace(/\{\w+\}/g, encodeURIComponent(id));

/** Calls an endpoint with a body that is a body at least. */
function ask(contract: Contract, query: string, sent: Sent = {}, id?: string): Promise<Answered> {
  const body = contract.accepts === "json" ? {} : undefined;
  return call(moduleOf(contract), contract.method, addressOf(contract, id) + query, { body, ...sent });
}

/** Where somebody works who may call a session's endpoint: operators have no client of their own. */
const ofShop = ({ role }: Contract) => (role === "operator" ? {} : { accountId: shop.accountId, clients: [shop.id] });

const named = (list: Contract[]) => list.map((contract) => [contract.id, contract] as const);
const management = contracts.filter(({ auth }) => auth === "management");
const session = contracts.filter(({ auth }) => auth === "session");
const publicKey = contracts.filter(({ auth }) => auth === "public_key");
const withBody = contracts.filter(({ accepts }) => accepts !== "none");

/** Asks all endpoints in one way: their handlers, or a server. */
export const registry = (way: Way) =>
  describe(`by ${way.name}`, () => {
    beforeAll(async () => {
      opened = await way.open();
    });
    afterAll(() => opened?.close());

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
        // What does not decode, Next answers itself with a bare 500: none of our code is asked.
        for (const raw of servedBy === "next start" ? ["%00"] : ["%00", "%ff", "%"]) {
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
      const sent = async (): Promise<Sent> =>
        contract.auth === "management"
          ? { key: shop.key }
          : contract.auth === "session"
            ? { headers: await signedIn(await aUser(contract.role, ofShop(contract))) }
            : {};
      const json = contract.accepts === "json";

      it("must be of the documented type", async () => {
        const { headers, ...by } = await sent();
        const before = await fingerprint();
        for (const type of [
          "text/plain",
          "application/xml",
          "",
          "application/jsonp",
          json || contract.accepts === "signed" ? "application/x-www-form-urlencoded" : "application/json",
        ])
          expectRefusal(
            await ask(contract, "", { ...by, body: "{}", headers: { ...headers, "Content-Type": type } }),
            415,
            "unsupported_media_type",
          );
        expect(await fingerprint()).toBe(before);
      });

      it("must not be too large, announced or not", async () => {
        const type =
          contract.accepts === "multipart"
            ? "multipart/form-data; boundary=x"
            : contract.accepts === "form"
              ? "application/x-www-form-urlencoded"
              : "application/json";
        const large = "x".repeat(contract.maxBody + 1);
        const { headers: own, ...by } = await sent();
        const headers = { ...own, "Content-Type": type };
        const before = await fingerprint();
        expectRefusal(await ask(contract, "", { ...by, body: large, headers }), 413, "too_large");
        expectRefusal(
          await ask(contract, "", {
            ...by,
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
          const by = await sent();
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
            expectRefusal(await ask(contract, "", { ...by, body: broken }), 400, "invalid_json");
          expect(await fingerprint()).toBe(before);
        });

      if (contract.auth === "management" && json)
        it("must be an object", async () => {
          const before = await fingerprint();
          for (const other of ["null", "[]", "1", '"x"', "true", "[{}]"])
            expectRefusal(await ask(contract, "", { ...(await sent()), body: other }), 422, "invalid_field");
          expect(await fingerprint()).toBe(before);
        });
    });
  });
