import { readFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { runCommand } from "@/app/_admin-commands";
import { appendEntries } from "@/lib/honesty/append-entries";
import { readHead } from "@/lib/honesty/read-log";
import { run } from "@/lib/honesty/verifier/run";
import { emptyDatabase } from "@/lib/tools/test/database";
import { aClient, aUser, rowsOf } from "@/lib/tools/test/factories";
import { captureAdmin } from "@/lib/tools/test/program";
import { temporaryFolder } from "@/lib/tools/test/temporary-folder";

beforeEach(emptyDatabase);

/** A store whose log has this many reviews. */
async function shopWithLog(reviews: number) {
  const shop = await aClient();
  await rowsOf(
    `insert into moderation_events (client_id, kind, subject_id, actor_kind, action)
     select $1, 'review', 'r' || n, 'author', 'submitted' from generate_series(1, $2) n`,
    [shop.id, reviews],
  );
  await appendEntries();
  return shop;
}

/** Changes one bit of a hash at level 0. */
const damage = (clientId: string) =>
  rowsOf(
    "update log_tiles set hashes = set_bit(hashes, 77, 1 - get_bit(hashes, 77)) where client_id = $1 and level = 0 and n = 0",
    [clientId],
  );

/** A decision that isn't in the log. */
const decided = (clientId: string, minutesAgo: number) =>
  rowsOf(
    `insert into moderation_events (client_id, kind, subject_id, actor_kind, action, at)
     values ($1, 'review', 'late', 'author', 'submitted', now() - $2 * interval '1 minute')`,
    [clientId, minutesAgo],
  );
/** Nothing was appended to any log for so long. */
const stoppedFor = (minutes: number) =>
  rowsOf("update logs set signed_at = now() - $1 * interval '1 minute'", [minutes]);

describe("the nightly job", () => {
  const verifyAll = async () => {
    const { runJob } = await import("@/inngest/jobs");
    const { runs } = await runJob("verify-logs");
    return runs.map(({ function: name, status }) => [name, status]);
  };

  it("verifies each store's log, and notifies operators of one that doesn't fit", async () => {
    const operator = await aUser("operator");
    const [fine, damaged] = [await shopWithLog(3), await shopWithLog(3)];
    expect(await verifyAll()).toEqual([["verify-logs", "done"]]);
    await damage(damaged.id);
    expect(await verifyAll()).toEqual([["verify-logs", "failed"]]);
    const [{ error }] = await rowsOf("select error::text from job_runs where status = 'failed'");
    expect(error).toContain(`${damaged.id}: Entry 0`);
    expect(error).not.toContain(fine.id);
    expect(
      await rowsOf("select n.kind from notifications n join users u on u.id = n.user_id where u.username = $1", [
        operator.username,
      ]),
    ).toEqual([{ kind: "job_failed" }]);
  });

  it("fails if the logs don't grow any more, though something was decided more than an hour ago", async () => {
    const shop = await shopWithLog(3);
    await decided(shop.id, 70);
    expect(await verifyAll()).toEqual([["verify-logs", "done"]]); // they may be catching up
    await stoppedFor(70);
    expect(await verifyAll()).toEqual([["verify-logs", "failed"]]);
    const [{ error }] = await rowsOf("select error::text from job_runs where status = 'failed'");
    expect(error).toMatch(/all stores: What was decided since 20\S+Z isn't in the logs\./);
    await appendEntries();
    await stoppedFor(70);
    expect(await verifyAll()).toEqual([["verify-logs", "done"]]);
    await decided(shop.id, 50);
    expect(await verifyAll()).toEqual([["verify-logs", "done"]]);
  });
});

describe("the command", () => {
  const admin = (...args: string[]) => captureAdmin(runCommand, ["log", ...args]);

  it("verifies all logs or one, and fails if one doesn't fit", async () => {
    const [fine, damaged] = [await shopWithLog(3), await shopWithLog(3)];
    await damage(damaged.id);
    const all = await admin("verify");
    expect(all.status).toBe(1);
    expect(all.out).toContain(`${fine.id}\nOK\n`);
    expect(all.out).toContain(`${damaged.id}\nDOES NOT FIT: Entry 0`);
    expect((await admin("verify", "--client", fine.id)).status).toBe(0);
    expect((await admin("verify", "--client", "unknown")).status).toBe(1);
  });

  it("fails if the logs don't grow any more", async () => {
    const { id } = await shopWithLog(3);
    await decided(id, 70);
    await stoppedFor(70);
    const overdue = await admin("verify");
    expect([overdue.status, overdue.out]).toEqual([1, expect.stringContaining("OVERDUE: What was decided since")]);
    expect(JSON.parse((await admin("verify", "--json")).out).at(-1)).toEqual({
      client_id: null,
      problem: expect.stringContaining("isn't in the logs"),
    });
    expect((await admin("verify", "--client", id)).status).toBe(0);
  });

  it("exports a log as files that the verifier accepts, again after it has grown", async () => {
    const shop = await shopWithLog(700);
    const folder = temporaryFolder("log");
    const state = path.join(temporaryFolder("state"), "state.json");
    for (const size of [703, 704]) {
      const { status, out } = await admin("export", folder, "--client", shop.id);
      // Bundles and tiles of level 0, one of level 1, the key and the checkpoint.
      expect([status, out.trim()]).toEqual([0, `${size} entries in 9 files in ${folder}`]);
      expect(await readFile(path.join(folder, "checkpoint"), "utf8")).toBe((await readHead(shop.id))?.checkpoint);
      expect(await run([folder], state)).toMatchObject({ code: 0, text: expect.stringContaining(`size     ${size}`) });
      await rowsOf(
        "insert into moderation_events (client_id, kind, subject_id, actor_kind, action) values ($1, 'review', 'new', 'author', 'submitted')",
        [shop.id],
      );
      await appendEntries();
    }
  });
});
