import { createReadStream } from "node:fs";
import { importProducts } from "@/lib/feeds/import-products";

// Imports a file into a client, as the admin command and the jobs do, and prints milliseconds and the process's peak
// memory.

const [client = "", file = ""] = process.argv.slice(2);
const began = performance.now();
const { created, rejectedCount } = await importProducts(client, createReadStream(file), { filename: "feed.csv" });
const durationMs = performance.now() - began;
const peak = process.resourceUsage().maxRSS * 1024;
process.stdout.write(`${JSON.stringify({ created, rejected: rejectedCount, took: durationMs, peak })}\n`);
process.exit(0);
