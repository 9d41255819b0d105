import path from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take half a minute and more, the longest first. Begun last, one of them would keep a worker alone at it. */
export const longest = [
  "app/_fuzz.db.test.ts",
  "app/_portal.db.test.ts",
  "lib/invitations/plan-invitations.db.test.ts",
  "app/_admin.db.test.ts",
  "app/_routes.db.test.ts",
  "lib/invitations/year.db.test.ts",
  "lib/privacy/erasure-under-way.db.test.ts",
  "lib/tools/launch/postgres.db.test.ts",
  "lib/platform/jobs/crash.db.test.ts",
  "lib/privacy/erasure.db.test.ts",
  "lib/platform/jobs/both-engines.db.test.ts",
  "lib/display/lists.db.test.ts",
];

/** The order in which files of tests are begun: those first, then as Vitest thinks best. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = longest.indexOf(path.relative(this.ctx.config.root, moduleId));
      return at < 0 ? longest.length : at;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}
