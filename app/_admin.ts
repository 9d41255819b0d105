import { runCommand } from "@/app/_admin-commands";

// The admin command as a program.

await runCommand(process.argv);
process.exit();
