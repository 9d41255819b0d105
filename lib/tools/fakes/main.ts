import { Command } from "commander";
import { CommerceFake, type CommerceModes, commerceKeys, commerceUser } from "@/lib/tools/fakes/commerce";
import { manyOrders, sampleShop } from "@/lib/tools/fakes/commerce-shop";
import { deltaShareCommand } from "@/lib/tools/fakes/delta-share-command";
import { engagementCommand } from "@/lib/tools/fakes/engagement-command";
import { parseInteger } from "@/lib/tools/fakes/parse-integer";

// npm run fake -- <partner>: a partner's system on this machine, to connect a client to for manual tests.

const parseIds = (given: string): number[] => given.split(",").map(parseInteger);

const program = new Command("fake").description("Start a partner's system on this machine.");

program
  .command("commerce")
  .description("a shop on Magento 2, with orders of every kind")
  .option("--port <n>", "where it listens", parseInteger, 8701)
  .option("--orders <n>", "so many orders more", parseInteger, 0)
  .option("--clamp", "repeats its last page for ever, as up to 2.3")
  .option("--input-limit", "refuses pages of more than 300")
  .option("--no-bearer", "refuses integration tokens as bearer tokens, as delivered since 2.4.4")
  .option("--two-factor <state>", "off, google or unset", "off")
  .option("--token <kind>", "opaque or jwt", "jwt")
  .option("--token-life <seconds>", "how long a user's token lives", parseInteger, 3_600)
  .option("--broken-signatures", "checks signatures wrongly over dates")
  .option("--developer", "tells stack traces")
  .option("--broken-orders <ids>", "fails on pages with these orders", parseIds, [])
  .option("--rate <n>", "requests a second before it answers 429", parseInteger, 20)
  .action(async (given) => {
    const modes: Partial<CommerceModes> = {
      pagingClamp: Boolean(given.clamp),
      inputLimit: Boolean(given.inputLimit),
      bearerIntegration: given.bearer,
      twoFactor: given.twoFactor,
      token: given.token,
      tokenTtl: given.tokenLife,
      brokenSignatures: Boolean(given.brokenSignatures),
      developer: Boolean(given.developer),
      brokenOrderIds: given.brokenOrders,
      rate: given.rate,
    };
    const shop = sampleShop();
    shop.orders.push(...manyOrders(given.orders));
    const fake = new CommerceFake(shop, modes);
    const address = await fake.listen(given.port);
    const { origin } = new URL(address);
    const token = commerceKeys.access_token;
    process.stdout.write(`A shop on Magento 2 with ${shop.orders.length} orders.

  orders_url  ${address}
  password    ${commerceUser.username} / ${commerceUser.password}
  bearer      ${token}
  oauth1      ${JSON.stringify(commerceKeys)}

  switches    curl ${origin}/_fake/state
              curl -X PUT ${origin}/_fake/modes -d '{"twoFactor":"google"}'
              curl -X POST ${origin}/_fake/trouble -d '[{"status":503,"html":true},"cut","never answer"]'

Candor calls an address on this machine only with ALLOW_PRIVATE_URLS=true.
`);
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void fake.close());
  });

program.addCommand(engagementCommand);
program.addCommand(deltaShareCommand);

await program.parseAsync();
