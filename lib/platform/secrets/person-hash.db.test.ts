import { createHmac } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { secretKey } from "@/lib/platform/env";
import { personHash } from "@/lib/platform/secrets/person-hash";

it("is HMAC-SHA256 with the installation's key, of the normalized address", () => {
  const of = (...parts: string[]) =>
    createHmac("sha256", secretKey("person/1")).update(JSON.stringify(parts)).digest("base64url").slice(0, 32);
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme", maxLength: 300 }), (client, id) => {
      expect(personHash(client, "customer", id)).toBe(of(client, "customer", id));
    }),
  );
  expect(personHash("shop", "email", " Ada@Example.org")).toBe(of("shop", "email", "ada@example.org"));
});
