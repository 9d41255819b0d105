import { expect, it } from "vitest";
import { checkPassword, hashPassword } from "@/lib/accounts/sign-in/password";

it("hashes with Argon2id at the cost OWASP recommends, and verifies the hash", async () => {
  const hash = await hashPassword("a long password");
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await checkPassword(hash, "a long password")).toBe(true);
  expect(await checkPassword(hash, "another password")).toBe(false);
  expect(await checkPassword(null, "a long password")).toBe(false);
});
