import { Command } from "commander";
import { EngagementFake, engagementKey } from "@/lib/tools/fakes/engagement";
import { parseInteger } from "@/lib/tools/fakes/parse-integer";

const someContacts = ["ada", "bo", "cleo"].map((name, index) => ({
  email: `${name}@example.org`,
  customKey: String(1_001 + index),
}));

/** `fake engagement`: a tenant of the engagement platform. */
export const engagementCommand = new Command("engagement")
  .description("a tenant of Voyado Engage, with contacts, interaction schemas and interactions")
  .option("--port <n>", "where it listens", parseInteger, 8702)
  .option("--rate <n>", "calls a second before it answers 429", parseInteger, 200)
  .option("--no-interactions", "Interactions is not switched on")
  .option("--no-attributes", "nobody has made the contact attributes")
  .option("--ok", "answers 200 to what is made, not 201")
  .action(async (given: { port: number; rate: number; interactions: boolean; attributes: boolean; ok?: boolean }) => {
    const fake = new EngagementFake({
      rate: given.rate,
      interactions: given.interactions,
      createdStatus: given.ok ? 200 : 201,
      ...(!given.attributes && { attributes: [] }),
    });
    for (const contact of someContacts) fake.addContact(contact);
    const origin = await fake.listen(given.port);
    process.stdout.write(`A tenant of Voyado Engage.

  base_url    ${origin}
  api_key     ${engagementKey}
  contacts    ${someContacts.map(({ email, customKey }) => `${email} (${customKey})`).join(", ")}

  switches    curl ${origin}/_fake/state
              curl -X POST ${origin}/_fake/contacts -d '{"email":"you@example.org"}'
              curl -X PUT ${origin}/_fake/modes -d '{"interactions":false}'
              curl -X POST ${origin}/_fake/trouble -d '[{"status":429},"cut after","never answer",{"slow":40000}]'

Candor calls an address on this machine only with ALLOW_PRIVATE_URLS=true.
`);
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void fake.close());
  });
