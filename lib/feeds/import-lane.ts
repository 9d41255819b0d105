import { createHash } from "node:crypto";

const LANE_COUNT = 2;

/**
 * The lane in which a client's imports run one after the other. An import holds a database connection for as long as
 * its file takes, so the number of lanes limits concurrent imports, and a slow server delays only its own lane.
 */
export const importLane = (clientId: string): string =>
  String((createHash("sha256").update(clientId).digest()[0] as number) % LANE_COUNT);
