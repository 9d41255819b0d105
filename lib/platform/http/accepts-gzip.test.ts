import { expect, it } from "vitest";
import { acceptsGzip } from "@/lib/platform/http/accepts-gzip";

it.each<[string | null, boolean]>([
  ["gzip", true],
  ["br, gzip;q=0.5", true],
  ["*", true],
  ["gzip;q=0", false],
  ["*, gzip;q=0", false],
  ["gzip, *;q=0", true],
  ["identity", false],
  [null, false],
])("Accept-Encoding %s", (header, accepted) => expect(acceptsGzip(header)).toBe(accepted));
