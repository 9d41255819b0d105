import { expect, it } from "vitest";
import { EngagementDouble } from "@/lib/tools/fakes/engagement";

it("tells a mistyped switch, and goes on", async () => {
  const double = new EngagementDouble();
  const address = await double.listen();
  try {
    const answer = await fetch(`${address}/_double/modes`, { method: "PUT", body: "{rate:1}" });
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining("SyntaxError")]);
    expect((await fetch(`${address}/_double/state`)).status).toBe(200);
  } finally {
    await double.close();
  }
});
