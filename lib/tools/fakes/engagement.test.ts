import { expect, it } from "vitest";
import { EngagementFake } from "@/lib/tools/fakes/engagement";

it("returns 400 for a mistyped switch and keeps running", async () => {
  const fake = new EngagementFake();
  const address = await fake.listen();
  try {
    const answer = await fetch(`${address}/_fake/modes`, { method: "PUT", body: "{rate:1}" });
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining("SyntaxError")]);
    expect((await fetch(`${address}/_fake/state`)).status).toBe(200);
  } finally {
    await fake.close();
  }
});
