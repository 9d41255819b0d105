import { readFile, writeFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { text as readAll } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { assignableRoles } from "@/lib/accounts/values";
import type { StoreImportReport } from "@/lib/backup/store/import-store";
import { pool } from "@/lib/platform/db/pool";
import { env, SettingsError } from "@/lib/platform/env";
import { AppError } from "@/lib/platform/errors";
import type { AssignableRole } from "@/lib/platform/http/contract";
import { exportKinds, reviewFormats } from "@/lib/transfer/schema";

// The admin command: `npm run -s admin -- <command>`. It works with or without a running server. With --json, standard
// output is one JSON value. An error is one line on standard error with exit status 1; wrong usage exits with 2.

const program = new Command("admin")
  .description("Manage a Candor installation.")
  .option("--json", "print one JSON value")
  .configureOutput({
    outputError: (text, write) => write(`${text.trim().split(/\s+/).join(" ")} (use --help for usage)\n`),
  })
  .exitOverride();

/** Commands that check the secret themselves, and one that doesn't use the database. */
const commandsWithoutSecretCheck = ["secrets rotate", "secrets adopt", "google-feed check", "admin restore"];

// Same check as at server start: with a different secret, imported orders would no longer match suppressed addresses.
program.hook("preAction", async (_, action) => {
  if (action.commands.length > 0) return;
  const { unfinishedRestore } = await import("@/lib/backup/unfinished-restore");
  const unfinished = unfinishedRestore(env().DATA_DIR);
  if (unfinished && action.name() !== "restore") throw new SettingsError(unfinished);
  if (commandsWithoutSecretCheck.includes(`${action.parent?.name()} ${action.name()}`)) return;
  const { checkLastingSecret } = await import("@/lib/platform/secrets/lasting-secret");
  await checkLastingSecret({ note: false });
});

type Printable = object | string | number | null;

/** Prints a result as JSON or as plain text. */
function print(value: Printable, plainText?: string): void {
  const line = program.opts().json ? JSON.stringify(value) : (plainText ?? JSON.stringify(value, null, 2));
  pendingOutput = new Promise((resolve) => process.stdout.write(`${line}\n`, () => resolve()));
}
/** Removes control characters from customer text so that it can't affect the terminal. Keeps line breaks and tabs. */
const stripControlCharacters = (text: string): string => text.replace(/(?![\n\t])\p{Cc}/gu, " ");
/** Writing to a pipe is asynchronous; the process must not exit before the output is flushed. */
let pendingOutput: Promise<void> = Promise.resolve();

const collectValues = (value: string, before: string[] = []): string[] => [...before, value];
const parseTime = (value: string): Date => {
  const date = new Date(/^\d{4}-\d\d-\d\d$/.test(value) ? `${value}T12:00:00Z` : value);
  if (Number.isNaN(date.getTime()))
    throw new AppError("invalid_parameter", { reason: "no_date_or_time", params: { value } });
  return date;
};

const parseDay = (value: string): string => {
  if (/^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))) return value;
  throw new InvalidArgumentError("It must be a date such as 2026-03-08.");
};

