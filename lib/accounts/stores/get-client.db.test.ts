import { expect, it } from "vitest";
import { getClient } from "@/lib/accounts/stores/get-client";
import { pool } from "@/lib/platform/db/pool";
import { createClient } from "@/lib/settings/create-client";
import { aClient } from "@/lib/tools/test/factories";

it("finds clients, also one with the longest possible id", async () => {
  const { id } = await aClient();
  expect(await getClient(id)).toMatchObject({ id });
  const longest = "x".repeat(100);
  await createClient({ id: longest });
  expect(await getClient(longest)).toMatchObject({ id: longest });
});

it("neither looks up nor caches what can't be an id", async () => {
  const query = pool().query;
  try {
    Object.assign(pool(), { query: () => Promise.reject(new Error("asked")) });
    expect(await getClient("x".repeat(101))).toBeNull();
    expect(await getClient("y".repeat(1_000_000))).toBeNull();
    expect(await getClient("a\0b")).toBeNull();
    await expect(getClient("nobody")).rejects.toThrow("asked");
  } finally {
    Object.assign(pool(), { query });
  }
});
