import pg from "pg";
import { instances } from "@/lib/platform/process";

/** Closes the connection pools among this process's instances. */
export async function closePools(): Promise<void> {
  const open = [...instances().values()].filter((value) => value instanceof pg.Pool && !value.ended);
  await Promise.all(open.map((pool) => (pool as pg.Pool).end()));
}