const integerUpTo = (max: number) => (value: string) => {
  if (/^\d{1,9}$/.test(value) && Number(value) >= 1 && Number(value) <= max) return Number(value);
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${max}.`);
};

/** Adds a subcommand that also accepts --json itself. */
const command = (parent: Command, usage: string, description: string): Command =>
  parent
    .command(usage)
    .description(description)
    .option("--json", "print one JSON value")
    .hook("preAction", (_, action) => {
      if (action.opts().json) program.setOptionValue("json", true);
    });

const account = program.command("account").description("accounts: merchants with one or more clients");
command(account, "create", "create an account")
  .requiredOption("--name <name>")
  .action(async ({ name }) => {
    const { createAccount } = await import("@/lib/accounts/create-account");
    const made = await createAccount(name);
    print(made, `account ${made.id} (${made.name})`);
  });

const client = program.command("client").description("clients: stores and sites");
const showClient = async (id: string) => {
  const { getClient } = await import("@/lib/accounts/stores/get-client");
  const { toClient } = await import("@/lib/accounts/stores/list-clients");
  const row = await getClient(id);
  if (!row) throw new AppError("not_found", { reason: "client_not_found", params: { id } });
  print({ ...toClient(row), public_key: row.public_key });
};
command(client, "create", "create a client; without --account, also creates an account for it")
  .requiredOption("--id <id>")
  .option("--account <account>")
  .option("--set <field=value...>", "settings; null clears a value, @file reads JSON from a file", [])
  .option("--test", "a test store, with a clock of its own; its emails stay in the mailbox")
  .action(async ({ id, account: accountId, set, test }) => {
    const { createClient } = await import("@/lib/settings/create-client");
    await createClient({ id, accountId, settings: await readSettings(set), test });
    await showClient(id);
  });
command(client, "set <id> <field=value...>", "change settings").action(async (id: string, pairs: string[]) => {
  const { setClient } = await import("@/lib/settings/set-client");
  await setClient(id, await readSettings(pairs));
  await showClient(id);
});
command(client, "fill <id>", "fill a test store with a store's orders of the last 30 days, with all people made up")
  .requiredOption("--from <client>", "store whose orders are copied")
  .action(async (id: string, { from }) => {
    const { getClient } = await import("@/lib/accounts/stores/get-client");
    const { systemActor } = await import("@/lib/accounts/actor");
    const { fillStore } = await import("@/lib/test-clock/fill-store");
    for (const named of [id, from]) await assertClientExists(named);
    print(await fillStore(systemActor, (await getClient(id))!, { id: from }));
  });
command(client, "show <id>", "show all settings and the public key").action(showClient);
command(
  client,
  "export <id> <file>",
  "write everything of a client, with photos, to a file; the server can keep running",
).action(async (id: string, file: string) => {
  const { exportStore } = await import("@/lib/backup/store/export-store");
  const report = await exportStore(id, file, { onProgress: showBackupProgress });
  process.stderr.write("\n");
  const { bytes, rows, files, missing, deleted } = report;
  const lines = [`${file}: ${rows} rows, ${files} files, ${bytes} bytes`, ...fileNotes(missing, deleted)];
  print(report, lines.join("\n"));
});
command(
  client,
  "import <file>",
  "create a client from an exported file; without --account, also creates an account for it",
)
  .option("--account <account>")
  .option("--keep-send-limit", "continue to send invitations (default: send_limit=0, which pauses them)")
  .option(
    "--accept-loss",
    "import although some unsubscribed, recently emailed or deleted people can't be recognized with another secret",
  )
  .option("--dry-run", "check the file and show what would happen without changing anything")
  .action(async (file: string, { account: accountId, keepSendLimit, acceptLoss, dryRun }) => {
    const { importStore } = await import("@/lib/backup/store/import-store");
    const options = { account: accountId, keepSendLimit, acceptLoss, dryRun, onProgress: showBackupProgress };
    const report = await importStore(file, options);
    process.stderr.write("\n");
    print(report, importLines(report).join("\n"));
    if (report.differences.length > 0) process.exitCode = 1;
  });

function importLines(report: StoreImportReport): string[] {
  const { client: id, account: accountId, created_at, rows, files, missing, lost } = report;
  const lostCounts = Object.entries(lost ?? {}).filter(([, count]) => count > 0);
  return [
    `${report.dry_run ? "Would import" : "Imported"} client ${id}, exported ${created_at}, into account ${accountId}: ${rows} rows, ${files} files.`,
    ...fileNotes(missing),
    ...(report.unsent > 0 ? [`Invitations that weren't sent yet, and won't be: ${report.unsent}.`] : []),
    ...(lostCounts.length > 0
      ? [`No longer recognized: ${lostCounts.map(([name, count]) => `${count} ${name}`).join(", ")}.`]
      : []),
    ...(report.paused
      ? [`Invitations are paused. To continue them: client set ${id} send_limit=${report.send_limit}`]
      : []),
    ...(report.differences.length > 0
      ? [`${report.differences.length} counts are wrong. List them with: summaries verify --client ${id}`]
      : []),
  ];
}

const key = program.command("key").description("secret API keys");
command(key, "create", "create a key; its secret is only printed once")
  .requiredOption("--client <id>", "client that the key has access to; can be repeated", collectValues)
  .option("--name <name>")
  .addOption(
    new Option("--scope <scope>", "what the key is allowed to do; can be repeated (default: all)").argParser(
      collectValues,
    ),
  )
  .action(async ({ client: clients, name, scope }) => {
    const { createKey } = await import("@/lib/accounts/api-keys");
    const scopes = scope as ("read" | "write" | "privacy")[] | undefined;
    const wrong = scopes?.find((value) => !["read", "write", "privacy"].includes(value));
    if (wrong) program.error(`error: --scope must be read, write or privacy, not ${wrong}`, { exitCode: 2 });
    const { systemActor } = await import("@/lib/accounts/actor");
    const made = await createKey({ clients, name, scopes, by: systemActor });
    print(made, `key ${made.id}: ${made.secret}`);
  });
command(key, "list", "list all keys, without their secrets").action(async () => {
  const { listKeys } = await import("@/lib/accounts/api-keys");
  const keys = await listKeys();
  const day = (moment: Date) => moment.toISOString().slice(0, 10);
  const lines = keys.map(({ id, prefix, name, scopes, clients, last_used_at, revoked_at }) => {
    const use = last_used_at ? `last used ${day(last_used_at)}` : "never used";
    const state = revoked_at ? `revoked ${day(revoked_at)}` : use;
    return `${id}  ${prefix}…  ${scopes.join(",")}  ${clients.join(",") || "(no client)"}  ${state}  ${name}`;
  });
  print(keys, lines.join("\n") || "no keys");
});
command(key, "revoke <id>", "revoke a key").action(async (id: string) => {
  const { revokeKey } = await import("@/lib/accounts/api-keys");
  const { systemActor } = await import("@/lib/accounts/actor");
  await revokeKey(id, { by: systemActor });
  print({ id, revoked: true }, `key ${id} revoked`);
});

const user = program.command("user").description("portal users");
command(user, "create", "create a user; a generated password is only printed once")
  .requiredOption("--username <name>")
  .addOption(new Option("--role <role>").choices(["operator", "admin", "moderator", "viewer"]).makeOptionMandatory())
  .option("--account <id>", "access to all clients of this account")
  .option("--client <id>", "access to this client only; can be repeated", collectValues)
  .option("--role-at <client=role>", "different role for one of the clients; can be repeated", parseRoleAtClient)
  .option("--password-stdin", "read the password from standard input")
  .action(async ({ username, role, account: accountId, client: clients, roleAt, passwordStdin }) => {
    const { createUser } = await import("@/lib/accounts/create-user");
    const password = passwordStdin ? (await readAll(process.stdin)).replace(/\r?\n$/, "") : undefined;
    const roles = Object.fromEntries(roleAt ?? []);
    const made = await createUser({ username, role, accountId, clients, roles, password });
    print(made, `user ${made.username}, password ${made.password}`);
  });

/** Parses `shop.example=viewer` into a client and a role. Other input is wrong usage. */
function parseRoleAtClient(given: string, before: [string, AssignableRole][] = []): [string, AssignableRole][] {
  const at = given.lastIndexOf("=");
  const role = assignableRoles.find((each) => each === given.slice(at + 1));
  if (at < 1 || !role) throw new InvalidArgumentError("It must be a client and a role, such as shop.example=viewer.");
  return [...before, [given.slice(0, at), role]];
}

const products = program.command("products").description("product catalogs");
command(products, "import <file-or-url>", "import a product feed")
  .requiredOption("--client <id>")
  .option("--format <format>", "xml, csv, tsv or json (default: detected from the content)")
  .option("--confirm-deletions", "import even if more than half of the products would be deleted")
  .action(async (source: string, { client: clientId, format, confirmDeletions }) => {
    const { importProductsFrom } = await import("@/lib/feeds/import-products-from");
    const report = await importProductsFrom(clientId, source, {
      format,
      confirmDeletions,
      onProgress: showProgress,
    });
    process.stderr.write("\n");
    print(report);
  });

const externals = program.command("externals").description("external ratings: review totals from other sites");
command(
  externals,
  "import <file-or-url>",
  "import external ratings: product_id, source, kind, locale, country, count, score_dist, url",
)
  .requiredOption("--client <id>")
  .addOption(new Option("--format <format>", "default: detected from the content").choices(["csv", "tsv", "json"]))
  .option("--complete", "delete external ratings that aren't in the file")
  .action(async (source: string, { client: clientId, format, complete }) => {
    const { importExternalsFrom } = await import("@/lib/feeds/external-ratings/import-externals");
    const report = await importExternalsFrom(clientId, source, { format, complete, onProgress: showProgress });
    process.stderr.write("\n");
    print(report);
  });
const orders = program.command("orders").description("orders");
command(orders, "import <file-or-url>", "import an order feed")
  .requiredOption("--client <id>")
  .addOption(
    new Option("--format <format>", "default: detected from the content").choices(["xml", "csv", "tsv", "json"]),
  )
  .option("--dry-run", "show what would happen without changing anything")
  .action(async (source: string, { client: clientId, format, dryRun }) => {
    const { importOrdersFrom } = await import("@/lib/feeds/import-orders");
    const report = await importOrdersFrom(clientId, source, { format, dryRun, onProgress: showProgress });
    process.stderr.write("\n");
    print(report);
  });

const reviews = program.command("reviews").description("reviews");
command(
  reviews,
  "import <file-or-url>",
  "import reviews, seller reviews or questions from a Candor export, or reviews from another service's CSV",
)
  .requiredOption("--client <id>")
  .addOption(
    new Option("--format <format>", "format of the file (default: detected from the content)").choices(reviewFormats),
  )
  .option("--dry-run", "show what would happen without changing anything")
  .option("--pending", "import reviews without a status as pending (default: accepted)")
  .option("--images <folder>", "folder with the images of a Candor export (default: <file>.images)")
  .option("--fetch-images", "fetch images that another service's file links to")
  .action(async (source: string, { client: clientId, format, dryRun, pending, images, fetchImages }) => {
    const { importReviewsFrom } = await import("@/lib/transfer/import-reviews-from");
    const report = await importReviewsFrom(clientId, source, {
      format,
      dryRun,
      pending,
      imageSources: { ...(images && { folder: images }), fetch: fetchImages },
      onProgress: showProgress,
    });
    process.stderr.write("\n");
    print(report);
  });
command(reviews, "export", "export all reviews, sorted by ID, to standard output or to a file with an images folder")
  .requiredOption("--client <id>")
  .addOption(new Option("--kind <kind>").choices(exportKinds).default("reviews"))
  .addOption(new Option("--format <format>").choices(["jsonl", "csv"]).default("jsonl"))
  .option("--output <file>", "write to this file; images go to <file>.images")
  .action(async ({ client: clientId, kind, format, output }) => {
    const { exportReviews, exportReviewsTo } = await import("@/lib/transfer/export-reviews");
    if (output !== undefined) {
      const onProgress = ({ written }: { written: number }) => process.stderr.write(`\r${written} rows written`);
      const report = await exportReviewsTo(clientId, output, { kind, format, onProgress });
      process.stderr.write("\n");
      print(report);
      return;
    }
    if (program.opts().json) program.error("error: --json requires --output", { exitCode: 2 });
    await pipeline(Readable.from(exportReviews(clientId, { kind, format })), process.stdout, { end: false });
  });

const googleFeed = program.command("google-feed").description("Google product reviews feed of published reviews");
command(googleFeed, "write", "write the feed to standard output or to a file")
  .requiredOption("--client <id>")
  .option("--output <file>", "write to this file; compressed with gzip if the name ends in .gz")
  .action(async ({ client: clientId, output }) => {
    const { writeReviewFeedTo } = await import("@/lib/display/google-feed/write-feed-to");
    if (output === undefined && program.opts().json) program.error("error: --json requires --output", { exitCode: 2 });
    const report = await writeReviewFeedTo(clientId, output);
    if (output !== undefined) print(report);
  });
command(
  googleFeed,
  "check [file-or-url]",
  "check a feed against Google's schema 2.4; exits with status 1 if it's invalid",
)
  .option("--client <id>", "check this client's current feed instead of a file")
  .action(async (source: string | undefined, { client: clientId }) => {
    if ((source === undefined) === (clientId === undefined))
      program.error("error: specify either a file or --client", { exitCode: 2 });
    const { checkReviewFeedOf, checkReviewFeedFrom } = await import("@/lib/display/google-feed/check-feed-from");
    const check = await (source === undefined ? checkReviewFeedOf(clientId) : checkReviewFeedFrom(source));
    print(check);
    if (!check.valid) process.exitCode = 1;
  });

command(
  program,
  "migrate-check <url>",
  "check a store's page that was built for a hosted service; exits with status 1 if something won't work",
)
  .option("--client <id>", "client that the page should have")
  .action(async (url: string, { client: clientId }) => {
    const { checkPage } = await import("@/lib/insights/moving/check-page");
    const { findingLine } = await import("@/lib/insights/moving/rules");
    if (clientId !== undefined) await assertClientExists(clientId);
    const check = await checkPage(url, { clientId });
    print(check, stripControlCharacters([check.url, ...check.findings.map(findingLine)].join("\n")));
    if (!check.works) process.exitCode = 1;
  });

const invitations = program.command("invitations").description("review invitations");
command(invitations, "plan", "show who would be invited now, and who wouldn't and why; sends nothing")
  .requiredOption("--client <id>")
  .option("--now <time>", "run as if it were this time", parseTime)
  .option("--explain", "explain in a sentence why an item isn't sent (always on without --json)")
  .action(async ({ client: clientId, now, explain }) => {
    const { previewNextRun } = await import("@/lib/invitations/preview-next-run");
    const { withNow } = await import("@/lib/platform/clock");
    await assertClientExists(clientId);
    const options = { explain: explain === true || program.opts().json !== true };
    const preview = await withNow(now ?? new Date(), () => previewNextRun(clientId, options));
    const lines = [
      ...preview.send.map(({ to, at, items }) => `to ${to} from ${at} on: ${items.map(itemLabel).join(", ")}`),
      ...preview.held.map((item) => `${itemLabel(item)}: ${item.sentence}`),
      ...(preview.senderNotice ? [preview.senderNotice] : []),
    ];
    print(preview, lines.join("\n") || "no items");
  });

command(invitations, "simulate", "simulate different settings with recent orders; sends nothing")
  .alias("rehearse")
  .requiredOption("--client <id>")
  .option("--days <n>", "days of deliveries to include", integerUpTo(365), 30)
  .option(
    "--set <field=value...>",
    "send_emails_after_days, send_emails_before_days, quarantine_period, send_limit",
    [],
  )
  .option("--now <time>", "run as if it were this time", parseTime)
  .action(async ({ client: clientId, days, set, now }) => {
    const { validateAndSimulate } = await import("@/lib/invitations/validate-and-simulate");
    const { withNow } = await import("@/lib/platform/clock");
    const settings = await readSettings(set);
    print(await withNow(now ?? new Date(), () => validateAndSimulate(clientId, { days, settings })));
  });
command(invitations, "funnel", "show how invitation emails performed, by day and by product")
  .requiredOption("--client <id>")
  .option("--from <day>", "first day (default: 30 days ago)", parseDay)
  .option("--to <day>", "last day (default: today)", parseDay)
  .option("--product <id>", "only emails about this product")
  .action(async ({ client: clientId, from, to, product }) => {
    const { getFunnel, funnelCsv } = await import("@/lib/invitations/get-funnel");
    const { getClient } = await import("@/lib/accounts/stores/get-client");
    await assertClientExists(clientId);
    const funnel = await getFunnel((await getClient(clientId))!, { from, to, product });
    print(funnel, funnelCsv(funnel, "day").trimEnd());
  });

const itemLabel = ({ order_id, item_id }: { order_id: string; item_id: string }): string => `${order_id}/${item_id}`;

const integration = program.command("integration").description("integrations of a client");
command(integration, "set <type>", "connect an integration or change its settings; other settings are kept")
  .requiredOption("--client <id>")
  .option("--set <name=value...>", "settings; null clears a value, lists are separated by commas", [])
  .option("--secrets-stdin", "read credentials from standard input as one JSON object")
  .action(async (type: string, { client: clientId, set, secretsStdin }) => {
    const { systemActor } = await import("@/lib/accounts/actor");
    const { setIntegrationFromText } = await import("@/lib/integrations/set-integration-from-text");
    await assertClientExists(clientId);
    const secrets = secretsStdin ? parse(await readAll(process.stdin), "standard input") : {};
    print(await setIntegrationFromText(systemActor, { id: clientId }, type, set, secrets));
  });
command(integration, "test <type>", "test the connection without changing anything; exits with status 1 if it fails")
  .requiredOption("--client <id>")
  .action(async (type: string, { client: clientId }) => {
    const { testIntegration } = await import("@/lib/integrations/test-integration");
    const found = await testIntegration({ id: clientId }, type);
    print(
      found,
      found.checks.map(({ name, ok, message }) => `${ok ? "ok  " : "FAIL"}  ${name}: ${message}`).join("\n"),
    );
    if (!found.ok) process.exitCode = 1;
  });
command(integration, "preview <type>", "preview how a Delta Share would be read; stores nothing")
  .requiredOption("--client <id>")
  .action(async (type: string, { client: clientId }) => {
    const { previewShare } = await import("@/lib/integrations/delta-share/preview-share");
    const found = await previewShare({ id: clientId }, type);
    const human = found.tables.flatMap(({ part, table, fields, columns, rows, fault }) => [
      `${part}: ${fault ?? table ?? "table not found"}`,
      ...fields.map(
        ({ field, column }) => `  ${field} = ${column ?? "-"}   ${rows.map((row) => row[field] ?? "-").join(" | ")}`,
      ),
      ...(columns.length > 0 ? [`  columns: ${columns.join(", ")}`] : []),
    ]);
    print(found, found.fault ?? human.join("\n"));
    if (found.fault) process.exitCode = 1;
  });
command(integration, "sync <type>", "run one sync to its end")
  .requiredOption("--client <id>")
  .option("--confirm-deletions", "import the product catalog even if more than half of the products would be deleted")
  .action(async (type: string, { client: clientId, confirmDeletions }) => {
    const { systemActor } = await import("@/lib/accounts/actor");
    const { runWholeSync } = await import("@/lib/integrations/run-whole-sync");
    const run = await runWholeSync(systemActor, { id: clientId }, type, { confirmDeletions });
    print(run);
    if (run?.outcome === "failed") process.exitCode = 1;
  });
command(integration, "log <type>", "list what was sent and imported, newest first")
  .requiredOption("--client <id>")
  .addOption(new Option("--outcome <outcome>").choices(["pending", "sent", "skipped", "failed", "imported"]))
  .option("--limit <n>", "number of lines", integerUpTo(1_000), 100)
  .action(async (type: string, { client: clientId, outcome, limit }) => {
    const { listLastDeliveries: readLog } = await import("@/lib/integrations/list-last-deliveries");
    const lines = await readLog({ id: clientId }, type, { outcome, limit });
    const human = lines.map((line) =>
      [line.at, line.kind, line.subject, line.outcome, line.reason ?? "", line.remote_id ?? ""].join("  ").trimEnd(),
    );
    print(lines, human.join("\n") || "no entries yet");
  });

const webhook = program.command("webhook").description("webhooks of clients");
/** The given client, or all clients with webhooks. */
const clientsWithWebhooks = async (id: string | undefined): Promise<{ id: string }[]> => {
  const { listClientsWithWebhooks } = await import("@/lib/integrations/webhooks/list-webhooks");
  if (id === undefined) return listClientsWithWebhooks();
  await assertClientExists(id);
  return [{ id }];
};
command(webhook, "create", "create a webhook; its signing secret is only printed once")
  .requiredOption("--client <id>")
  .requiredOption("--url <url>")
  .option("--event <event>", "send this event only; can be repeated (default: all)", collectValues)
  .action(async ({ client: clientId, url, event }) => {
    await assertClientExists(clientId);
    const { createWebhook } = await import("@/lib/integrations/webhooks/set-webhook");
    const { WebhookInput } = await import("@/lib/integrations/webhooks/schema");
    const { validate } = await import("@/lib/platform/http/validate");
    const { systemActor } = await import("@/lib/accounts/actor");
    const input = validate(WebhookInput, { url, ...(event && { events: event }) }, "invalid_field");
    const { id, secret } = await createWebhook(systemActor, { id: clientId }, input);
    print({ id, secret }, `webhook ${id}, secret ${secret}`);
  });
command(webhook, "list", "list all webhooks, without their secrets")
  .option("--client <id>", "this client only")
  .action(async ({ client: clientId }) => {
    const { listWebhooks } = await import("@/lib/integrations/webhooks/list-webhooks");
    const lists = (await clientsWithWebhooks(clientId)).map(async ({ id }) =>
      (await listWebhooks({ id })).map((each) => ({ client_id: id, ...each })),
    );
    const found = (await Promise.all(lists)).flat();
    const lines = found.map(({ id, client_id, url, state, waiting }) =>
      [id, client_id, state, `${waiting} pending`, url].join("  "),
    );
    print(found, lines.join("\n") || "no webhooks");
  });
command(webhook, "rotate <id>", "create a new signing secret, only printed once; the old one also works for 24 hours")
  .requiredOption("--client <id>")
  .action(async (id: string, { client: clientId }) => {
    await assertClientExists(clientId);
    const { rotateSecret } = await import("@/lib/integrations/webhooks/set-webhook");
    const { systemActor } = await import("@/lib/accounts/actor");
    const { secret, old_secret_until } = await rotateSecret(systemActor, { id: clientId }, id);
    print(
      { id, secret, old_secret_until },
      `webhook ${id}, secret ${secret}; the old one works until ${old_secret_until}`,
    );
  });
command(webhook, "log", "list the last 50 deliveries of each webhook, newest first")
  .option("--client <id>", "this client only")
  .option("--webhook <id>", "this webhook only")
  .action(async ({ client: clientId, webhook: only }) => {
    const { listWebhooks, listWebhookDeliveries } = await import("@/lib/integrations/webhooks/list-webhooks");
    const log = [];
    for (const owner of await clientsWithWebhooks(clientId))
      for (const { id } of await listWebhooks(owner)) {
        if (only !== undefined && id !== only) continue;
        const { deliveries } = await listWebhookDeliveries(owner, id);
        log.push(...deliveries.map((delivery) => ({ client_id: owner.id, webhook_id: id, ...delivery })));
      }
    log.sort((a, b) => Number(b.id) - Number(a.id));
    const lines = log.flatMap(({ happened_at, event, subject, state, error, attempt_log }) => [
      [happened_at, event, subject, state, error ?? ""].join("  ").trimEnd(),
      ...attempt_log.map(({ at, status, duration_ms, answer, error: reason }) =>
        `  ${at}  ${status ?? "no response"}  ${duration_ms} ms  ${(answer ?? reason ?? "").replace(/\s+/g, " ")}`.trimEnd(),
      ),
    ]);
    print(log, lines.join("\n") || "no deliveries");
  });

const jobs = program.command("jobs").description("background jobs");
command(
  jobs,
  "run <function>",
  "run a scheduled function and everything it starts; exits with status 1 if something fails",
)
  .option("--client <id>", "this client only; can be repeated", collectValues)
  .option("--now <time>", "run as if it were this time", parseTime)
  .action(async (name: string, { client: clientIds, now }) => {
    const { runJobNow, errorLinesOf } = await import("@/lib/platform/jobs/run-job-now");
    const { inngest } = await import("@/inngest/client");
    const { functions } = await import("@/inngest/index");
    for (const id of clientIds ?? []) await assertClientExists(id);
    const report = await runJobNow({ client: inngest, functions }, name, { clientIds, now });
    print(report);
    const failures = errorLinesOf(report);
    for (const failure of failures) process.stderr.write(`${failure}\n`);
    if (failures.length > 0) process.exitCode = 1;
  });
command(jobs, "list", "list recent runs")
  .option("--limit <n>", "number of runs", integerUpTo(1_000), 50)
  .action(async ({ limit }) => {
    const { listRuns } = await import("@/lib/platform/jobs/list-runs");
    print(await listRuns({ limit }));
  });

const mail = program.command("mail").description("emails of this installation");
command(mail, "list", "list stored emails, oldest first")
  .option("--to <address>")
  .action(async ({ to }) => {
    const { listMails } = await import("@/lib/platform/mail/list-mails");
    const mails = await listMails({ to });
    const lines = mails.map(
      ({ id, created_at, to, subject }) =>
        `${id}  ${created_at}  ${stripControlCharacters(to)}  ${stripControlCharacters(subject)}`,
    );
    print(mails, mails.length > 0 ? [...lines, "Show one with: mail show <id>"].join("\n") : "No stored emails.");
  });
command(mail, "show <id>", "show an email: headers and text")
  .option("--html", "show its HTML instead")
  .action(async (id: string, { html }) => {
    const { getMail } = await import("@/lib/platform/mail/get-mail");
    const mail = await getMail(id);
    const head = [`From: ${mail.from}`, `To: ${mail.to}`, `Subject: ${mail.subject}`, `Date: ${mail.created_at}`];
    print(mail, stripControlCharacters(html ? (mail.html ?? "") : `${head.join("\n")}\n\n${mail.text ?? ""}`));
  });

const withSampleOptions = (parent: Command): Command =>
  parent
    .requiredOption("--client <id>")
    .option("--lang <language>", "language of the customer")
    .addOption(new Option("--kind <kind>").choices(["invitation", "reminder", "seller"]).default("invitation"));
withSampleOptions(command(mail, "preview", "preview the invitation as a customer would get it; sends nothing"))
  .option("--output <file>", "write the HTML to a file")
  .action(async ({ client: clientId, lang, kind, output }) => {
    const { previewInvitation } = await import("@/lib/invitations/preview-invitation");
    const preview = await previewInvitation(clientId, { lang, kind });
    if (output !== undefined) await writeFile(output, preview.html);
    print(preview, output === undefined ? `${preview.subject}\n\n${preview.text}` : `${preview.subject}\n${output}`);
  });
withSampleOptions(command(mail, "test", "send a sample invitation, marked as a test"))
  .requiredOption("--to <address>")
  .action(async ({ client: clientId, to, lang, kind }) => {
    const { sendTestMail } = await import("@/lib/invitations/send-test-mail");
    const { deliverMail } = await import("@/lib/platform/mail/deliver-mail");
    const { mail_id } = await sendTestMail(clientId, to, { lang, kind });
    const state = await deliverMail(mail_id);
    print({ mail_id, state }, `${mail_id}: ${state}`);
  });

const summaries = program.command("summaries").description("review counts");
command(summaries, "verify", "recount all reviews and list differences")
  .option("--client <id>")
  .action(async ({ client: clientId }) => {
    const { verifySummaries } = await import("@/lib/catalog/summaries/verify-summaries");
    const differences = await verifySummaries(clientId);
    print({ differences }, differences.length === 0 ? "all counts are correct" : undefined);
    if (differences.length > 0) process.exitCode = 1;
  });

const secrets = program.command("secrets").description("the installation's secret and what it encrypts");
command(
  secrets,
  "rotate",
  "re-encrypt everything with the current secret; exits with status 1 if something can't be decrypted",
)
  .option("--dry-run", "show what would happen without changing anything")
  .action(async ({ dryRun }) => {
    const { rotateSecrets } = await import("@/lib/platform/secrets/rotate-secrets");
    const { sealedColumns } = await import("@/app/_sealed-columns");
    const report = await rotateSecrets(sealedColumns, { dryRun });
    const done = report.dry_run ? "to re-encrypt" : "re-encrypted";
    const lines = report.places.map(
      ({ place, present, resealed, changed, lost }) =>
        `${place}: ${resealed} ${done}, ${present} up to date, ${changed} changed in the meantime, ${lost} lost`,
    );
    const undecryptableRows = report.places.flatMap(({ place, lost_rows }) =>
      lost_rows.map(
        ({ key, secret }) => `lost: ${place} of ${key.join(", ")}${secret ? `, encrypted with ${secret}` : ""}`,
      ),
    );
    const unneededSecrets = report.needless.map((id) => `no longer needed in CANDOR_OLD_SECRETS: ${id}`);
    const head = `current secret ${report.present}, hashes made with ${report.lasting}, configured: ${report.set.join(", ")}`;
    print(report, [head, ...lines, ...undecryptableRows, ...unneededSecrets].join("\n"));
    if (report.lost > 0) process.exitCode = 1;
  });
command(secrets, "adopt", "make keyed hashes with the last configured secret from now on, if the previous one is lost")
  .requiredOption("--accept-loss", "people who unsubscribed before may get emails again")
  .action(async () => {
    const { adoptLastingSecret } = await import("@/lib/platform/secrets/lasting-secret");
    print(await adoptLastingSecret());
  });

const log = program.command("log").description("the stores' logs and the keys that sign them");
command(log, "verify", "check that the logs fit: signatures, entries and hashes, and that they grow")
  .option("--client <id>", "of this client; otherwise of all")
  .action(async ({ client }: { client?: string }) => {
    const { findOverdueEntries, listLogs, verifyOwnLog } = await import("@/lib/honesty/verify-own-log");
    if (client !== undefined) await assertClientExists(client);
    const results = [];
    for (const id of await listLogs(client === undefined ? null : [client])) results.push(await verifyOwnLog(id));
    const text = results.map((result) =>
      result.problem === null
        ? `${result.client_id}\n${result.report.join("\n")}`
        : `${result.client_id}\nDOES NOT FIT: ${result.problem}`,
    );
    const overdue = client === undefined ? await findOverdueEntries() : null;
    if (overdue) text.push(`OVERDUE: ${overdue}`);
    print(overdue ? [...results, { client_id: null, problem: overdue }] : results, text.join("\n\n"));
    if (overdue || results.some(({ problem }) => problem !== null)) process.exitCode = 1;
  });
command(log, "export <folder>", "write a client's log to a folder, for the verifier or as a copy")
  .requiredOption("--client <id>")
  .action(async (folder: string, { client }: { client: string }) => {
    const { exportLog } = await import("@/lib/honesty/export-log");
    const report = await exportLog(client, folder);
    print(report, `${report.entries} entries in ${report.files} files in ${folder}`);
  });
command(log, "keys", "list the keys that sign checkpoints").action(async () => {
  const { publicKeys } = await import("@/lib/honesty/signing-keys");
  const ids = (await publicKeys(pool())).map(({ id }) => id);
  print(ids, ids.join("\n"));
});
command(log, "add-key", "add a signing key; each log announces it").action(async () => {
  const { addKey } = await import("@/lib/honesty/change-keys");
  const id = await addKey();
  print({ id }, id);
});
command(log, "retire-key <id>", "retire a signing key; each log says so").action(async (id: string) => {
  const { endKey } = await import("@/lib/honesty/change-keys");
  await endKey(id);
  print({ id }, `key ${id} retired`);
});

/** The passphrase for a backup's secrets, from standard input or the environment. */
const readPassphrase = async (fromStdin: boolean | undefined): Promise<string | undefined> =>
  fromStdin ? (await readAll(process.stdin)).replace(/\r?\n$/, "") : process.env.BACKUP_PASSPHRASE || undefined;
function showBackupProgress({ rows, files }: { rows: number; files: number }): void {
  process.stderr.write(`\r${rows} rows, ${files} files`);
}
function fileNotes(missing: string[], deleted = 0): string[] {
  return [
    ...(missing.length > 0
      ? [`${missing.length} files are missing from the file storage: ${missing.slice(0, 10).join(", ")}`]
      : []),
    ...(deleted > 0 ? [`${deleted} photos were deleted in the meantime`] : []),
  ];
}

command(program, "backup <file>", "back up the database and photos to a file; the server can keep running")
  .option("--secrets", "include the installation's secrets, encrypted with a passphrase")
  .option("--passphrase-stdin", "read the passphrase from standard input (default: BACKUP_PASSPHRASE)")
  .action(async (file: string, { secrets: withSecrets, passphraseStdin }) => {
    const passphrase = withSecrets ? await readPassphrase(passphraseStdin) : undefined;
    if (withSecrets && passphrase === undefined)
      program.error("error: --secrets requires a passphrase: --passphrase-stdin or BACKUP_PASSPHRASE", { exitCode: 2 });
    const { backUp } = await import("@/lib/backup/backup");
    const report = await backUp(file, { passphrase, onProgress: showBackupProgress });
    process.stderr.write("\n");
    const { bytes, tables, rows, files, missing, deleted } = report;
    const lines = [
      `${file}: ${rows} rows in ${tables} tables, ${files} files, ${bytes} bytes${withSecrets ? ", with secrets" : ""}`,
      ...fileNotes(missing, deleted),
    ];
    print(report, lines.join("\n"));
  });
command(program, "restore <file>", "restore a backup into an empty installation; stop the server first")
  .option("--passphrase-stdin", "read the passphrase of the secrets from standard input (default: BACKUP_PASSPHRASE)")
  .option("--without-secrets", "don't restore the secrets")
  .option("--dry-run", "check the file and show what it contains")
  .action(async (file: string, { passphraseStdin, withoutSecrets, dryRun }) => {
    const { inspectBackup, restore } = await import("@/lib/backup/restore");
    if (dryRun) return print(await inspectBackup(file));
    const passphrase = await readPassphrase(passphraseStdin);
    const report = await restore(file, { passphrase, withoutSecrets, onProgress: showBackupProgress });
    process.stderr.write("\n");
    const { created_at, tables, rows, files, missing, secret, pending, differences } = report;
    const pendingWork = Object.entries(pending).map(([name, count]) => `${count} ${name}`);
    const secretLine = {
      set: `Secret ${secret.id} is set.`,
      restored: `Secret ${secret.id} was saved to DATA_DIR/secret.`,
      needed: `Set secret ${secret.id} before you start: the server won't start without it (lib/platform/secrets/README.md).`,
    }[secret.state];
    const lines = [
      `Restored the backup from ${created_at}: ${rows} rows in ${tables} tables, ${files} files.`,
      ...fileNotes(missing),
      secretLine,
      ...Object.entries(secret.settings ?? {}).map(([name, value]) => `${name}=${value}`),
      `To be continued after the start: ${pendingWork.join(", ")}.`,
      differences.length === 0
        ? "All counts are correct."
        : `${differences.length} counts are wrong. List them with: summaries verify`,
    ];
    print(report, lines.join("\n"));
    if (differences.length > 0) process.exitCode = 1;
  });

