import { afterEach, expect, it } from "vitest";
import { closeQueue, openQueue } from "@/lib/platform/jobs/queue";

afterEach(() => closeQueue());

it("deletes the queue of an earlier release", async () => {
  await closeQueue();
  const boss = await openQueue();
  await boss.createQueue("runs-outside");
  await boss.insert("runs-outside", [{ data: { runId: "run_1" } }]);
  await closeQueue();
  const queues = await (await openQueue({ keeper: true })).getQueues();
  expect(queues.map(({ name }) => name)).not.toContain("runs-outside");
  expect(queues.map(({ name }) => name)).toContain("runs");
});
