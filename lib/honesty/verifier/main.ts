import { run } from "@/lib/honesty/verifier/run";

const { code, text } = await run(process.argv.slice(2), "verify-state.json");
if (code === 0) console.log(text);
else console.error(text);
process.exitCode = code;
