// Loaded into the server before its own code: when the launcher dies without a word (kill -9), the server ends in order,
// instead of holding the port against the next start.
process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
process.channel?.unref();
