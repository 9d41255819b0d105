import { z } from "zod";

export const LogParams = z.object({ client_id: z.string() });

export const TileParams = LogParams.extend({
  path: z.string().meta({
    description:
      "Level and number of a tile, or `entries` and the number of a bundle, as in https://c2sp.org/tlog-tiles: `0/067`, `entries/x001/x234/067.p/5`.",
  }),
});
