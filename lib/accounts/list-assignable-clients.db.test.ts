import { expect, it } from "vitest";
import { type Actor, actorAtClient, scopesOf } from "@/lib/accounts/actor";
import { listAssignableClients } from "@/lib/accounts/list-assignable-clients";
import { type ClientRow, getClient } from "@/lib/accounts/stores/get-client";
import { createClient } from "@/lib/settings/create-client";
import { aClient, uniqueName } from "@/lib/tools/test/factories";

it("lists the account's clients that the person administers, the current one first", async () => {
  const { id: clientId, accountId } = await aClient({ display_name: "Middle" });
  const [own, read] = [uniqueName("own"), uniqueName("read")];
  for (const id of [own, read, uniqueName("never-theirs")])
    await createClient({ id, accountId, settings: { display_name: id === own ? "Alpha" : id } });
  const elsewhere = await aClient({ display_name: "Another account's" });
  const client = (await getClient(clientId)) as ClientRow;
  const given = async (actor: Partial<Actor>) => {
    const whole: Actor = {
      kind: "user",
      id: "u",
      name: "u",
      role: "admin",
      scopes: scopesOf("admin"),
      clients: new Set(),
      accountId: null,
      ...actor,
    };
    return (await listAssignableClients(actorAtClient(whole, clientId), client)).map(
      ({ display_name }) => display_name,
    );
  };
  const some = new Set([clientId, own, read, elsewhere.id]);
  expect(await given({ clients: some, roles: new Map([[read, "moderator"]]) })).toEqual(["Middle", "Alpha"]);
  // Usually a moderator, but an admin of the current client.
  expect(await given({ role: "moderator", clients: some, roles: new Map([[clientId, "admin"]]) })).toEqual(["Middle"]);
  expect(await given({ role: "operator", clients: "all" })).toEqual([
    "Middle",
    "Alpha",
    expect.stringMatching(/^never-theirs/),
    read,
  ]);
});
