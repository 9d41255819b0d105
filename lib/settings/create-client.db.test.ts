import { expect, it } from "vitest";
import { createAccount } from "@/lib/accounts/create-account";
import { getClient } from "@/lib/accounts/stores/get-client";
import { createClient } from "@/lib/settings/create-client";
import { hashDatabase, uniqueName } from "@/lib/tools/test/factories";

it("creates a client with the defaults and the given settings, in a new account or the given one", async () => {
  const id = uniqueName("shop");
  await createClient({ id, settings: { send_limit: 5, config: { time_zone: "Asia/Tokyo" } } });
  expect(await getClient(id)).toMatchObject({
    account_name: id,
    display_name: id,
    email_name: id,
    send_limit: 5,
    send_emails_after_days: 7,
    quarantine_period: null,
    config: { time_zone: "Asia/Tokyo" },
  });
  const account = await createAccount("Lanterna Ltd");
  const other = uniqueName("shop");
  await createClient({ id: other, accountId: account.id });
  expect(await getClient(other)).toMatchObject({ account_id: account.id, account_name: "Lanterna Ltd" });
});

it("leaves nothing behind if it's rejected", async () => {
  const existing = uniqueName("shop");
  await createClient({ id: existing });
  const before = await hashDatabase();
  const id = uniqueName("shop");
  for (const [input, code] of [
    [{ id: existing }, "conflict"],
    [{ id: "a b" }, "invalid_field"],
    [{ id: "x".repeat(101) }, "invalid_field"],
    [{ id, accountId: "none" }, "not_found"],
    [{ id, settings: { colour: "red" } }, "invalid_field"],
    [{ id, settings: { send_limit: -1 } }, "invalid_field"],
    // each is valid by itself
    [{ id, settings: { send_emails_after_days: 9, send_emails_before_days: 8 } }, "invalid_field"],
    [{ id, settings: { must_agree_to_terms: true } }, "invalid_field"],
  ] as const)
    await expect(createClient(input)).rejects.toMatchObject({ code });
  expect(await hashDatabase()).toBe(before);
});
