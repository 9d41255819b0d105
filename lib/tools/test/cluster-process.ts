import cluster from "node:cluster";
import http from "node:http";
import { runCluster } from "@/lib/api/cluster";

// Two processes that share a port, as the server's do. Each responds with its id; the first argument is the port.

if (cluster.isPrimary) {
  void runCluster(2, import.meta.filename, new AbortController().signal);
  process.stdin.on("end", () => process.exit()).resume();
  cluster.once("listening", () => process.stdout.write("listening\n"));
} else {
  http.createServer((_, response) => response.end(String(process.pid))).listen(Number(process.argv[2]), "127.0.0.1");
}