const demo = program.command("demo").description("the demo account");
command(demo, "load", "create it if the database is empty and the service is only reachable from this machine").action(
  async () => {
    const { loadDemo } = await import("@/lib/tools/demo/load-demo");
    const loaded = await loadDemo();
    print(
      { loaded },
      loaded
        ? "demo data loaded"
        : "no demo data loaded: the database isn't empty, or the service is reachable from other machines",
    );
  },
);
command(demo, "reset", "delete and recreate it").action(async () => {
  const { resetDemo } = await import("@/lib/tools/demo/load-demo");
  await resetDemo();
  print({ reset: true }, "demo account reset");
});
command(demo, "show", "show its sign-in and keys").action(async () => {
  const { demoCredentials } = await import("@/lib/tools/demo/load-demo");
  const found = await demoCredentials();
  print(found, `user ${found.username}, password ${found.password}, key ${found.key}, public key ${found.public_key}`);
});

function showProgress({ read, written = 0 }: { read: number; written?: number }): void {
  process.stderr.write(written === 0 ? `\r${read} rows read` : `\r${written} of ${read} rows done`);
}

async function assertClientExists(id: string): Promise<void> {
  const { getClient } = await import("@/lib/accounts/stores/get-client");
  if (!(await getClient(id))) throw new AppError("not_found", { reason: "client_not_found", params: { id } });
}

