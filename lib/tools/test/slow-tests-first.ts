import path from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that take twenty seconds or more, the longest first. Started last, one of them would run alone in its worker.
 */
export const slowTests = [
  "lib/backup/backup.db.test.ts",
  "lib/integrations/engagement/engagement.db.test.ts",
  "app/_portal-lists.db.test.ts",
  "app/_portal.db.test.ts",
  "lib/backup/store/store.db.test.ts",
  "lib/integrations/delta-share/sync-share.db.test.ts",
  "lib/transfer/round-trip.db.test.ts",
  "lib/privacy/erasure-in-progress.db.test.ts",
  "lib/privacy/erasure.db.test.ts",
  "inngest/on-inngest.db.test.ts",
  "lib/transfer/imports/imports.db.test.ts",
];

/** Starts those files first, the others in Vitest's own order. */
export class SlowTestsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = slowTests.indexOf(path.relative(this.ctx.config.root, moduleId));
      return at < 0 ? slowTests.length : at;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
