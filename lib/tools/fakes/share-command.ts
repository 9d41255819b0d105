import { Command } from "commander";
import { ShareDouble } from "@/lib/tools/fakes/share";
import { addMany, sampleTenant } from "@/lib/tools/fakes/share-tenant";
import { whole } from "@/lib/tools/fakes/whole";

/** `double share`: the data share of a tenant of the engagement platform. */
export const shareCommand = new Command("share")
  .description("a Delta Sharing server with the tables of a tenant of Voyado Engage")
  .option("--port <n>", "where it listens; its files are one further", whole, 8703)
  .option("--receipts <n>", "so many receipts more", whole, 0)
  .option("--rate <n>", "calls a second before it answers 429", whole, 10)
  .option("--url-life <seconds>", "how long the address of a file lives", whole, 3_600)
  .option("--history", "shares changes and earlier versions, too")
  .option("--deletion-vectors", "its tables can only be read in Delta's own format")
  .action(
    async (given: {
      port: number;
      receipts: number;
      rate: number;
      urlLife: number;
      history?: boolean;
      deletionVectors?: boolean;
    }) => {
      const tables = sampleTenant({
        history: given.history,
        needsDelta: given.deletionVectors,
      });
      addMany(tables, given.receipts);
      const double = new ShareDouble(Object.values(tables), {
        rate: given.rate,
        urlLife: given.urlLife,
      });
      const profile = await double.listen(given.port);
      process.stdout.write(`A Delta Sharing server with ${Object.keys(tables).join(", ")}.

  profile     ${JSON.stringify(profile)}
  connect     echo '${JSON.stringify({ profile })}' | npm run -s admin -- integration set share --client shop.example --secrets-stdin

  switches    curl ${double.origin}/_double/state
              curl -X POST ${double.origin}/_double/rows/storelatest -d '{"storeId":"s-new","externalId":"NEW","name":"New"}'
              curl -X PUT ${double.origin}/_double/modes -d '{"urlLife":1,"staleBy":2}'
              curl -X POST ${double.origin}/_double/trouble -d '[{"status":429},"cut","never answer"]'
              curl -X POST ${double.origin}/_double/file-trouble -d '["expired","cut in the middle"]'

Candor calls an address on this machine only with ALLOW_PRIVATE_URLS=true.
`);
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void double.close());
    },
  );
