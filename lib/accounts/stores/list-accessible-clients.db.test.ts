import { expect, it } from "vitest";
import { findAccessibleClients } from "@/lib/accounts/stores/list-accessible-clients";
import { aClient, uniqueName } from "@/lib/tools/test/factories";

it("finds a person's stores by a part of their id or name, the one with this id first", async () => {
  const word = uniqueName("nook");
  const first = await aClient({ display_name: `A ${word}` });
  const second = await aClient({ display_name: `b 100% ${word.toUpperCase()}` });
  const foreign = await aClient({ display_name: `c ${word}` });
  const actor = { clients: new Set([first.id, second.id]) };
  const found = async (q: string, clients: Set<string> | "all" = actor.clients) =>
    (await findAccessibleClients({ clients }, q)).map(({ id }) => id);
  expect(await found(word)).toEqual([first.id, second.id]);
  expect(await found(word, "all")).toEqual([first.id, second.id, foreign.id]);
  expect((await found(second.id, "all"))[0]).toBe(second.id);
  expect(await found(second.id.slice(1, -1))).toContain(second.id);
  // Wildcards of the database are text.
  expect(await found("100% ")).toEqual([second.id]);
  expect(await found("_")).toEqual([first.id, second.id].filter((id) => id.includes("_")));
  expect(await found("no such store")).toEqual([]);
});
