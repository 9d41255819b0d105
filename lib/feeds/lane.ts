import { createHash } from "node:crypto";

const LANE_COUNT = 2;

/**
 * In which lane the imports of a client wait, one after the other. An import holds a connection to the database for as
 * long as its file comes, so few may run at once, whoever's they are; and a shop whose server is slow keeps only those
 * of its lane waiting.
 */
export const importLane = (clientId: string): string =>
  String((createHash("sha256").update(clientId).digest()[0] as number) % LANE_COUNT);
