// Loaded into the server before its own code: if the launcher is killed (kill -9), the server stops gracefully instead
// of blocking the port for the next start.
process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
process.channel?.unref();
