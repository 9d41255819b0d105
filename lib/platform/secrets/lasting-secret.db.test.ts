import { beforeEach, expect, it } from "vitest";
import { emptyDatabase } from "@/lib/tools/test/database";
import { aClient, fingerprint, fresh, rowsOf } from "@/lib/tools/test/factories";
import { makeCustomer } from "@/lib/tools/test/invitation-rows";
import { AFTER, BEFORE, commanded, rotating, set, startedWith } from "@/lib/tools/test/started-with";

// Which secret keyed hashes are made with: what the first start notes, and what every later one, the operator's command and
// whoever gives a secret up are held to.

beforeEach(emptyDatabase);

const oneLine = /^Settings: this database identifies people by hashes [^\n]*CANDOR_OLD_SECRETS[^\n]*\n$/;
const noted = async () => (await rowsOf("select key_id from lasting_secret")).map(({ key_id }) => key_id);

/** A customer whose hash was made with the secret of that id. */
async function aCustomer(keyId: string, { personHashBy }: Awaited<ReturnType<typeof startedWith>>) {
  const { id: client } = await aClient();
  const id = fresh("customer");
  await makeCustomer(client, { id });
  await rowsOf("update customers set id_hash = $3 where client_id = $1 and id = $2", [
    client,
    id,
    personHashBy(keyId, client, "customer", id),
  ]);
}

it("is noted at the first start and must be there at every later one", { timeout: 90_000 }, async () => {
  await (await startedWith(set(BEFORE))).checkLastingSecret();
  const later = await startedWith(set(AFTER, BEFORE));
  await expect(later.checkLastingSecret()).resolves.toBeUndefined();
  const forgetful = await startedWith(set(AFTER));
  const { lasting } = later.keyIds();
  await expect(forgetful.checkLastingSecret()).rejects.toThrow(
    `this database identifies people by hashes made with the secret ${lasting}, but the last secret that is set is`,
  );
  const refused = { status: 1, report: null, err: expect.stringMatching(oneLine) };
  expect(await rotating(set(AFTER), "rotate").told).toMatchObject(refused);
  const before = await fingerprint();
  expect(await commanded(set(AFTER), "account", "create", "--name", "Lanterna").told).toMatchObject(refused);
  expect(await fingerprint()).toBe(before);
  expect((await commanded(set(AFTER, BEFORE), "account", "create", "--name", "Lanterna").told).status).toBe(0);
  expect((await rotating(set(AFTER), "adopt").told).status).toBe(2);
  expect((await rotating(set(AFTER), "adopt", "--accept-loss").told).report).toEqual({
    lasting: forgetful.keyIds().current,
    before: lasting,
  });
  await expect(forgetful.checkLastingSecret()).resolves.toBeUndefined();
});

it("is not given up where it only stands at the wrong place", { timeout: 60_000 }, async () => {
  await (await startedWith(set(BEFORE))).checkLastingSecret();
  const other = "a third secret, older it seems, of 32 bytes";
  const { keyIdOf } = await startedWith(set(AFTER, BEFORE, other));
  const told = await rotating(set(AFTER, BEFORE, other), "adopt", "--accept-loss").told;
  expect(told).toMatchObject({ status: 1, report: null, err: expect.stringMatching(oneLine) });
  expect(told.err).toContain(`the secret ${keyIdOf(BEFORE)}, which is set but not as the last one`);
  expect(await noted()).toEqual([keyIdOf(BEFORE)]);
});

it("is told by the customers of a database that an earlier version made", async () => {
  const upgraded = await startedWith(set(AFTER));
  const made = upgraded.keyIdOf(BEFORE);
  await aCustomer(made, await startedWith(set(AFTER, BEFORE)));
  await aCustomer(upgraded.keyIdOf(AFTER), await startedWith(set(AFTER, BEFORE)));
  const before = await fingerprint();

  // Started with the secret changed and the one before at the wrong place, or forgotten.
  const other = "a third secret, older it seems, of 32 bytes";
  const misplaced = await startedWith(set("b".repeat(32), BEFORE, other));
  for (const check of [misplaced.checkLastingSecret, misplaced.adoptLastingSecret])
    await expect(check()).rejects.toThrow(`the secret ${made}, which is set but not as the last one`);
  const forgetful = await startedWith(set("b".repeat(32)));
  for (const note of [true, false])
    await expect(forgetful.checkLastingSecret({ note })).rejects.toThrow("made with a secret that is not set");
  expect(await fingerprint()).toBe(before);

  // Some came in while only the new one was set: what the oldest made is known by it.
  await (await startedWith(set(AFTER, BEFORE))).checkLastingSecret();
  expect(await noted()).toEqual([made]);
});

it("can be set right where a wrong one was noted", async () => {
  const right = await startedWith(set(AFTER, BEFORE));
  const ids = { right: right.keyIdOf(BEFORE), wrong: right.keyIdOf(AFTER) };
  await aCustomer(ids.right, right);
  await rowsOf("insert into lasting_secret (key_id) values ($1)", [ids.wrong]);
  await expect(right.checkLastingSecret()).rejects.toThrow(`the secret ${ids.wrong}`);
  expect(await right.adoptLastingSecret()).toEqual({ lasting: ids.right, before: ids.wrong });
  await expect(right.checkLastingSecret()).resolves.toBeUndefined();
});
