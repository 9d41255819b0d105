import { Command } from "commander";
import { DeltaShareFake } from "@/lib/tools/fakes/delta-share";
import { addReceipts, sampleTenant } from "@/lib/tools/fakes/delta-share-tenant";
import { parseInteger } from "@/lib/tools/fakes/parse-integer";

/** `fake share`: the Delta Share of an engagement platform tenant. */
export const deltaShareCommand = new Command("share")
  .description("a Delta Sharing server with the tables of a tenant of Voyado Engage")
  .option("--port <n>", "where it listens; its files are one further", parseInteger, 8703)
  .option("--receipts <n>", "so many receipts more", parseInteger, 0)
  .option("--rate <n>", "calls a second before it answers 429", parseInteger, 10)
  .option("--url-life <seconds>", "how long the address of a file lives", parseInteger, 3_600)
  .option("--history", "shares changes and earlier versions, too")
  .option("--deletion-vectors", "its tables can only be read in Delta's own format")
  .action(
    async (options: {
      port: number;
      receipts: number;
      rate: number;
      urlLife: number;
      history?: boolean;
      deletionVectors?: boolean;
    }) => {
      const tables = sampleTenant({
        history: options.history,
        requiresDeltaFormat: options.deletionVectors,
      });
      addReceipts(tables, options.receipts);
      const fake = new DeltaShareFake(Object.values(tables), {
        rate: options.rate,
        urlTtl: options.urlLife,
      });
      const profile = await fake.listen(options.port);
      process.stdout.write(`A Delta Sharing server with ${Object.keys(tables).join(", ")}.

  profile     ${JSON.stringify(profile)}
  connect     echo '${JSON.stringify({ profile })}' | npm run -s admin -- integration set share --client shop.example --secrets-stdin

  switches    curl ${fake.origin}/_fake/state
              curl -X POST ${fake.origin}/_fake/rows/storelatest -d '{"storeId":"s-new","externalId":"NEW","name":"New"}'
              curl -X PUT ${fake.origin}/_fake/modes -d '{"urlTtl":1,"versionLag":2}'
              curl -X POST ${fake.origin}/_fake/trouble -d '[{"status":429},"cut","never answer"]'
              curl -X POST ${fake.origin}/_fake/file-trouble -d '["expired","cut in the middle"]'

Candor calls an address on this machine only with ALLOW_PRIVATE_URLS=true.
`);
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void fake.close());
    },
  );
