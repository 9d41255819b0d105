import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { publicContracts } from "@/app/_contracts";
import { publicApiInfo } from "@/app/_description";
import { describeApi } from "@/lib/api/openapi";
import { typesOf } from "@/lib/tools/api-client/generate-types";

// Writes the API client's types into the given file. lib/tools/launch/prepare.mjs runs this when a contract changed.

const [, , file] = process.argv;
if (!file) throw new Error("Name the file to write.");
const types = await typesOf(describeApi(publicContracts, { ...publicApiInfo, origin: "http://localhost:3000" }));
await mkdir(path.dirname(file), { recursive: true });
await writeFile(file, `// Made of the API's description by app/_api-types.ts; not to be edited.\n\n${types}`);