/**
 * Parses `field=value` pairs by the field's type: text where text is allowed, otherwise JSON. `null` is null, `@file`
 * reads JSON.
 */
async function readSettings(pairs: string[]): Promise<Record<string, unknown>> {
  const { ClientSettings } = await import("@/lib/accounts/stores/settings");
  const settings: Record<string, unknown> = {};
  for (const pair of pairs) {
    const [, field, value] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
    if (field === undefined || value === undefined)
      return program.error(`error: ${pair} isn't in the form field=value`, { exitCode: 2 });
    const schema = ClientSettings.shape[field as keyof typeof ClientSettings.shape];
    settings[field] = await readValue(value, (rawText) => schema?.safeParse(rawText).success ?? true);
  }
  return settings;
}

async function readValue(value: string, isValid: (given: unknown) => boolean): Promise<unknown> {
  if (value === "null") return null;
  if (value.startsWith("@")) return parse(await readFile(value.slice(1), "utf8"), value.slice(1));
  if (isValid(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value; // not JSON: the setting's own validation reports the problem
  }
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError("invalid_json", { reason: "file_not_valid_json", params: { file }, cause });
  }
}

/** The error as one line for the operator. */
function errorMessage(error: unknown): string {
  if (error instanceof AppError) {
    return error.message;
  }
  if (error instanceof SettingsError) return error.message;
  const { code, path, message } = error as NodeJS.ErrnoException;
  return code === "ENOENT" && path ? `${path} doesn’t exist.` : `Unexpected: ${message}`;
}

for (const group of program.commands) {
  const names = group.commands.map((one) => one.name()).join(", ");
  if (names) {
    const rejectUnknownCommand = (_: object, { args: [given] }: Command) =>
      group.error(`error: ${given ? `unknown command '${given}'; ` : ""}commands of ${group.name()}: ${names}`, {
        exitCode: 2,
      });
    group.allowExcessArguments().action(rejectUnknownCommand);
  }
}

/** Runs the command of `argv`. Sets the exit code, and resolves once its output is written. */
export async function runCommand(argv: string[]): Promise<void> {
  try {
    await program.parseAsync(argv);
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : 2; // commander has already printed the error or its help
    } else {
      if (process.env.LOG_LEVEL === "debug") process.stderr.write(`${(error as Error).stack}\n`);
      process.stderr.write(`${errorMessage(error).replaceAll("\n", " ")}\n`);
      process.exitCode = 1;
    }
  } finally {
    await pendingOutput;
    await pool().end();
  }
}
