import { beforeEach, expect, it } from "vitest";
import { emptyDatabase } from "@/lib/tools/test/database";
import { aClient, hashDatabase, rowsOf, uniqueName } from "@/lib/tools/test/factories";
import { makeCustomer } from "@/lib/tools/test/invitation-rows";
import {
  NEW_SECRET,
  OLD_SECRET,
  reloadWithEnvironment,
  secretSettings,
  startAdminJson,
  startSecretsCommand,
} from "@/lib/tools/test/restart-with-secrets";

// The secret of keyed hashes: the first start records it; later starts and admin commands require it.

beforeEach(emptyDatabase);

const oneLine = /^Settings: this database identifies people by hashes [^\n]*CANDOR_OLD_SECRETS[^\n]*\n$/;
const recordedIds = async () => (await rowsOf("select key_id from lasting_secret")).map(({ key_id }) => key_id);

/** Creates a customer whose hash was made with the secret of that id. */
async function aCustomer(keyId: string, { personHashWith }: Awaited<ReturnType<typeof reloadWithEnvironment>>) {
  const { id: client } = await aClient();
  const id = uniqueName("customer");
  await makeCustomer(client, { id });
  await rowsOf("update customers set id_hash = $3 where client_id = $1 and id = $2", [
    client,
    id,
    personHashWith(keyId, client, "customer", id),
  ]);
}

it("is recorded at the first start and required at every later one", { timeout: 90_000 }, async () => {
  await (await reloadWithEnvironment(secretSettings(OLD_SECRET))).checkLastingSecret();
  const later = await reloadWithEnvironment(secretSettings(NEW_SECRET, OLD_SECRET));
  await expect(later.checkLastingSecret()).resolves.toBeUndefined();
  const withoutOldSecret = await reloadWithEnvironment(secretSettings(NEW_SECRET));
  const { lasting } = later.keyIds();
  await expect(withoutOldSecret.checkLastingSecret()).rejects.toThrow(
    `this database identifies people by hashes made with the secret ${lasting}, but the last secret that is set is`,
  );
  const refused = { status: 1, report: null, err: expect.stringMatching(oneLine) };
  expect(await startSecretsCommand(secretSettings(NEW_SECRET), "rotate").output).toMatchObject(refused);
  const before = await hashDatabase();
  expect(
    await startAdminJson(secretSettings(NEW_SECRET), "account", "create", "--name", "Lanterna").output,
  ).toMatchObject(refused);
  expect(await hashDatabase()).toBe(before);
  expect(
    (await startAdminJson(secretSettings(NEW_SECRET, OLD_SECRET), "account", "create", "--name", "Lanterna").output)
      .status,
  ).toBe(0);
  expect((await startSecretsCommand(secretSettings(NEW_SECRET), "adopt").output).status).toBe(2);
  expect((await startSecretsCommand(secretSettings(NEW_SECRET), "adopt", "--accept-loss").output).report).toEqual({
    lasting: withoutOldSecret.keyIds().current,
    before: lasting,
  });
  await expect(withoutOldSecret.checkLastingSecret()).resolves.toBeUndefined();
});

it("is not replaced if it's set in the wrong position", { timeout: 60_000 }, async () => {
  await (await reloadWithEnvironment(secretSettings(OLD_SECRET))).checkLastingSecret();
  const other = "a third secret, older it seems, of 32 bytes";
  const { keyIdOf } = await reloadWithEnvironment(secretSettings(NEW_SECRET, OLD_SECRET, other));
  const rotation = await startSecretsCommand(secretSettings(NEW_SECRET, OLD_SECRET, other), "adopt", "--accept-loss")
    .output;
  expect(rotation).toMatchObject({ status: 1, report: null, err: expect.stringMatching(oneLine) });
  expect(rotation.err).toContain(`the secret ${keyIdOf(OLD_SECRET)}, which is set but not as the last one`);
  expect(await recordedIds()).toEqual([keyIdOf(OLD_SECRET)]);
});

it("is derived from customers of a database created by an earlier version", async () => {
  const upgraded = await reloadWithEnvironment(secretSettings(NEW_SECRET));
  const makerId = upgraded.keyIdOf(OLD_SECRET);
  await aCustomer(makerId, await reloadWithEnvironment(secretSettings(NEW_SECRET, OLD_SECRET)));
  await aCustomer(upgraded.keyIdOf(NEW_SECRET), await reloadWithEnvironment(secretSettings(NEW_SECRET, OLD_SECRET)));
  const before = await hashDatabase();

  // Start with a changed secret, with the previous one in the wrong position or missing.
  const other = "a third secret, older it seems, of 32 bytes";
  const misplaced = await reloadWithEnvironment(secretSettings("b".repeat(32), OLD_SECRET, other));
  for (const check of [misplaced.checkLastingSecret, misplaced.adoptLastingSecret])
    await expect(check()).rejects.toThrow(`the secret ${makerId}, which is set but not as the last one`);
  const withOtherSecret = await reloadWithEnvironment(secretSettings("b".repeat(32)));
  for (const note of [true, false])
    await expect(withOtherSecret.checkLastingSecret({ note })).rejects.toThrow("made with a secret that is not set");
  expect(await hashDatabase()).toBe(before);

  // Some customers were created while only the new secret was set: the oldest secret is still recognized.
  await (await reloadWithEnvironment(secretSettings(NEW_SECRET, OLD_SECRET))).checkLastingSecret();
  expect(await recordedIds()).toEqual([makerId]);
});

it("can be corrected if the wrong one was recorded", async () => {
  const right = await reloadWithEnvironment(secretSettings(NEW_SECRET, OLD_SECRET));
  const ids = { right: right.keyIdOf(OLD_SECRET), wrong: right.keyIdOf(NEW_SECRET) };
  await aCustomer(ids.right, right);
  await rowsOf("insert into lasting_secret (key_id) values ($1)", [ids.wrong]);
  await expect(right.checkLastingSecret()).rejects.toThrow(`the secret ${ids.wrong}`);
  expect(await right.adoptLastingSecret()).toEqual({ lasting: ids.right, before: ids.wrong });
  await expect(right.checkLastingSecret()).resolves.toBeUndefined();
});
