import type * as argon2 from "@node-rs/argon2";
import { vi } from "vitest";

// Tests create and sign in hundreds of people, and password hashes are slow on purpose. Here the same hash has the
// lowest cost, which is stored in the hash, so that verification is fast as well. The real cost is tested in
// accounts/sign-in/password.test.ts.
vi.mock("@node-rs/argon2", async (original) => {
  const real = await original<typeof argon2>();
  return { ...real, hash: (password: string) => real.hash(password, { memoryCost: 8, timeCost: 1 }) };
});
