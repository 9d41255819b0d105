import { expect, it } from "vitest";
import "@/lib/tools/test/database";
import { EDIT_DAYS, editLink, editToken, readEditToken } from "@/lib/forms/edit/links";
import { invitationToken } from "@/lib/invitations/links";
import { personHash } from "@/lib/platform/secrets/person-hash";

it("returns a token's subject and expiry, without revealing the address", () => {
  const link = new URL(editLink("shop.example", "question", "00ff", "Ada@x.example"));
  expect(link.pathname).toMatch(/^\/edit\/[\w-]+$/);
  const about = readEditToken(link.pathname.slice("/edit/".length));
  expect(about).toMatchObject({ clientId: "shop.example", kind: "question", id: "00ff" });
  expect(about?.holder).toBe(personHash("shop.example", "email", "ada@x.example"));
  const days = ((about?.expiresAt.getTime() ?? 0) - Date.now()) / 86_400_000;
  expect(Math.round(days)).toBe(EDIT_DAYS);
});

it("rejects altered tokens and tokens signed for another purpose", () => {
  const token = editToken("shop.example", "review", "00ff", "ada@x.example");
  for (const invalid of ["", "x", token.slice(1), token.toLowerCase(), invitationToken("shop.example", "00ff")])
    expect(readEditToken(invalid)).toBeNull();
  for (let place = 0; place < token.length - 1; place += 7) {
    const changed = token[place] === "Q" ? "g" : "Q";
    expect(readEditToken(token.slice(0, place) + changed + token.slice(place + 1))).toBeNull();
  }
});
