import type * as argon2 from "@node-rs/argon2";
import { vi } from "vitest";

// Hundreds of people are made and sign in here, and a password's hash is meant to cost much: here it is the same hash at the
// lowest cost, which stands in the hash, so that checking is cheap as well. The cost of real ones: accounts/sign-in/password.test.ts.
vi.mock("@node-rs/argon2", async (original) => {
  const real = await original<typeof argon2>();
  return { ...real, hash: (password: string) => real.hash(password, { memoryCost: 8, timeCost: 1 }) };
});
